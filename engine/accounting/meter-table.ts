/**
 * Every meter of the terminal as data: the fold counts what stands here, docs/meters.md is made
 * from it. The texts in three languages stand in the locales, group `meter` of `service`.
 */

export type MeterUnit = 'money' | 'count' | 'seconds';

export interface MeterSpec {
  /**
   * A `<...>` stands for a bet, a note or the code of a fault: one meter for each that has
   * occurred.
   */
  readonly code: string;
  readonly unit: MeterUnit;
  /** life: since the first entry, it never falls · now: what stands at that moment */
  readonly span: 'life' | 'now';
  /** Beside seat, game, dealer and shift it is also kept by bet or by note. */
  readonly by?: 'bet' | 'denomination';
  /** Number of the meter in SAS 6.02, table C-7, hexadecimal. */
  readonly sas?: string;
  /** Which standard asks for it. */
  readonly source: string;
  readonly definition: string;
}

type Row = readonly [
  code: string,
  unit: MeterUnit,
  source: string,
  definition: string,
  more?: Pick<MeterSpec, 'by' | 'sas'>,
];

const life = ([code, unit, source, definition, more]: Row): MeterSpec => ({
  code,
  unit,
  span: 'life',
  source,
  definition,
  ...more,
});
const now = (row: Row): MeterSpec => ({ ...life(row), span: 'now' });

const BET = { by: 'bet' } as const;
const NOTE = { by: 'denomination' } as const;
const OURS = 'ours';

