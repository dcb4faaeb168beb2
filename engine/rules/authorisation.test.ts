import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULEBOOKS } from '../../test/support/every-rule.ts';
import { choicesToCover, lapsedChoices, rulebookOf, unauthorisedChoices } from '../books.ts';
import type { Authorisation, TableProfile } from '../table/profile.ts';
import { articlesToAuthorise, choicesToAuthorise } from './authorisation.ts';
import type { OptionSpec } from './rulebook.ts';

const rulebook = rulebookOf('macau-blackjack-2009')!;
const perfectPair = { sideBets: ['perfectPair'] };
const at = (day: string): number => Date.parse(`${day}T12:00:00+08:00`);
const record = {
  options: ['sideBets'],
  by: 'DICJ',
  reference: 'DICJ/123/2026',
  // 16 November 2026 is a Monday.
  requestedOn: '2026-11-16',
  effectiveOn: '2026-11-20',
};

/** Options of the listed articles that the text does not leave to the house: it is silent there. */
const FREE = [
  'dealerCardPass',
  'dealerPlaysOut',
  'sevensThird',
  'over13Ace',
  'streakAbandon',
  'behindFollows',
];

const told = (options: Parameters<typeof unauthorisedChoices>[1], of = rulebook): string[] =>
  unauthorisedChoices(of, options, [], at('2026-11-20')).map(({ option, article }) => `${option} ${article}`);

test('art. 21.1, 21.3: a choice that needs authorisation cannot be on without its record', () => {
  assert.deepEqual(unauthorisedChoices(rulebook, { decks: 8 }, [], at('2026-11-20')), [
    {
      option: 'decks',
      article: 'art.21.1',
      why: 'no-record',
      message: 'no record of an authorisation',
      record: null,
    },
  ]);
  const usual = ['anyPair', 'sevens', 'over13', 'under13'];
  assert.deepEqual(told({ sideBets: [...usual, 'perfectPair', 'streak2'] }), [
    'sideBets.perfectPair art.21.3',
    'sideBets.streak2 art.21.3',
  ]);
  assert.deepEqual(told(perfectPair), ['sideBets art.21.1', 'sideBets.perfectPair art.21.3']);
  assert.deepEqual(told({ sideBets: usual.toReversed() }), [], 'the order of bets is no choice');
});

test('art. 21.1: under each article that it lists a choice needs authorisation, but for what is a reading of ours', () => {
  const LISTED = ['1', '2', '3', '4', '5', '6', '13', '14', '16', '17', '20'];
  const isListed = (article: string): boolean =>
    LISTED.includes(article.split('.')[1] ?? '') || article === 'art.10.7' || article === 'art.12.1';
  const chosen = rulebook.options.filter(
    ({ article, legal }) => isListed(article) && (legal.kind !== 'one-of' || legal.values.length > 1),
  );
  const free = chosen.filter(({ authorisation }) => authorisation === null).map(({ id }) => id);
  assert.deepEqual(free, FREE);
  const held = new Set(
    chosen
      .filter(({ authorisation }) => authorisation === 'art.21.1')
      .map(({ article }) => (/^art\.1[02]\./.test(article) ? article : article.split('.')[1]!)),
  );
  // Of art. 14 the text leaves no choice: its prices are fixed.
  assert.deepEqual([...held].toSorted(), [
    '1',
    '13',
    '16',
    '17',
    '2',
    '20',
    '3',
    '4',
    '5',
    '6',
    'art.10.7',
    'art.12.1',
  ]);
  const others = rulebook.options.filter(
    ({ article, authorisation }) => !isListed(article) && authorisation === 'art.21.1',
  );
  assert.deepEqual(
    others.map(({ id }) => id),
    [],
  );
});

test('a record of an option covers what stands in it, and not the other way round', () => {
  const inner = { ...record, options: ['sideBets.perfectPair'] };
  const choices = (records: readonly Authorisation[]): string[] =>
    unauthorisedChoices(rulebook, perfectPair, records, at('2026-11-20')).map(({ option }) => option);
  assert.deepEqual(choices([inner]), ['sideBets']);
  assert.deepEqual(choices([record]), []);
  assert.deepEqual(choices([{ ...record, options: ['side'] }]), ['sideBets', 'sideBets.perfectPair']);
});

