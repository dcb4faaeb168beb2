/**
 * A night at the table: eight hours of play in simulated time, seven seats, a dealer, a supervisor
 * with two attendants and a technician, a centre, and every incident of the list in an order that
 * the seed draws. What must hold at its end is looked for in the file of the ledger.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minor } from '../../engine/core/money.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import { DeviceRack } from '../../hardware/rack/rack.sim.ts';
import { makeExclusions } from '../../host/config/exclusions.ts';
import { readTables } from '../../host/config/ready-tables.ts';
import { readTerminalFile, type TerminalFile } from '../../host/config/terminal-file.ts';
import { bookDifferences } from '../../host/table/terminal.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { publicKeyFromPem } from '../../ledger/chain/key.ts';
import { type Entry, loadOrCreateKey } from '../../ledger/store/ledger.store.ts';
import { TestTerminal } from '../host/test-terminal.ts';
import { NightCentre } from './centre.ts';
import { NightClock } from './clock.ts';
import { INCIDENTS, LISTED, OF_CARDS, OF_ROSTER, type Part } from './incidents.ts';
import { NightTable, type When } from './table.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** 20 o’clock in Macau. */
const FROM_MS = Date.parse('2026-11-27T12:00:00Z');
/** What was due at the end of the night is played after it. */
const OVERTIME = 2 * HOUR;

const TERMINAL = fileURLToPath(new URL('../../host/profiles/demo.json', import.meta.url));
const own = readTerminalFile(TERMINAL).profile;
/** A shuffler that is never empty is another device than the shoe of this rack. */
export const TABLES = readTables(TERMINAL, own, null).filter(
  ({ profile }) => profile?.options['cardSource'] !== 'continuousShuffler',
);

export interface NightOptions {
  readonly seed: number;
  readonly hours?: number;
  /** Incidents beside one of each. */
  readonly more?: number;
  /** Of the folder of tables; absent: the seed draws one. */
  readonly table?: string;
  readonly say?: (line: string) => void;
}

export interface NightResult {
  readonly table: string;
  readonly hours: number;
  readonly rounds: number;
  readonly entries: number;
  /** In which the devices had something to say. */
  readonly deviceSeconds: number;
  /** By name: how often, and how long the table stood at most. */
  readonly incidents: Readonly<Record<string, { times: number; stoodMs: number; mayStandMs: number }>>;
  readonly notesMinor: number;
  readonly paidMinor: number;
}

interface Waiting {
  readonly name: string;
  readonly atMs: number;
  readonly when: When;
  readonly run: Part;
  /** Not the first part. */
  readonly isLater: boolean;
}