export const METERS: readonly MeterSpec[] = [
  life([
    'coin_in',
    'money',
    'MO11, PA §605a.5(d)(1)',
    'wagers that became final with the first card, and every raise after it (double, split, insurance, challenge, jackpot chip); those of a cancelled round stay in it and stand in `voided_bets` too',
    { ...BET, sas: '0000' },
  ]),
  life([
    'coin_out',
    'money',
    'PA (d)(2)',
    'everything settlements credit, stakes that come back included; neither the progressive jackpot nor what is paid by hand',
    { ...BET, sas: '0001' },
  ]),
  life([
    'mach_paid_win',
    'money',
    'SAS',
    'part of `coin_out`: what bets that won were credited, stake included',
    { ...BET, sas: '001C' },
  ]),
  life(['push_returned', 'money', OURS, 'part of `coin_out`: stakes that came back at ties', BET]),
  life([
    'mach_paid_progressive',
    'money',
    'SAS',
    'what chips of the progressive jackpot were credited',
    { ...BET, sas: '001D' },
  ]),
  life(['won_total', 'money', 'SAS', '`coin_out` and `att_paid_jackpot`', { ...BET, sas: '0022' }]),
  life(['voided_bets', 'money', OURS, 'stakes that went back with cancelled rounds', BET]),
  life([
    'att_paid_jackpot',
    'money',
    'PA (d)(3)',
    'wins above the limit of the table that are paid by hand and not credited, counted with their settlement',
    { ...BET, sas: '0002, 001F' },
  ]),
  life([
    'att_paid_progressive',
    'money',
    'SAS, GLI-25 (m)',
    'the same, what came out of the progressive jackpot',
    { ...BET, sas: '0020' },
  ]),
  now([
    'wins_pending',
    'money',
    OURS,
    'part of `handpays_pending_amount`: wins that wait to be paid by hand',
  ]),
  life(['credit_adjust_up', 'money', OURS, 'credit two persons have put right, upwards']),
  life(['credit_adjust_down', 'money', OURS, 'the same, downwards']),
  life(['cashouts', 'count', 'AGCO', 'cash-outs paid; their only route is by hand']),
  life(['cashout_amount', 'money', 'AGCO', 'amount of `cashouts`']),
  life(['att_paid_cancelled', 'money', 'PA (d)(4)', 'cash-outs of players paid by hand', { sas: '0003' }]),
  life(['cancelled_total', 'money', 'SAS', 'all cash-outs, whatever their route', { sas: '0004' }]),
  life(['handpaid_total', 'money', 'SAS', 'everything paid by hand', { sas: '0023' }]),
  now(['credit_now', 'money', 'SAS', 'credit of the players', { sas: '000C' }]),
  now([
    'bets_laid',
    'money',
    OURS,
    'bets on the table that are not final yet: no credit any more, no wager yet',
  ]),
  now(['handpays_pending', 'count', 'SAS §7.8', 'cash-outs and wins that wait for an attendant']),
  now(['handpays_pending_amount', 'money', OURS, 'amount of `handpays_pending`']),
  life([
    'drop_total',
    'money',
    'SAS, OK 21-8(3)',
    'what the books have in the cash boxes, from the postings alone',
    { sas: '0024' },
  ]),
  life([
    'bills_to_drop',
    'money',
    'SAS',
    'notes that went into a cash box, also those nobody was credited with',
    { ...NOTE, sas: '0058' },
  ]),
  life(['bills_in', 'money', 'SAS, OK (6)', 'notes credited', { ...NOTE, sas: '000B' }]),
  life([
    'bill_in_<currency>_<note>',
    'count',
    'SAS, OK (7)',
    'notes credited of one kind, in whole units of the currency',
    { ...NOTE, sas: '0042 5, 0043 10, 0044 20, 0046 50, 0047 100, 0048 200, 004A 500, 004B 1 000' },
  ]),
  now([
    'stacker_count',
    'count',
    'SAS',
    'notes in the cash boxes since each was last taken out',
    { sas: '003E' },
  ]),
  now(['stacker_value', 'money', 'SAS', 'their amount, as far as it is known', { sas: '003F' }]),
  life(['stacker_removed', 'count', 'SAS (1B)', 'cash boxes taken out']),
  life(['bills_rejected', 'count', 'NZ03', 'notes the acceptor itself refused; each entry names the cause']),
  life([
    'bills_returned',
    'count',
    'G2S NAE108',
    'notes given back from escrow: the table refused them, or the acceptor did',
  ]),
  life(['bills_held', 'money', OURS, 'notes that became a case because their fate or owner was unknown']),
  now(['bills_held_now', 'money', OURS, 'notes of cases that are not closed']),
  life(['rounds_dealt', 'count', 'SAS, GLI-25', 'rounds with a bet that were settled', { sas: '0005' }]),
  life([
    'seat_games',
    'count',
    'PA',
    'the same per player: one game for each who bet in a settled round',
    { sas: '0005 of a seat' },
  ]),
  life([
    'games_won',
    'count',
    'SAS',
    'games of a player that gained by all their bets together',
    { sas: '0006' },
  ]),
  life(['games_lost', 'count', 'SAS', 'games of a player that lost', { sas: '0007' }]),
  life(['games_push', 'count', 'SAS', 'games of a player that did neither']),
  life(['rounds_voided', 'count', 'GLI-25 (m)', 'rounds cancelled']),
  life(['demo_rounds', 'count', OURS, 'rounds shown without bets']),
  now([
    'games_since_power',
    'count',
    'SAS §7.7',
    '`rounds_dealt` since the terminal was last started',
    { sas: '0025' },
  ]),
  now([
    'games_since_door',
    'count',
    'SAS §7.7',
    '`rounds_dealt` since a door was last opened',
    { sas: '0026' },
  ]),
  life(['bet_<bet>', 'money', 'MO11, AGCO', '`coin_in` of one kind of bet', BET]),
  life([
    'pay_<bet>',
    'money',
    'MO11, AGCO',
    '`won_total` of one kind of bet; `pay_jackpot` is `mach_paid_progressive`',
    BET,
  ]),
  life(['commission', 'money', 'baccarat 5 %', 'what the house took of winnings', BET]),
  life(['banker6_half', 'count', 'baccarat without commission', 'bets on the Banker that a six paid half']),
  life(['banker6_half_amount', 'money', 'baccarat without commission', 'what they won']),
  life(['surrender_kept', 'money', OURS, 'halves the house kept at surrenders']),
  life(['special_prizes', 'money', 'special prizes', 'special prizes won']),
  life(['special_prizes_count', 'count', 'special prizes', 'their number']),
  life(['jp_contrib', 'money', 'NZ03', 'what chips lifted the progressive jackpot by']),
  life(['jp_undone', 'money', OURS, 'lifts taken back with cancelled rounds']),
  life([
    'jp_seeds',
    'money',
    OURS,
    'what the house put into the jackpot at its start and after its highest prize',
  ]),
  life(['jp_paid', 'money', 'NZ03', 'what prizes took out of the jackpot']),
  life(['jp_hits', 'count', 'NZ03', 'rounds in which the jackpot paid']),
  now(['jp_now', 'money', 'NZ03', 'the meter of the jackpot']),
  life(['cards_dealt', 'count', OURS, 'cards dealt to seats and bank']),
  life(['cards_burned', 'count', OURS, 'cards burnt because the rules burn them']),
  life(['cards_void', 'count', OURS, 'cards put aside: exposed, misdrawn, dealt to the bank wrongly']),
  life(['card_misread', 'count', 'GLI-29 (m)', 'times the table was held because a card was doubtful']),
  life(['card_corrected', 'count', 'GLI-29 (m)', 'cards a dealer confirmed to be another one than was read']),
  life(['card_manual', 'count', 'GLI-29 (m)', 'cards a dealer named that the shoe had not read']),
  life(['shoes_loaded', 'count', OURS, 'shoes made ready']),
  life([
    'cover_shoe',
    'count',
    'NZ04 §1.18.1',
    'times the cover of the shoe was opened, as far as the shoe says so',
  ]),
  life(['door_main', 'count', 'NZ04 §1.18.1', 'times the main door was opened, as its board has counted it']),
  life([
    'door_main_poweroff',
    'count',
    'NZ04 §1.18.2',
    'times the main door was opened while there was no power, counted on the battery of the board',
  ]),
  life(['door_drop', 'count', 'NZ04 §1.18.1', 'times the drop door was opened, as its board has counted it']),
  life([
    'door_drop_poweroff',
    'count',
    'NZ04 §1.18.2',
    'times the drop door was opened while there was no power, counted on the battery of the board',
  ]),
  life([
    'door_logic',
    'count',
    'NZ04 §1.18.1',
    'times the logic box was opened, as its board has counted it',
  ]),
  life([
    'door_logic_poweroff',
    'count',
    'NZ04 §1.18.2',
    'times the logic box was opened while there was no power, counted on the battery of the board',
  ]),
  life([
    'door_acceptor',
    'count',
    'NZ04 §1.18.1',
    'times the door of the acceptors was opened, as its board has counted it',
  ]),
  life([
    'door_acceptor_poweroff',
    'count',
    'NZ04 §1.18.2',
    'times the door of the acceptors was opened while there was no power, counted on the battery of the board',
  ]),
  life([
    'door_cabinet',
    'count',
    'NZ04 §1.18.1',
    'times the lower door of the cabinet was opened, as its board has counted it',
  ]),
  life([
    'door_cabinet_poweroff',
    'count',
    'NZ04 §1.18.2',
    'times the lower door of the cabinet was opened while there was no power, counted on the battery of the board',
  ]),
  life(['power_losses', 'count', 'SAS (18)', 'power cuts, told by the start after them']),
  life([
    'process_restarts',
    'count',
    OURS,
    'processes of the terminal that ended by themselves and were started again',
  ]),
  life(['power_resets', 'count', 'OK 21-47(12)', 'starts of the terminal']),
  life(['note_jams', 'count', 'all', 'jams of an acceptor or its cash box']),
  life(['stacker_full', 'count', 'all', 'times a cash box was full']),
  life(['tilts_<code>', 'count', 'all', 'faults, each under the code of its event']),
  life(['recalls', 'count', 'ours (8A)', 'rounds of the past shown']),
  life(['holds', 'count', OURS, 'times the table was held']),
  life(['disputes', 'count', OURS, 'complaints of players']),
  life(['attendant_calls', 'count', OURS, 'times a player called the staff']),
  life(['service_entries', 'count', 'PA (84)', 'service mode entered by a supervisor or technician']),
  life(['audit_entries', 'count', 'PA (82)', 'service mode entered by an attendant or auditor']),
  life(['failed_access', 'count', 'PA', 'PINs refused']),
  life(['config_changes', 'count', 'SAS (3C)', 'tables put into force, the first one included']),
  life([
    'self_audit_runs',
    'count',
    'NZ03',
    'audits of the books on record: one at each start, one in each self-test. The equations below are checked after every transaction besides',
  ]),
  life(['self_audit_fail', 'count', 'NZ03', 'times the books did not agree']),
  life(['link_down_count', 'count', 'SAS §4.3', 'times the centre did not answer for some seconds']),
  life([
    'link_down_seconds',
    'seconds',
    'SAS §4.3',
    'whole seconds of those that are over, each counted at its end',
  ]),
  now(['queue_depth', 'count', 'SAS §4.3', 'entries the centre has not acknowledged']),
  now(['last_proven_seq', 'count', 'SAS §4.3', 'newest entry the centre has acknowledged']),
];

