/** The section `speech` of a terminal file. */
import { z } from 'zod';

const seatNumber = z.string().regex(/^([1-9]|1[0-2])$/, 'the number of a seat');

/** As ALSA names it: no configuration in the name, and no path. */
const output = z
  .string()
  .max(80)
  .regex(/^[A-Za-z][A-Za-z0-9_]*(:[A-Za-z0-9_=,]+)?$/, "ALSA's name of an output, as in plughw:CARD=Seat3");

/** Four keys that can be felt: with fewer there is no way through more than four buttons. */
const KEYS = 4;
const key = z.string().regex(/^[A-Z][A-Za-z0-9]{1,20}$/, 'a KeyboardEvent.code as in F13');

export const speechSchema = z.strictObject({
  outputs: z.record(seatNumber, output).exactOptional(),
  keys: z.record(seatNumber, z.array(key).length(KEYS)).exactOptional(),
});

export interface SpeechSettings {
  /** By seat, the output that is its alone; the others speak through the table's. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** By seat, the keys that can be felt, from the left. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
}

/** What the form alone does not show; null = nothing. */
export function speechProblem(
  { outputs = {}, keys = {} }: SpeechSettings,
  seatCount: number,
): { readonly place: string; readonly message: string } | null {
  for (const [place, seats] of [
    ['outputs', outputs],
    ['keys', keys],
  ] as const)
    for (const seat of Object.keys(seats))
      if (Number(seat) > seatCount)
        return { place: `speech.${place}.${seat}`, message: `there are ${seatCount} seats` };
  const owners = new Map<string, string>();
  for (const [seat, codes] of Object.entries(keys))
    for (const code of codes) {
      const owner = owners.get(code);
      if (owner !== undefined)
        return { place: `speech.keys.${seat}`, message: `${code} is a key of seat ${owner} already` };
      owners.set(code, seat);
    }
  return null;
}
