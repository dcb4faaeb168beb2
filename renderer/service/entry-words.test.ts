import assert from 'node:assert/strict';
import { test } from 'node:test';
import zhService from '../../locales/zh-Hant/service.json' with { type: 'json' };
import { formatSecond } from '../texts/clock.ts';
import { LANGUAGES, serviceText, textOfCode } from '../texts/i18n.ts';
import { type How, MEMBERS, OF_KIND, type Unnamed, type Unsaid } from './entry-members.ts';
import { type Said, type SaidMember, sayEntry } from './entry-words.ts';

const MACAU = { rulebook: 'macau-blackjack-2009', currency: 'MOP' } as const;
const PORTUGAL = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;

const textOf = (said: Said): string => {
  if ('words' in said) return said.words;
  if ('code' in said) return said.code;
  if ('cards' in said) return JSON.stringify(said.cards);
  return `[${said.inside.map(linesOf).join(' | ')}]`;
};
const linesOf = (members: readonly SaidMember[]): string =>
  members
    .map(({ label, said }) => `${label} ${textOf(said)}`)
    .join('; ')
    .replaceAll(/[\u00a0\u202f]/g, ' ');
const say = (
  language: (typeof LANGUAGES)[number],
  kind: string,
  body: object,
  table: Parameters<typeof sayEntry>[2]['table'] = MACAU,
): string => linesOf(sayEntry(kind, body, { language, table }));

test('every member of every kind of entry has a label in all three languages, and no label is of none', () => {
  // The types of MEMBERS hold it to the members of the entries: `tsc` fails where a new one is not
  // in there.
  for (const language of LANGUAGES)
    for (const name of Object.keys(MEMBERS)) {
      const label = textOfCode('service', 'member', name, language);
      assert.ok(
        label.trim() !== '' && (label !== name || /^(open|port)$/.test(name)),
        `${language} ${name}: ${label}`,
      );
    }
  assert.deepEqual(Object.keys(zhService.member).sort(), Object.keys(MEMBERS).sort());
});

test('every value of a closed set has a text', () => {
  // `Unsaid` names what has none; this line does not compile then.
  const nothing: [Unsaid] extends [never] ? true : Unsaid = true;
  assert.ok(nothing);
  // `Unnamed` names an event whose row leads to no text.
  const named: [Unnamed] extends [never] ? true : Unnamed = true;
  assert.ok(named);
  const groups = [...Object.values<How>(MEMBERS), ...Object.values<How>(OF_KIND)].flatMap((how) =>
    typeof how === 'object' ? how.groups : [],
  );
  for (const group of new Set(groups)) assert.match(group, /^(table|service):[\w.]+$/);
});

test('a bet is seat, bettor, name and money of the table', () => {
  const body = {
    type: 'bet-placed',
    atMs: 1,
    batch: 4,
    seat: 3,
    by: 3,
    bet: 'main',
    currency: 'MOP',
    amountMinor: 150_000,
    touchedAtMs: 1_764_000_000_000,
  };
  assert.equal(
    say('en', 'bet-placed', body),
    `Seat 3; Bettor (seat) 3; Bet Main bet; Amount MOP 1,500.00; Touched at ${formatSecond(body.touchedAtMs, 'MOP', 'en')}; Touch no. 4`,
  );
  assert.match(say('pt', 'bet-placed', body), /Lugar 3; .*Aposta Aposta inicial; Valor MOP 1 500,00/);
  assert.match(say('zh-Hant', 'bet-placed', body), /座位 3; .*投注種類 原注; 金額 MOP 1,500\.00/);
});

test('a settled line is outcome, odds, amounts and article', () => {
  const line = {
    seat: 2,
    by: 2,
    bet: 'main',
    hand: 0,
    outcome: 'blackjack',
    stakeMinor: 10_000,
    odds: [3, 2],
    returnedMinor: 25_000,
    netMinor: 15_000,
    cites: ['art.10.2'],
  };
  const said = say(
    'pt',
    'round-settled',
    {
      currency: 'EUR',
      lines: [line],
      deadline: { kind: 'results', atMs: 0, totalMs: 8_000, seat: null, hand: null },
    },
    MACAU,
  );
  assert.match(
    said,
    /Liquidação \[.*Mão 1; .*Resultado Black Jack; Apostado 100,00\s€; Pagamento 3:2; .*Líquido \+150,00\s€; Artigos artigo 10\.º, n\.º 2\]/,
  );
  assert.match(said, /Prazo \[.*Tipo resultados; .*Duração 8 s/);
});

test('persons, reasons and what is nobody’s', () => {
  const person = { id: 'p1', name: 'Ana', role: 'supervisor' };
  assert.match(
    say('zh-Hant', 'round-voided', { reason: 'misdeal', person, lines: [] }),
    /理由 派牌錯誤; 人員 Ana（主管）/,
  );
  assert.match(
    say('en', 'hand-paid', { seat: 1, amountMinor: 5, person, second: null }),
    /Person Ana \(Supervisor\); Second person —/,
  );
  assert.match(say('en', 'held-note-resolved', { outcome: 'returned' }), /handed back/);
  assert.match(say('en', 'note-held', { why: 'no-word' }), /no word from the device/);
});

test('options of a changed table by the names of the rules pages', () => {
  const changes = [
    { place: 'options.decks', from: 6, to: 8 },
    { place: 'timing.bettingMs', from: 20_000, to: 15_000 },
  ];
  const said = say('en', 'table-configured', {
    person: null,
    changes,
    rules: { decks: 8 },
    profile: PORTUGAL,
  });
  assert.match(said, /From 6; To 8/);
  assert.match(said, /From 20 s; To 15 s/);
  assert.doesNotMatch(said, /options\.decks/);
});

test('an entry of another version is read too: no braces, whatever is in it', () => {
  const body = {
    newTotalMinor: 12_300,
    wholeNewThing: { insideMs: 4_000, list: [{ a: 1 }, 'b'] },
    why: { deep: true },
    seat: [1, 2],
    cites: [],
    card: null,
    lines: 7,
  };
  for (const language of LANGUAGES) {
    const said = say(language, 'of-a-later-version', body);
    assert.doesNotMatch(said, /[{}]/);
  }
  const said = say('en', 'of-a-later-version', body);
  assert.match(said, /new total MOP 123\.00/);
  assert.match(said, /whole new thing \[inside 4 s; list \[a 1 \| {2}b\]\]/);
  assert.equal(sayEntry('x', null, { language: 'en', table: MACAU }).length, 1);
  assert.equal(serviceText('en')('none'), '—');
});
