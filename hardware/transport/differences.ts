import { unitsOf } from '../../engine/core/money.ts';

/**
 * Two runs of one driver over the same recording, compared in words: what it told then, what it
 * tells now. What it wrote is compared by the replay itself.
 */
export interface ToldAt {
  readonly ms: number;
  readonly event: unknown;
}

/** A shift in time below this is no news: a driver of another version may ask in another order. */
const SHIFT_MS = 50;

/** One sentence a difference, in the order of time; empty = the two are the same. */
export function differences(then: readonly ToldAt[], now: readonly ToldAt[]): readonly string[] {
  const said: { readonly ms: number; readonly text: string }[] = [];
  const [keysThen, keysNow] = [then.map(keyOf), now.map(keyOf)];
  // The longest run that both tell, in order: length of it from each pair of places on.
  const wide = now.length + 1;
  const common = new Uint32Array((then.length + 1) * wide);
  for (let i = then.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * wide + j] =
        keysThen[i] === keysNow[j]
          ? 1 + common[(i + 1) * wide + j + 1]!
          : Math.max(common[(i + 1) * wide + j]!, common[i * wide + j + 1]!);
  let i = 0;
  let j = 0;
  while (i < then.length || j < now.length) {
    const [before, after] = [then[i], now[j]];
    if (before !== undefined && after !== undefined && keysThen[i] === keysNow[j]) {
      const shift = after.ms - before.ms;
      if (Math.abs(shift) >= SHIFT_MS)
        said.push({
          ms: before.ms,
          text: `${wordsOf(before.event)}: ${Math.abs(shift).toFixed(0)} ms ${shift > 0 ? 'later' : 'earlier'} now`,
        });
      i++;
      j++;
    } else if (
      after === undefined ||
      (before !== undefined && common[(i + 1) * wide + j]! >= common[i * wide + j + 1]!)
    ) {
      said.push({ ms: before!.ms, text: `${wordsOf(before!.event)}: told then, not now` });
      i++;
    } else {
      said.push({ ms: after.ms, text: `${wordsOf(after.event)}: told now, not then` });
      j++;
    }
  }
  return said.map(({ ms, text }) => `at ${(ms / 1000).toFixed(3)} s: ${text}`);
}

const keyOf = ({ event }: ToldAt): string => JSON.stringify(event);

/** 'escrowed, HKD 100.00': an event of a device in one line. */
export function wordsOf(event: unknown): string {
  const { type, ...members } = event as { readonly type: string };
  return [type, ...Object.entries(members).flatMap(([name, value]) => memberWords(name, value))].join(', ');
}

function memberWords(name: string, value: unknown): readonly string[] {
  if (value === null && name === 'note') return ['a note without a value'];
  if (value === null) return [];
  if (name === 'state' || name === 'link' || name === 'reason' || name === 'detail') return [String(value)];
  if (isNote(value)) return [`${value.currency} ${unitsOf(value.valueMinor).toFixed(2)}`];
  if (Array.isArray(value)) return [`${name}: ${value.length}`];
  return [`${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`];
}

const isNote = (value: unknown): value is { readonly currency: string; readonly valueMinor: number } =>
  typeof value === 'object' &&
  value !== null &&
  'valueMinor' in value &&
  typeof value.valueMinor === 'number' &&
  'currency' in value &&
  typeof value.currency === 'string';
