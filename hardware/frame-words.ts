/**
 * What frames of a line say, for people: keys of texts (`frame.poll`, `deviceState.jammed`,
 * `rejection.magnetic`), and names that are the same in every language. The bytes are read by the
 * codecs of the protocols.
 */
import * as cctalk from './bill-acceptor/cctalk/cctalk.codec.ts';
import * as ebds from './bill-acceptor/ebds/ebds.codec.ts';
import * as ebdsMessages from './bill-acceptor/ebds/ebds-messages.codec.ts';
import { stateOf } from './bill-acceptor/ebds/ebds-state.machine.ts';
import * as id003 from './bill-acceptor/id003/id003.codec.ts';
import * as ssp from './bill-acceptor/ssp/ssp.codec.ts';
import * as kcb1 from './cabinet/kcb1/kcb1.codec.ts';
import type { AcceptorState, FrameRecord } from './ports.ts';
import * as nut from './power/nut.codec.ts';
import * as escpos from './printer/escpos.codec.ts';
import * as angelEye from './shoe/angel-eye/angel-eye.codec.ts';
import * as ksp1 from './shoe/ksp1/ksp1.codec.ts';
import { EMPTY_PARSER, fromHex, joinBytes } from './transport/bytes.ts';

/** Empty: it is not understood. */
type Words = readonly string[];
type Reader = (bytes: Uint8Array, direction: 'in' | 'out', asked: Uint8Array | null) => Words;

const state = (of: AcceptorState, detail: string | null): Words => [
  `deviceState.${of}`,
  ...(detail === null ? [] : [`failure.${detail}`]),
];
const rejected = (why: string): Words => ['deviceState.rejecting', `rejection.${why}`];
const RANKS = 'A23456789TJQK';
const SUITS = 'SHDC';
/** Suit 0..3 = S H D C and rank 0..12 = A..K. */
const card = (face: { readonly suit: number; readonly rank: number } | null): Words =>
  face === null ? ['frame.unread-card'] : ['frame.card', `${RANKS[face.rank]}${SUITS[face.suit]}`];

/** Names of codes of the host, by what they are for. */
const named = <Names extends string>(
  codes: Readonly<Record<Names, number>>,
  words: Readonly<Record<Names, string>>,
): ReadonlyMap<number, string> =>
  new Map((Object.keys(codes) as Names[]).map((name) => [codes[name], `frame.${words[name]}`]));
const of = (names: ReadonlyMap<number, string>, code: number | undefined): Words => {
  const word = code === undefined ? undefined : names.get(code);
  return word === undefined ? [] : [word];
};

// ---- JCM ID-003 ----

const ID003 = named(id003.COMMAND, {
  statusRequest: 'poll',
  reset: 'reset',
  stack1: 'stack',
  stack2: 'stack',
  returnNote: 'return',
  hold: 'hold',
  wait: 'hold',
  ack: 'heard',
  readEnable: 'ask-settings',
  readSecurity: 'ask-settings',
  readMode: 'ask-settings',
  readInhibit: 'ask-settings',
  readDirection: 'ask-settings',
  readOptions: 'ask-settings',
  readBarcodeFunction: 'ask-settings',
  readBarcodeInhibit: 'ask-settings',
  version: 'ask-identity',
  bootVersion: 'ask-identity',
  currencies: 'ask-notes',
  enable: 'settings',
  security: 'settings',
  mode: 'settings',
  inhibit: 'settings',
  direction: 'settings',
  options: 'settings',
  barcodeFunction: 'settings',
  barcodeInhibit: 'settings',
});

