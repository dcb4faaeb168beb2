/** For tests: one seeded run of a host and a printer between which everything goes wrong. */
import assert from 'node:assert/strict';
import type { PrinterEvent } from '../../hardware/ports.ts';
import { EscposPrinter } from '../../hardware/printer/escpos.driver.ts';
import { EscposSim, type OnPaper, readAs } from '../../hardware/printer/escpos.sim.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { CLEAN_LINE, seededChance } from '../../hardware/transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../hardware/transport/memory.transport.ts';

type Entry = 'begun' | 'printed' | 'cut-off';

/** A host reduced to its rule for documents: what is on disk outlives it. */
class Desk {
  readonly clock = new HandClock();
  readonly sim: EscposSim;
  readonly disk = new Map<number, Entry[]>();
  line: MemoryTransport | null = null;
  /** The printer's end of it. */
  far: MemoryTransport | null = null;
  #printer: EscposPrinter | null = null;
  #next = 1;

  constructor(seed: number) {
    this.sim = new EscposSim({
      clock: this.clock,
      seed,
      bytesAtOnce: 8 + (seed % 40),
      clears: seed % 4 !== 0,
    });
  }

  get isAlive(): boolean {
    return this.#printer !== null;
  }

  start(): void {
    // What an earlier life has begun and not ended, nobody knows.
    for (const entries of this.disk.values()) if (entries.length === 1) entries.push('cut-off');
    const printer = new EscposPrinter(
      'printer',
      () => {
        const [host, device] = memoryPair({ clock: this.clock, latencyMs: 3 });
        this.line = host;
        this.far = device;
        this.sim.plug(device);
        return host;
      },
      this.clock,
    );
    this.#printer = printer;
    printer.start((event) => this.#on(event));
  }

  kill(): void {
    void this.#printer?.stop();
    this.#printer = null;
  }

  print(lines: number): number {
    const number = this.#next++;
    const text = (what: string) => ({ type: 'line', text: `${what} ${number}` }) as const;
    // Every third is drawn: a picture that is left half is what a printer gets wrong most easily.
    const body = Array.from({ length: lines }, (_, i) => text(i % 3 === 2 ? '行' : 'line'));
    const items = [text('first'), ...body, text('last'), { type: 'cut' } as const];
    this.#printer?.print({ number, items });
    return number;
  }

  /** How often a document came whole, and of these, how often on a piece of paper of its own. */
  wholes(number: number): readonly [whole: number, alone: number] {
    const counts = [...this.sim.pieces(), this.sim.hanging()].map((piece) => wholesIn(piece, number));
    const sum = (of: readonly (readonly [number, number])[], at: 0 | 1): number =>
      of.reduce((total, pair) => total + pair[at], 0);
    return [sum(counts, 0), sum(counts, 1)];
  }

  #on(event: PrinterEvent): void {
    if (!('number' in event)) return;
    const { type, number } = event;
    if (type === 'refused') throw new Error(`${number} refused`);
    const entries = this.disk.get(number) ?? [];
    entries.push(type);
    this.disk.set(number, entries);
  }
}

const drawn = new Map<string, string>();
function words(item: OnPaper | undefined): string {
  if (item?.type !== 'dots') return item?.text ?? '';
  const dots = `${item.widthBytes} ${Buffer.from(item.data).toString('latin1')}`;
  const known = drawn.get(dots) ?? readAs(item);
  // What noise has made of one comes once.
  if (drawn.size < 10_000) drawn.set(dots, known);
  return known;
}
/** A cutter that was mended in time leaves two documents on one piece. */
function wholesIn(piece: readonly OnPaper[], number: number): readonly [number, number] {
  let whole = 0;
  let isComing = false;
  for (const item of piece) {
    const said = words(item);
    if (said === `first ${number}`) isComing = true;
    else if (said === `last ${number}` && isComing) {
      whole++;
      isComing = false;
    } else if (said !== `line ${number}` && said !== `行 ${number}`) isComing = false;
  }
  return [
    whole,
    whole === 1 && words(piece[0]) === `first ${number}` && words(piece.at(-1)) === `last ${number}` ? 1 : 0,
  ];
}

export interface Seen {
  readonly printed: number;
  readonly cutOff: number;
  /** Cut off in the books, and whole on paper after all. */
  readonly wholeAfterAll: number;
  /** Printed, and on one piece with another. */
  readonly uncut: number;
  /** What was met, as often as it was. */
  readonly kinds: readonly string[];
}

/** Twenty seconds in which everything that can go wrong goes wrong at some rate, then peace. */
export async function drill(seed: number): Promise<Seen> {
  const kinds: string[] = [];
  const chance = seededChance(seed);
  const desk = new Desk(seed);
  const { clock, sim } = desk;
  const happens = (kind: string, perMille: number): boolean => {
    if (!chance.happens(perMille)) return false;
    kinds.push(kind);
    return true;
  };
  desk.start();
  sim.line = {
    dropPerMille: chance.below(60),
    flipPerMille: chance.below(60),
    losePerMille: chance.below(60),
  };
  let off = false;
  for (const untilMs = clock.now() + 20_000; clock.now() < untilMs; ) {
    await clock.turn(50 + chance.below(400));
    if (!desk.isAlive) desk.start();
    if (chance.happens(300)) desk.print(chance.below(30));
    if (off) {
      if (chance.happens(400)) {
        sim.powerOn();
        off = false;
      }
    } else if (happens('power', 25)) {
      sim.powerOff();
      off = true;
    }
    if (happens('kill', 25)) desk.kill();
    if (happens('unplug', 20)) desk.line?.unplug();
    if (happens('out', 20)) sim.fault('out');
    if (happens('near-end', 20)) sim.fault('near-end');
    if (happens('cover-open', 20)) sim.fault('cover-open');
    if (happens('cutter', 20)) sim.fault('cutter');
    if (happens('hot', 10)) sim.fault('hot');
    if (happens('garbage', 40))
      await desk.far
        ?.write(Uint8Array.from({ length: 1 + chance.below(12) }, () => chance.below(256)))
        .catch(() => {});
    for (const end of ['load-paper', 'cover-close', 'mend', 'cool'] as const)
      if (chance.happens(200)) sim.fault(end);
  }
  sim.line = CLEAN_LINE;
  sim.powerOn();
  for (const end of ['load-paper', 'cover-close', 'mend', 'cool'] as const) sim.fault(end);
  if (!desk.isAlive) desk.start();
  await clock.turn(8000);
  // What stays under way is given up after a while, and one more document is printed whole.
  const last = desk.print(3);
  await clock.turnUntil(
    `seed ${seed}: all documents have ended`,
    () =>
      desk.disk.get(last)?.length === 2 && [...desk.disk.values()].every((entries) => entries.length === 2),
    400_000,
  );
  await clock.turn(2000);
  let [printed, cutOff, wholeAfterAll, uncut] = [0, 0, 0, 0];
  for (const [number, entries] of desk.disk) {
    const [wholes, alone] = desk.wholes(number);
    const place = `seed ${seed}: document ${number}: ${entries.join(', ')}, ${wholes} times on paper`;
    assert.equal(entries[0], 'begun', place);
    if (entries[1] === 'printed') {
      printed++;
      assert.equal(wholes, 1, place);
      uncut += 1 - alone;
    } else {
      cutOff++;
      assert.ok(wholes <= 1, place);
      wholeAfterAll += wholes;
    }
  }
  assert.equal(desk.disk.get(last)?.[1], 'printed', `seed ${seed}: the last document`);
  desk.kill();
  return { printed, cutOff, wholeAfterAll, uncut, kinds };
}
