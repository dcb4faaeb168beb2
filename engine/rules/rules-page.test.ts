import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { JACKPOT, merged, pageOf, pages, RULEBOOKS, valuesOf } from '../../test/support/every-rule.ts';
import {
  bookOf,
  type Legal,
  type OptionSpec,
  optionsInForce,
  type RulesWords,
  RulesWriter,
  rulebookOf,
  rulesPage,
  validateOptions,
} from '../books.ts';
import type { Language } from '../table/inputs.ts';
import type { OptionValue, RulebookId } from '../table/profile.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const json = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;

const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];
/** The same texts, which remember what was asked of them. */
function listening(words: RulesWords, asked: Set<string>, path = ''): RulesWords {
  return new Proxy(words, {
    get(target, key: string) {
      const found = target[key];
      if (typeof found === 'string') asked.add(path + key);
      return typeof found === 'object' ? listening(found, asked, `${path}${key}.`) : found;
    },
  });
}

function leaves(words: RulesWords, path = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [path + key] : leaves(value, `${path}${key}.`),
  );
}

function writerOf(
  language: Language,
  rulebook: RulebookId,
  asked = new Set<string>(),
  currency: string | null = 'MOP',
): RulesWriter {
  const { article } = json<{ article: Record<string, string> }>(`locales/${language}/table.json`);
  return new RulesWriter({
    words: listening(json<RulesWords>(`locales/${language}/rules.json`), asked),
    say: (word, n) => article[word]!.replace('{{n}}', n),
    rulebook,
    language,
    currency,
  });
}

/** Every option of a rulebook, those inside an option with a dot. */
const specsOf = (specs: readonly OptionSpec[], within = ''): { id: string; legal: Legal }[] =>
  specs.flatMap(({ id, legal }) => [
    { id: within + id, legal },
    ...(legal.kind === 'object' ? specsOf(legal.fields, `${within}${id}.`) : []),
  ]);