test('r.38, r.40, r.43: a jackpot is communicated, its terms are fixed or approved one by one', () => {
  const portugal = rulebookOf('portugal-blackjack')!;
  const pays = [{ combination: 'A2', share: '1' }];
  assert.deepEqual(told({ jackpot: { stake: 100, increment: '1/2', pays } }, portugal), [
    'jackpot.stake r.40',
    'jackpot.increment r.40',
    'jackpot.pays r.43',
  ]);
  assert.deepEqual(told({ jackpot: null }, portugal), []);
});

test('art. 5.2.3.7: what follows from another choice is no choice of its own', () => {
  assert.deepEqual(told({ dealing: 'holeCard', maxHands: 5 }), ['dealing art.21.1']);
  assert.deepEqual(told({ maxHands: 5 }), ['maxHands art.21.1']);
});

test('art. 21: three working days lie between asking and taking effect', () => {
  assert.deepEqual(unauthorisedChoices(rulebook, perfectPair, [record], at('2026-11-20')), []);
  const early = { ...record, effectiveOn: '2026-11-19' };
  const [problem] = unauthorisedChoices(rulebook, perfectPair, [early], at('2026-11-20'));
  assert.equal(
    problem?.message,
    'asked for 2 working days before it takes effect, 3 are due (DICJ/123/2026)',
  );
});

test('arts. 21.1, 21.3, Bacará art. 19: two working days are short notice under each of them, three are enough', () => {
  const usual = ['anyPair', 'sevens', 'over13', 'under13'];
  const cases: readonly (readonly [string, Parameters<typeof unauthorisedChoices>[1], string])[] = [
    ['macau-blackjack-2009', { decks: 8 }, 'art.21.1'],
    ['macau-blackjack-2009', { soft17: 'any' }, 'art.21.1'],
    ['macau-blackjack-2009', { sideBets: [...usual, 'streak2'] }, 'art.21.3'],
    ['macau-baccarat', { commission: 'none-banker-six-half' }, 'art.19'],
  ];
  for (const [id, options, article] of cases) {
    const reasons = (effectiveOn: string): string[] => {
      const records = [{ ...record, options: Object.keys(options), effectiveOn }];
      const of = rulebookOf(id as Parameters<typeof rulebookOf>[0])!;
      return unauthorisedChoices(of, options, records, at('2026-11-20')).map((p) => `${p.article} ${p.why}`);
    };
    assert.deepEqual(reasons('2026-11-19'), [`${article} short-notice`]);
    assert.deepEqual(reasons('2026-11-20'), []);
  }
});

test('an authorisation counts from its day in Macau, not before', () => {
  const before = Date.parse('2026-11-19T15:59:59Z');
  const [problem] = unauthorisedChoices(rulebook, perfectPair, [record], before);
  assert.equal(problem?.message, 'takes effect on 2026-11-20 (DICJ/123/2026)');
  assert.deepEqual(unauthorisedChoices(rulebook, perfectPair, [record], before + 1_000), []);
});

test('in Portugal it counts from its day there', () => {
  const portugal = rulebookOf('portugal-blackjack')!;
  const of = (atMs: number): number =>
    unauthorisedChoices(
      portugal,
      { cardSource: 'autoShuffler' },
      [{ ...record, options: ['cardSource'] }],
      atMs,
    ).length;
  assert.equal(of(Date.parse('2026-11-19T23:59:59Z')), 1);
  assert.equal(of(Date.parse('2026-11-20T00:00:00Z')), 0);
});

test('art. 21.2: a waiver needs its record, no notice is stated', () => {
  const noSurrender = { surrender: false };
  const waiver = { ...record, options: ['surrender'], requestedOn: '2026-11-19', effectiveOn: '2026-11-20' };
  assert.deepEqual(unauthorisedChoices(rulebook, noSurrender, [waiver], at('2026-11-20')), []);
});

test('what needs none, or is as the regulation has it, needs no record', () => {
  const options = {
    min: 5_000,
    dealerPlaysOut: 'ifNeeded',
    decks: 6,
    sideBets: rulebook.options.find(({ id }) => id === 'sideBets')!.default,
  };
  assert.deepEqual(unauthorisedChoices(rulebook, options, [], at('2026-11-20')), []);
});