/**
 * Meters of section `absent` of the document: asked for elsewhere, and why this terminal has none.
 */
export const ABSENT: readonly { readonly code: string; readonly why: string }[] = [
  { code: 'tickets_in, tickets_out', why: 'no voucher printer' },
  { code: 'eft_in, eft_out', why: 'no transfers from or to an account' },
  {
    code: 'restricted_played, nonrestricted_played, credit_restricted_now',
    why: 'one kind of credit: what notes and settlements gave',
  },
  { code: 'memory_clears, epochs', why: 'a ledger is never cleared and never rebuilt' },
  {
    code: 'jp_start, jp_increment, jp_ceiling, jp_overflow',
    why: 'start and increment are options of the table (`jackpot.seed`, `jackpot.increment`); a jackpot of the regulation has no ceiling',
  },
  {
    code: 'shoe_reconcile_diff',
    why: 'undealt cards are unknown to the terminal: they are not counted at the end of a shoe',
  },
  { code: 'rg_reminders, rg_limits_hit', why: 'no entry tells of a reminder or a personal limit' },
  {
    code: 'theo_payback',
    why: 'the rate of blackjack depends on how people play and on some forty options, so no figure would be true; `banca figures` has the exact rates of every bet that chance alone decides, to be weighted by `bet_<bet>`',
  },
];

