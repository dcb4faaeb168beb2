/**
 * Random rounds of one rulebook, played through the live engine and through the auditor side by
 * side: random lawful options, bets, cards, decisions, errors of the dealer and illegal wishes.
 * Whatever the two see differently is a disagreement.
 */
import type { OptionValue } from '../../engine/table/profile.ts';
import type { AuditedRulebook } from '../../reader/auditor.ts';
import { Disagreed } from './disagreed.ts';
import { randomOf } from './random.ts';
import { Sitting } from './sitting.ts';

interface Disagreement {
  readonly round: number;
  readonly what: string;
  readonly engine: unknown;
  readonly auditor: unknown;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** What had happened in the round before and in this one. */
  readonly before: readonly string[];
  readonly story: readonly string[];
}

export interface RandomReport {
  readonly rulebook: string;
  readonly seed: number;
  readonly rounds: number;
  readonly voided: number;
  /** Settlement lines that were compared. */
  readonly lines: number;
  /** Refused bets and acts that were compared. */
  readonly refusals: number;
  /**
   * How often each bet was settled, each act accepted, each code given: what the play has reached.
   */
  readonly reached: Readonly<Record<string, number>>;
  readonly disagreements: readonly Disagreement[];
}

const ROUNDS_OF_A_SITTING = 40;
/**
 * @param rounds rounds to settle or void
 * @param seed the same seed plays the same rounds
 * @param most disagreements after which it ends
 */
export function playRandomly(audited: AuditedRulebook, rounds: number, seed: number, most = 5): RandomReport {
  const random = randomOf(seed);
  const report = {
    rulebook: audited.rulebook,
    seed,
    rounds: 0,
    voided: 0,
    lines: 0,
    refusals: 0,
    reached: {} as Record<string, number>,
    disagreements: [] as Disagreement[],
  };
  while (report.rounds < rounds && report.disagreements.length < most) {
    const sitting = new Sitting(audited, random);
    try {
      sitting.open();
      while (sitting.rounds < ROUNDS_OF_A_SITTING && report.rounds + sitting.rounds < rounds) sitting.step();
      sitting.checkPlainData();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const found =
        error instanceof Disagreed
          ? error.found
          : { what: error.stack ?? error.message, engine: null, auditor: null };
      const { options, before, story } = sitting;
      report.disagreements.push({
        round: report.rounds + sitting.rounds + 1,
        ...found,
        options,
        before,
        story,
      });
    }
    report.rounds += sitting.rounds;
    report.voided += sitting.voided;
    report.lines += sitting.lines;
    report.refusals += sitting.refusals;
    for (const [name, count] of Object.entries(sitting.reached))
      report.reached[name] = (report.reached[name] ?? 0) + count;
  }
  return report;
}
