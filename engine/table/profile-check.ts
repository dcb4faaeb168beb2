import { CURRENCIES } from '../core/money.ts';
import { type AuthorisationProblem, unauthorisedChoices } from '../rules/authorisation.ts';
import type { TableRules } from '../rules/rulebook.ts';
import { rulebookOf, validateOptions } from '../rules/rulebook.ts';
import type { Authorisation, TableProfile } from './profile.ts';

/** One reason for which a profile cannot come into force, however empty the table is. */
export interface ProfileProblem {
  /** Field of the profile, or option of its rulebook. */
  readonly place: string;
  /** '' = no article says so. */
  readonly article: string;
  readonly why: 'malformed' | 'illegal' | AuthorisationProblem['why'];
  readonly message: string;
  /**
   * Of an authorisation that does not cover the choice; null = there is none, or none is asked for.
   */
  readonly record: Authorisation | null;
}

export type ProfileChecked =
  | { readonly ok: true; readonly rules: TableRules }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

/**
 * Checks a profile against its rulebook and against the authorisations it names, and completes its
 * options.
 * @param atMs milliseconds since 1970, UTC: the moment at which it would come into force
 */
export function checkProfile(profile: TableProfile, atMs: number): ProfileChecked {
  const malformed = (place: string, message: string, article = ''): ProfileChecked => ({
    ok: false,
    problems: [{ place, article, why: 'malformed', message, record: null }],
  });
  const problem = problemOf(profile);
  if (problem !== null) return malformed(problem[0], problem[1]);
  // The seats of the table are an option like any other (art. 1.1).
  const options = { seats: profile.seatCount, ...profile.options };
  const checked = validateOptions(profile.rulebook, options);
  if (!checked.ok) {
    const problems = checked.problems.map(({ option, article, message }): ProfileProblem => {
      return { place: option, article, why: 'illegal', message, record: null };
    });
    return { ok: false, problems };
  }
  if (checked.resolved.seats !== profile.seatCount)
    return malformed('options.seats', 'is not seatCount', 'art.1.1');
  const rulebook = rulebookOf(profile.rulebook)!;
  const unauthorised = unauthorisedChoices(rulebook, options, profile.authorisations ?? [], atMs);
  if (unauthorised.length === 0) return { ok: true, rules: checked.resolved };
  return { ok: false, problems: unauthorised.map(({ option, ...rest }) => ({ place: option, ...rest })) };
}

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** First field of a profile that cannot be, and what is wrong with it; null = it can stand. */
function problemOf(profile: TableProfile): readonly [place: string, message: string] | null {
  if (profile.terminalId === '' || profile.tableName === '') return ['terminalId, tableName', 'empty'];
  if (!CURRENCIES.includes(profile.currency)) return ['currency', String(profile.currency)];
  if (!Number.isInteger(profile.seatCount)) return ['seatCount', String(profile.seatCount)];
  for (const field of ['chipsMinor', 'notesMinor'] as const) {
    const list = profile[field];
    const isRising = list.every((value, i) => isAmount(value) && (i === 0 || value > list[i - 1]!));
    if (list.length === 0 || !isRising) return [field, 'not a rising list of amounts'];
  }
  for (const field of ['maxCreditMinor', 'twoPersonHandPayMinor'] as const) {
    if (!isAmount(profile[field])) return [field, 'not an amount'];
  }
  const { roundMinor, sessionMinor, span } = profile.noteLimits ?? {};
  if (roundMinor !== undefined && !isAmount(roundMinor)) return ['noteLimits.roundMinor', 'not an amount'];
  if (sessionMinor !== undefined && !isAmount(sessionMinor))
    return ['noteLimits.sessionMinor', 'not an amount'];
  if (span !== undefined && !isAmount(span.mostMinor)) return ['noteLimits.span.mostMinor', 'not an amount'];
  if (span !== undefined && !isAmount(span.ms)) return ['noteLimits.span.ms', 'not a number of milliseconds'];
  const { handPaidWinMinor, complaintWindowMs = 0, longSessionMs = 0, offlineMs } = profile;
  if (handPaidWinMinor !== undefined && !isAmount(handPaidWinMinor))
    return ['handPaidWinMinor', 'not an amount'];
  if (complaintWindowMs !== 0 && !isAmount(complaintWindowMs))
    return ['complaintWindowMs', 'not a number of milliseconds'];
  if (longSessionMs !== 0 && !isAmount(longSessionMs))
    return ['longSessionMs', 'not a number of milliseconds'];
  if (offlineMs !== undefined && !isAmount(offlineMs)) return ['offlineMs', 'not a number of milliseconds'];
  for (const field of ['bettingMs', 'offersMs', 'decisionMs'] as const) {
    if (!isAmount(profile.timing[field])) return [`timing.${field}`, 'not a number of milliseconds'];
  }
  const { minConfidence, minResultMs, minRoundMs } = profile.timing;
  // The result stays for its cards anyway; a profile need not add to that.
  if (minResultMs !== 0 && !isAmount(minResultMs))
    return ['timing.minResultMs', 'not a number of milliseconds'];
  if (minRoundMs !== undefined && !isAmount(minRoundMs))
    return ['timing.minRoundMs', 'not a number of milliseconds'];
  const isConfidence = Number.isInteger(minConfidence) && minConfidence >= 0 && minConfidence <= 255;
  return isConfidence ? null : ['timing.minConfidence', 'not 0..255'];
}
