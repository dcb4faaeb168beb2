/** What bytes say, and whether they say a card. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Card } from '../../engine/core/cards.ts';
import type { FaceDown } from './hidden-round.ts';

export type Bytes = ReadonlyMap<string, Buffer>;

/** A card as an entry says it: plain, as a text inside of JSON, and in HTML. */
const textsOf = (card: Card): string[] =>
  ['card', 'read'].flatMap((name) =>
    [',', '}'].flatMap((end) =>
      ['"', '\\"', '&quot;', '""'].map((quote) => `${quote}${name}${quote}:${card}${end}`),
    ),
  );

/**
 * Nothing that has left holds the card as entries write it, or what the shoe said when it gave the
 * card.
 */
export function assertSilent(bytes: Bytes, { data }: Pick<FaceDown, 'data'>, hidden: Card): void {
  assertUnsaid(bytes, hidden, frames(data).slice(-1));
  const names = [...bytes.keys()];
  for (const wanted of ['file ledger.db', 'file copy/', 'file exports/', 'wire to the centre'])
    assert.ok(
      names.some((each) => each.startsWith(wanted)),
      `${wanted} was searched: ${names.join(', ')}`,
    );
  assert.ok(!names.some((each) => /recordings\/shoe/.test(each)), 'the shoe is not recorded meanwhile');
}

/** What the shoe has said of each of its events, from the first one. */
export const frames = (data: string): readonly string[] =>
  (JSON.parse(readFileSync(join(data, 'devices.json'), 'utf8')) as { shoe: { journal: readonly string[] } })
    .shoe.journal;

/** Neither the card as entries write it, nor these frames of the shoe. */
export function assertUnsaid(bytes: Bytes, hidden: Card, framesOfIt: readonly string[]): void {
  for (const [where, said] of bytes) {
    for (const text of textsOf(hidden)) assert.ok(!said.includes(text), `${where}: ${text}`);
    for (const frame of framesOfIt)
      for (const each of [frame, frame.toUpperCase(), spaced(frame), Buffer.from(frame, 'hex')])
        assert.ok(!said.includes(each), `${where}: the shoe's own frame`);
  }
}

/** As pages and recordings write bytes. */
export const spaced = (hex: string): string => hex.replace(/..(?=.)/g, '$& ');

// ---- two cards, the same bytes ----

/**
 * Times, numbers of entries, of which there is one more when a device speaks first, and how often
 * one said the same.
 */
const RUNS_ON = /^(?:ms|\w*Ms|\w*[sS]eq|entries|count|lag|bytes|headSeq|port|pid|kept|times|n|needBytes)$/;
/** Which acceptor spoke first. */
const SPEAKS = /^"(?:unit:|notes:)?acceptor-\d/;
const MOMENT = /\d{4}-\d{2}-\d{2}T[\d:-]+(?:\.\d+)?Z?/g;
/** The centre's own figures, those of its program among them, and clock. */
const FIGURES = /^centre \/(?:metrics|terminals\/[\w-]+)?$/;

/**
 * Everything that is said under a name, and every word: what a card changes, changes one of them.
 */
export function saidIn(bytes: Bytes): Set<string> {
  const said = new Set<string>();
  for (const [where, content] of bytes) {
    const kind = where.replace(MOMENT, 'time').replace(/[0-9a-f-]{36}|\d{6,}/g, 'id');
    const text = content.toString('latin1').replaceAll(/\\+"|&quot;|""/g, '"');
    for (const [, name, value] of text.matchAll(
      /"(\w+)":("[^"]{0,200}"|-?[\d.]+|null|true|false|\[[-\d,."\w]*\])/g,
    ))
      if (!(RUNS_ON.test(name!) && /^"?[-\d.]+"?$/.test(value!)) && !SPEAKS.test(value!))
        said.add(`${kind} | ${name}=${value}`);
    if (/log|centre \//.test(where))
      for (const [word] of text.replaceAll(MOMENT, '').matchAll(/\w{1,60}/g))
        if (!(FIGURES.test(where) && /^(?:\d+$|nodejs_)/.test(word))) said.add(`${kind} | ${word}`);
  }
  return said;
}

export type Said = ReadonlySet<string>;

/**
 * What each time was said with the one card, and never with the other: by chance it is not said in
 * the next rounds.
 */
const tells = (one: readonly Said[], other: readonly Said[]): string[] =>
  [
    [one, other],
    [other, one],
  ].flatMap(([these, those]) =>
    [...these![0]!].filter(
      (each) => these!.every((said) => said.has(each)) && !those!.some((said) => said.has(each)),
    ),
  );

/** Two of each card: what differs between two rounds alone is all that is new in either. */
const LEAST_ROUNDS = 4;
const MOST_ROUNDS = 16;

/**
 * Plays a round with the one card and one with the other, until nothing is left that was said with
 * one alone before the card was turned. Afterwards the card is found in `where`: the search finds
 * what is there.
 */
export async function assertAlike(
  t: TestContext,
  cards: readonly [string, string],
  played: (card: string) => Promise<{ readonly before: Said; readonly after: Said }>,
  where = ['display table', 'answers', 'wire to the centre', 'file ledger.db', 'file copy/'],
): Promise<void> {
  const before: Said[][] = [[], []];
  const after: Said[][] = [[], []];
  for (let rounds = 1; ; rounds++) {
    const i = (rounds - 1) % cards.length;
    const said = await played(cards[i]!);
    before[i]!.push(said.before);
    after[i]!.push(said.after);
    if (rounds < LEAST_ROUNDS) continue;
    const told = tells(before[0]!, before[1]!);
    t.diagnostic(`${rounds} rounds: ${before[0]![0]!.size} things said, ${told.length} with one card alone`);
    if (told.length === 0) break;
    for (const each of told.slice(0, 8)) t.diagnostic(each);
    assert.ok(rounds < MOST_ROUNDS, `these tell ${cards.join(' from ')}:\n${told.slice(0, 40).join('\n')}`);
  }
  const open = tells(after[0]!, after[1]!);
  for (const each of where)
    assert.ok(
      open.some((said) => said.startsWith(each)),
      `${each}: a card that is turned is found: ${open.slice(0, 20).join('\n')}`,
    );
}