export async function playNight(
  t: { after(run: () => Promise<void>): void },
  { seed, hours = 8, more = 8, table: wanted, say = () => {} }: NightOptions,
): Promise<NightResult> {
  const ready =
    wanted === undefined ? TABLES[seed % TABLES.length] : TABLES.find(({ name }) => name === wanted);
  assert.ok(ready?.profile, `a table ${wanted}`);
  const profile: TableProfile = {
    ...ready.profile,
    terminalId: 'T-NIGHT',
    twoPersonHandPayMinor: minor(80_000),
    handPaidWinMinor: minor(20_000),
    longSessionMs: 3 * HOUR,
  };
  const clock = new NightClock(FROM_MS);
  const folder = mkdtempSync(join(tmpdir(), 'banca-night-'));
  const exclusions = join(folder, 'exclusions.json');
  writeFileSync(exclusions, JSON.stringify(await makeExclusions([LISTED])));
  const file: Partial<TerminalFile> & { socket?: string } = { exclusions };
  clock.install();
  const centre = await NightCentre.open(profile.terminalId, () => Date.now());
  const ends: (() => Promise<void>)[] = [];
  t.after(async () => {
    try {
      for (const end of ends) await clock.during(end(), true);
      await centre.cut();
    } finally {
      clock.restore();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  const kit = await clock.during(
    TestTerminal.open(
      { after: (end) => void ends.push(end as () => Promise<void>) },
      {
        profile,
        file,
        get pcscdSocket() {
          return file.socket;
        },
        rack: new DeviceRack({ acceptors: profile.seatCount, seed }),
        upstream: centre.url,
      },
    ),
    true,
  );
  centre.publicKey = publicKeyFromPem(loadOrCreateKey(kit.dir).publicPem);
  const table = new NightTable({ clock, kit, centre, seed, profile, file });
  table.did('started nothing');
  table.did('people changed');
  await table.devicesThere();
  // An evening’s first hands.
  for (const { seat } of table.state.seats) assert.ok(await table.fund(seat), `a note at seat ${seat}`);
  while (!table.is('idle')) await table.play();
  const night = new Director(table, { hours, more, say });
  const result = await night.play();
  await checkBooks(table);
  return { table: ready.name, ...result };
}

/** What happens when, and that the table plays again after it. */
class Director {
  readonly #table: NightTable;
  readonly #say: (line: string) => void;
  readonly #untilMs: number;
  readonly #hours: number;
  #waiting: Waiting[];
  readonly #seen = new Map<string, { times: number; stoodMs: number; mayStandMs: number }>();
  /** Of the parts of incidents. */
  #stoodMs = 0;
  #settled = 0;
  /** Rounds when the last incident was over. */
  #after = -1;
  readonly #sizes: number[] = [];
  readonly #timers: number[] = [];

  constructor(
    table: NightTable,
    { hours, more, say }: Required<Pick<NightOptions, 'hours' | 'more' | 'say'>>,
  ) {
    this.#table = table;
    this.#say = say;
    this.#hours = hours;
    const fromMs = table.clock.wallMs;
    this.#untilMs = fromMs + hours * HOUR;
    const all = Object.keys(INCIDENTS);
    const names = [...all, ...Array.from({ length: more }, () => table.pick(all))];
    const everyMs = (hours * HOUR * 0.9) / names.length;
    const order = table.shuffled(names);
    // The centre's people have no cards: the incident with one comes before theirs.
    const [card, roster] = [order.indexOf(OF_CARDS), order.indexOf(OF_ROSTER)];
    if (card > roster) [order[card], order[roster]] = [order[roster]!, order[card]!];
    this.#waiting = order.map((name, i) => {
      const { when, run } = INCIDENTS[name]!;
      const atMs = fromMs + 5 * MINUTE + Math.round((i + table.chance()) * everyMs);
      return { name, atMs, when, run, isLater: false };
    });
  }

  async play(): Promise<Omit<NightResult, 'table'>> {
    const { clock } = this.#table;
    const table = this.#table;
    const fromMs = clock.wallMs;
    const stoodBeforeMs = table.stoodMs;
    let sizedMs = fromMs + HOUR;
    while (clock.wallMs < this.#untilMs || this.#waiting.length > 0 || !table.is('idle')) {
      if (clock.wallMs > this.#untilMs + OVERTIME / 4)
        this.#waiting = this.#waiting.filter(({ name, isLater }) => isLater || !INCIDENTS[name]!.isRare);
      if (clock.wallMs > this.#untilMs + OVERTIME)
        assert.fail(`never came to it: ${this.#waiting.map(({ name }) => name).join(', ')}`);
      if (await this.#happens()) continue;
      const { step } = table.step;
      const stoodMs = table.stoodMs - table.oneTooManyMs;
      await table.play();
      if (table.stoodMs - table.oneTooManyMs > stoodMs)
        this.#say(
          `${this.#at(clock.wallMs)} stood ${table.stoodMs - table.oneTooManyMs - stoodMs} ms at ${step}`,
        );
      this.#settled = table.state.roundNo;
      if (clock.wallMs >= sizedMs && table.is('idle')) {
        sizedMs += HOUR;
        this.#sizes.push(JSON.stringify(table.state).length);
        this.#timers.push(clock.waiting);
      }
    }
    const rounds = table.state.roundNo;
    const forIncidentsMs = this.#stoodMs + table.oneTooManyMs;
    assert.equal(table.stoodMs - stoodBeforeMs, forIncidentsMs, 'the table stood for no other reason');
    await this.#close();
    const paidMinor = -(await this.#balance('hand-pay'));
    return {
      hours: this.#hours,
      rounds,
      entries: table.kit.headSeq,
      deviceSeconds: Math.round(clock.deviceMs / 1000),
      incidents: Object.fromEntries(this.#seen),
      notesMinor: table.countedMinor,
      paidMinor,
    };
  }

  async #balance(account: string): Promise<number> {
    return this.#table.kit.balance(account);
  }

  /** One part of an incident, where its time has come and the table is as it wants it. */
  async #happens(): Promise<boolean> {
    const table = this.#table;
    const now = table.clock.wallMs;
    for (const part of this.#waiting) {
      if (part.atMs > now || !table.is(part.when)) continue;
      // A round between two incidents: the table plays again.
      if (!part.isLater && (this.#settled <= this.#after || this.#isGoingOn(part.name))) continue;
      if (await this.#run(part)) return true;
    }
    return false;
  }

  #isGoingOn(name: string): boolean {
    return this.#waiting.some((each) => each.isLater && each.name === name);
  }

  async #run(part: Waiting): Promise<boolean> {
    const table = this.#table;
    const { mayStandMs, because } = INCIDENTS[part.name]!;
    const beforeMs = table.stoodMs;
    const fromMs = table.clock.wallMs;
    const head = table.kit.headSeq;
    const came = await part.run(table).catch((error: Error) => {
      throw new Error(
        `${part.name}${part.isLater ? ' (later)' : ''}, at ${this.#at(fromMs)} in phase ${table.state.phase}: ${error.message}`,
        { cause: error },
      );
    });
    if (came === 'not-now') {
      assert.ok(table.stoodMs === beforeMs, `${part.name}: not now, and the table stood`);
      return table.kit.headSeq !== head;
    }
    const stoodMs = table.stoodMs - beforeMs;
    this.#stoodMs += stoodMs;
    const known = this.#seen.get(part.name) ?? { times: 0, stoodMs: 0, mayStandMs };
    this.#seen.set(part.name, {
      times: known.times + Number(!part.isLater),
      stoodMs: Math.max(known.stoodMs, stoodMs),
      mayStandMs,
    });
    this.#say(`${this.#at(fromMs)} ${part.isLater ? '…' : ''}${part.name}: stood ${stoodMs} ms`);
    assert.ok(stoodMs <= mayStandMs, `${part.name}: stood ${stoodMs} ms of ${mayStandMs}; ${because}`);
    this.#waiting = this.#waiting.filter((each) => each !== part);
    if (came !== null)
      this.#waiting.push({
        name: part.name,
        atMs: table.clock.wallMs + came.afterMs,
        when: came.when,
        run: came.run,
        isLater: true,
      });
    this.#after = table.state.roundNo;
    return true;
  }

  #at(ms: number): string {
    return new Date(ms + 8 * HOUR).toISOString().slice(11, 19);
  }

  /** The last players are paid and go. */
  async #close(): Promise<void> {
    const table = this.#table;
    assert.deepEqual([...table.kept], [], 'every seat is its player’s again');
    assert.deepEqual(table.state.faults, [], 'nothing is broken any more');
    for (const { seat } of table.state.seats) {
      await table.payOut(seat);
      if (await table.cashOut(seat)) await table.payOut(seat);
      assert.equal(table.worth(seat), 0);
    }
    await table.uploaded();
    const [first = 0, ...others] = this.#sizes;
    for (const size of others)
      assert.ok(size <= first * 1.25 + 2_000, `the state grows: ${this.#sizes.join(' ')}`);
    const [timers = 0, ...later] = this.#timers;
    for (const count of later)
      assert.ok(count <= timers + 20, `timers are left behind: ${this.#timers.join(' ')}`);
  }
}

