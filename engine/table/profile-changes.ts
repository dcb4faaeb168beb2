import { isSame } from '../core/same.ts';
import type { OptionValue, TableProfile } from './profile.ts';

/** One thing that another profile has otherwise; null = it is not there. */
export interface ProfileChange {
  /** As in `options.dealerHitsSoft17`. */
  readonly place: string;
  readonly from: OptionValue;
  readonly to: OptionValue;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Every place at which two profiles differ, in the order of their names. Lists are compared as
 * wholes.
 */
export const profileChanges = (before: TableProfile, after: TableProfile): ProfileChange[] =>
  differences('', before, after);

function differences(under: string, before: object, after: object): ProfileChange[] {
  const [old, now] = [before, after] as readonly Record<string, unknown>[];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name): ProfileChange[] => {
    const [from, to] = [old?.[name] ?? null, now?.[name] ?? null];
    const place = `${under}${name}`;
    if (isSame(from, to)) return [];
    return isPlain(from) && isPlain(to)
      ? differences(`${place}.`, from, to)
      : [{ place, from: from as OptionValue, to: to as OptionValue }];
  });
}
