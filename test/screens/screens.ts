import { cardOf } from '../../engine/core/cards.ts';
import { minor } from '../../engine/core/money.ts';
import { type Comfort, PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { DealerStep } from '../../engine/table/steps.ts';
import type { SeatView, SessionView, TableView } from '../../wire/view.ts';
import { cards, choice } from '../fixtures/view-kit.ts';
import { simulated, VIEWS, type ViewName } from '../fixtures/views.ts';
import { text } from '../support/texts.ts';
import type { Hands, Screen } from './screen.ts';
import { SERVICE_SCREENS } from './service-screens.ts';

/** Too many to show their names. */
const manyPeople = (view: TableView): TableView => ({ ...view, pinPad: { people: [], leastDigits: 6 } });

/** Views whose every seat has something to say, one or two of each game. */
const TESTED: ReadonlySet<string> = new Set<ViewName>([
  ...([
    'no-dealer',
    'free-seat',
    'betting',
    'offers',
    'split-many',
    'settled',
    'hold-unexpected-card',
  ] as const),
  ...(['note-checking', 'held-note', 'hand-pay', 'centre-orders', 'shared-acceptor', 'behind-turn'] as const),
  ...(['2004-play', '2009-betting', '2009-many', '2009-settled', 'pt-betting', 'pt-settled'] as const),
  ...(['machine-complaint', 'baccarat-betting', 'baccarat6-settled', 'war-choice', 'war-settled'] as const),
  ...(['baccarat12-betting', 'baccarat12-lost'] as const),
]);

const ofViews: readonly Screen[] = Object.entries(VIEWS)
  // Service mode is the real host's.
  .filter(([name]) => name !== 'service')
  .map(([name, from]) => ({ name, from, ...(TESTED.has(name) ? { tested: true } : {}) }));

/** With displays of their own for the dealer and two seats. */
const beside = (view: TableView): TableView => ({ ...view, handedOver: { dealer: true, seats: [3, 5] } });

// ---- the dealer's edge ----

/** As long as an article gets; which one is the engine's to say. */
const CITES = VIEWS['hold-unexpected-card'].dealer.options[1]!.cites;

type Option = TableView['dealer']['options'][number]['option'];

const at = (
  view: TableView,
  step: DealerStep['step'],
  over: object = {},
  options: readonly Option[] = [],
): TableView => ({
  ...view,
  dealer: {
    ...view.dealer,
    step: { step, cites: CITES, ...over } as DealerStep,
    options: options.map((option) => ({ option, cites: CITES })),
  },
});
/** Opens what the dealer's menu holds under this option. */
const option =
  (name: Option) =>
  async ({ dealer }: Hands): Promise<void> => {
    await dealer('dealer.others').click();
    await dealer(`option.${name}`).click();
  };
const confirm =
  (name: string) =>
  ({ dealer }: Hands): Promise<void> =>
    dealer(`confirm.${name}`).click();

const idle = VIEWS['free-seat'];
const held = VIEWS['hold-unexpected-card'];
const doubtful: TableView = {
  ...at(held, 'confirm-card', { card: cardOf(1, 12) }),
  hold: { code: 'doubtful-card', sinceMs: held.nowMs, card: cardOf(1, 12), drawNo: null, detail: null },
};
const streakLeft: TableView = {
  ...at(VIEWS['2009-owed'], 'close-betting', { owedBySeat: 2 }, ['forfeit-streak']),
};

const dealer: readonly Screen[] = [
  { name: 'dealer-sign-in', from: VIEWS['no-dealer'], touch: confirm('sign-in'), tested: true },
  { name: 'dealer-menu', from: held, touch: ({ dealer }) => dealer('dealer.others').click(), tested: true },
  { name: 'dealer-cut', from: at(idle, 'cut-shoe', { seat: null }), touch: confirm('cut-shoe') },
  { name: 'dealer-cut-in-turn', from: at(idle, 'cut-shoe', { seat: 3 }), touch: confirm('cut-shoe') },
  {
    name: 'dealer-end-card',
    from: at(idle, 'place-end-card', { minBehind: 30, maxBehind: 100 }),
    touch: confirm('place-end-card'),
    tested: true,
  },
  { name: 'dealer-packet', from: VIEWS['machine-load'], touch: confirm('load-packet') },
  { name: 'dealer-shuffler', from: VIEWS['machine-jam'], touch: confirm('open-shuffler') },
  { name: 'dealer-card-misread', from: doubtful, touch: confirm('confirm-card'), tested: true },
  { name: 'dealer-card-to-other-seat', from: held, touch: option('assign-card') },
  {
    name: 'dealer-one-card-to-other-seat',
    from: held,
    touch: async (screen) => {
      await option('assign-card')(screen);
      for (const seat of [1, 3]) await screen.dealer('seat.name', { seat }).click();
    },
  },
  { name: 'dealer-resolve', from: held, touch: confirm('resolve-card'), tested: true },
  {
    name: 'dealer-card-taken-back',
    from: at(VIEWS['bank-draws'], 'draw-for-bank', {}, ['take-back-card', 'void-round']),
    touch: option('take-back-card'),
  },
  {
    name: 'dealer-card-wrong',
    from: at(VIEWS['bank-draws'], 'draw-for-bank', {}, ['draw-wrong', 'void-round']),
    touch: option('draw-wrong'),
  },
  {
    name: 'dealer-card-damaged',
    from: at(idle, 'open-betting', {}, ['replace-cards', 'lay-out-cards', 'new-shoe', 'sign-out']),
    touch: option('replace-cards'),
  },
  {
    name: 'dealer-inspection-told',
    from: at(idle, 'open-betting', {}, ['report-replacement', 'replace-cards', 'sign-out']),
    touch: option('report-replacement'),
  },
  { name: 'dealer-cards-counted', from: at(idle, 'count-cards'), touch: confirm('count-cards') },
  { name: 'dealer-decks-in-order', from: at(idle, 'order-decks'), touch: confirm('order-decks') },
  {
    name: 'dealer-cards-laid-out',
    from: at(idle, 'open-betting', {}, ['replace-cards', 'lay-out-cards', 'new-shoe', 'sign-out']),
    touch: option('lay-out-cards'),
  },
  {
    name: 'dealer-hand-over',
    from: at(idle, 'open-betting', {}, ['sign-out', 'demo-round', 'new-shoe']),
    touch: ({ dealer }) => dealer('dealer.others').click(),
  },
  { name: 'dealer-void', from: held, touch: option('void-round'), tested: true },
  {
    name: 'dealer-void-pin',
    from: held,
    touch: async (hands) => {
      await option('void-round')(hands);
      await hands.dealer('voidReason.card-exposed').click();
    },
  },
  { name: 'dealer-streak-left', from: streakLeft, touch: option('forfeit-streak') },
  {
    name: 'dealer-complaint',
    from: at(VIEWS['machine-settled'], 'close-round', {}, ['raise-complaint']),
    touch: option('raise-complaint'),
  },
  {
    name: 'dealer-service-pin',
    from: idle,
    touch: ({ page }) => page.locator('.button-service').last().click(),
  },
  {
    name: 'dealer-service-who',
    from: idle,
    touch: async ({ page }) => {
      await page.locator('.button-service').last().click();
      await page.getByRole('button', { name: text('zh-Hant', 'pin.somebodyElse') }).click();
    },
  },
  {
    name: 'dealer-number',
    from: manyPeople(idle),
    touch: async ({ page }) => {
      await page.locator('.button-service').last().click();
      await page.keyboard.type('2147');
    },
    tested: true,
  },
  {
    name: 'dealer-simulation',
    from: simulated(VIEWS.betting),
    touch: ({ dealer }) => dealer('sim.title').click(),
    tested: true,
  },
  {
    name: 'dealer-english',
    from: simulated(held),
    touch: async ({ page }) => {
      await page.locator('.corner .language').click();
      await page.getByRole('button', { name: new RegExp(`^${text('en', 'sim.title')}`) }).click();
      await page.locator('.button-menu').click();
    },
    tested: true,
  },
  { name: 'dealer-alone', from: held, role: 'dealer' },
  { name: 'operator-alone', from: simulated(VIEWS.betting), role: 'operator' },
];

// ---- the desk of attendants and supervisors ----

const matter =
  (name: string) =>
  async ({ dealer }: Hands): Promise<void> => {
    await dealer('desk.title').click();
    await dealer(`desk.${name}`).click();
  };
/** A drop of three boxes, one of them out; another acceptor waits after its note. */
export const boxesAtDesk = simulated(VIEWS.desk);
export const dropStands: TableView = {
  ...boxesAtDesk,
  drop: { name: 'Chan Wai', sinceMs: VIEWS.desk.nowMs - 95_000 },
  devices: boxesAtDesk.devices.map((device) => {
    const box = ({ 'acceptor-1': 'exchanged', 'acceptor-2': 'out', 'acceptor-3': 'due' } as const)[device.id];
    if (box !== undefined) return { ...device, box };
    return device.id === 'acceptor-4' ? { ...device, shutAfterNote: true as const } : device;
  }),
};
const handedOver: TableView = {
  ...VIEWS.desk,
  handover: {
    handPays: 3,
    pendingMinor: minor(5_731_250),
    heldNotes: 1,
    calls: [2, 5],
    complaints: 1,
    unreported: 0,
    faults: ['acceptor-jammed', 'link-down'],
    creditMinor: minor(12_345_600),
  },
};
const desk: readonly Screen[] = [
  {
    name: 'desk-menu',
    from: VIEWS.desk,
    touch: ({ dealer }) => dealer('desk.title').click(),
    tested: true,
  },
  { name: 'desk-hand-pays', from: VIEWS.desk, touch: matter('hand-pays') },
  {
    name: 'desk-hand-pay',
    from: VIEWS.desk,
    touch: async (hands) => {
      await matter('hand-pays')(hands);
      await hands.page.locator('.desk-row').last().getByRole('button').first().click();
    },
    tested: true,
  },
  { name: 'desk-held-note', from: VIEWS.desk, touch: matter('held-notes') },
  {
    name: 'desk-held-note-why',
    from: VIEWS.desk,
    touch: async (hands) => {
      await matter('held-notes')(hands);
      await hands.dealer('desk.outcome.unclaimed').click();
    },
  },
  { name: 'desk-calls', from: VIEWS.desk, touch: matter('calls') },
  { name: 'desk-complaints', from: VIEWS.desk, touch: matter('complaints') },
  { name: 'desk-hand-over', from: handedOver, touch: matter('hand-over'), tested: true },
  { name: 'desk-exclusion', from: VIEWS.desk, touch: matter('exclusion') },
  { name: 'desk-boxes', from: boxesAtDesk, touch: matter('boxes') },
  { name: 'desk-drop', from: dropStands, touch: matter('boxes'), tested: true },
  { name: 'desk-credit', from: VIEWS.desk, touch: matter('adjust-credit'), tested: true },
];

// ---- seats ----

/** Opens a section of the rules at every seat, another one at each. */
const readRules = async ({ page }: Hands): Promise<void> => {
  const tabs = await page.locator('.rules-tab').all();
  for (const tab of tabs.toReversed()) await tab.click();
  // Their code and letters may still be on their way.
  await page
    .locator('.rules')
    .nth(tabs.length - 1)
    .waitFor();
  for (const [index, drawer] of (await page.locator('.rules').all()).entries())
    if (index > 0) await drawer.locator('.rules-contents .button').nth(index).click();
};
const rules = (name: string, from: TableView): Screen => ({ name: `rules-${name}`, from, touch: readRules });

/** It says what the last round brought, and opens that round. */
const ownTab = (seat: number): string => `.panel[data-seat="${seat}"] .own-tab`;

const seats: readonly Screen[] = [
  rules('macau-2004', VIEWS['2004-settled']),
  { ...rules('macau-2009', VIEWS['2009-settled']), tested: true },
  rules('portugal', VIEWS['pt-settled']),
  rules('portugal-machine', VIEWS['machine-settled']),
  rules('baccarat', VIEWS['baccarat-settled']),
  rules('baccarat-no-commission', VIEWS['baccarat6-settled']),
  rules('war', VIEWS['war-settled']),
  {
    name: 'seat-attendant-pin',
    from: VIEWS['hand-pay'],
    touch: ({ seat }) => seat(4, 'cashOut.pay').click(),
  },
  {
    name: 'seat-attendant-who',
    from: VIEWS['hand-pay'],
    touch: async ({ seat }) => {
      await seat(4, 'cashOut.pay').click();
      await seat(4, 'pin.somebodyElse').click();
    },
    tested: true,
  },
  {
    name: 'seat-attendant-number',
    from: manyPeople(VIEWS['hand-pay']),
    touch: async ({ page, seat }) => {
      await seat(4, 'cashOut.pay').click();
      await page.keyboard.type('214700');
    },
  },
  {
    name: 'seat-complaint',
    from: VIEWS.desk,
    touch: async ({ seat }) => {
      await seat(5, 'complaint.button').click();
      await seat(6, 'complaint.open').click();
    },
    tested: true,
  },
  {
    name: 'seat-refused',
    from: VIEWS.betting,
    touch: ({ page }) => page.locator('.panel[data-seat="5"] .chip-button').last().click({ force: true }),
  },
  {
    name: 'seat-bet-behind',
    from: VIEWS['behind-betting'],
    touch: async ({ seat }) => {
      for (const number of [1, 2]) await seat(number, 'bet.behind.button').click();
      await seat(2, 'seat.name', { seat: 5 }).click();
    },
  },
  { name: 'seat-alone', from: VIEWS.turn, role: 'seat:3', tested: true },
  { name: 'seat-alone-bets', from: VIEWS['2009-betting'], role: 'seat:3', tested: true },
  { name: 'seat-alone-offers', from: VIEWS.offers, role: 'seat:1' },
  { name: 'seat-alone-baccarat', from: VIEWS['baccarat-betting'], role: 'seat:3' },
  { name: 'seat-alone-split', from: VIEWS['split-four'], role: 'seat:3' },
  { name: 'seat-alone-free', from: VIEWS['free-seat'], role: 'seat:3' },
  { name: 'seat-alone-paid', from: beside(VIEWS['hand-pay']), role: 'seat:3' },
  { name: 'table-beside', from: beside(VIEWS['2009-many']) },
  { name: 'sign', from: VIEWS.turn, role: 'spectator' },
  { name: 'sign-betting', from: VIEWS.betting, role: 'spectator', tested: true },
  { name: 'sign-baccarat', from: VIEWS['baccarat-betting'], role: 'spectator' },
  { name: 'sign-war', from: VIEWS['war-betting'], role: 'spectator' },
  { name: 'sign-jackpot', from: VIEWS['pt-betting'], role: 'spectator' },
  {
    name: 'roads',
    from: VIEWS['baccarat-betting'],
    touch: ({ page }) => page.locator('.roads button').first().click(),
  },
  {
    name: 'last-rounds',
    from: VIEWS.betting,
    touch: ({ page }) => page.locator('.last-rounds').click(),
    tested: true,
  },
  {
    name: 'last-rounds-war',
    from: VIEWS['war-betting'],
    touch: ({ page }) => page.locator('.last-rounds').click(),
  },
  {
    name: 'own-rounds',
    from: 'played',
    touch: async ({ page, seat }) => {
      for (const number of [1, 3, 5]) await page.locator(ownTab(number)).click();
      await seat(1, 'recall.ownBack').click();
      await page.locator('.own-lines .sum').nth(1).waitFor();
    },
    tested: true,
  },
  {
    name: 'own-receipt',
    from: 'played',
    touch: async ({ page, language }) => {
      await page.locator(ownTab(3)).click();
      await page.getByRole('img', { name: text(language, 'recall.receipt') }).scrollIntoViewIfNeeded();
    },
  },
];

// ---- a player's own settings, session and notes ----

const dressed = (view: TableView, over: (seat: SeatView) => Partial<SeatView>): TableView => ({
  ...view,
  seats: view.seats.map((seat) => ({ ...seat, ...over(seat) })),
});
const SESSION: SessionView = {
  sinceMs: VIEWS.betting.nowMs - 72 * 60_000,
  inMinor: minor(300_000),
  outMinor: minor(50_000),
  resultMinor: minor(-85_000),
  limits: { timeMs: 3_600_000, lossMinor: null },
  reached: null,
  mayRaise: true,
};
/** Every bet of every seat lies there. */
const everyBet = (view: TableView): TableView =>
  dressed(view, ({ seat, hands }) => ({
    free: false,
    creditMinor: minor(1_234_500 * seat),
    betting: view.phase === 'betting' ? VIEWS['2009-betting'].seats[0]!.betting : [],
    bets: VIEWS['2009-betting'].seats[0]!.betting.flatMap(({ bet }, index) =>
      bet === null ? [] : [{ by: seat, bet, amountMinor: minor(5_000 * seat * (index + 1)) }],
    ),
    hands: hands.length > 0 || view.phase === 'betting' ? hands : VIEWS['2009-play'].seats[0]!.hands,
  }));
const seated = (session: Partial<SessionView>): TableView =>
  dressed(VIEWS.betting, ({ free }) => (free ? {} : { session: { ...SESSION, ...session } }));
const wanting = (view: TableView, comfort: Partial<Comfort>): TableView =>
  dressed(view, () => ({ comfort: { ...PLAIN_COMFORT, ...comfort } }));
/** There is a synthesiser. */
const SPEAKING: TableView = { ...VIEWS.betting, speech: { keys: {} } };
/** Opens the settings of every seat, on that page. */
const settings =
  (page: 'display' | 'session') =>
  async (hands: Hands): Promise<void> => {
    for (const tab of (await hands.page.locator('.settings-tab').all()).reverse()) await tab.click();
    if (page === 'display') return;
    for (const sheet of await hands.page.locator('.settings').all())
      await sheet.locator('.settings-page').nth(1).click();
  };
const HOUSE_HELP = {
  line: {
    'zh-Hant': '求助熱線 2832 3998',
    pt: 'Linha de apoio 2832 3998',
    en: 'Helpline 2832 3998',
  },
  exclusion: {
    'zh-Hant': '可要求禁止自己進入娛樂場：向職員索取表格。',
    pt: 'Pode pedir a sua própria exclusão: peça o impresso ao pessoal.',
    en: 'You may have yourself excluded: ask the staff for the form.',
  },
} as const;
/** Four have played, the last one on two split hands. */
const lastOf = (seat: number): NonNullable<SeatView['last']> => ({
  roundId: 'round-127',
  no: 127,
  stakeMinor: minor([3_820_000, 150_000, 100_000, 400_000][seat - 1] ?? 0),
  netMinor: minor([5_731_250, -150_000, 0, 148_200][seat - 1] ?? 0),
  cards: {
    bank: cards('9S 3H 6C'),
    playerSide: [],
    hands: ['AS TD', '5H TC 8D', '9H TH', '8S 3D TC,8H 2C 9D']
      [seat - 1]!.split(',')
      .map((hand) => ({ seat, cards: cards(hand) })),
  },
});
const afterRound = (view: TableView): TableView => ({
  ...dressed(view, ({ seat, free, creditMinor }) =>
    seat > 4 || (free && view.phase === 'betting')
      ? {}
      : {
          free: false,
          creditMinor: free ? minor(1_234_500) : creditMinor,
          bets: [],
          last: lastOf(seat),
        },
  ),
  help: HOUSE_HELP,
});
/** Nine other bets at every seat, and no room above them. */
const everybodyAfterRound = (view: TableView): TableView =>
  afterRound(dressed(view, () => ({ free: false, betting: view.seats[0]!.betting, bets: [] })));
const HIGH = { text: 'large', contrast: 'high', reach: 'low' } as const;
const AHEAD = ['hit', 'stand', 'double', 'split', 'surrender'] as const;
const ahead = dressed(VIEWS.turn, ({ seat, hands }) =>
  hands.length > 0 && VIEWS.turn.seats[seat - 1]!.turnHand === null
    ? { ahead: AHEAD.map((act) => choice(act, { seat })) }
    : {},
);
const own: readonly Screen[] = [
  { name: 'seat-settings', from: SPEAKING, touch: settings('display'), tested: true },
  { name: 'seat-settings-large', from: wanting(VIEWS.betting, HIGH), touch: settings('display') },
  { name: 'seat-session', from: seated({}), touch: settings('session'), tested: true },
  { name: 'seat-session-none', from: VIEWS.betting, touch: settings('session') },
  { name: 'seat-last-round', from: afterRound(VIEWS['free-seat']), tested: true },
  { name: 'seat-last-round-betting', from: afterRound(VIEWS.betting) },
  { name: 'seat-last-round-tray', from: everybodyAfterRound(VIEWS['2009-betting']), tested: true },
  { name: 'seat-break', from: seated({ reached: 'break', breakUntilMs: VIEWS.betting.nowMs + 600_000 }) },
  { name: 'seat-limit-reached', from: seated({ reached: 'loss', mayRaise: false }), tested: true },
  { name: 'seat-large', from: wanting(VIEWS.turn, { text: 'large' }) },
  { name: 'seat-large-betting', from: wanting(VIEWS['2009-betting'], { text: 'large' }) },
  { name: 'seat-every-bet', from: everyBet(VIEWS['2009-betting']), tested: true },
  { name: 'seat-every-bet-large', from: wanting(everyBet(VIEWS['2009-betting']), { text: 'large' }) },
  { name: 'seat-every-bet-in-play', from: everyBet(VIEWS['2009-play']) },
  { name: 'seat-high-contrast-betting', from: wanting(VIEWS['2009-betting'], HIGH) },
  { name: 'seat-high-contrast', from: wanting(VIEWS.turn, HIGH) },
  { name: 'seat-high-contrast-settled', from: wanting(VIEWS['2009-settled'], HIGH) },
  { name: 'seat-left-hand', from: wanting(VIEWS.turn, { leftHand: true }) },
  { name: 'seat-left-hand-betting', from: wanting(VIEWS['2009-betting'], { leftHand: true }) },
  { name: 'seat-alone-left-hand', from: wanting(VIEWS['2009-betting'], { leftHand: true }), role: 'seat:3' },
  { name: 'seat-ahead', from: ahead, tested: true },
];

// ---- a round of the past ----

const recall = async ({ dealer }: Hands): Promise<void> => {
  await dealer('dealer.others').click();
  await dealer('recall.menu').click();
};
const recallAt =
  (control: 'first' | 'last', back: number) =>
  async (hands: Hands): Promise<void> => {
    await recall(hands);
    await hands.dealer('recall.label', { no: 1 }).click();
    await hands.dealer('recall.pause').click();
    await hands.dealer(`recall.${control}`).click();
    for (let i = 0; i < back; i += 1) await hands.dealer('recall.previous').click();
  };
const recalls: readonly Screen[] = [
  { name: 'recall-choose', from: 'played', touch: recall },
  { name: 'recall-in-play', from: 'played', touch: recallAt('last', 5), tested: true },
  { name: 'recall-settled', from: 'played', touch: recallAt('last', 2) },
];

// ---- faults and locks ----

const stopped = (detail: string): TableView => ({
  ...VIEWS['hold-shoe-fault'],
  hold: { ...VIEWS['hold-shoe-fault'].hold!, detail },
});
const faults: readonly Screen[] = [
  { name: 'fault-host-away', from: 'away', tested: true },
  { name: 'fault-devices', from: 'broken', tested: true },
  { name: 'fault-shoe-jam', from: stopped('shoe-jam') },
  { name: 'fault-books', from: { ...held, hold: { ...held.hold!, code: 'books', card: null } } },
  { name: 'fault-card-gap', from: { ...held, hold: { ...held.hold!, code: 'card-gap', card: null } } },
  { name: 'fault-misdeal', from: { ...held, hold: { ...held.hold!, code: 'misdeal' } } },
  {
    name: 'fault-storage-full',
    from: { ...at(idle, 'call-supervisor'), ledgerFaults: ['storage-full'] },
  },
];

export const SCREENS: readonly Screen[] = [
  ...ofViews,
  ...seats,
  ...own,
  ...dealer,
  ...desk,
  ...recalls,
  ...SERVICE_SCREENS,
  ...faults,
];
