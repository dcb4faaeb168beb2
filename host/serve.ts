import { faultRow } from '../wire/faults.ts';
import type { TableView } from '../wire/view.ts';
import type { Life } from './begin.ts';
import {
  DEMONSTRATION_DIGITS,
  failuresIn,
  LEAST_DIGITS,
  People,
  type PersonRecord,
} from './config/people.ts';
import type { ReadyTable } from './config/ready-tables.ts';
import { isDemonstration } from './config/terminal-file.ts';
import type { HostOptions } from './options.ts';
import { Queries } from './pages/queries.ts';
import type { Parts } from './parts.ts';
import { crash } from './program/crash.ts';
import type { Software } from './program/software.ts';
import { type CommandContext, SentCommands } from './server/commands.ts';
import { Conversation } from './server/conversation.ts';
import { DisplayServer } from './server/displays.ts';
import { tableView } from './table/view.ts';

/**
 * What displays see and say: the picture, the answers to their queries, and what their commands are
 * carried out with.
 */
export interface Served {
  readonly server: DisplayServer;
  readonly context: CommandContext;
  view(): TableView;
  /** The picture as it is now, to every display. */
  show(): void;
}

export function serveDisplays(o: HostOptions, life: Life, parts: Parts): Served {
  // Its files are read while the table is served already.
  let software = o.software instanceof Promise ? null : o.software;
  if (o.software instanceof Promise)
    void o.software.then((found) => {
      software = found;
      if (!life.watches.isStopped) conversation.show();
    });
  const view = (): TableView => viewOf(o, life, parts, software);
  const context = contextOf(o, life, parts);
  const conversation = new Conversation({
    context,
    queries: queriesOf(o, life, parts),
    measures: parts.measures,
    watch: life.watches.displays,
    view,
    pong: (display) => server.pong(display),
    report: o.report,
    log: o.log,
    // A command that waited for its PIN may find the ledger closed: it was not done, and nobody
    // hears of it any more.
    crash: (error) => {
      if (!life.watches.isStopped) crash(error);
    },
  });
  const server = new DisplayServer({
    ...o,
    onOpen: () => {},
    onText: (display, text) => conversation.hear(display, text),
    onClose: (display, why) => conversation.left(display, why),
  });
  return { server, context, view, show: () => conversation.show() };
}

const leastDigitsOf = ({ file }: HostOptions): number =>
  isDemonstration(file) ? DEMONSTRATION_DIGITS : LEAST_DIGITS;

/** Whether somebody has shown their card, or needs none. */
const hasShownCard =
  ({ file: { staffCards } }: HostOptions, { cards }: Parts) =>
  ({ role, card }: PersonRecord): boolean =>
    cards === null || staffCards!.pinAlone.includes(role) || (card !== undefined && cards.isProven(card));

/** The folder of tables, and what the centre has sent. */
const tablesOf = (o: HostOptions, { centre }: Parts): readonly ReadyTable[] => [
  ...o.tables,
  ...centre.tables(),
];

const viewOf = (
  o: HostOptions,
  { terminal, staff, watches, bootId }: Life,
  parts: Parts,
  software: Software | null,
): TableView =>
  tableView(terminal.state, {
    bootId,
    seq: o.ledger.head().seq,
    nowMs: terminal.now(),
    demo: parts.demo?.on ?? null,
    simulation: parts.isSimulated,
    program: software && { version: software.version, id: software.id },
    locked: terminal.locked,
    link: parts.centre.linkView(),
    centre: parts.centre.ordersView(),
    sound: parts.centre.sound,
    devices: parts.devices.views(),
    handLoaded: parts.devices.handLoaded,
    rereads: parts.devices.rereads,
    recall: parts.recall.current,
    recentNotes: parts.recentNotes.current(),
    serviceLeavesAtMs: parts.service.leavesAtMs,
    ...parts.speech.view(),
    ...(o.file.displays === undefined ? {} : { handedOver: watches.displays.handedOver() }),
    ...(o.file.help === undefined ? {} : { help: o.file.help }),
    pinPad: { ...staff.view(parts.cards), leastDigits: leastDigitsOf(o) },
  });

function contextOf(o: HostOptions, { terminal, staff, watches }: Life, parts: Parts): CommandContext {
  const {
    change,
    copy,
    devices,
    drills,
    exclusions,
    exports,
    recall,
    selfTests,
    service,
    simulation,
    slips,
    verification,
  } = parts;
  return {
    terminal,
    people: new People(staff.records, {
      monotonic: parts.monotonic,
      failures: failuresIn(o.ledger),
      hasShown: hasShownCard(o, parts),
    }),
    staff,
    leastDigits: leastDigitsOf(o),
    sent: new SentCommands(),
    handedOver: () => watches.displays.handedOver(),
    tables: () => tablesOf(o, parts),
    ...{ change, exclusions, recall, service, simulation, slips },
    tryNote: (device, inHandMinor) => devices.tryNote(device, inHandMinor),
    setTouch: (...of) => parts.touch.set(...of),
    readAgain: (person) => devices.readAgain(person),
    tryCards: (on) => devices.tryCards(on),
    testDevice: (part, person) => devices.testDevice(part, person),
    loadShoe: (id) => devices.loadShoe(id),
    makeExport: (target, person, id) => exports.make(target, person, id),
    holdDrill: (drill, person, id) => drills.hold(drill, person, id),
    stopWork: (work, person) => {
      switch (work) {
        case 'drill':
          return drills.stopBy(person);
        case 'export':
          return exports.stopBy(person);
        case 'check':
          return verification.stop();
      }
    },
    endFault: (device, fault, persons, commandId) => {
      const outcome =
        faultRow(fault)?.device === 'machine'
          ? watches.own.release(device, fault, persons, commandId)
          : (copy?.isMine(device) ? copy : devices).release(device, fault, persons, commandId);
      // NZ03 5.3.2 d: nobody ends what still stands, and that they tried is known.
      if (outcome.status === 'rejected' && outcome.code === 'held')
        terminal.record({ type: 'fault-end-refused', device, fault, persons });
      return outcome;
    },
    selfTest: (person) => selfTests.run(person),
  };
}

const queriesOf = (o: HostOptions, life: Life, parts: Parts): Queries =>
  new Queries({
    ...o,
    ...parts,
    ...life,
    tables: () => tablesOf(o, parts),
    past: parts.past,
  });
