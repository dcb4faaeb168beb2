/**
 * The whole terminal in the guest: `banca host` over real USB devices, played from outside as
 * displays and hands play it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Card, parseCard } from '../../../engine/core/cards.ts';
import { shuffledShoe } from '../../../engine/core/shoe.ts';
import type { VerifyReport } from '../../../ledger/chain/verifier.store.ts';
import { openLedgerReader } from '../../../ledger/store/ledger.store.ts';
import type { Command } from '../../../wire/commands.ts';
import type { TableView } from '../../../wire/view.ts';
import type { TestDisplay } from '../../support/display.ts';
import { until } from '../../support/until.ts';
import { BANCA, startBanca } from './banca.ts';
import type { FarShoe } from './cards.ts';

const DEMO = '/repo/host/profiles/demo.json';
const DEALER = { person: '1', pin: '1111' };

export class Terminal {
  readonly #dir = mkdtempSync('/tmp/terminal-');
  readonly #profile = join(this.#dir, 'profile.json');
  #host: ChildProcess | null = null;
  #display: TestDisplay | null = null;

  /**
   * `devices`: that section of the terminal file; everything else is the demonstration's, with
   * quick times.
   */
  constructor(devices: object) {
    const { profile, people } = JSON.parse(readFileSync(DEMO, 'utf8')) as { profile: object; people: object };
    const timing = {
      bettingMs: 120_000,
      offersMs: 60_000,
      decisionMs: 120_000,
      minConfidence: 200,
      minResultMs: 0,
    };
    const changes = { terminalId: 'USB-RIG', timing };
    writeFileSync(this.#profile, JSON.stringify({ profile: { ...profile, ...changes }, people, devices }));
  }

  get ledgerPath(): string {
    return join(this.#dir, 'data', 'ledger.db');
  }

  get view(): TableView {
    assert.ok(this.#display, 'the terminal runs');
    return this.#display.view;
  }

  async start(): Promise<void> {
    const { host, display } = await startBanca(join(this.#dir, 'data'), this.#profile);
    this.#host = host;
    this.#display = display;
    await this.until('no hold but for the devices', ({ hold }) => hold === null || hold.code === 'recovery');
    if (this.view.hold?.code === 'recovery') await this.do({ type: 'confirm-layout' });
  }

  /** As a power cut of the host alone would. */
  async kill(): Promise<void> {
    const host = this.#host;
    this.#host = null;
    this.#display = null;
    if (host === null || host.exitCode !== null) return;
    const gone = new Promise((resolve) => host.once('exit', resolve));
    host.kill('SIGKILL');
    await gone;
  }

  async until(what: string, holds: (view: TableView) => boolean): Promise<void> {
    const found = await this.#display?.until(holds, 120_000);
    assert.ok(found, `never: ${what}; ${JSON.stringify(this.#display?.view)}`);
  }

  /** Done, and seen on the display. */
  async do(command: Command): Promise<void> {
    const answer = await this.#display?.command(command);
    assert.ok(answer?.status === 'done', `${JSON.stringify(command)}: ${JSON.stringify(answer)}`);
    await this.until(`entry ${answer.seq}`, (view) => view.seq >= answer.seq);
  }

  /** The newest entry of this kind, whether the host runs or not. */
  newest(kind: string): { readonly seq: number; readonly body: unknown } | undefined {
    const reader = openLedgerReader(this.ledgerPath);
    try {
      return reader.newest({ beforeSeq: null, limit: 1, kind })[0];
    } finally {
      reader.close();
    }
  }

  /**
   * What went before, for a test that has failed: the last entries and the state of the devices.
   */
  story(): string {
    const reader = openLedgerReader(this.ledgerPath);
    try {
      const entries = reader.newest({ beforeSeq: null, limit: 25, kind: null }).toReversed();
      const told = entries.map(({ seq, kind, body }) => `${seq} ${kind} ${JSON.stringify(body)}`);
      const { hold, devices } = this.#display?.view ?? { hold: 'no host', devices: [] };
      return [...told, JSON.stringify({ hold, devices })].join('\n');
    } finally {
      reader.close();
    }
  }

  /** `banca verify` holds; its balances, debit positive. */
  async verified(): Promise<Readonly<Record<string, number>>> {
    const { stdout } = await promisify(execFile)(process.execPath, [
      BANCA,
      'verify',
      this.ledgerPath,
      '--json',
    ]);
    const report = JSON.parse(stdout) as VerifyReport;
    assert.equal(report.ok, true);
    return report.balances;
  }

  // ---- at the table ----

  /** Six packs, the named cards first; what the dealer does until betting can be opened. */
  async readyShoe(shoe: FarShoe, cards: string): Promise<void> {
    const first = cards.split(' ').map((text) => {
      const card = parseCard(text);
      assert.ok(card !== null, text);
      return card;
    });
    const rest: Card[] = shuffledShoe(6, 1);
    for (const card of first) rest.splice(rest.indexOf(card), 1);
    await this.until('the dealer may begin', (view) => view.dealer.step.step === 'sign-in');
    await this.do({ type: 'sign-in-dealer', credential: DEALER });
    await this.#step('load-shoe');
    await shoe.load([...first, ...rest], 6);
    await this.#step('cut-shoe');
    await this.do({ type: 'cut-shoe', seat: null });
    await this.#step('place-end-card');
    await this.do({ type: 'place-end-card', cardsBehind: 60 });
    await this.#step('burn');
    await this.draw(shoe);
    await this.#step('open-betting');
  }

  /**
   * A driver that was not heard for two seconds holds the table, and an emulated processor can be
   * that slow.
   */
  async #step(step: TableView['dealer']['step']['step']): Promise<void> {
    const now = (view: TableView): string => view.dealer.step.step;
    for (;;) {
      await this.until(step, (view) => now(view) === step || now(view) === 'confirm-layout');
      if (now(this.view) === step) return;
      await this.do({ type: 'confirm-layout' });
    }
  }

  async draw(shoe: FarShoe): Promise<void> {
    const { drawn } = this.view.shoe;
    await until('a card is drawn', async () => (await shoe.draw()).drawn);
    await this.until('the card is on the table', (view) => view.shoe.drawn > drawn);
  }

  /** One bet for each seat, everybody plays on and stands, until the round is closed. */
  async playRound(
    shoe: FarShoe,
    stakes: readonly { readonly seat: number; readonly amountMinor: number }[],
  ): Promise<void> {
    await this.do({ type: 'open-betting' });
    const roundId = this.view.round?.id ?? '';
    for (const { seat, amountMinor } of stakes)
      await this.do({
        type: 'place-bet',
        roundId,
        seat,
        bet: 'main',
        amountMinor,
        touchedAtMs: this.view.nowMs,
      });
    await this.do({ type: 'close-betting' });
    for (let tries = 0; tries < 60; tries += 1) {
      const { step } = this.view.dealer.step;
      if (step === 'draw-for-seat' || step === 'draw-for-bank') await this.draw(shoe);
      else if (step === 'await-offers' || step === 'await-decision') await this.#playOn(roundId);
      else if (step === 'confirm-layout') await this.do({ type: 'confirm-layout' });
      else if (step === 'close-round') break;
      else await this.until('the dealer goes on', (view) => view.dealer.step.step !== step);
    }
    await this.do({ type: 'close-round' });
    await this.#step('open-betting');
  }

  async #playOn(roundId: string): Promise<void> {
    for (const { seat, choices } of this.view.seats) {
      const choice = choices.find(({ act, allowed }) => (act === 'playOn' || act === 'stand') && allowed);
      if (choice === undefined) continue;
      const touchedAtMs = this.view.nowMs;
      return this.do({ type: 'decide', roundId, seat, hand: choice.hand, act: choice.act, touchedAtMs });
    }
    assert.fail(`nobody may play on: ${JSON.stringify(this.view)}`);
  }
}
