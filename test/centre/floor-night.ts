/**
 * A night of the gaming floor: tables at which faults come and go at random, and somebody at the
 * board who must see each within two seconds of its entry, acknowledges it and opens the round, and
 * in the morning closes the gaming day and prints it. A model of what was done, which knows nothing
 * of the centre, is held against the whole board and against the closing of each table.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { dayAfter } from '../../upstream/day/calendar.ts';
import { until } from '../support/until.ts';
import { dealer, type FedEntry, FedTable, note, opened, post } from './fed-table.ts';
import { closeNight, ScriptedDay } from './night-day.ts';
import type { Operator } from './operators.ts';
import { seeded } from './seeded.ts';

type Tone = 'fault' | 'waiting' | 'slow';

/** Device, fault, its name on the board, and whether it stops something (not of level N). */
const FAULTS: readonly (readonly [device: string, fault: string, title: string, tone: Tone])[] = [
  ['acceptor-3', 'acceptor-jammed', 'Note jam', 'fault'],
  ['acceptor-5', 'acceptor-cheated', 'Note pulled back', 'fault'],
  ['acceptor-1', 'cash-box-removed', 'Cash box removed', 'fault'],
  ['acceptor-2', 'cash-box-near-full', 'Cash box nearly full', 'slow'],
  ['shoe', 'shoe-jam', 'No feed or jam', 'fault'],
  ['cabinet', 'main-door-open', 'Main door open', 'fault'],
  ['ups', 'ups-on-battery', 'On battery', 'fault'],
  ['printer', 'printer-paper-out', 'Printer out of paper', 'slow'],
  ['centre', 'link-down', 'Link down', 'slow'],
];

interface Alarm {
  readonly title: string;
  readonly tone: Tone;
  isSeen: boolean;
  /** What ends it. */
  readonly cure: () => FedEntry | null;
}

/** Seen within two seconds of its entry; of silence, with the three that make it one. */
const SOON_MS = 2_000;
const SILENT_MS = 3_000;
/** A table that this test itself kept waiting for so long may have been called silent. */
const EXCUSED_MS = 2_000;
const REPORT_EVERY_MS = 800;

/** One table as the script has left it. */
class Table {
  readonly fed: FedTable;
  readonly dealer: string;
  readonly day: ScriptedDay;
  readonly alarms = new Map<string, Alarm>();
  isOff = false;
  speaks = true;
  isOpen = true;
  service: string | null = null;
  held = false;
  roundNo = 0;
  phase = 'Between rounds';
  #no = 0;
  /** When it was last heard for certain; and whether it has been kept waiting. */
  heardMs = Date.now();
  isExcused = false;

  constructor(fed: FedTable, name: string, dayEndMs: number) {
    this.fed = fed;
    this.dealer = name;
    this.day = new ScriptedDay(fed.id, dayEndMs);
  }

  add(entries: readonly FedEntry[]): void {
    for (const entry of entries) {
      this.fed.add(entry);
      this.day.tell(entry, this.fed.seq);
    }
  }

  get id(): string {
    return this.fed.id;
  }
  get next(): number {
    this.#no += 1;
    return this.#no;
  }

  /** As its tile must be. */
  get tile(): string {
    const [first] = [...this.alarms.values()].toSorted(
      (a, b) => Number(a.isSeen) - Number(b.isSeen) || ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone),
    );
    const tone = first === undefined ? 'calm' : `${first.tone}${first.isSeen ? '-seen' : ''}`;
    const state = this.isOff
      ? 'Off'
      : this.alarms.has('Silent')
        ? 'Silent'
        : this.service !== null
          ? 'Service'
          : this.held
            ? 'Held'
            : this.isOpen
              ? this.dealer
              : 'Closed';
    return `${this.id} ${tone} ${this.isOpen && !this.isOff ? 'open' : 'shut'} ${state}`;
  }
}
const ORDER: readonly Tone[] = ['fault', 'waiting', 'slow'];

