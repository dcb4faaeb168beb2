import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { AuditedAct, AuditedBet, AuditedDeed, AuditedRulebook, Auditor } from '../../reader/auditor.ts';
import { baccarat } from '../../reader/baccarat.ts';
import { casinoWar } from '../../reader/casino-war.ts';

interface Round {
  readonly bets: readonly AuditedBet[];
  readonly shoe: readonly string[];
  readonly acts: readonly (AuditedAct | (Omit<AuditedDeed, 'do'> & { readonly dealer: string }))[];
  readonly expect: {
    readonly outcomes: readonly (Omit<AuditedBet, 'amount'> & {
      readonly hand?: number;
      readonly net: number;
    })[];
    readonly dealer?: readonly string[];
    readonly player?: readonly string[];
    readonly hands?: Readonly<Record<string, readonly (readonly string[])[]>>;
    readonly rejects?: readonly { readonly at: number; readonly code: string }[];
    readonly rejectBets?: readonly { readonly at: number; readonly code: string }[];
    readonly burnedCount?: number;
    readonly after?: { readonly shoeEnded?: boolean };
  };
}
interface Vector {
  readonly id: string;
  readonly rulebook: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly rounds: readonly Round[];
}

const FOLDER = new URL('../data/vectors/', import.meta.url);
const vectors = ['vectors-portugal-war-baccarat', 'vectors-authorised-bets'].flatMap(
  (name) =>
    (JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as { vectors: readonly Vector[] })
      .vectors,
);

/**
 * Plays one round of a vector; what is compared is the whole of `expect` that these two games can
 * have.
 */
function playRound(model: Auditor, { bets, shoe, acts, expect }: Round): void {
  const left = [...shoe];
  const drawn = (): string => {
    while (left[0] === 'CUT') {
      left.shift();
      model.endCard();
    }
    return left.shift() ?? assert.fail('the shoe of the vector is too short');
  };
  const rejects: { at: number; code: string }[] = [];
  const note = (list: { at: number; code: string }[], at: number, refusals: readonly string[]): void => {
    if (refusals.length > 0) list.push({ at, code: refusals[0]! });
  };

  model.openRound();
  while (model.due().to === 'burn') model.card(drawn());
  const rejectBets: { at: number; code: string }[] = [];
  for (const [at, bet] of bets.entries()) note(rejectBets, at, model.bet(bet));

  const waiting = [...acts.entries()];
  const demo = waiting[0]?.[1];
  if (demo && 'dealer' in demo && demo.dealer === 'demo')
    note(rejects, waiting.shift()![0], model.deed({ do: 'demo' }));
  else assert.equal(model.closeBets(), null);

  for (let due = model.due(); due.to !== 'over'; due = model.due()) {
    const [at, next] = waiting[0] ?? [];
    if (next && 'dealer' in next) {
      // The last card of the deal decides a round: an error of the deal is found before it lies
      // there.
      if (next.dealer === 'voidRound' && left.length > 1) {
        model.card(drawn());
        continue;
      }
      if (next.dealer === 'voidRound') drawn();
      note(rejects, at!, model.deed({ ...next, do: next.dealer }));
      waiting.shift();
    } else if (due.to === 'decision') {
      if (next) {
        note(rejects, at!, model.act(next));
        waiting.shift();
      } else assert.deepEqual(model.act({ seat: due.seat, hand: 0, do: 'playOn' }), []);
    } else model.card(drawn());
  }
  for (const [at, act] of waiting)
    note(rejects, at, 'dealer' in act ? model.deed({ ...act, do: act.dealer }) : model.act(act));

  assert.deepEqual(left, [], 'cards of the vector that were not used');
  const text = (line: { seat: number; by: number; bet: string; net: number }): string =>
    `seat ${line.seat} by ${line.by} ${line.bet} ${line.net}`;
  assert.deepEqual((model.lines() ?? []).map(text).sort(), expect.outcomes.map(text).sort());
  assert.deepEqual(rejects, expect.rejects ?? []);
  assert.deepEqual(rejectBets, expect.rejectBets ?? []);
  if (expect.dealer) assert.deepEqual(model.bank(), expect.dealer);
  if (expect.player) assert.deepEqual(model.player!(), expect.player);
  if (expect.hands) assert.deepEqual(model.hands(), expect.hands);
  if (expect.burnedCount !== undefined) assert.equal(model.burned().length, expect.burnedCount);
  if (expect.after?.shoeEnded !== undefined) assert.equal(model.after().shoeEnded, expect.after.shoeEnded);
}

function playVectors(rulebook: AuditedRulebook): void {
  const mine = vectors.filter((vector) => vector.rulebook === rulebook.rulebook);
  assert.notEqual(mine.length, 0);
  for (const { id, options = {}, rounds } of mine) {
    const model = rulebook.model(options, 7);
    // Vectors begin with an open shoe unless an option speaks of its opening.
    if ('burn' in options) model.newShoe();
    for (const [index, round] of rounds.entries())
      try {
        playRound(model, round);
      } catch (error) {
        throw new Error(`${id}, round ${index}: ${(error as Error).message}`, { cause: error });
      }
  }
}

test('the auditor of Bacará agrees with every conformance vector', () => playVectors(baccarat));
test('the auditor of «Desafio ao Casino» agrees with every conformance vector', () => playVectors(casinoWar));
