/**
 * How many touches a task takes, counted in the page while newcomers and technicians do it, against
 * docs/operations/touches.md. `BANCA_WRITE=1` writes what was counted into the document.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const DOCUMENT = join(import.meta.dirname, '../../docs/operations/touches.md');

/** In the order of the document. */
export const TASKS = [
  'choose a language',
  'bet',
  'bet beside it',
  'split',
  'cash out',
  'sign in and make the shoe ready',
  'deal a round',
  'put a wrong card right',
  'pay by hand',
  'open service mode',
  'mend a jam',
  'export',
] as const;
export type Task = (typeof TASKS)[number];

declare global {
  interface Window {
    /** Names of what was touched, in their order. */
    touches: string[];
  }
}

/** Counts touches of people; those in the drawer of the simulated devices are their hands. */
export class Touches {
  readonly #touched = new Map<Task, string[]>();
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async of(page: Page): Promise<Touches> {
    await page.evaluate(() => {
      window.touches = [];
      addEventListener(
        'click',
        ({ isTrusted, target }) => {
          const control = (target as Element).closest('button') ?? (target as Element);
          if (isTrusted && !control.closest('.operator-drawer'))
            window.touches.push(control.getAttribute('aria-label') ?? control.textContent ?? '');
        },
        true,
      );
    });
    return new Touches(page);
  }

  /** Does a part of the task. */
  async during<T>(task: Task, run: () => Promise<T>): Promise<T> {
    const before = await this.#page.evaluate(() => window.touches.length);
    const result = await run();
    const made = await this.#page.evaluate((from) => window.touches.slice(from), before);
    this.#touched.set(task, [...(this.#touched.get(task) ?? []), ...made]);
    return result;
  }

  /** What was counted of these tasks stands in the document. */
  check(tasks: readonly Task[] = TASKS): void {
    const text = readFileSync(DOCUMENT, 'utf8');
    const rows = text.split('\n').map((line) => {
      const [, task] = line.split(' | ');
      const touched = tasks.includes(task as Task) ? this.#touched.get(task as Task) : undefined;
      return touched === undefined ? line : line.replace(/\| \d* \|$/, `| ${touched.length} |`);
    });
    for (const task of tasks.filter((each) => this.#touched.has(each)))
      assert.ok(text.includes(` | ${task} | `), `${task} has no row in the document`);
    if (process.env['BANCA_WRITE'] === '1') writeFileSync(DOCUMENT, rows.join('\n'));
    else assert.equal(rows.join('\n'), text, JSON.stringify([...this.#touched]));
  }

  /** For the log of a test. */
  get told(): string {
    return [...this.#touched].map(([task, { length }]) => `${task} ${length}`).join(', ');
  }
}