export const TIME_ZONE = 'Asia/Macau';

/**
 * A gaming day that ended two to three minutes ago: a night of which the last minutes are of the
 * next one.
 */
export function endedDay(): { readonly day: string; readonly dayBegins: string; readonly endMs: number } {
  const endMs = (Math.floor(Date.now() / 60_000) - 2) * 60_000;
  const [date, time] = new Date(endMs + 8 * 3_600_000).toISOString().split('T') as [string, string];
  return { day: dayAfter(date, -1), dayBegins: time.slice(0, 5), endMs };
}

/** Two hundred of them, which `dir` enrols. */
export const nightTables = (dir: string, count = 200): FedTable[] =>
  Array.from({ length: count }, (_, i) => new FedTable(`N-${String(i + 1).padStart(3, '0')}`).enrol(dir));

export interface FloorNight {
  /** New tables, enrolled. */
  readonly tables: readonly FedTable[];
  /** So many of them are played at; the others have ended in order. */
  readonly awake: number;
  /** Of the instances of the centre. */
  readonly urls: readonly string[];
  /** At the board, in English. */
  readonly page: Page;
  /** Of the count room. */
  readonly counter: Operator;
  /** The gaming day that ends within the night, and when: more than a minute ago. */
  readonly gamingDay: { readonly day: string; readonly endMs: number };
  /** Whether the closings of all tables are printed, or of one. */
  readonly printsAll: boolean;
  readonly seed: number;
  readonly steps: number;
  /** Of the simulated night. */
  readonly hours: number;
  readonly say: (line: string) => void;
}

export interface FloorNightResult {
  readonly alarms: number;
  /** From the entry to the card. */
  readonly slowestMs: number;
  /** From the last word to the card. */
  readonly slowestSilenceMs: number;
  readonly rounds: number;
  readonly openedRounds: number;
  readonly closedTables: number;
  readonly countedBoxes: number;
  readonly printBytes: number;
}