const readId003: Reader = (bytes, direction) => {
  const frame = id003.parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  if (frame === undefined) return [];
  if (direction === 'out') {
    if (frame.command !== id003.COMMAND.inhibit) return of(ID003, frame.command);
    return [frame.data[0] === 1 ? 'frame.shut' : 'frame.open'];
  }
  if (frame.command === id003.REPLY_ACK) return ['frame.heard'];
  if (frame.command === id003.REPLY_INVALID) return ['frame.refused'];
  const status = id003.decodeStatus(frame);
  // What was asked or set comes back under its own code.
  if (!status.ok) return ID003.has(frame.command) ? ['frame.answer'] : [];
  const { row, detail } = status.value;
  return row.state === 'rejecting' && detail !== null ? rejected(detail) : state(row.state, detail);
};

// ---- MEI/CPI EBDS, Pyramid ----

const EBDS: Readonly<Record<Exclude<ebdsMessages.HostMessage['type'], 'poll'>, string>> = {
  'query-note': 'ask-notes',
  'set-inhibits': 'settings',
  'set-escrow-timeout': 'settings',
  'query-value-table': 'ask-notes',
  'note-retrieved': 'settings',
  auxiliary: 'ask-identity',
  'soft-reset': 'reset',
  telemetry: 'ask-identity',
};

const readEbds: Reader = (bytes, direction) => {
  const frame = ebds.parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  if (frame === undefined) return [];
  if (direction === 'out') {
    const message = ebdsMessages.decodeHost(frame);
    if (!message.ok) return [];
    if (message.value.type !== 'poll') return [`frame.${EBDS[message.value.type]}`];
    return [`frame.${message.value.poll.move ?? 'poll'}`];
  }
  const message = ebdsMessages.decodeUnit(frame);
  if (!message.ok) return frame.type === ebds.TYPE.auxiliary ? ['frame.answer'] : [];
  if (!('status' in message.value)) return ['frame.answer'];
  const { status } = message.value;
  if (status.stacked) return ['deviceState.stacked'];
  return state(...stateOf(status, false, status.disabled));
};

// ---- ccTalk ----

const CCTALK = named(cctalk.HEADER, {
  simplePoll: 'poll',
  manufacturer: 'ask-identity',
  equipmentCategory: 'ask-identity',
  productCode: 'ask-identity',
  serialNumber: 'ask-identity',
  softwareRevision: 'ask-identity',
  selfCheck: 'ask-check',
  modifyInhibits: 'settings',
  requestInhibits: 'ask-settings',
  modifyMasterInhibit: 'settings',
  requestMasterInhibit: 'ask-settings',
  readBillEvents: 'poll',
  billId: 'ask-notes',
  countryScaling: 'ask-notes',
  billPosition: 'ask-notes',
  routeBill: 'settings',
  modifyOperatingMode: 'settings',
  requestOperatingMode: 'ask-settings',
  currencyRevision: 'ask-identity',
  reset: 'reset',
});
const WIRES = [
  { checksum: 'simple', code: null },
  { checksum: 'crc16', code: null },
] as const;
const cctalkFrame = (bytes: Uint8Array, address: number): cctalk.Frame | undefined =>
  WIRES.map((wire) => cctalk.parse({ ...wire, address }, EMPTY_PARSER, bytes).frames[0]?.frame).find(
    (frame) => frame !== undefined,
  );

