import type { ByteTransport } from '../../hardware/ports.ts';
import {
  decode,
  FLAG_REPLAY,
  FLAG_SERVICE,
  type Message,
  STATE,
  unpackFrame,
} from '../../hardware/shoe/ksp1/ksp1.codec.ts';
import {
  initialKsp1,
  type Ksp1Command,
  type Ksp1Event,
  type Ksp1State,
  stepKsp1,
} from '../../hardware/shoe/ksp1/ksp1.machine.ts';
import { Ksp1Sim } from '../../hardware/shoe/ksp1/ksp1.sim.ts';
import { fromHex, toHex } from '../../hardware/transport/bytes.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { MachineDriver } from '../../hardware/transport/machine.driver.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';

/**
 * One exchange of the protocol's document: what went over the line, a line of text for each frame.
 */
export interface Exchange {
  readonly title: string;
  readonly lines: readonly string[];
}

export const EXAMPLE_KEY = fromHex('00112233445566778899aabbccddeeff');

const ACE_OF_SPADES = 0;
const CARDS = [ACE_OF_SPADES, 13 + 12, 26 + 9, 39 + 6, 4, 13, 26, 39];

/** `53 01 86 | ce 52`: the bytes up to the last that is not zero, and the checksum. */
function shortened(bytes: Uint8Array): string {
  let end = 62;
  while (bytes[end - 1] === 0) end--;
  return `${toHex(bytes.subarray(0, end))} | ${toHex(bytes.subarray(62))}`;
}

const bits = (state: number): string =>
  Object.entries(STATE)
    .filter(([, bit]) => (state & bit) !== 0)
    .map(([name]) => name)
    .join(' ') || 'none';

function inWords(message: Message, seq: number, flags: number): string {
  const more = [flags & FLAG_REPLAY ? ' replay' : '', flags & FLAG_SERVICE ? ' service' : ''].join('');
  switch (message.type) {
    case 'hello':
      return `HELLO last ${message.lastSeq} acknowledged ${message.ackedSeq} oldest ${message.oldestSeq} boot ${message.boot} state ${bits(message.state)}`;
    case 'heartbeat':
      return `HEARTBEAT last ${message.lastSeq} boot ${message.boot} state ${bits(message.state)}`;
    case 'proof':
      return `PROOF over last ${seq}`;
    case 'ack':
      return `ACK ${message.seq}`;
    case 'resume':
      return `RESUME ${message.seq}`;
    case 'lock':
      return `LOCK ${message.on ? 'on' : 'off'}`;
    case 'identify':
    case 'time':
    case 'challenge':
      return message.type.toUpperCase();
    case 'reread':
      return `REREAD ${message.seq} question ${message.no}`;
    case 'readAgain':
      return `READ_AGAIN ${message.seq} question ${message.no} rank ${message.rank} suit ${message.suit} confidence ${message.confidence}`;
    case 'card':
      return `CARD ${seq} rank ${message.rank} suit ${message.suit} confidence ${message.confidence}${more}`;
    case 'cover':
      return `COVER ${seq} ${['closed', 'open', 'key turned'][message.position]}${more}`;
    case 'loaded':
      return `SHOE_LOADED ${seq} ${message.shoeId}, ${message.decks} decks${more}`;
    default: {
      const names = {
        cutCard: 'CUT_CARD',
        jam: 'JAM',
        misread: 'MISREAD',
        doubleFeed: 'DOUBLE_FEED',
        reverse: 'REVERSE',
        empty: 'EMPTY',
      } as const;
      return `${names[message.type]} ${seq}${more}`;
    }
  }
}

/**
 * A host and a simulated shoe on a line of 2 ms, with nonces and times that are the same in every
 * run.
 */
class Recording {
  readonly clock = new HandClock();
  readonly sim = new Ksp1Sim({ clock: this.clock, serial: 'SHOE01', pairingKey: EXAMPLE_KEY });
  readonly exchanges: Exchange[] = [];
  /** The next frame of the host that is lost on its way. */
  loses: Message['type'] | null = null;
  #lines: string[] = [];
  #stored = 0;
  #nonces = 0;
  #driver: MachineDriver<Ksp1State, Ksp1Event, Ksp1Command> | null = null;