/** Bets that a regulator's director has authorised: what they are called is the table's. */
export const AUTHORISED = 'authorised';
/** Kinds of bets a wager can be counted under, and what a settlement can pay. */
const WAGERS = [
  'main',
  'double',
  'split',
  'insurance',
  'any_pair',
  'sevens',
  'over13',
  'under13',
  'perfect_pair',
  'streak2',
  'streak3',
  'streak4',
  'streak5',
  'player',
  'banker',
  'tie',
  'player_pair',
  'banker_pair',
  'lucky6',
  AUTHORISED,
  'challenge',
  'jackpot',
] as const;
export const BET_KINDS: ReadonlySet<string> = new Set<string>([...WAGERS, 'even_money', 'special_prize']);

/** `anyPair` as the engine says it -> `any_pair`. */
export const betKind = (bet: string): string =>
  KINDS.get(bet) ?? bet.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
/** By the name the engine says. */
const KINDS: ReadonlyMap<string, string> = new Map(
  [...BET_KINDS].map((kind) => [kind.replaceAll(/_(\w)/g, (_, c: string) => c.toUpperCase()), kind]),
);

/** Names under which the engine lays and pays bets of its own. */
export const BET_NAMES: ReadonlySet<string> = new Set(KINDS.keys());

const SPECS = new Map(METERS.map((spec) => [spec.code, spec]));
const PATTERNS: readonly (readonly [RegExp, MeterSpec])[] = METERS.filter(({ code }) =>
  code.includes('<'),
).map((spec) => [new RegExp(`^${spec.code.replaceAll(/<\w+>/g, '(.+)')}$`), spec]);

/** Null for a code no meter has. */
export const meterSpec = (code: string): MeterSpec | null =>
  SPECS.get(code) ?? PATTERNS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
