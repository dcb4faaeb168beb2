/**
 * Somebody who has never seen the terminal: reads the rules page of their seat and then plays by
 * what is on the screen, found by role and name as a screen reader would say it. They know the
 * words of their language and no part of the program.
 */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { HOUSE_LANGUAGES, type Home, leadingLanguage } from '../../engine/rules/home.ts';
import type { Act, Language } from '../../engine/table/inputs.ts';
import type { RackClient } from '../../hardware/rack/rack-client.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import type { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import type { Task, Touches } from './touches.ts';

const LIMIT_MS = 60_000;

type Values = Readonly<Record<string, string | number>>;

/** The sentence of a text with any value in its places. */
const sentence = (language: Language, key: string, home: Home): RegExp =>
  new RegExp(
    text(language, key, new Proxy({}, { get: () => '\0' }) as Values, 'table', home)
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('\0', '.+'),
  );

/** A control somebody may touch. */
interface Control {
  readonly name: string;
  readonly isOpen: boolean;
}

const controls = async (place: Locator): Promise<Control[]> =>
  (await place.count()) === 0
    ? []
    : place.getByRole('button').evaluateAll((buttons) => {
        /** Pieces of a name that stand in boxes of their own are words of their own. */
        const wordsOf = (element: Element): string =>
          [...element.childNodes]
            .map((node) => (node instanceof Element ? wordsOf(node) : (node.textContent ?? '')))
            .join(' ');
        return buttons
          .filter((button) => button.checkVisibility())
          .map((button) => ({
            name: (button.getAttribute('aria-label') ?? wordsOf(button)).replaceAll(/\s+/g, ' ').trim(),
            isOpen:
              !(button as HTMLButtonElement).disabled && button.getAttribute('aria-disabled') !== 'true',
          }));
      });

/** Steps at which a card leaves the shoe. */
const DRAWS = [
  'draw-for-seat',
  'draw-for-hand',
  'draw-for-bank',
  'draw-hole-card',
  'draw-for-player-side',
  'burn',
];
/** To give up last: nothing can be tried after it. */
const ACTS: readonly Act[] = [
  ...(['split', 'double', 'surrenderWar', 'goToWar', 'insure', 'declineInsurance', 'evenMoney'] as const),
  ...(['fiveCardHalf', 'betPair', 'loseOriginalOnly', 'playOn', 'stand', 'hit', 'surrender'] as const),
];
const BETS = [
  'player',
  'banker',
  'tie',
  'playerPair',
  'bankerPair',
  'anyPair',
  'sevens',
  'over13',
  'under13',
];
const MORE_BETS = ['perfectPair', 'streak2', 'streak3', 'streak4', 'streak5', 'jackpot', 'lucky6'];

/** The hands at the shoe. */
export interface Shoe {
  /**
   * Does what draws a card, and ends when that card lies on the felt, which a person would see.
   */
  dealt(draw: () => Promise<void>): Promise<void>;
  /** Puts chosen cards in; absent: shuffled ones. */
  load?(): Promise<void>;
}

/**
 * Hands at the shoe of a rack: the card is out, in the ledger, and what the page says is of after
 * it.
 */
export const dealing =
  (page: Page, rack: RackClient, watch: TestDisplay, data: string): Shoe['dealt'] =>
  async (draw) => {
    const shoe = async () => {
      const answer = await rack.do({ do: 'state' });
      assert.ok(answer.ok, JSON.stringify(answer));
      return answer.shoe;
    };
    const { length } = (await shoe()).drawn;
    await draw();
    await until('a card comes', async () => {
      const { drawn, ackedSeq, lastSeq } = await shoe();
      return drawn.length > length && ackedSeq === lastSeq;
    });
    const { length: head } = entriesOf(data);
    assert.ok(await watch.until(({ seq }) => seq >= head, LIMIT_MS));
    const { step } = watch.view.dealer.step;
    await page.locator(`.strip[data-step="${step}"]`).waitFor({ timeout: 600_000 });
  };

export interface Account {
  readonly rounds: number;
  /** Names of what they touched at their seat, each once. */
  readonly touched: ReadonlySet<string>;
  /** Sections of the rules they read, and the characters in them. */
  readonly sections: number;
  readonly characters: number;
  /** How many pages the result of each round had; all were turned. */
  readonly pages: readonly number[];
}