test('a record that names no day, no reference or nobody covers nothing', () => {
  for (const [field, value, message] of [
    ...['2026-02-30', '2026-01-00', '2026-00-10', '2026-13-01'].map(
      (day) => ['requestedOn', day, `requestedOn "${day}" is no day`] as const,
    ),
    ['effectiveOn', 'soon', 'effectiveOn "soon" is no day'],
    ['reference', '', 'the record names no reference or nobody'],
    ['by', '', 'the record names no reference or nobody'],
  ] as const) {
    const [problem] = unauthorisedChoices(
      rulebook,
      perfectPair,
      [{ ...record, [field]: value }],
      at('2026-11-20'),
    );
    assert.equal(problem?.message, message);
  }
});

test('art. 21: a term over public holidays is short although it holds three weekdays', () => {
  const newYear = { ...record, requestedOn: '2026-02-16', effectiveOn: '2026-02-20' };
  const [problem] = unauthorisedChoices(rulebook, perfectPair, [newYear], at('2026-02-20'));
  assert.equal(
    problem?.message,
    'asked for 0 working days before it takes effect, 3 are due (DICJ/123/2026)',
  );
  const long = { ...newYear, effectiveOn: '2026-02-26' };
  assert.deepEqual(unauthorisedChoices(rulebook, perfectPair, [long], at('2026-02-26')), []);
});

/** A record of every choice of a table, as the regulator reads art. 21.1. */
const whole = (options: Parameters<typeof unauthorisedChoices>[1], of = rulebook): Authorisation => ({
  ...record,
  options: Object.fromEntries(
    choicesToCover(of, options, [{ ...record, options: {} }]).map(({ option, value }) => [option, value]),
  ),
});
const why = (options: Parameters<typeof unauthorisedChoices>[1], ...records: Authorisation[]): string[] =>
  unauthorisedChoices(rulebook, options, records, at('2026-11-20')).map((p) => `${p.option} ${p.why}`);

test('art. 21.1: records that name values have to name the defaults of its articles too', () => {
  assert.deepEqual(why({}), [], 'records of before ask nothing for a default');
  const of8 = { ...record, options: { decks: 8 } };
  const open = why({ decks: 8 }, of8);
  assert.ok(open.includes('seats no-record') && open.includes('sideBets no-record'), open.join());
  assert.ok(!open.some((each) => each.startsWith('decks ') || each.startsWith('min ')));
  assert.ok(!open.some((each) => each.startsWith('evenMoney ')), 'one legal value is no choice');
  assert.deepEqual(why({ decks: 8 }, whole({ decks: 8 })), []);
  assert.deepEqual(why({ seats: 7 }, whole({})), []);
});

test('where every choice is asked for, each has its article, and what has one legal value is none', () => {
  for (const id of RULEBOOKS) {
    const { options } = rulebookOf(id)!;
    const defaults = Object.fromEntries(options.map((spec) => [spec.id, spec.default]));
    const isChoice = ({ legal }: OptionSpec): boolean => legal.kind !== 'one-of' || legal.values.length > 1;
    assert.deepEqual(
      choicesToAuthorise(rulebookOf(id)!, defaults, true).map(({ option, article }) => [option, article]),
      options
        .filter((spec) => spec.authorisation !== null && isChoice(spec) && spec.id !== 'authorisedBets')
        .map((spec) => [spec.id, spec.authorisation]),
      id,
    );
  }
  const ofMinimum = rulebook.options.filter(({ id }) => id === 'min');
  assert.deepEqual(ofMinimum.flatMap(articlesToAuthorise), []);
});

test('a record grants the value it names and no other, in lists whatever their order', () => {
  const all = whole({});
  assert.deepEqual(why({ decks: 8 }, all), ['decks other-value']);
  assert.deepEqual(why({ decks: 8 }, all, { ...record, options: { decks: 8 } }), []);
  const bets = ['over13', 'under13', 'anyPair', 'sevens'];
  assert.deepEqual(why({ sideBets: bets }, all), []);
  assert.deepEqual(why({ sideBets: bets.slice(1) }, all), ['sideBets other-value']);
  const { sideBets: _usual, ...others } = all.options as Record<string, string>;
  assert.deepEqual(why({}, { ...record, options: { ...others, sideBets: null } }), ['sideBets other-value']);
  const streaks = [...bets, 'streak2'];
  assert.deepEqual(why({ sideBets: streaks }, { ...record, options: { ...others, sideBets: streaks } }), []);
  assert.deepEqual(why({ sideBets: streaks }, { ...record, options: { ...others, sideBets: bets } }), [
    'sideBets.streak2 other-value',
  ]);
});