  start(): void {
    const driver = new MachineDriver(stepKsp1, initialKsp1(EXAMPLE_KEY), () => this.#open(), this.clock);
    this.#driver = driver;
    driver.start((event) => {
      if (event.type === 'ask-stored') driver.command({ type: 'stored', seq: this.#stored });
      else if (event.type === 'ask-moment')
        driver.command({
          type: 'moment',
          nonce: new Uint8Array(16).fill(++this.#nonces),
          epochMs: Date.UTC(2026, 0, 1) + this.clock.now(),
          againAfterMs: 600_000,
        });
      else if ('seq' in event && event.seq !== null) {
        this.#stored = event.seq;
        driver.command({ type: 'acknowledge', seq: event.seq });
      }
    });
  }

  lock(on: boolean): void {
    this.#driver?.command({ type: 'lock', on });
  }

  readAgain(seq: number): void {
    this.#driver?.command({ type: 'read-again', seq });
  }

  kill(): void {
    void this.#driver?.stop();
  }

  /** All that went over the line since the exchange before. */
  async is(title: string, ms: number): Promise<void> {
    await this.clock.turn(ms);
    this.exchanges.push({ title, lines: this.#lines });
    this.#lines = [];
  }

  #open(): ByteTransport {
    const [host, device] = memoryPair({ clock: this.clock, latencyMs: 2 });
    const passing = (who: 'host' | 'shoe', end: ByteTransport): ByteTransport => ({
      name: end.name,
      open: (handlers) => end.open(handlers),
      close: () => end.close(),
      write: (bytes) => {
        const lost = this.#note(who, bytes);
        return lost ? Promise.resolve() : end.write(bytes);
      },
    });
    this.sim.plug(passing('shoe', device));
    return passing('host', host);
  }

  #note(who: 'host' | 'shoe', bytes: Uint8Array): boolean {
    const frame = unpackFrame(bytes);
    const message = frame.ok ? decode(frame.value) : frame;
    if (!frame.ok || !message.ok) throw new Error(`${who}: ${toHex(bytes)}`);
    const lost = who === 'host' && message.value.type === this.loses;
    if (lost) this.loses = null;
    const words = inWords(message.value, frame.value.seq, frame.value.flags);
    this.#lines.push(`${who}  ${shortened(bytes)}  ${words}${lost ? ' (lost)' : ''}`);
    return lost;
  }
}

/** The exchanges of the document, played by the driver's machine and the simulator. */
export async function recordExchanges(): Promise<readonly Exchange[]> {
  const r = new Recording();
  await r.clock.turn(400);
  r.start();
  await r.is('A session begins', 200);
  r.sim.load(CARDS, 8);
  r.sim.placeCutCard(3);
  r.sim.draw();
  await r.is('Cards are loaded, and the first is drawn', 100);
  r.loses = 'ack';
  r.sim.draw();
  await r.is('An ACK is lost', 280);
  r.lock(true);
  await r.clock.turn(20);
  r.lock(false);
  await r.is('The mouth is locked and freed', 520);
  r.kill();
  r.sim.draw();
  r.sim.fault('misread');
  r.sim.draw();
  r.start();
  await r.is('The host was away while two cards were drawn', 100);
  r.sim.draw();
  r.sim.draw();
  r.sim.fault('reverse');
  r.sim.fault('jam');
  r.sim.fault('cover-open');
  r.sim.fault('clear-jam');
  r.sim.fault('cover-close');
  await r.is('The cut card comes out, a card is pushed back and jams, and a person opens the cover', 100);
  r.sim.powerOff();
  await r.clock.turn(50);
  r.sim.powerOn();
  r.sim.draw();
  await r.is('The shoe loses its power, and a card is drawn before the host has come back', 100);
  r.readAgain(13);
  await r.is('The last card is read once more', 20);
  r.sim.fault('double-feed');
  r.sim.draw();
  await r.is('The last two cards come out at once', 100);
  r.kill();
  return r.exchanges;
}

export const exchangesText = (exchanges: readonly Exchange[]): string =>
  exchanges
    .map(({ title, lines }) => `**${title}.**\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`)
    .join('\n');
