/**
 * Reads a round as it was played: the facts go through the articles once more, and what they make
 * of every bet is the answer: whether it might lie, who draws, who may decide what, what it costs.
 */
import type { AuditedLine, Auditor, Due } from './auditor.ts';
import type { Fact, Question, ReadLine, Reply } from './form.ts';
import { brokenTerm } from './legal.ts';
import { modelOf } from './models.ts';

/** A round that the articles do not know. */
class Impossible extends Error {}

export function read(question: Question): Reply {
  const { id, ask, facts, rulebook, options } = question;
  try {
    const model = modelOf(question);
    if (model === null) return { id, cannot: `no articles of ${question.rulebook} are read here` };
    const broken = Object.keys(options).length > 0 ? brokenTerm(rulebook, options) : null;
    if (broken !== null) return { id, cannot: `${broken} knows no table with these options` };
    model.openRound();
    for (const fact of facts) take(model, fact);
    const lines = ask === 'settled' ? model.lines() : (model.paidAtOnce?.() ?? []);
    if (lines === null) return { id, cannot: `the round is not over: ${textOf(model.due())}` };
    const { streak = null, jackpot = null } = model.after();
    return { id, lines: summed(lines).map(lineOf), after: { streaks: streak, jackpot } };
  } catch (error) {
    if (error instanceof Impossible) return { id, cannot: error.message };
    // The models end with an error at a card that nobody is due.
    return { id, cannot: `the facts make no round: ${(error as Error).message}`.slice(0, 400) };
  }
}

function take(model: Auditor, fact: Fact): void {
  if ('bets' in fact) {
    const unlawful = model.lay(fact.bets, fact.left ?? []);
    if (unlawful) {
      const { seat, by, bet, amount } = unlawful.bet;
      throw new Impossible(`${bet} ${amount} on seat ${seat} by ${by}: ${unlawful.reasons.join(' ')}`);
    }
    const refused = model.closeBets();
    if (refused) throw new Impossible(`the bets cannot be closed: seat ${refused.seat} ${refused.code}`);
  } else if ('card' in fact) {
    burnWhatIsDue(model);
    const due = model.due();
    const place = fact.to === 'seat' ? `seat ${fact.seat} hand ${fact.hand}` : fact.to;
    if (textOf(due) !== place)
      throw new Impossible(`${fact.card} went to ${place}, and ${textOf(due)} is due`);
    model.card(fact.card);
  } else if ('act' in fact) {
    const { act, hand: asked, ...more } = fact;
    const { seat, by } = more;
    const hand = asked ?? handAsked(model.due(), seat);
    const refused = model.act({ do: act, hand, ...more });
    if (refused.length > 0)
      throw new Impossible(`seat ${seat} hand ${hand} by ${by} ${act}: ${refused.join(' ')}`);
  } else if ('swap' in fact) {
    const [from, to] = fact.swap;
    const place = fact.place === undefined ? {} : { place: fact.place };
    const refused = model.deed({ do: 'assignCard', from, to, ...place });
    if (refused.length > 0) throw new Impossible(`swap ${from} ${to}: ${refused.join(' ')}`);
  } else if ('takenBack' in fact) {
    const at = fact.takenBack === 'bank' ? {} : fact.takenBack;
    const refused = model.deed({ do: 'takeBack', ...at });
    if (refused.length > 0) throw new Impossible(`a card taken back: ${refused.join(' ')}`);
  } else {
    const refused = model.deed({ do: 'burnExposed' });
    if (refused.length > 0) throw new Impossible(`the bank's second card replaced: ${refused.join(' ')}`);
  }
}

/** Burnt cards decide nothing, and nobody has seen them. */
function burnWhatIsDue(model: Auditor): void {
  while (model.due().to === 'burn') model.card('');
}

const handAsked = (due: Due, seat: number): number =>
  due.to === 'decision' && due.seat === seat ? due.hand : 0;

function textOf(due: Due): string {
  switch (due.to) {
    case 'seat':
      return `seat ${due.seat} hand ${due.hand}`;
    case 'decision':
      return `a decision of seat ${due.seat} hand ${due.hand}`;
    case 'offers':
      return `an answer of seats ${due.seats.join(' ')}`;
    case 'over':
      return 'nothing';
    default:
      return due.to;
  }
}

/** Several prizes of one bet are one line with their sum, as in the vectors. */
export function summed(lines: readonly AuditedLine[]): AuditedLine[] {
  const sums = new Map<string, AuditedLine>();
  for (const line of lines) {
    const key = `${line.seat} ${line.by} ${line.bet} ${line.hand}`;
    sums.set(key, { ...line, net: (sums.get(key)?.net ?? 0) + line.net });
  }
  return [...sums.values()];
}

const lineOf = ({ seat, by, bet, hand, net }: AuditedLine): ReadLine => ({
  seat,
  by,
  bet,
  hand,
  outcome: net > 0 ? 'won' : net < 0 ? 'lost' : 'tied',
  // No minus before a nought.
  net: net === 0 ? 0 : net,
});
