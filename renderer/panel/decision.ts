import type { Act } from '../../engine/table/inputs.ts';
import type { Choice } from '../../engine/table/steps.ts';

/** What is asked; names the sentence of it. */
export type Question =
  | 'turn'
  | 'insurance'
  | 'insuranceShort'
  | 'evenMoney'
  | 'surrender'
  | 'followSplit'
  | 'followDouble'
  | 'originalOnly'
  | 'anyPair'
  | 'war'
  | 'decide';

/** The lawful choices about one hand, as a panel lays them out. */
export interface Decision {
  readonly question: Question;
  /** A button each, four at most; a player answers with one of them. */
  readonly acts: readonly Choice[];
  readonly insurance: {
    readonly insure: Choice;
    /**
     * The one «no» to it; null = none is needed: whoever answers otherwise goes without, and «no»
     * is only what the chooser stands on.
     */
    readonly no: Choice | null;
  } | null;
  /** To give the hand up in one's turn: asked for twice, for it cannot be undone. */
  readonly surrender: Choice | null;
  /** Their only act is even money, which nobody has asked about: to wait is to touch nothing. */
  readonly mayWait: boolean;
}

const QUESTIONS: readonly (readonly [Act, Question])[] = [
  ['hit', 'turn'],
  ['stand', 'turn'],
  ['evenMoney', 'evenMoney'],
  ['insure', 'insurance'],
  ['declineInsurance', 'insuranceShort'],
  ['surrender', 'surrender'],
  ['followSplit', 'followSplit'],
  ['followDouble', 'followDouble'],
  ['loseOriginalOnly', 'originalOnly'],
  ['betPair', 'anyPair'],
  ['goToWar', 'war'],
  ['surrenderWar', 'war'],
];

/** @param choices of one hand, all of them lawful, in their order */
export function decisionOf(choices: readonly Choice[]): Decision {
  const of = (act: Act): Choice | null => choices.find((choice) => choice.act === act) ?? null;
  const question = QUESTIONS.find(([act]) => of(act) !== null)?.[1] ?? 'decide';
  const insure = of('insure');
  // Their answer on even money and their turn say «no» to insurance by the way.
  const byTheWay = question === 'turn' || question === 'evenMoney';
  const no = byTheWay ? null : (of('declineInsurance') ?? of('playOn'));
  const surrender = question === 'turn' ? of('surrender') : null;
  const acts = choices.filter((choice) => {
    if (choice.act === 'insure' || choice.act === 'declineInsurance') return false;
    // Of two ways to say «no» to insurance one is enough.
    if (choice.act === 'playOn') return insure === null || byTheWay;
    return choice !== surrender;
  });
  return {
    question,
    acts,
    insurance: insure && { insure, no },
    surrender,
    mayWait: acts.length === 1 && acts[0]?.act === 'evenMoney',
  };
}
