/**
 * Shows any screen of the list in any language and size; hosts and pages are opened when they are
 * needed first.
 */
import type { Browser, Page } from 'playwright-core';
import { HOUSE_LANGUAGES } from '../../engine/rules/home.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { homeOf } from '../../renderer/texts/i18n.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { TableView } from '../../wire/view.ts';
import { type FakeHost, startFakeHost } from '../fixtures/fake-host.ts';
import { playedTerminal } from '../fixtures/played-terminal.ts';
import { ruled } from '../fixtures/view-kit.ts';
import { VIEWS } from '../fixtures/views.ts';
import { CREDENTIAL, type TestTerminal } from '../host/test-terminal.ts';
import { lettersReady, openDisplay, type Size } from '../support/chromium.ts';
import { forgetDrawn } from '../support/felt-letters.ts';
import { text } from '../support/texts.ts';
import type { From, Hands, Screen } from './screen.ts';
import { type Answers, answerOf } from './service-answers.ts';

interface StageOptions {
  readonly browser: Browser;
  /** Of the built page. */
  readonly root: string;
  readonly size: Size;
  /** Both: see openDisplay. */
  readonly felt: boolean;
  readonly painted?: boolean;
}

interface Set {
  readonly page: Page;
  readonly troubles: string[];
  readonly fake: FakeHost | null;
  readonly kit: TestTerminal | null;
  /** Something was touched since the page was opened. */
  used: boolean;
}

/**
 * Every seat in one language, so that a word of another one can be seen, or each in its own (null);
 * under complete options, as a host sends them.
 */
function inLanguage(view: TableView, language: Language | null, bootId: string): TableView {
  const { rulebook, options, minMinor: min, maxMinor: max, stepMinor: step } = view.table;
  const complete = {
    ...(rulebook.startsWith('macau-blackjack') ? { sideBets: [] } : {}),
    ...{ min, max, step },
    ...options,
  };
  return {
    ...ruled(view, rulebook, complete as Parameters<typeof ruled>[2]),
    // a host that was not there before is shown without travel
    bootId,
    seats: view.seats.map((seat) => ({ ...seat, language: language ?? seat.language })),
  };
}

const BROKEN = [
  ['acceptor-1', 'jam'],
  ['acceptor-2', 'cassette-out'],
  ['acceptor-4', 'full'],
  ['shoe', 'cover-open'],
] as const;

async function openHouse(at: Exclude<From, TableView | 'away'>, root: string, ends: (() => unknown)[]) {
  const kit = await playedTerminal({ after: (end) => ends.push(end as () => unknown) }, root);
  if (at === 'service') await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  if (at === 'broken') {
    for (const [device, fault] of BROKEN) await kit.hands({ do: 'fault', device, fault });
    await kit.until('the faults are known', () =>
      BROKEN.every(([id]) => kit.view.devices.some((device) => device.id === id && device.fault !== null)),
    );
  }
  return kit;
}

export class Stage {
  readonly #o: StageOptions;
  readonly #sets = new Map<string, Set>();
  readonly #ends: (() => unknown)[] = [];
  #shown = 0;
  /** Of the screen that is shown. */
  #answers: Answers = {};

  constructor(options: StageOptions) {
    this.#o = options;
  }

  /**
   * The page as it shows that screen, and what its console has said since the last one; in a window
   * of another size, where one is asked for.
   */
  async show(
    screen: Screen,
    language: Language,
    size?: Size,
  ): Promise<{ page: Page; troubles: readonly string[] }> {
    const { from, role = 'table' } = screen;
    const set = await this.#setOf(
      typeof from === 'string' && from !== 'away' ? from : `fixture ${role}`,
      role,
    );
    const { page, troubles, fake, kit } = set;
    if (size) await page.setViewportSize(size);
    await forgetDrawn(page);
    const isAway = from === 'away';
    this.#answers = screen.answers ?? {};
    fake?.comeBack();
    const spoken = screen.mixed ? null : language;
    // A host that is away leaves the table as it was.
    const view = isAway ? VIEWS.turn : from;
    if (typeof view === 'object')
      await fake?.show(inLanguage(view, spoken, `${screen.name}-${++this.#shown}`));
    if (kit) await languageOf(kit, language);
    if (set.used) {
      await page.reload();
      await page.locator('.screen').waitFor();
    }
    troubles.length = 0;
    set.used = screen.touch !== undefined || isAway;
    await lettersReady(page);
    // Service mode is code that comes later: it is waited for.
    const { service } = kit?.view ?? (view as TableView);
    if (service) await page.locator(`.service .language[lang=${language}]`).click();
    if (isAway) {
      fake?.goAway();
      await page.locator('.veil-words').waitFor();
    }
    await screen.touch?.(handsOn(page, language, kit?.view ?? (view as TableView)));
    await lettersReady(page);
    // Warnings of a wire that was cut are what is shown.
    return { page, troubles: isAway ? [] : troubles.slice() };
  }

  async close(): Promise<void> {
    for (const { page } of this.#sets.values()) await page.close();
    for (const end of this.#ends) await end();
  }

  async #setOf(name: string, role: DisplayRole): Promise<Set> {
    const known = this.#sets.get(name);
    if (known) return known;
    const { browser, root, size, felt, painted = true } = this.#o;
    let kit: TestTerminal | null = null;
    let fake: FakeHost | null = null;
    if (name === 'played' || name === 'service' || name === 'broken') {
      kit = await openHouse(name, root, this.#ends);
    } else {
      const view = inLanguage(VIEWS['idle-empty'], 'zh-Hant', 'first');
      fake = await startFakeHost({ root, role, view, data: (query) => answerOf(this.#answers, query) });
      this.#ends.push(() => fake?.close());
    }
    const url = kit ? kit.host.ticketUrl('table', 600_000).url : (fake?.url ?? '');
    const opened = await openDisplay(browser, url, { size, felt, painted });
    // Pictures show where things have come to rest.
    await opened.page.emulateMedia({ reducedMotion: 'reduce' });
    const set = { ...opened, fake, kit, used: false };
    this.#sets.set(name, set);
    return set;
  }
}

/**
 * A house between two screens: nobody in service but where it belongs, no round recalled, all seats
 * in one language.
 */
async function languageOf(kit: TestTerminal, language: Language): Promise<void> {
  if (kit.view.recall) await kit.do({ type: 'hide-recall' });
  const { faults } = kit.host.terminal.state;
  if (kit.view.service && faults.length > 0) await kit.do({ type: 'exit-service' });
  if (kit.view.service) return;
  for (const seat of kit.view.seats)
    if (seat.language !== language) await kit.do({ type: 'set-language', seat: seat.seat, language });
}

function handsOn(page: Page, language: Language, { table }: TableView): Hands {
  const home = homeOf(table.rulebook);
  const bi = (key: string, values = {}): string =>
    HOUSE_LANGUAGES[home].map((each) => text(each, key, values, 'table', home)).join(' ');
  return {
    page,
    language,
    // What waits or is cited stands behind the name.
    dealer: (key, values) =>
      page
        .locator('.dealer-edge, .recall-screen, .dealer-page')
        .getByRole('button', { name: bi(key, values) })
        .first(),
    seat: (seat, key, values) =>
      page
        .locator(`.panel[data-seat="${seat}"]`)
        .getByRole('button', { name: text(language, key, values), exact: true })
        .first(),
    service: (key, values) =>
      page
        .locator('.service')
        .getByRole('button', { name: text(language, key, values, 'service'), exact: true }),
  };
}