describe('the rules page of every rulebook', () => {
  for (const language of LANGUAGES) {
    it(`is whole in ${language}: no text is missing, none is left over`, () => {
      const asked = new Set<string>();
      for (const id of RULEBOOKS) {
        const writer = writerOf(language, id, asked);
        const { title, regulation, wording, stakes, sections } = writer.page(merged(id));
        const days = ['1900-01-01', '2004-05-12', '2008-01-01', '2009-04-01', '2026-01-01'];
        const onDays = days.flatMap((day) => Object.values(writer.wordingOn(day)).flat());
        const rows = sections.flatMap((section) => section.rows).map(shown);
        // Every rulebook says what a loss of power does to a bet.
        const interrupted = writer.text('common.interrupted');
        assert.ok(
          rows.some((row) => row.includes(interrupted)),
          `${id} ${language}`,
        );
        for (const text of [title, regulation, ...wording, ...onDays, stakes, ...rows]) {
          assert.doesNotMatch(text, /\{\{|undefined|\bnull\b|NaN|^\s*$/, `${id} ${language}`);
        }
      }
      const silent = leaves(json<RulesWords>(`locales/${language}/rules.json`)).filter(
        (key) =>
          // In Chinese every price is so much to one.
          !(language === 'zh-Hant' && key === 'pays.ratio') &&
          !asked.has(key) &&
          !/^(option|legal|fraction)\.|\.option\.|^label\./.test(key),
      );
      assert.deepEqual(silent, []);
    });

    it(`names every option and every legal value in ${language}, and no other`, () => {
      const asked = new Set<string>();
      for (const id of RULEBOOKS) {
        const writer = writerOf(language, id, asked);
        for (const { id: option, legal } of specsOf(rulebookOf(id)!.options)) {
          assert.notEqual(writer.text(`option.${option}.name`), '');
          assert.notEqual(writer.legal(option, legal), '');
          for (const value of valuesOf(legal)) assert.notEqual(writer.option(option, value), '');
          if (legal.kind === 'object') writer.option(option, {});
        }
      }
      const source = globSync(['renderer/{rules,service}/*.{ts,tsx}', 'engine/rules/rules-text.ts'], {
        cwd: ROOT,
      })
        .map((path) => readFileSync(join(ROOT, path), 'utf8'))
        .join('');
      const words = json<RulesWords>(`locales/${language}/rules.json`);
      const left = leaves(words).filter(
        (key) => /^(option|label)\.|\.option\./.test(key) && !asked.has(key) && !source.includes(`'${key}'`),
      );
      assert.deepEqual(left, []);
    });
  }

  it('cites only articles the regulation has, and has a section for what is paid and for what was chosen', () => {
    for (const id of RULEBOOKS) {
      const articles = json<{ id: string }[]>(`docs/regulations/articles/${id}.json`).map((each) => each.id);
      // A cite may name an article as a whole.
      const known = (cite: string): boolean =>
        ['pre', 'pre.36'].includes(cite) ||
        articles.some((article) => article === cite || article.startsWith(`${cite}.`));
      for (const { sections } of pages(id)) {
        const cites = sections.flatMap(({ items }) => items.flatMap((item) => item.cites));
        assert.deepEqual(
          cites.filter((cite) => !known(cite)),
          [],
          id,
        );
        assert.deepEqual(
          ['game', 'cards', 'bets', 'payoffs', 'errors', 'options'].filter(
            (section) => !sections.some((each) => each.id === section),
          ),
          [],
          id,
        );
      }
    }
  });

  it('shows every option once, the chosen ones first, with what the house chose', () => {
    for (const id of RULEBOOKS) {
      const { sections } = pageOf(id, { decks: 6, ...(id === 'portugal-blackjack' ? { decks: 4 } : {}) })!;
      const options = sections.find((section) => section.id === 'options')!.items.map((item) => item.option!);
      assert.deepEqual(
        options.map((option) => option.id).sort(),
        rulebookOf(id)!
          .options.map((spec) => spec.id)
          .sort(),
      );
      const firstDefault = options.findIndex((option) => option.isDefault);
      assert.ok(options.slice(firstDefault).every((option) => option.isDefault));
    }
    const { sections } = pageOf('portugal-blackjack', { jackpot: JACKPOT })!;
    const options = sections.at(-1)!.items.map((item) => item.option!);
    assert.deepEqual(
      options.slice(0, 7).map((option) => [option.id, option.default, option.isDefault]),
      [
        ['jackpot', null, false],
        ['jackpot.stake', undefined, false],
        ['jackpot.increment', undefined, false],
        ['jackpot.seed', null, false],
        ['jackpot.cards', 4, true],
        ['jackpot.pays', undefined, false],
        ['jackpot.marking', 'automatic', true],
      ],
    );
  });

  it('an option is as by default where it has that value, follows another option or is the least bet of r.14', () => {
    const M09 = 'macau-blackjack-2009';
    const cases: readonly (readonly [RulebookId, Readonly<Record<string, OptionValue>>, string, boolean])[] =
      [
        ['portugal-blackjack', {}, 'step', true],
        ['portugal-blackjack', {}, 'maxHands', true],
        [M09, { step: 100 }, 'step', false],
        [M09, { sideBetMin: 100 }, 'sideBetMin', false],
        [M09, {}, 'maxHands', true],
        [M09, { dealing: 'holeCard' }, 'maxHands', true],
        [M09, { maxHands: 5 }, 'maxHands', false],
      ];
    for (const [id, options, name, isDefault] of cases) {
      const items = pageOf(id, options)!
        .sections.at(-1)!
        .items.map((item) => item.option!);
      assert.equal(items.find((option) => option.id === name)?.isDefault, isDefault, `${id} ${name}`);
    }
  });

  it('has no section without a statement, and no regulation that no game has', () => {
    const sections = pageOf('macau-casino-war', {})!.sections.map(({ id }) => id);
    assert.deepEqual(sections, ['game', 'cards', 'bets', 'deal', 'play', 'payoffs', 'errors', 'options']);
    const none = 'macau-roulette' as RulebookId;
    assert.deepEqual([bookOf(none), rulesPage(none, {}), validateOptions(none, {}).ok], [null, null, false]);
  });
});

const shown = ({ text, value, notes, cites }: ReturnType<RulesWriter['page']>['sections'][0]['rows'][0]) =>
  [text, value ?? '', ...notes, cites].join(' ');

describe('what a page says', () => {
  const rows = (
    id: RulebookId,
    language: Language,
    section: string,
    options: Readonly<Record<string, OptionValue>> = {},
  ): string[] =>
    writerOf(language, id)
      .page(pageOf(id, options)!)
      .sections.find((each) => each.id === section)!
      .rows.map(shown);
  const some = (texts: readonly string[], pattern: RegExp): void =>
    assert.ok(
      texts.some((text) => pattern.test(text)),
      `${pattern} in ${texts.join('\n')}`,
    );

  it('art. 10.2 black jack pays 3 to 2, in Chinese as the felt says it', () => {
    some(rows('macau-blackjack-2009', 'en', 'payoffs'), /^Black Jack 3 to 2 +Article 10\(2\)/);
    some(rows('macau-blackjack-2009', 'pt', 'payoffs'), /3 para 2 +artigo 10\.º, n\.º 2/);
    some(rows('macau-blackjack-2009', 'zh-Hant', 'payoffs'), /1 賠 1\.5 +第十條第二款/);
  });

  it('art. 21.2 without surrender there is neither the decision nor its price', () => {
    const off = { surrender: false };
    some(rows('macau-blackjack-2009', 'en', 'play', off), /no surrender at this table .*Article 21\(2\)/);
    assert.ok(!rows('macau-blackjack-2009', 'en', 'payoffs', off).some((row) => row.startsWith('Surrender')));
    some(rows('macau-blackjack-2009', 'en', 'payoffs'), /^Surrender loses half/);
  });

  it('art. 13 a side bet that is not offered has no price', () => {
    const only = { sideBets: ['anyPair'] };
    const paid = rows('macau-blackjack-2009', 'en', 'payoffs', only);
    some(paid, /^Any pair 11 to 1 +Article 14\(1\)/);
    assert.ok(!paid.some((row) => /sevens of|Over 13|streak/i.test(row)));
  });

  it('art. 18 Bacará pays 1 to 1 less 5% with commission, and half on a Banker six without', () => {
    some(rows('macau-baccarat', 'zh-Hant', 'payoffs'), /^莊 1 賠 1，減佣金 5% +第十八條第一款/);
    const free = { commission: 'none-banker-six-half' };
    some(rows('macau-baccarat', 'en', 'payoffs', free), /^Banker with 6 points 1 to 2 +Article 18\(2\)/);
  });

  it('r.43, r.50.a each prize of the jackpot, the top one with what is left of the meter', () => {
    const paid = rows('portugal-blackjack', 'en', 'payoffs', { jackpot: JACKPOT });
    some(paid, /^Jackpot: 4 cards A of one suit what is left of the meter +Rule 43; Rule 50\(a\)/);
    some(paid, /^Jackpot: 4 cards 10 1\/10 of the meter/);
    some(paid, /^Jackpot: 3 cards 7 of one suit 500 to 1/);
  });

  it('what happens to a fraction of a minor unit stands on the page in every language, whatever was chosen', () => {
    const has = (all: readonly string[], text: string): void =>
      assert.ok(
        all.some((row) => row.includes(text)),
        `${text} in ${all.join('\n')}`,
      );
    for (const language of LANGUAGES) {
      const bacara = writerOf(language, 'macau-baccarat');
      // 5 % of 10, half of 15 on a Banker six.
      for (const commissionRounding of ['down', 'up'])
        for (const halfRounding of ['down', 'up'])
          for (const [option, value] of Object.entries({ commissionRounding, halfRounding }))
            has(
              rows('macau-baccarat', language, 'options', { commissionRounding, halfRounding }),
              `${bacara.text(`option.${option}.name`)} ${bacara.option(option, value)}`,
            );
      has(rows('macau-baccarat', language, 'extra'), bacara.text('baccarat.rounding.down-up'));
      // 3:2 of 25, half of 15: stakes are laid in even steps, so that there is no fraction.
      for (const id of ['macau-blackjack-2004', 'macau-blackjack-2009', 'macau-casino-war'] as const) {
        has(rows(id, language, 'bets', { step: 50_000 }), writerOf(language, id).amount(50_000));
        assert.notEqual(pageOf(id, { step: 2_502, min: 2_502 }), null, id);
        assert.equal(pageOf(id, { step: 2_501, min: 2_501 }), null, id);
      }
      has(
        rows('portugal-blackjack', language, 'bets'),
        writerOf(language, 'portugal-blackjack').amount(1_000),
      );
      assert.notEqual(pageOf('portugal-blackjack', { min: 2_502, max: 25_020 }), null);
      assert.equal(pageOf('portugal-blackjack', { min: 2_501, max: 25_010 }), null);
      // Shares of a meter.
      has(
        rows('portugal-blackjack', language, 'extra', { jackpot: JACKPOT }),
        writerOf(language, 'portugal-blackjack').text('blackjack.jackpotRounding'),
      );
    }
  });

  it('an option that needs permission says so', () => {
    some(
      rows('macau-blackjack-2009', 'en', 'options', { decks: 8 }),
      /^Number of decks 8 chosen by the house \(default: 6\) needs prior authorisation: Article 21\(1\) Article 1\(2\)/,
    );
  });

  it('art. 21.3 side bets with a permission of their own say it too; a default of the third procedure is one', () => {
    const options = rows('macau-blackjack-2009', 'en', 'options', { sideBets: ['anyPair', 'streak2'] });
    some(
      options,
      /^Side bets any pair, Winning Streak 2 .* authorisation: Article 21\(1\); Article 21\(3\) /,
    );
    some(
      rows('macau-blackjack-2009', 'en', 'options', { dealing: 'holeCard' }),
      /^Hands by splitting, at most 5 default/,
    );
  });

  it('amounts have the currency, the grouping of the language, and decimals only where there are any', () => {
    const writer = (language: Language) => writerOf(language, 'macau-baccarat');
    assert.equal(writer('en').amount(1_234_567_00), 'MOP 1,234,567');
    assert.equal(writer('pt').amount(1_234_50).replaceAll(/\s/g, ' '), 'MOP 1 234,50');
    assert.equal(writerOf('en', 'macau-baccarat', new Set(), null).amount(1_234_50), '1,234.50');
  });

  it('what an option may be is said by its kind', () => {
    const legal = (id: RulebookId, option: string): string =>
      writerOf('en', id).legal(option, rulebookOf(id)!.options.find((spec) => spec.id === option)!.legal);
    const M09 = 'macau-blackjack-2009';
    assert.equal(legal(M09, 'decks'), '1 to 12');
    assert.equal(legal(M09, 'seatsPerPlayer'), '1 to 12 / no limit');
    assert.equal(legal(M09, 'step'), 'MOP 0.02 to MOP 10,000,000,000, multiples of MOP 0.02');
    assert.match(legal(M09, 'sideBets'), /^any of: any pair, sevens, /);
    assert.match(legal(M09, 'doubleOn'), /^at least one of: first two cards, /);
    assert.equal(legal('portugal-blackjack', 'sideBets'), 'none');
  });

  it('a permission that lets an article be left out is another than one to choose, and many options need none', () => {
    const notes = (option: string, options: Readonly<Record<string, OptionValue>>): string[] => {
      const { items } = pageOf('macau-blackjack-2009', options)!.sections.at(-1)!;
      const found = items.find((item) => item.option!.id === option)!.option!;
      return writerOf('en', 'macau-blackjack-2009').notes(found);
    };
    assert.deepEqual(notes('surrender', { surrender: false }), [
      'chosen by the house (default: offered)',
      'may be left out only with prior authorisation: Article 21(2)',
    ]);
    assert.deepEqual(notes('surrenderWindow', {}), ['default']);
  });

  it('the wording of a day: the same, another, or one that was not looked for', () => {
    const on = (day: string): string[] => writerOf('en', 'macau-blackjack-2009').wordingOn(day).verdict;
    const known = 'no change was known that the text that is played lacks.';
    assert.deepEqual(on('2009-03-29'), ['On March 29, 2009 these rules had not been made.']);
    assert.deepEqual(on('2009-04-01'), [`On April 1, 2009 ${known}`]);
    assert.deepEqual(on('2026-01-01'), [
      `On January 1, 2026 ${known}`,
      'Changes after April 2018 were not looked for: this does not say that the wording is in force.',
    ]);
  });

  it('options that are not complete give no page of half sentences', () => {
    assert.equal(optionsInForce(rulebookOf('macau-casino-war')!.options, {})[0]!.value, null);
    assert.throws(
      () => writerOf('en', 'macau-casino-war').text('casino-war.nothing'),
      /no text 'casino-war.nothing'/,
    );
    assert.throws(() => writerOf('en', 'macau-casino-war').text('common.limits'), /lacks 'min'/);
  });
});