/** Entries that the script has caused, in its own words: `$name` is a member of the entry. */
const TOLD: Readonly<Record<string, string>> = {
  'attendant-called': 'call $seat $on',
  'complaint-raised': 'complaint $seat $roundNo $from',
  'complaint-closed': 'complaint closed $complaintNo $upheld',
  'hand-paid': 'hand-paid $seat $amountMinor',
  'cash-out-requested': 'cash-out $seat',
  'cash-out-cancelled': 'cancelled $seat',
  'credit-adjusted': 'adjusted $seat $amountMinor',
  'fault-reported': 'fault $device $fault',
  'access-refused': 'refused $why $person',
  'access-regained': 'regained $person',
  'shift-handed-over': 'shift $person $second',
  'card-doubted': 'doubted',
  'card-confirmed': 'confirmed',
  'card-taken-back': 'taken back',
  'betting-time-renewed': 'extended',
  'round-voided': 'void $reason',
  'note-refused': 'note refused $why',
  'held-note-resolved': 'held note $seat $valueMinor',
  'own-limits-set': 'limits $seat',
  'own-limit-reached': 'reached $seat $kind',
  'own-limit-confirmed': 'confirmed $seat $kind',
  'break-began': 'break $seat',
  'exclusion-checked': 'exclusion $person $listed',
  'service-entered': 'service $person',
  'dealer-signed-in': 'dealer $person',
  'dealer-signed-out': 'dealer out $person',
  'recall-displayed': 'recall $place',
  'service-key': 'key $turned',
  'people-changed': 'people changed',
  'program-started': 'started $after',
  'slip-ended': 'slip $slip',
  'doors-counted': 'doors $opened',
};
/** These follow from play, too. */
const OF_PLAY: ReadonlySet<string> = new Set(['slip hand-pay', 'slip deal-error', 'recall seat', 'doors ']);