test('r.40, r.43: the terms of a jackpot are granted by value, one by one', () => {
  const portugal = rulebookOf('portugal-blackjack')!;
  const jackpot = { stake: 100, increment: '1/2', pays: [{ combination: 'A2', share: '1' }] };
  const all = whole({ jackpot }, portugal);
  const open = (options: Parameters<typeof unauthorisedChoices>[1]): string[] =>
    unauthorisedChoices(portugal, options, [all], at('2026-11-20')).map((p) => `${p.option} ${p.why}`);
  assert.deepEqual(open({ jackpot }), []);
  assert.deepEqual(
    open({ jackpot: { ...jackpot, pays: [{ combination: 'A2', share: '1', odds: null }] } }),
    [],
  );
  assert.deepEqual(open({ jackpot: { ...jackpot, increment: '3/4' } }), ['jackpot.increment other-value']);
  const others = Object.entries(all.options).filter(([option]) => !option.startsWith('jackpot.'));
  const named = { ...record, options: { ...Object.fromEntries(others), jackpot } };
  assert.deepEqual(
    unauthorisedChoices(portugal, { jackpot }, [named], at('2026-11-20')).map((p) => p.option),
    [],
    'a whole option that is named covers what stands in it',
  );
});

test('of two records the one that names the value says why the choice is not covered', () => {
  const other = { ...record, options: { decks: 7 } };
  const late = { ...record, options: { decks: 8 }, effectiveOn: '2026-11-21' };
  for (const records of [
    [other, late],
    [late, other],
  ])
    assert.ok(why({ decks: 8 }, ...records).includes('decks not-yet'));
});

test('a record covers its last day, and not the day from which it is revoked', () => {
  const ends = { ...record, untilOn: '2026-11-30' };
  const ask = (day: string, ...records: Authorisation[]): string[] =>
    unauthorisedChoices(rulebook, perfectPair, records, at(day)).map(({ message }) => message);
  assert.deepEqual(ask('2026-11-30', ends), []);
  assert.equal(ask('2026-12-01', ends)[0], 'ended on 2026-11-30 (DICJ/123/2026)');
  const revoked = { ...record, revokedOn: '2026-11-30' };
  assert.deepEqual(ask('2026-11-29', revoked), []);
  assert.equal(ask('2026-11-30', revoked)[0], 'revoked from 2026-11-30 on (DICJ/123/2026)');
  assert.deepEqual(ask('2026-12-01', ends, { ...record, reference: 'B' }), [], 'another record takes over');
  assert.equal(ask('2026-11-30', { ...record, untilOn: 'never' })[0], 'untilOn "never" is no day');
  const inForce = (options: TableProfile['options'], ...authorisations: Authorisation[]) => ({
    seatCount: 7,
    options,
    authorisations,
  });
  const lapsed = (day: string): number => lapsedChoices(rulebook, inForce(perfectPair, ends), at(day)).length;
  assert.deepEqual([lapsed('2026-11-30'), lapsed('2026-12-01')], [0, 2]);
  assert.deepEqual(lapsedChoices(rulebook, inForce(perfectPair), at('2026-12-01')), []);
  // A choice that never had a record has not lapsed, beside one that has.
  const why = (day: string, lapsing: Authorisation): string[] =>
    lapsedChoices(rulebook, inForce({ ...perfectPair, decks: 8 }, lapsing), at(day)).map(
      (problem) => `${problem.option} ${problem.why}`,
    );
  assert.deepEqual(why('2026-11-29', revoked), []);
  assert.deepEqual(why('2026-11-30', revoked), ['sideBets revoked', 'sideBets.perfectPair revoked']);
  assert.deepEqual(why('2026-12-01', ends), ['sideBets ended', 'sideBets.perfectPair ended']);
});