const readCctalk: Reader = (bytes, direction, asked) => {
  const frame = cctalkFrame(bytes, bytes[0] ?? cctalk.HOST);
  if (frame === undefined) return [];
  const isOurs = frame.to !== cctalk.HOST;
  if (direction === 'out' || isOurs) {
    const [data] = frame.data;
    // One line for both directions: our own words come back on it.
    const echo = direction === 'in' ? ['frame.echo'] : [];
    if (frame.header === cctalk.HEADER.modifyMasterInhibit)
      return [...echo, data === 1 ? 'frame.open' : 'frame.shut'];
    if (frame.header !== cctalk.HEADER.routeBill) return [...echo, ...of(CCTALK, frame.header)];
    const route = { 0: 'frame.return', 1: 'frame.stack', 255: 'frame.hold' }[data ?? -1];
    return [...echo, ...(route === undefined ? [] : [route])];
  }
  if (frame.header === cctalk.NAK) return ['frame.refused'];
  if (frame.header === cctalk.BUSY) return ['frame.busy'];
  if (frame.data.length === 0) return ['frame.heard'];
  const question = asked === null ? undefined : cctalkFrame(asked, asked[0] ?? cctalk.HOST)?.header;
  if (question === cctalk.HEADER.selfCheck) {
    const fault = cctalk.faultOfCheck(frame.data[0] ?? 0);
    return fault === null ? ['frame.in-order'] : state(fault.state, fault.detail);
  }
  if (question !== cctalk.HEADER.readBillEvents) return ['frame.answer'];
  const events = cctalk.decodeEvents(frame.data);
  if (!events.ok) return [];
  const [newest = [0, 0] as const] = events.value.pairs;
  const event = cctalk.eventOf(newest[0], newest[1]);
  switch (event.type) {
    case 'state':
      return ['frame.newest', ...state(event.state, event.detail)];
    case 'rejected':
      return ['frame.newest', ...rejected(event.reason)];
    case 'credit':
      return ['frame.newest', 'deviceState.credited'];
    case 'escrow':
      return ['frame.newest', 'deviceState.escrow'];
    case 'returned':
      return ['frame.newest', 'frame.returned'];
    case 'barcode':
      return ['frame.newest', 'rejection.barcode'];
    case 'stacked-unknown':
      return ['frame.newest', 'deviceState.stacked'];
    case 'nothing':
      return ['frame.nothing-new'];
    case 'unknown':
      return [];
  }
};

// ---- ITL SSP ----

const SSP = named(ssp.COMMAND, {
  reset: 'reset',
  inhibits: 'settings',
  setup: 'ask-notes',
  unitData: 'ask-identity',
  channelValues: 'ask-notes',
  channelSecurity: 'ask-notes',
  protocolVersion: 'settings',
  poll: 'poll',
  reject: 'return',
  disable: 'shut',
  enable: 'open',
  serial: 'ask-identity',
  sync: 'sync',
  lastReject: 'ask-reject',
  hold: 'hold',
  firmware: 'ask-identity',
  setGenerator: 'keys',
  setModulus: 'keys',
  keyExchange: 'keys',
  pollWithAck: 'poll',
  eventAck: 'heard',
});
const SSP_EVENT: Readonly<Record<keyof typeof ssp.EVENT, string>> = {
  channelsDisabled: 'deviceState.disabled',
  initialising: 'deviceState.initializing',
  stacking: 'deviceState.stacking',
  ticketStacked: 'deviceState.stacked',
  pathOpen: 'deviceState.cover-open',
  clearedFromFront: 'frame.returned',
  clearedIntoCashBox: 'deviceState.stacked',
  cashBoxRemoved: 'deviceState.cassette-removed',
  cashBoxReplaced: 'frame.box-back',
  ticket: 'rejection.barcode',
  fraud: 'deviceState.cheated',
  full: 'deviceState.full',
  disabled: 'deviceState.disabled',
  unsafeJam: 'deviceState.jammed',
  safeJam: 'deviceState.jammed',
  stacked: 'deviceState.stacked',
  rejected: 'frame.returned',
  rejecting: 'deviceState.rejecting',
  credit: 'deviceState.credited',
  read: 'deviceState.accepting',
  slaveReset: 'frame.restarted',
};
/** First byte of data that only the two ends of the line can read. */
const ENCRYPTED = 0x7e;

