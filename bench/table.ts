/** A table made ready to play through its own wire, as a dealer and the players would. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/shell/paths.ts';
import { TestDisplay } from '../test/support/display.ts';
import type { Command } from '../wire/commands.ts';
import type { TableView } from '../wire/view.ts';
import { BlindDisplay } from './blind-display.ts';

export const SEATS = [1, 2, 3, 4, 5, 6, 7] as const;
const NOTE_MINOR = 100_000;
const DEALER = { person: '1', pin: '1111' };
const END_CARD_BEHIND = 60;
/** States of an acceptor that takes a note as soon as it is allowed to. */
const AT_REST = ['idle', 'disabled'];
const STEP_LIMIT_MS = 20_000;
/**
 * The longest that a profile may have: no deadline comes between the touches of one measurement.
 */
const BETTING_MS = 120_000;

/**
 * The profile of the demonstration with the longest betting window, and more where that is asked
 * for. Returns the file's path.
 */
export function writeProfile(dir: string, timing: object = {}, more: object = {}): string {
  const file = JSON.parse(readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8')) as {
    profile: { timing: object };
  };
  Object.assign(file.profile.timing, { bettingMs: BETTING_MS }, timing);
  const path = join(dir, 'profile.json');
  writeFileSync(path, JSON.stringify({ ...file, ...more }));
  return path;
}

/** The hands at a table: the dealer's screen and the operator's page of the simulated devices. */
export class TableHands {
  readonly dealer: TestDisplay;
  readonly #operator: BlindDisplay;

  private constructor(dealer: TestDisplay, operator: BlindDisplay) {
    this.dealer = dealer;
    this.#operator = operator;
  }

  static async connect(mint: (role: string) => Promise<string>): Promise<TableHands> {
    return new TableHands(
      await TestDisplay.connect(await mint('dealer')),
      await BlindDisplay.connect(await mint('operator')),
    );
  }

  /** From a closed table to the state between two rounds: dealer signed in, shoe cut and burnt. */
  async makeReady(): Promise<void> {
    await this.#step('sign-in');
    await this.#order({ type: 'sign-in-dealer', credential: DEALER });
    await this.#step('load-shoe');
    await this.#operator.command({ type: 'sim-load-shoe' });
    await this.#step('cut-shoe');
    await this.#order({ type: 'cut-shoe', seat: null });
    await this.#order({ type: 'place-end-card', cardsBehind: END_CARD_BEHIND });
    await this.#step('burn');
    await this.#operator.command({ type: 'sim-draw-card' });
    await this.#step('open-betting');
  }

  /** A note into every acceptor, once all of them have started. */
  async insertNotes(): Promise<void> {
    await this.#until('the acceptors', ({ devices }) =>
      devices.every(({ kind, state }) => kind !== 'bill-acceptor' || AT_REST.includes(state)),
    );
    await Promise.all(
      SEATS.map((seat) =>
        this.#operator.command({ type: 'sim-insert-note', acceptor: seat, valueMinor: NOTE_MINOR }),
      ),
    );
    await this.#until('the credits', (view) => view.seats.every((seat) => seat.creditMinor >= NOTE_MINOR));
  }

  /** Returns the id of the round that was opened. */
  async openBetting(): Promise<string> {
    await this.#order({ type: 'open-betting' });
    const view = await this.#until('the betting', ({ phase }) => phase === 'betting');
    return view.round!.id;
  }

  close(): void {
    this.dealer.close();
    this.#operator.close();
  }

  #step(step: TableView['dealer']['step']['step']): Promise<TableView> {
    return this.#until(step, (view) => view.dealer.step.step === step);
  }

  async #until(what: string, holds: (view: TableView) => boolean): Promise<TableView> {
    const view = await this.dealer.until(holds, STEP_LIMIT_MS);
    if (!view) throw new Error(`the table did not come to: ${what} (${this.dealer.view.dealer.step.step})`);
    return view;
  }

  async #order(command: Command): Promise<void> {
    const answer = await this.dealer.command(command);
    if (answer?.status !== 'done') throw new Error(`${command.type}: ${JSON.stringify(answer)}`);
  }
}