export async function playFloorNight(o: FloorNight): Promise<FloorNightResult> {
  const { page, urls } = o;
  const chance = seeded(o.seed);
  const below = (limit: number): number => Math.floor(chance() * limit);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const fromMs = Date.now() - o.hours * 3_600_000;
  const stepMs = (o.hours * 3_600_000) / o.steps;
  let nowMs = fromMs;
  const at = (entries: readonly FedEntry[]): FedEntry[] =>
    entries.map((entry, i) => ({ ...entry, atMs: nowMs + i }));
  const urlOf = (index: number): string => urls[index % urls.length]!;

  const tables = o.tables.map((fed, i) => new Table(fed, `Dealer ${i + 1}`, o.gamingDay.endMs));
  const awake = tables.slice(0, o.awake);
  const send = async (table: Table): Promise<void> => {
    await table.fed.send(urlOf(tables.indexOf(table)));
    table.heardMs = Date.now();
  };
  const all = async (of: readonly Table[], work: (table: Table) => Promise<void>): Promise<void> => {
    const queue = [...of];
    const each = async (): Promise<void> => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await work(next);
    };
    await Promise.all(Array.from({ length: 8 }, each));
  };
  for (const table of tables) {
    const brought = Array.from({ length: 1 + below(3) }, () => note(1, pick(NOTES)));
    table.add(at([...opened('macau-blackjack-2009', table.dealer, [1, 2, 3]), ...brought]));
    if (awake.includes(table)) continue;
    table.add(at([{ kind: 'program-stopped', body: { why: 'asked to' } }]));
    table.isOff = true;
  }
  await all(tables, send);

  // Each table is heard, as the real ones say every second that they are there.
  let isOver = false;
  const busy = new Set<Table>();
  const beat = async (): Promise<void> => {
    while (!isOver) {
      const began = Date.now();
      await all(
        awake.filter((table) => table.speaks && !table.isOff && !busy.has(table)),
        async (table) => {
          if (Date.now() - table.heardMs > EXCUSED_MS) table.isExcused = true;
          await table.fed.report(urlOf(tables.indexOf(table)));
          table.heardMs = Date.now();
        },
      );
      const leftMs = REPORT_EVERY_MS - (Date.now() - began);
      await new Promise((resolve) => setTimeout(resolve, Math.max(10, leftMs)));
    }
  };
  const beating = beat();
  /** Nothing else is on its way to the centre from this table meanwhile. */
  const tell = async (table: Table, ...entries: readonly FedEntry[]): Promise<number> => {
    busy.add(table);
    try {
      table.add(at(entries));
      await send(table);
      return Date.now();
    } finally {
      busy.delete(table);
    }
  };

  await recordCards(page);
  const wanted = new Set<string>();
  let slowestMs = 0;
  let slowestSilenceMs = 0;
  let rounds = 0;
  let openedRounds = 0;
  let alarms = 0;
  const shownAt = (key: string): Promise<number | null> =>
    page.evaluate((of) => (window as unknown as Recorder).cards.get(of) ?? null, key);
  const seesSoon = async (table: Table, title: string, sinceMs: number, withinMs: number): Promise<void> => {
    const key = `${table.id} · ${title}`;
    wanted.add(key);
    alarms += 1;
    const shownMs = await until(`${key} on the board`, () => shownAt(key), {
      limitMs: 20_000,
      everyMs: 40,
    });
    const tookMs = shownMs - sinceMs;
    if (title === 'Silent') slowestSilenceMs = Math.max(slowestSilenceMs, tookMs);
    else slowestMs = Math.max(slowestMs, tookMs);
    assert.ok(tookMs <= withinMs, `${key}: ${tookMs} ms after its entry`);
  };
  const open = async (table: Table, alarm: Omit<Alarm, 'isSeen'>, entry: FedEntry | null): Promise<void> => {
    table.alarms.set(alarm.title, { ...alarm, isSeen: false });
    if (entry === null) return await seesSoon(table, alarm.title, table.heardMs, SILENT_MS + SOON_MS);
    await seesSoon(table, alarm.title, await tell(table, entry), SOON_MS);
  };
  const isFree = (table: Table, title: string): boolean => !table.alarms.has(title);

  /** Something happens at a table that has nothing of the kind. */
  const trouble = async (table: Table): Promise<void> => {
    const seat = 1 + below(3);
    const no = table.next;
    switch (below(10)) {
      case 0:
        if (!isFree(table, 'Call')) return;
        return await open(
          table,
          {
            title: 'Call',
            tone: 'waiting',
            cure: () => ({ kind: 'attendant-called', body: { seat, on: false } }),
          },
          { kind: 'attendant-called', body: { seat, on: true } },
        );
      case 1:
        if (!isFree(table, 'Complaint')) return;
        return await open(
          table,
          {
            title: 'Complaint',
            tone: 'waiting',
            cure: () => ({ kind: 'complaint-closed', body: { complaintNo: no, upheld: false } }),
          },
          { kind: 'complaint-raised', body: { complaintNo: no, seat, roundNo: table.roundNo } },
        );
      case 2: {
        if (!isFree(table, 'Hand-pay')) return;
        const requestId = `r-${no}`;
        const body = { seat, requestId, currency: 'MOP', amountMinor: 10_000 * (1 + below(400)) };
        return await open(
          table,
          {
            title: 'Hand-pay',
            tone: 'waiting',
            cure: () => ({ kind: 'hand-paid', body: { seat, requestId } }),
          },
          { kind: 'cash-out-requested', body },
        );
      }
      case 3:
        if (!isFree(table, 'Note held')) return;
        return await open(
          table,
          {
            title: 'Note held',
            tone: 'waiting',
            cure: () => ({ kind: 'held-note-resolved', body: { caseNo: no } }),
          },
          { kind: 'note-held', body: { caseNo: no, acceptor: seat, currency: 'MOP', valueMinor: 50_000 } },
        );
      case 4:
        if (!isFree(table, 'Round held')) return;
        table.held = true;
        return await open(
          table,
          {
            title: 'Round held',
            tone: 'fault',
            cure: () => {
              table.held = false;
              return { kind: 'hold-released', body: {} };
            },
          },
          { kind: 'table-held', body: { hold: { code: 'doubtful-card' } } },
        );
      case 5:
        if (!isFree(table, 'Silent')) return;
        table.speaks = false;
        return await open(
          table,
          {
            title: 'Silent',
            tone: 'fault',
            cure: () => {
              table.speaks = true;
              return null;
            },
          },
          null,
        );
      default: {
        const [device, fault, title, tone] = pick(FAULTS);
        if (!isFree(table, title)) return;
        return await open(
          table,
          { title, tone, cure: () => ({ kind: 'fault-cleared', body: { device, fault } }) },
          { kind: 'fault-reported', body: { device, fault, place: 'here' } },
        );
      }
    }
  };
  /** The box of acceptor 1, with what lies in it. */
  const takeOut = (table: Table): Promise<void> => {
    const [device, fault, title, tone] = FAULTS.find(([, name]) => name === 'cash-box-removed')!;
    const cure = (): FedEntry => ({ kind: 'fault-cleared', body: { device, fault } });
    return open(
      table,
      { title, tone, cure },
      { kind: 'fault-reported', body: { device, fault, place: 'here' } },
    );
  };
  const mend = async (table: Table): Promise<void> => {
    // What a silent table says would be its end of silence.
    const title = table.speaks ? pick([...table.alarms.keys()]) : 'Silent';
    const alarm = table.alarms.get(title)!;
    const entry = alarm.cure();
    table.alarms.delete(title);
    if (entry !== null) await tell(table, entry);
    else await tell(table, { kind: 'language-set', body: { seat: 1, language: 'en' } });
    const key = `${table.id} · ${title}`;
    await until(`${key} is gone`, async () => (await shownAt(key)) === null, {
      limitMs: 20_000,
      everyMs: 40,
    });
  };
  const play = async (table: Table): Promise<void> => {
    table.roundNo += 1;
    rounds += 1;
    await tell(table, note(1, pick(NOTES)), ...playedRound(table, below(2) === 0));
  };
  /** A round, or people who come and go: no alarm follows from it. */
  const life = async (table: Table): Promise<void> => {
    switch (below(6)) {
      case 0:
        table.isOpen = !table.isOpen;
        return void (await tell(table, {
          kind: table.isOpen ? 'dealer-signed-in' : 'dealer-signed-out',
          body: dealer(table.dealer),
        }));
      case 1:
        table.service = table.service === null ? 'João Silva' : null;
        return void (await tell(
          table,
          table.service === null
            ? { kind: 'service-left', body: {} }
            : {
                kind: 'service-entered',
                body: { person: { id: 'T', name: 'João Silva', role: 'technician' } },
              },
        ));
      case 2:
        // In order: nothing more is heard, and nobody is alarmed. What stood, stands.
        table.isOff = !table.isOff;
        return void (await tell(table, {
          kind: table.isOff ? 'program-stopped' : 'program-started',
          body: table.isOff ? { why: 'asked to' } : { after: 'shutdown' },
        }));
      default:
        if (table.held || !table.isOpen || table.isOff || table.service !== null) return;
        await play(table);
    }
  };

  const acknowledge = async (table: Table, title: string): Promise<void> => {
    const name = `${table.id} · ${title}`;
    const card = page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) });
    await card.getByRole('button', { name: /^Acknowledge/ }).click();
    await card.getByText(/Seen by /).waitFor();
    table.alarms.get(title)!.isSeen = true;
  };
  const openRound = async (table: Table): Promise<void> => {
    await page.locator(`#table-${table.id}`).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: table.id, exact: true }).waitFor();
    const address = await dialog.getByRole('link', { name: 'All of this terminal' }).getAttribute('href');
    await page.keyboard.press('Escape');
    const beside = await page.context().newPage();
    await beside.goto(`${new URL(page.url()).origin}${address}`);
    await beside.getByRole('link', { name: roundIdOf(table), exact: true }).click();
    for (const kind of ['betting-opened', 'card-dealt', 'round-closed'])
      await beside.getByRole('cell', { name: kind, exact: true }).waitFor();
    await beside.close();
    openedRounds += 1;
  };

  /** The whole board against the model. */
  const compare = async (when: string): Promise<void> => {
    const model = (): string[] => [
      ...tables.map(({ tile }) => `tile ${tile}`),
      ...tables.flatMap(({ id, alarms: own }) =>
        [...own].map(
          ([title, { tone, isSeen }]) => `card ${id} · ${title} ${tone} ${isSeen ? 'seen' : 'unseen'}`,
        ),
      ),
    ];
    const excused = new Set(tables.filter(({ isExcused }) => isExcused).map(({ id }) => id));
    const differences = async (): Promise<string[]> => {
      const board = new Set(
        await readBoard(
          page,
          tables.map(({ id }) => id),
        ),
      );
      const wants = new Set(model());
      return [
        ...[...wants].filter((line) => !board.has(line)).map((line) => `missing: ${line}`),
        ...[...board].filter((line) => !wants.has(line)).map((line) => `too much: ${line}`),
      ].filter((line) => !excused.has(line.split(' ')[2]!) || !line.includes('Silent'));
    };
    let last: string[] = [];
    const untilMs = Date.now() + 2 * SOON_MS;
    do {
      last = await differences();
      if (last.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (Date.now() < untilMs);
    assert.deepEqual(last, [], when);
  };

  try {
    await until('every table has its tile', async () => {
      const there = await readBoard(
        page,
        tables.map(({ id }) => id),
      );
      return there.filter((line) => line.startsWith('tile ')).length === tables.length;
    });
    await compare('at the beginning of the night');
    const [first] = awake;
    // Whatever chance brings, there is a round to open and a box to count.
    await play(first!);
    await takeOut(first!);
    for (let step = 0; step < o.steps; step += 1) {
      nowMs = Math.round(fromMs + step * stepMs);
      const table = pick(awake);
      const before = new Set(table.alarms.keys());
      const troubled = awake.filter(({ alarms: own, isOff }) => own.size > 0 && !isOff);
      const what = below(10);
      if (what < 5 && table.speaks && !table.isOff) await trouble(table);
      else if (what < 7 && troubled.length > 0) await mend(pick(troubled));
      else if (table.speaks) await life(table);
      for (const title of table.alarms.keys()) {
        if (before.has(title) || below(3) === 0) continue;
        await acknowledge(table, title);
        if (table.roundNo > 0 && below(2) === 0) await openRound(table);
      }
      if (step % 8 === 7) await compare(`step ${step}`);
    }
    if (openedRounds === 0) await openRound(first!);
    for (const table of awake) while (table.alarms.size > 0) await mend(table);
    await compare('at the end of the night');
    const shown = await page.evaluate(() => [...(window as unknown as Recorder).ever]);
    const ids = new Set(tables.map(({ id }) => id));
    const excused = new Set(tables.filter(({ isExcused }) => isExcused).map(({ id }) => id));
    assert.deepEqual(
      shown.filter((key) => {
        const [id, title] = key.split(' · ') as [string, string];
        return ids.has(id) && !wanted.has(key) && !(excused.has(id) && title === 'Silent');
      }),
      [],
      'nothing was ever called that was well',
    );
    // The new day begins at every table that is on: nothing of the old one is to come.
    nowMs = Date.now();
    for (const table of awake)
      if (!table.isOff) await tell(table, { kind: 'language-set', body: { seat: 1, language: 'pt' } });
    const days = tables.map(({ day }) => day);
    const closed = await closeNight({
      ...{ page, counter: o.counter, day: o.gamingDay.day, tables: days },
      printed: o.printsAll ? null : awake[0]!.id,
    });
    return { alarms, slowestMs, slowestSilenceMs, rounds, openedRounds, ...closed };
  } finally {
    isOver = true;
    await beating;
  }
}

/** Kinds of notes that players bring, minor units. */
const NOTES = [10_000, 50_000, 100_000];
const STAKE_MINOR = 10_000;

function playedRound(table: Table, isWon: boolean): FedEntry[] {
  const roundId = roundIdOf(table);
  const returnedMinor = isWon ? 2 * STAKE_MINOR : 0;
  const line = {
    ...{ by: 1, bet: 'main', outcome: isWon ? 'win' : 'lose', stakeMinor: STAKE_MINOR },
    ...{ returnedMinor, netMinor: returnedMinor - STAKE_MINOR },
  };
  return [
    { kind: 'betting-opened', roundId, body: { roundId, roundNo: table.roundNo, last: false } },
    {
      ...{ kind: 'bet-placed', roundId, body: { seat: 1, amountMinor: STAKE_MINOR } },
      postings: post('seat-credit:1', 'stake:1', STAKE_MINOR),
    },
    { kind: 'betting-closed', roundId },
    { kind: 'card-dealt', roundId, body: { seat: 1, card: 12 } },
    {
      ...{ kind: 'round-settled', roundId, body: { currency: 'MOP', lines: [line] } },
      postings: [
        ...post('stake:1', 'bank', STAKE_MINOR),
        ...(isWon ? post('bank', 'seat-credit:1', returnedMinor) : []),
      ],
    },
    { kind: 'round-closed', roundId, body: { next: 'idle', cardsBack: false } },
  ];
}

const roundIdOf = ({ id, roundNo }: Table): string => `${id}-${String(roundNo).padStart(6, '0')}`;

interface Recorder {
  /** Cards that stand: heading -> when it came. */
  cards: Map<string, number>;
  ever: Set<string>;
}

/** The page keeps when each card came, so that nobody’s look is a part of the time. */
const recordCards = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const recorder = window as unknown as Recorder;
    recorder.cards = new Map();
    recorder.ever = new Set();
    const look = (): void => {
      const there = new Set(
        [...document.querySelectorAll('#alarms .card h3')].map((heading) => heading.textContent ?? ''),
      );
      for (const key of recorder.cards.keys()) if (!there.has(key)) recorder.cards.delete(key);
      for (const key of there) {
        if (!recorder.cards.has(key)) recorder.cards.set(key, Date.now());
        recorder.ever.add(key);
      }
    };
    look();
    new MutationObserver(look).observe(document.querySelector('aside')!, { childList: true, subtree: true });
  });

/** Of these tables, as lines in the form of the model. */
const readBoard = (page: Page, ids: readonly string[]): Promise<string[]> =>
  page.evaluate((of) => {
    const wanted = new Set(of);
    const tiles = [...document.querySelectorAll<HTMLElement>('.tile')].flatMap((tile) => {
      const id = tile.id.slice('tile-'.length);
      const [, tone, open] = tile.className.split(' ');
      return wanted.has(id) ? [`tile ${id} ${tone} ${open} ${tile.querySelector('.who')?.textContent}`] : [];
    });
    const cards = [...document.querySelectorAll('#alarms .card')].flatMap((card) => {
      const title = card.querySelector('h3')?.textContent ?? '';
      const [, tone, seen] = card.className.split(' ');
      return wanted.has(title.split(' · ')[0]!) ? [`card ${title} ${tone} ${seen}`] : [];
    });
    return [...tiles, ...cards];
  }, ids);