const readSsp: Reader = (bytes, direction, asked) => {
  const data = ssp.parse(EMPTY_PARSER, bytes).frames[0]?.frame.data;
  if (data === undefined) return [];
  if (data[0] === ENCRYPTED) return ['frame.encrypted'];
  if (direction === 'out') return of(SSP, data[0]);
  if (data[0] !== ssp.REPLY.ok) return ['frame.refused'];
  const question = asked && ssp.parse(EMPTY_PARSER, asked).frames[0]?.frame.data[0];
  const rest = data.subarray(1);
  if (question === ssp.COMMAND.lastReject) {
    const reason = ssp.REJECT_REASON[rest[0] ?? -1];
    return reason === undefined ? ['frame.answer'] : [`rejection.${reason}`];
  }
  if (question !== ssp.COMMAND.poll && question !== ssp.COMMAND.pollWithAck)
    return [rest.length === 0 ? 'frame.heard' : 'frame.answer'];
  const events = ssp.decodeEvents(rest);
  if (!events.ok) return [];
  if (events.value.length === 0) return ['frame.nothing-new'];
  const names = Object.keys(ssp.EVENT) as (keyof typeof ssp.EVENT)[];
  const words = events.value.flatMap(({ code, channel }) => {
    const name = names.find((each) => ssp.EVENT[each] === code);
    if (name === undefined) return [];
    return [name === 'read' && channel !== 0 ? 'deviceState.escrow' : SSP_EVENT[name]];
  });
  return [...new Set(words)];
};

// ---- KSP-1 ----

const KSP1: Readonly<Record<Exclude<ksp1.Message['type'], 'card' | 'readAgain' | 'cover' | 'lock'>, string>> =
  {
    hello: 'hello',
    proof: 'proof',
    heartbeat: 'heartbeat',
    cutCard: 'cut-card',
    jam: 'card-jam',
    misread: 'unread-card',
    doubleFeed: 'two-cards',
    reverse: 'card-back',
    empty: 'shoe-empty',
    loaded: 'loaded',
    ack: 'heard',
    resume: 'resume',
    challenge: 'challenge',
    time: 'time',
    identify: 'ask-identity',
    reread: 'ask-card-again',
  };
const COVER = ['frame.cover-closed', 'frame.cover-open', 'frame.cover-key'];

const readKsp1: Reader = (bytes) => {
  const frame = ksp1.parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  const message = frame && ksp1.decode(frame);
  if (!message?.ok) return [];
  const said = message.value;
  switch (said.type) {
    case 'card':
    case 'readAgain': {
      const suit = ksp1.suitFromWire(said.suit);
      return card(suit === null || said.rank === 0 ? null : { suit, rank: said.rank - 1 });
    }
    case 'cover':
      return [COVER[said.position]!];
    case 'lock':
      return [said.on ? 'frame.lock' : 'frame.unlock'];
    default:
      return [`frame.${KSP1[said.type]}`];
  }
};

// ---- Angel Eye ----

const readAngelEye: Reader = (bytes, direction) => {
  if (direction === 'out') {
    const command = angelEye.decodeCommand(bytes);
    if (typeof command === 'number') return [];
    const { type, data } = command;
    if (type === 'LK') return [data === 1 ? 'frame.unlock' : 'frame.lock'];
    return [type === 'EC' ? 'frame.clear-error' : 'frame.poll'];
  }
  const { telegrams, replies } = angelEye.parse(EMPTY_PARSER, bytes);
  const [telegram] = telegrams;
  if (telegram === undefined) {
    const [reply] = replies;
    return reply === undefined ? [] : [reply.type === 'ack' ? 'frame.heard' : 'frame.refused'];
  }
  const message = angelEye.decode(telegram.data);
  if (!message.ok) return [];
  const said = message.value;
  switch (said.type) {
    case 'card':
      return card(angelEye.faceOf(said.suit, said.rank));
    case 'start':
      return ['frame.restarted'];
    case 'standby':
      return ['frame.heartbeat'];
    case 'cutCard':
      return ['frame.cut-card'];
    case 'result':
      return ['frame.round-over'];
    case 'error':
      return ['frame.shoe-error', String(said.code)];
    case 'errorCleared':
      return ['frame.in-order'];
    case 'lock':
      return [said.locked ? 'frame.locked' : 'frame.unlocked'];
    case 'setting':
      return ['frame.answer'];
  }
};