export class Newcomer {
  readonly #page: Page;
  readonly #seat: number;
  readonly #language: Language;
  readonly #shoe: Shoe;
  readonly #touched = new Set<string>();
  #rules = '';
  #sections = 0;
  #rounds = 0;
  /** What lies on the balance before the bets of the round. */
  #before = 0;
  readonly #home: Home;
  #hasBet = false;
  #turn = 0;
  #packets = 0;
  readonly #pages: number[] = [];
  readonly #touches: Touches;
  readonly #everyBet: boolean;

  constructor(
    page: Page,
    seat: number,
    language: Language,
    home: Home,
    shoe: Shoe,
    touches: Touches,
    /** Bets on everything that is offered. */
    { everyBet = false } = {},
  ) {
    this.#everyBet = everyBet;
    this.#page = page;
    this.#touches = touches;
    this.#shoe = shoe;
    this.#seat = seat;
    this.#language = language;
    this.#home = home;
  }

  get account(): Account {
    return {
      rounds: this.#rounds,
      touched: this.#touched,
      sections: this.#sections,
      characters: this.#rules.length,
      pages: this.#pages,
    };
  }

  #say(key: string, values: Values = {}): string {
    return text(this.#language, key, values, 'table', this.#home);
  }

  /** What the dealer's edge says, in the two languages of the house. */
  #bi(key: string, values: Values = {}): string {
    return HOUSE_LANGUAGES[this.#home]
      .map((language) => text(language, key, values, 'table', this.#home))
      .join(' ');
  }

  #inRules(key: string): string {
    return text(this.#language, key, {}, 'rules', this.#home);
  }

  get #panel(): Locator {
    return this.#page.getByRole('region', {
      name: this.#say('seat.name', { seat: this.#seat }),
      exact: true,
    });
  }

  get #edge(): Locator {
    return this.#page.getByRole('region', { name: this.#bi('dealer.label') });
  }

  /** Sits down: chooses their language and reads all of the rules. */
  async sitDown(): Promise<void> {
    const leading = leadingLanguage(this.#home);
    const first = this.#page.getByRole('region', {
      name: text(leading, 'seat.name', { seat: this.#seat }),
      exact: true,
    });
    if (this.#language !== leading)
      await this.#touches.during('choose a language', () =>
        first.getByRole('button', { name: text(leading, `language.${this.#language}`) }).click(),
      );
    await this.#panel.getByRole('button', { name: this.#say('seat.rules'), exact: true }).click();
    const book = this.#panel.getByRole('dialog');
    await book.waitFor();
    const close = this.#inRules('label.close');
    const said = await book.locator('.rules-page').innerText();
    this.#rules += said;
    // The edges are reckoned when they are asked for, which takes a processor ten seconds.
    const contents = book.getByRole('navigation', { name: this.#inRules('label.contents') });
    const edges = this.#say('edges.title');
    for (const { name } of (await controls(contents)).filter((each) => each.name !== edges)) {
      await contents.getByRole('button', { name, exact: true }).click();
      await book.getByRole('heading', { name, exact: true }).waitFor();
      this.#sections += 1;
    }
    await book.getByRole('button', { name: close }).click();
    const drawer = this.#edge.getByRole('button', { name: this.#bi('sim.title') });
    if ((await drawer.getAttribute('aria-expanded')) === 'false') await drawer.click();
  }

  /** Plays until so many rounds are over; the dealer's side, too, by what the strip says. */
  async play(rounds: number): Promise<void> {
    for (const target = this.#rounds + rounds; this.#rounds < target; ) {
      const before = await this.#look();
      const did = await this.#next();
      // The bank's second and third card change nothing but the picture of the table.
      if (did === this.#bi('sim.drawCard')) continue;
      for (const end = performance.now() + LIMIT_MS; (await this.#look()) === before; ) {
        if (performance.now() > end)
          assert.fail(
            `after «${did}» nothing changes: ${await this.#edge.innerText()} | ${await this.#panel.innerText()}`,
          );
        await this.#page.waitForTimeout(15);
      }
    }
  }

  /** The words on the screen but for running clocks. */
  async #look(): Promise<string> {
    const [edge, panel] = await Promise.all([this.#edge.innerText(), this.#panel.innerText()]);
    return `${edge}\n${panel}`.replaceAll(/^\d+$|\d+ (?:s|秒)$|\d\d?:\d\d.*$/gm, '');
  }

  /** The next touch of this person, of player or dealer; what it was. */
  async #next(): Promise<string> {
    const [own, edge, dialogs] = await Promise.all([
      controls(this.#panel),
      controls(this.#edge),
      controls(this.#edge.getByRole('dialog')),
    ]);
    if (dialogs.length > 0) {
      const strip = this.#edge.locator('.strip');
      const before = await strip.innerText();
      const did = await this.#touches.during(MADE_READY, () => this.#answerDialog(dialogs));
      // A busy host takes its time, and its step is not done twice.
      for (const end = performance.now() + 5_000; performance.now() < end; ) {
        if ((await strip.innerText()) !== before) break;
        await this.#page.waitForTimeout(15);
      }
      return did;
    }
    const said = await this.#edge.innerText();
    const act = await this.#decide(own);
    if (act !== null) return act;
    const open = (step: string): boolean =>
      edge.some(({ name, isOpen }) => isOpen && name === this.#bi(`confirm.${step}`));
    if (open('close-betting')) {
      if (!this.#hasBet) return this.#bet();
      return this.#confirm('close-betting');
    }
    if (open('close-round')) {
      await this.#readResult();
      return this.#confirm('close-round');
    }
    if (open('open-betting')) {
      await this.#fund();
      this.#hasBet = false;
      return this.#confirm('open-betting');
    }
    for (const { name, isOpen } of edge) {
      const step = CONFIRMS.find((each) => this.#bi(`confirm.${each}`) === name);
      if (step !== undefined && isOpen) return this.#confirm(step);
    }
    if (DRAWS.some((step) => sentence('pt', `step.${step}`, this.#home).test(said))) {
      const name = this.#bi('sim.drawCard');
      await this.#shoe.dealt(() => this.#edge.getByRole('button', { name }).click());
      return name;
    }
    if (sentence('pt', 'step.load-shoe', this.#home).test(said)) {
      if (this.#shoe.load === undefined) return this.#touchDrawer(this.#bi('sim.loadShoe'));
      await this.#shoe.load();
      return 'loaded';
    }
    return 'waited';
  }

  async #confirm(step: string): Promise<string> {
    const task: Task = CONFIRMS.includes(step) ? MADE_READY : 'deal a round';
    await this.#touches.during(task, () =>
      this.#touch(this.#edge.getByRole('button', { name: this.#bi(`confirm.${step}`), exact: true })),
    );
    return step;
  }

  /**
   * What was due a moment ago may be done by now, as the PIN is still looked at when its pad has
   * closed.
   */
  async #touch(control: Locator): Promise<void> {
    await control.click({ timeout: 2_000 }).catch((error: Error) => {
      if (error.name !== 'TimeoutError') throw error;
    });
  }

  /**
   * Whether it could be touched: a pad that was opened for a step which the host was just taking
   * closes by itself.
   */
  async #touchIn(dialog: Locator, control: Locator): Promise<boolean> {
    while (await dialog.isVisible()) {
      try {
        await control.click({ timeout: 1_000 });
        return true;
      } catch (error) {
        if ((error as Error).name !== 'TimeoutError') throw error;
      }
    }
    return false;
  }

  async #touchDrawer(name: string): Promise<string> {
    await this.#edge.getByRole('button', { name }).click();
    return name;
  }

  /** A dialog of the dealer's edge, by what it is called or offers. */
  async #answerDialog(offered: readonly Control[]): Promise<string> {
    const dialog = this.#edge.getByRole('dialog');
    // It may have closed by itself since it was seen.
    const [title] = await dialog.evaluateAll((all) =>
      all.map((each) => each.getAttribute('aria-label') ?? ''),
    );
    if (title === undefined) return 'waited';
    const pins = [
      [this.#bi('dealer.pin'), CREDENTIAL.dealer.pin, 'Lei Ka Man'],
      [this.#bi('dealer.supervisorPin'), CREDENTIAL.supervisor.pin, 'Maria Nunes'],
    ] as const;
    const [, pin, person] = pins.find(([name]) => name === title) ?? [];
    if (pin !== undefined && person !== undefined) {
      // Where several could be there, the pad asks who it is.
      const names = offered.some(({ name }) => name === person) ? [person] : [];
      for (const key of [...names, ...pin, text(leadingLanguage(this.#home), 'pin.ok')])
        if (!(await this.#touchIn(dialog, dialog.getByRole('button', { name: key, exact: true })))) break;
      await dialog.waitFor({ state: 'hidden' });
      return title;
    }
    // The cards go into the shuffler in two packets.
    const packet = this.#bi(this.#packets === 0 ? 'dealer.packetMore' : 'dealer.packetLast');
    const wanted = [
      this.#bi('dealer.bank'),
      this.#bi('confirm.cut-shoe'),
      this.#bi('confirm.place-end-card'),
      packet,
    ];
    const name = wanted.find((each) => offered.some((control) => control.name === each && control.isOpen));
    assert.ok(name, `a way on in the dialog «${title}»: ${offered.map((each) => each.name).join(', ')}`);
    await this.#touch(dialog.getByRole('button', { name, exact: true }));
    if (name === packet) this.#packets += 1;
    return name;
  }

  async #fund(): Promise<void> {
    const balance = await this.#balance();
    if (balance >= 200_000) return;
    await this.#edge
      .getByRole('group', { name: this.#bi('sim.keySeat') })
      .getByRole('button', { name: this.#bi('seat.name', { seat: this.#seat }) })
      .click();
    const notes = this.#edge.getByRole('group', { name: this.#bi('sim.note') }).getByRole('button');
    await notes.last().click();
    for (const end = performance.now() + LIMIT_MS; (await this.#balance()) === balance; ) {
      if (performance.now() > end) assert.fail(`the note does not come: ${await this.#panel.innerText()}`);
      await this.#page.waitForTimeout(30);
    }
  }

  /** Asks for the whole credit, which an attendant pays at the desk. */
  async cashOut(): Promise<void> {
    await this.#touches.during('cash out', () =>
      this.#panel.getByRole('button', { name: this.#say('cashOut.button'), exact: true }).click(),
    );
    await this.#panel.getByText(this.#say('cashOut.title')).waitFor();
    await this.#touches.during('pay by hand', async () => {
      await this.#edge.getByRole('button', { name: this.#bi('desk.title') }).click();
      const dialog = this.#edge.getByRole('dialog');
      const pay = HOUSE_LANGUAGES[this.#home]
        .map((language) =>
          ['seat.name', 'desk.pay'].map((key) => text(language, key, { seat: this.#seat })).join(' '),
        )
        .join(' ');
      for (const name of [this.#bi('desk.hand-pays'), pay, this.#bi('desk.paid')])
        await dialog.getByRole('button', { name }).click();
      await dialog.getByRole('button', { name: CREDENTIAL.attendant.pin[0]!, exact: true }).waitFor();
      const names = (await controls(dialog)).some(({ name }) => name === 'Chan Wai') ? ['Chan Wai'] : [];
      for (const key of [...names, ...CREDENTIAL.attendant.pin, text(leadingLanguage(this.#home), 'pin.ok')])
        await dialog.getByRole('button', { name: key, exact: true }).click();
    });
    await this.#until('the credit is paid', async () => (await this.#balance()) === 0);
  }

  /** A card has come that was not due: it is laid aside. */
  async putRight(): Promise<void> {
    const resolve = this.#edge.getByRole('button', { name: this.#bi('confirm.resolve-card') });
    await resolve.waitFor();
    await this.#touches.during('put a wrong card right', async () => {
      await this.#edge.getByRole('button', { name: this.#bi('dealer.others') }).click();
      const menu = this.#edge.getByRole('dialog');
      await menu.getByRole('button', { name: this.#bi('option.set-card-aside') }).click();
    });
    await resolve.waitFor({ state: 'detached' });
  }

  /**
   * A card came out of the shuffler damaged (r.51), and the inspection hears of it; then the game
   * ends and the decks are put in order (r.55).
   */
  async endShuffler(): Promise<void> {
    const dialog = this.#edge.getByRole('dialog');
    const others = async (option: string, ...answers: readonly (string | RegExp)[]): Promise<void> => {
      await this.#edge.getByRole('button', { name: this.#bi('dealer.others') }).click();
      await dialog.getByRole('button', { name: this.#bi(`option.${option}`) }).click();
      for (const answer of answers) {
        const name = typeof answer === 'string' ? this.#bi(answer) : answer;
        await dialog.getByRole('button', { name }).first().click();
      }
      await this.#edge.getByRole('dialog', { name: this.#bi('dealer.supervisorPin') }).waitFor();
      await this.#answerDialog(await controls(dialog));
    };
    await others('replace-cards', 'dealer.oneCard', 'dealer.suit.S', /^7$/, 'pin.ok');
    await others('report-replacement', 'dealer.inspectionTold');
    await others('lay-out-cards');
    await this.#edge.getByRole('button', { name: this.#bi('confirm.order-decks'), exact: true }).click();
    await dialog.getByRole('button', { name: this.#bi('dealer.decksRegular') }).click();
    await this.#edge.getByRole('button', { name: this.#bi('confirm.check-decks'), exact: true }).waitFor();
  }

  /** Of the seat, in minor units, as it is shown. */
  async #balance(): Promise<number> {
    const shown = this.#panel.getByRole('status', { name: this.#say('seat.balance') });
    // A seat that has been paid is free, and has none.
    const [text = '0'] = await shown.allInnerTexts();
    return Number(text.replaceAll(/[^\d]/g, ''));
  }

  /**
   * Another bet each round, of those that are offered: the main one where there is one, and one
   * beside it.
   */
  async #bet(): Promise<string> {
    this.#before = await this.#balance();
    const openChip = (all: readonly Control[]): Control | undefined =>
      all.find(
        ({ name, isOpen }) =>
          isOpen && sentence(this.#language, 'bet.chip', this.#home).test(name) && name.length < 30,
      );
    let own = await controls(this.#panel);
    // The strip may have said that betting is open before the panel was read.
    for (const end = performance.now() + 10_000; !openChip(own) && performance.now() < end; ) {
      await this.#page.waitForTimeout(30);
      own = await controls(this.#panel);
    }
    const chip = openChip(own);
    assert.ok(chip, `a chip that may be touched: ${own.map((each) => each.name).join(', ')}`);
    const spotsOf = (all: readonly Control[]): { readonly bet: string; readonly name: string }[] =>
      [...BETS, ...MORE_BETS].flatMap((bet) => {
        const word = this.#say(`bet.name.${bet}`);
        return all
          .filter(({ name, isOpen }) => isOpen && name.startsWith(`${word} `))
          .map(({ name }) => ({ bet, name }));
      });
    const spots = spotsOf(own);
    const touch = async (name: string): Promise<void> => {
      this.#touched.add(name);
      await this.#panel.getByRole('button', { name, exact: true }).click();
    };
    const chosen = spots[this.#rounds % Math.max(1, spots.length)];
    const isBaccarat = spots.some(({ bet }) => bet === 'banker');
    await this.#touches.during(isBaccarat ? 'bet beside it' : 'bet', () => touch(chip.name));
    if (chosen && isBaccarat) await this.#touches.during('bet beside it', () => touch(chosen.name));
    await this.#until('the bet lies', async () => (await this.#balance()) < this.#before);
    if (chosen && !isBaccarat) {
      const laid = await this.#balance();
      // The chip of a jackpot is laid by one touch.
      if (chosen.bet === 'jackpot') await touch(chosen.name);
      else
        await this.#touches.during('bet beside it', async () => {
          await touch(chosen.name);
          await touch(chip.name);
        });
      // what is refused says why in the panel
      await this.#until(
        'the other bet lies or is refused',
        async () =>
          (await this.#balance()) < laid || (await this.#panel.getByRole('status').last().innerText()) !== '',
      );
    }
    const rest = this.#everyBet ? spotsOf(await controls(this.#panel)) : [];
    for (const { bet, name } of rest.filter((each) => each.bet !== chosen?.bet)) {
      const laid = await this.#balance();
      await touch(name);
      if (!isBaccarat && bet !== 'jackpot') await touch(chip.name);
      await this.#until(`the bet on ${bet} lies`, async () => (await this.#balance()) < laid);
    }
    this.#hasBet = true;
    return 'bet';
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + LIMIT_MS; !(await holds()); ) {
      if (performance.now() > end) assert.fail(`never: ${what}: ${await this.#panel.innerText()}`);
      await this.#page.waitForTimeout(15);
    }
  }

  /**
   * What may be decided: first what was never tried, then cards below seventeen. Null: nothing is
   * asked.
   */
  async #decide(own: readonly Control[]): Promise<string | null> {
    const asked = this.#panel.getByRole('group', { name: this.#say('seat.actions') });
    if ((await asked.count()) === 0) return null;
    const offered = (await controls(asked)).filter(({ isOpen }) => isOpen);
    if (offered.length === 0) return null;
    const named = (act: Act): Control | undefined =>
      offered.find(
        ({ name }) =>
          name === this.#say(`act.${act}`) ||
          name.startsWith(`${this.#say(`act.${act}`)} `) ||
          (/^[½¼¾]/.test(name) && act === 'insure'),
      );
    const points = Number(
      /(\d+) /.exec(await this.#panel.innerText().then((all) => this.#pointsOf(all)))?.[1] ?? 0,
    );
    this.#turn += 1;
    const fresh = ACTS.find((act) => {
      const control = named(act);
      return control !== undefined && !this.#touched.has(act);
    });
    const basic: Act = points > 0 && points < 17 ? 'hit' : 'stand';
    const act = fresh ?? (named(basic) ? basic : ACTS.find((each) => named(each) !== undefined));
    const control = (act && named(act)) ?? offered[this.#turn % offered.length]!;
    this.#touched.add(act ?? control.name);
    assert.ok(own.length > 0);
    const touchIt = (): Promise<void> =>
      asked.getByRole('button', { name: control.name, exact: true }).first().click();
    await (act === 'split' ? this.#touches.during('split', touchIt) : touchIt());
    // A part of insurance has a price to agree to, and giving up is asked once more.
    const back = asked.getByRole('button', { name: this.#say('offer.back'), exact: true });
    if (act === 'insure' || (act === 'surrender' && (await back.count()) > 0)) {
      const again = (await controls(asked)).findLast(({ name }) => name.startsWith(this.#say(`act.${act}`)));
      assert.ok(again, `${act} asks again`);
      await asked.getByRole('button', { name: again.name, exact: true }).last().click();
    }
    return control.name;
  }

  #pointsOf(shown: string): string {
    const line = shown
      .split('\n')
      .find((each) => sentence(this.#language, 'wait.points', this.#home).test(each));
    return line ? `${/\d+/.exec(line)?.[0]} ` : '';
  }

  /** The balance is what it was before the round and what the result says was won or lost. */
  async #readResult(): Promise<void> {
    const result = this.#panel.getByRole('group', { name: this.#say('result.label') });
    await result.waitFor();
    const shown = await result.innerText();
    const sum = /([+−]?)([\d., \u00a0\u202f]+[.,]\d\d)/.exec(shown.split('\n').slice(0, 3).join('\n'));
    assert.ok(sum, `a sum in ${shown}`);
    const net = Number(sum[2]!.replaceAll(/\D/g, '')) * (sum[1] === '−' ? -1 : 1);
    await this.#until(
      `the balance is ${this.#before} and ${net}`,
      async () => (await this.#balance()) === this.#before + net,
    );
    assert.match(shown, /第.+條|[Aa]rtigo|[Rr]egra|规则|規則|r\./, `the result names its article: ${shown}`);
    await this.#turnPages(result);
    this.#rounds += 1;
  }

  /** Looks at every page of the result, until the first one is there again. */
  async #turnPages(result: Locator): Promise<void> {
    const next = result.getByRole('button', { name: sentence(this.#language, 'result.more', this.#home) });
    const lines = result.getByRole('list');
    const seen = new Set([await lines.innerText()]);
    if ((await next.count()) > 0)
      for (const first = await next.innerText(); ; seen.add(await lines.innerText())) {
        const before = await next.innerText();
        await next.click();
        await this.#until('the next page', async () => (await next.innerText()) !== before);
        if ((await next.innerText()) === first) break;
        assert.ok(!seen.has(await lines.innerText()), 'another page says something else');
      }
    this.#pages.push(seen.size);
  }
}

const MADE_READY = 'sign in and make the shoe ready' satisfies Task;
const CONFIRMS = [
  ...['sign-in', 'check-decks', 'load-shoe', 'load-packet', 'feed-shuffler', 'cut-shoe', 'place-end-card'],
  ...['confirm-layout'],
];