/** A person by their id, and which doors were opened. */
function word(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('id' in value) return String(value.id);
  return Object.entries(value)
    .flatMap(([door, count]) => (count === 0 ? [] : [door]))
    .join(' ');
}

function told({ kind, body }: Entry): string | null {
  const text = TOLD[kind]?.replaceAll(/\$(\w+)/g, (_, name: string) =>
    word((body as Readonly<Record<string, unknown>>)[name]),
  );
  return text === undefined || OF_PLAY.has(text) ? null : text;
}

async function checkBooks(table: NightTable): Promise<void> {
  const { kit, centre } = table;
  const { ledger } = kit.host.terminal;
  const counted = new Map<string, number>();
  let cleared = 0;
  let begun = 0;
  let noted = 0;
  for (const entry of kit.entries()) {
    const text = told(entry);
    if (text !== null) counted.set(text, (counted.get(text) ?? 0) + 1);
    if (entry.kind === 'fault-cleared') cleared += 1;
    if (entry.kind === 'fault-reported') begun += 1;
    if (entry.kind === 'note-credited') noted += 1;
  }
  const lines = (of: ReadonlyMap<string, number>): string[] =>
    [...of].map(([what, times]) => `${what} × ${times}`).toSorted();
  assert.deepEqual(lines(counted), lines(table.done), 'the ledger has what was done, each once');
  assert.equal(cleared, begun, 'every fault has its end');
  assert.deepEqual(bookDifferences(table.state, ledger.balances()), []);
  // What the boxes hold by the books is what lies in them, and what was counted.
  const boxes = table.state.seats.map(({ seat }) => kit.rack.acceptor(seat).cashBox());
  const inBoxes = boxes.flat().reduce((sum, { valueMinor }) => sum + valueMinor, 0);
  const byBooks = table.state.seats.reduce((sum, { seat }) => sum + kit.balance(`cash-box:${seat}`), 0);
  assert.equal(byBooks, inBoxes + table.countedMinor, 'every banknote');
  assert.ok(noted > 0);
  assert.deepEqual(centre.refused, []);
  const { seq, hash } = ledger.head();
  assert.deepEqual(centre.head, { seq, hash: toHex(hash) }, 'the centre has every entry');
}
