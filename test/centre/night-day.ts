/**
 * The morning after a night of the floor: boxes are counted, and whoever sat at the board closes
 * the gaming day in the same browser and prints it. What the script did is held against it.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DAY_WORDS } from '../../upstream/day/day-words.ts';
import type { FedEntry } from './fed-table.ts';
import type { Operator } from './operators.ts';

/** What a script did at one table on the gaming day that ends at `endMs`. */
export class ScriptedDay {
  readonly id: string;
  readonly #endMs: number;
  dropMinor = 0;
  winMinor = 0;
  rounds = 0;
  #inBox: number[] = [];
  /** Taken out of acceptor 1 on that day: the entry that says so, and the notes in it. */
  readonly boxes: { readonly seq: number; readonly notes: readonly number[] }[] = [];

  constructor(id: string, endMs: number) {
    this.id = id;
    this.#endMs = endMs;
  }

  /** Entries come in their order. */
  tell({ kind, atMs, body }: FedEntry, seq: number): void {
    if (atMs! >= this.#endMs) return;
    const { valueMinor, device, fault, lines } = (body ?? {}) as {
      readonly valueMinor?: number;
      readonly device?: string;
      readonly fault?: string;
      readonly lines?: readonly { readonly netMinor: number }[];
    };
    switch (kind) {
      case 'note-credited':
        this.dropMinor += valueMinor!;
        this.#inBox.push(valueMinor!);
        break;
      case 'round-settled':
        this.rounds += 1;
        for (const { netMinor } of lines!) this.winMinor -= netMinor;
        break;
      case 'fault-reported':
        if (device !== 'acceptor-1' || fault !== 'cash-box-removed') break;
        this.boxes.push({ seq, notes: this.#inBox });
        this.#inBox = [];
        break;
    }
  }

  /** Of its statement, each with what is counted in its boxes. */
  rows(day: string, counts: ReadonlyMap<number, readonly number[]>): string[] {
    const of = `${day},${this.id},1`;
    const boxes = this.boxes.flatMap(({ seq, notes }) =>
      [...new Set(notes)].flatMap((value) => {
        const [by, found] = [notes, counts.get(seq)!].map((all) => all.filter((n) => n === value).length);
        const item = `"acceptor 1, entry ${seq}, note ${value / 100}"`;
        return [
          `${of},box-expected,${item},,MOP,${by},notes`,
          `${of},box-difference,${item},,MOP,${found! - by!},notes`,
        ];
      }),
    );
    return [
      `${of},result,drop,,MOP,${this.dropMinor / 100},amount`,
      `${of},result,win,,MOP,${this.winMinor / 100},amount`,
      ...(this.rounds === 0 ? [] : [`${of},meter,rounds_dealt,,,${this.rounds},count`]),
      ...boxes,
    ];
  }
}

const namesOf = (notes: readonly number[]): Record<string, string> =>
  Object.fromEntries(
    [...Map.groupBy(notes, (value) => `MOP_${value}`)].map(([name, all]) => [name, String(all.length)]),
  );

/**
 * One note of one box is missing, and nothing else. Returns how many tables were closed, and how
 * large the print is.
 * @param page at the board
 * @param printed of which table; null = of all of them
 */
export async function closeNight(o: {
  readonly page: Page;
  readonly counter: Operator;
  readonly day: string;
  readonly tables: readonly ScriptedDay[];
  readonly printed: string | null;
}): Promise<{ readonly closedTables: number; readonly countedBoxes: number; readonly printBytes: number }> {
  const { day, tables, counter } = o;
  const w = DAY_WORDS.en;
  const counted = new Map<string, Map<number, readonly number[]>>();
  let isShort = false;
  let countedBoxes = 0;
  for (const { id, boxes } of tables) {
    const own = new Map<number, readonly number[]>();
    counted.set(id, own);
    for (const { seq, notes } of boxes) {
      const found = isShort ? notes : notes.slice(1);
      isShort ||= notes.length > 0;
      own.set(seq, found);
      const answer = await counter.form(`/boxes/${id}/${seq}`, { no: '1', ...namesOf(found) });
      assert.equal(answer.status, 200, answer.text);
      countedBoxes += 1;
    }
  }

  const beside = await o.page.context().newPage();
  const { origin } = new URL(o.page.url());
  await beside.goto(`${origin}/days?day=${day}`);
  await beside.getByRole('button', { name: w.close, exact: true }).click();
  await beside.getByRole('columnheader', { name: w.outcome, exact: true }).waitFor();
  const said = await beside
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' ')),
    );
  const outcomes = new Set(said);
  for (const { id } of tables)
    assert.ok(
      outcomes.has(`${id} ${day} ${w.justClosed} 1`),
      `${id}: ${said.find((row) => row.includes(id))}`,
    );

  // Its policy lets the page itself ask nothing.
  const csv = await (await o.page.context().request.get(`${origin}/days/${day}/statement/csv`)).text();
  const rows = new Set(csv.split('\r\n'));
  const wanted = tables.flatMap((table) => table.rows(day, counted.get(table.id)!));
  assert.deepEqual(
    wanted.filter((row) => !rows.has(row)),
    [],
    'what the script did and the statement does not say',
  );
  const differing = [...rows].filter((row) => /,box-difference,.*,MOP,-?[1-9]\d*,notes$/.test(row));
  assert.equal(differing.length, isShort ? 1 : 0, differing.join('\n'));

  await beside.goto(`${origin}/days/${day}/statement/html${o.printed === null ? '' : `?table=${o.printed}`}`);
  const shown = await beside.locator('section').allTextContents();
  const ofPrint = tables.filter(({ id }) => o.printed === null || id === o.printed);
  assert.equal(shown.length, ofPrint.length);
  for (const [at, { dropMinor }] of ofPrint.entries())
    assert.ok(
      shown[at]!.includes(new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(dropMinor / 100)),
      shown[at],
    );
  const print = await beside.pdf();
  assert.equal(print.subarray(0, 5).toString(), '%PDF-');
  await beside.close();
  return { closedTables: tables.length, countedBoxes, printBytes: print.length };
}