// ---- ESC/POS ----

const DLE = 0x10;
const EOT = 0x04;

const readEscpos: Reader = (bytes, direction) => {
  if (direction === 'out') {
    const is = (wanted: Uint8Array): boolean =>
      bytes.length === wanted.length && wanted.every((byte, at) => byte === bytes[at]);
    if (bytes[0] === DLE && bytes[1] === EOT) return ['frame.poll'];
    if (is(escpos.STATUS_BACK)) return ['frame.settings'];
    if (is(escpos.CLEAR) || is(escpos.RECOVER) || bytes.every((byte) => byte === 0)) return ['frame.reset'];
    return ['frame.print'];
  }
  const word = escpos.parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  switch (word?.type) {
    case 'answer':
      return ['frame.answer'];
    case 'processed':
      return ['frame.printed', word.id];
    case 'cleared':
      return ['frame.heard'];
    case 'status': {
      const { status } = word;
      if (status.failed || status.cutterError) return ['deviceState.failed'];
      if (status.coverOpen) return ['deviceState.cover-open'];
      if (status.paper === 'out') return ['deviceState.paper-out'];
      return [status.online ? 'deviceState.idle' : 'deviceState.paused'];
    }
    default:
      return [];
  }
};

// ---- KCB-1 ----

const readKcb1: Reader = (bytes) => {
  const frame = kcb1.parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  const message = frame && kcb1.decode(frame);
  if (!message?.ok) return [];
  const said = message.value;
  switch (said.type) {
    case 'hello':
      return ['frame.hello'];
    case 'identify':
      return ['frame.ask-identity'];
    case 'lamp':
      return ['frame.lamp'];
    case 'siren':
      return [said.ms === 0 ? 'frame.silence' : 'frame.siren'];
    case 'status':
      return [said.open.length === 0 ? 'frame.doors-closed' : 'frame.door-open'];
  }
};

// ---- NUT ----

const readNut: Reader = (bytes, direction) => {
  if (direction === 'out') return ['frame.poll'];
  const line = nut.parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  if (line === undefined) return [];
  if (line.type === 'error') return ['frame.refused'];
  const status =
    line.type === 'var' && line.name === 'ups.status' && nut.statusOf(new Map([[line.name, line.value]]));
  if (!status) return ['frame.answer'];
  if (status.batteryLow) return ['deviceState.battery-low'];
  return [status.onBattery ? 'deviceState.on-battery' : 'frame.on-mains'];
};

const NO_BYTES = new Uint8Array(0);

/** By the model as its driver calls it. */
const READERS: Readonly<Record<string, Reader>> = {
  'JCM ID-003': readId003,
  'MEI/CPI EBDS': readEbds,
  'Pyramid RS-232': readEbds,
  ccTalk: readCctalk,
  'ITL SSP': readSsp,
  'KSP-1': readKsp1,
  'Angel Eye II-EX': readAngelEye,
  'ESC/POS': readEscpos,
  'KCB-1': readKcb1,
  NUT: readNut,
};

/** The frames of one line, oldest first, each with its words. */
export function inWords<F extends Pick<FrameRecord, 'direction' | 'hex'>>(
  model: string,
  frames: readonly F[],
): (F & { readonly says: Words })[] {
  const read = Object.hasOwn(READERS, model) ? READERS[model] : undefined;
  let asked: Uint8Array | null = null;
  // A slow line brings a frame in pieces: its words stand at the last one.
  let pieces: Uint8Array = NO_BYTES;
  return frames.map((frame) => {
    const bytes = fromHex(frame.hex);
    const isOut = frame.direction === 'out';
    const whole = isOut ? bytes : joinBytes(pieces, bytes);
    const says = read?.(whole, frame.direction, asked) ?? [];
    pieces = isOut || says.length > 0 ? NO_BYTES : whole;
    if (isOut) asked = bytes;
    return { ...frame, says };
  });
}
