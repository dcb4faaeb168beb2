import type { Locator, Page } from 'playwright-core';
import { parseCard } from '../../engine/core/cards.ts';
import type { Act, Language } from '../../engine/table/inputs.ts';
import type { RackClient } from '../../hardware/rack/rack-client.ts';
import { handsAt } from '../attacks/kit.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';

/**
 * The kiosk as people use it: through visible controls, found by role and name in the language of
 * the seat.
 */
export class Kiosk {
  page: Page;
  readonly rack: RackClient;
  readonly #languages = new Map<number, Language>();

  constructor(page: Page, rack: RackClient) {
    this.page = page;
    this.rack = rack;
  }

  languageOf(seat: number): Language {
    return this.#languages.get(seat) ?? 'zh-Hant';
  }

  panel(seat: number): Locator {
    return this.page.getByRole('region', {
      name: text(this.languageOf(seat), 'seat.name', { seat }),
      exact: true,
    });
  }

  button(seat: number, name: string): Locator {
    return this.panel(seat).getByRole('button', { name });
  }

  async language(seat: number, language: Language): Promise<void> {
    await this.button(seat, text(this.languageOf(seat), `language.${language}`)).click();
    this.#languages.set(seat, language);
    await this.panel(seat).waitFor();
  }

  async insertNote(seat: number, pataca: number, balance: string): Promise<void> {
    const note = { acceptor: seat, valueMinor: pataca * 100, currency: 'MOP' } as const;
    await handsAt(this.rack, { do: 'insert-note', ...note });
    await this.balance(seat, balance);
  }

  /**
   * Waits until the seat shows this balance, digits only: `1,000.00` and `1 000,00` are the same.
   */
  async balance(seat: number, amount: string): Promise<void> {
    await this.shows(this.panel(seat).locator('output.balance strong'), amount);
  }

  async shows(locator: Locator, amount: string): Promise<void> {
    const digits = (shown: string): string => shown.replace(/[^\d]/g, '');
    let shown = '';
    await until(
      amount,
      async () => {
        shown = (await locator.first().textContent({ timeout: 15_000 })) ?? '';
        return digits(shown) === digits(amount);
      },
      { everyMs: 50, said: () => `shown ${shown}` },
    );
  }

  /** Touches the chip of this value `times` times. */
  async bet(seat: number, pataca: number, times = 1): Promise<void> {
    const grouped = String(pataca).replace(/(\d)(?=(\d{3})+$)/g, '$1[., \u00a0]?');
    // Not the tab that says what the last round brought.
    const chip = this.panel(seat)
      .locator('.chip-button')
      .and(this.panel(seat).getByRole('button', { name: new RegExp(`(^|\\D)${grouped}[.,]00(\\D|$)`) }));
    for (let i = 0; i < times; i += 1) await chip.click();
  }

  async act(seat: number, act: Act): Promise<void> {
    await this.button(seat, text(this.languageOf(seat), `act.${act}`))
      .first()
      .click();
    // A part was picked; its cost is read, and the next touch buys it.
    if (act === 'insure') await this.panel(seat).locator('.insure-now').click();
  }

  /** The dealer's one big button; waits for the step it belongs to. */
  async dealer(step: string): Promise<void> {
    await this.step(step);
    await this.page.locator('.strip .button-confirm').click();
  }

  async moreTime(): Promise<void> {
    const named = (key: string): RegExp => new RegExp(text('pt', key));
    await this.page.getByRole('button', { name: named('dealer.others') }).click();
    await this.page.getByRole('button', { name: named('dealer.moreTime') }).click();
  }

  async step(step: string): Promise<void> {
    await this.page.locator(`.strip[data-step="${step}"]`).waitFor({ timeout: 30_000 });
  }

  async pin(pin: string): Promise<void> {
    const pad = this.page.locator('.pin-pad');
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.locator('.key-ok').click();
  }

  async loadShoe(cards: readonly string[]): Promise<void> {
    const codes = cards.map((name) => {
      const card = parseCard(name);
      if (card === null) throw new Error(`no card ${name}`);
      return card as number;
    });
    const answer = await this.rack.do({ do: 'load-shoe', cards: codes });
    if (!answer.ok) throw new Error(answer.error);
  }

  /**
   * Draws as many cards as a dealer would who waits each time until the table has taken the last
   * one.
   */
  async draw(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      await this.page
        .locator('.strip[data-step^="draw-for"], .strip[data-step="burn"]')
        .waitFor({ timeout: 30_000 });
      const answer = await this.rack.do({ do: 'draw-card' });
      if (!answer.ok || !answer.drawn) throw new Error(`no card: ${JSON.stringify(answer)}`);
      await this.cardsTaken();
    }
  }

  /** Waits until the host has everything the shoe has told. */
  async cardsTaken(): Promise<void> {
    await until('the host has taken the card', async () => {
      const answer = await this.rack.do({ do: 'state' });
      if (!answer.ok) throw new Error(answer.error);
      return answer.shoe.ackedSeq === answer.shoe.lastSeq;
    });
  }
}
