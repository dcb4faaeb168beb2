/**
 * The lines of upsd, the server of Network UPS Tools, as its developer guide has them («Network
 * protocol information», port 3493). Only what a reader of one UPS needs: LIST VAR and its answer.
 */
import type { PowerStatus } from '../ports.ts';
import { joinBytes, type Parsed, type ParserState } from '../transport/bytes.ts';

/** A longer line is none of upsd. */
const MOST_LINE = 1024;

export type NutLine =
  | { readonly type: 'begin'; readonly ups: string }
  | { readonly type: 'var'; readonly ups: string; readonly name: string; readonly value: string }
  | { readonly type: 'end'; readonly ups: string }
  | { readonly type: 'error'; readonly code: string };

export const UPS_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

/**
 * Not a Buffer: a small one is a view of a pool of 64 KiB, and a recording that keeps it would keep
 * the whole pool.
 */
export const encodeList = (ups: string): Uint8Array => new TextEncoder().encode(`LIST VAR ${ups}\n`);

/** Null: no line that is asked for here. */
export function readLine(line: string): NutLine | null {
  const error = /^ERR ([A-Z0-9-]{1,40})(?: .*)?$/.exec(line);
  if (error) return { type: 'error', code: error[1]! };
  const list = /^(BEGIN|END) LIST VAR (\S{1,64})$/.exec(line);
  if (list) return { type: list[1] === 'BEGIN' ? 'begin' : 'end', ups: list[2]! };
  const told = /^VAR (\S{1,64}) ([a-z0-9.]{1,64}) "((?:[^"\\]|\\["\\])*)"$/.exec(line);
  if (!told) return null;
  return { type: 'var', ups: told[1]!, name: told[2]!, value: told[3]!.replaceAll(/\\(["\\])/g, '$1') };
}

/** Whole lines out of what has come. */
export function parse(state: ParserState, chunk: Uint8Array): Parsed<NutLine> {
  let bytes = joinBytes(state.kept, chunk);
  const frames: Parsed<NutLine>['frames'][number][] = [];
  let bad = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10)) {
    const line = bytes.slice(0, at + 1);
    bytes = bytes.subarray(at + 1);
    const frame = readLine(Buffer.from(line).toString('latin1').trimEnd());
    if (frame === null) bad++;
    else frames.push({ frame, bytes: line });
  }
  if (bytes.length > MOST_LINE) {
    bad++;
    bytes = new Uint8Array(0);
  }
  return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
}

const numberOf = (text: string | undefined): number | null => {
  const value = Number(text ?? '');
  return text === undefined || text === '' || !Number.isFinite(value) || value < 0 ? null : Math.round(value);
};

/** Null: it does not say how it is. */
export function statusOf(vars: ReadonlyMap<string, string>): PowerStatus | null {
  const words = new Set((vars.get('ups.status') ?? '').split(' ').filter((word) => word !== ''));
  const isKnown = words.has('OL') || words.has('OB') || words.has('FSD');
  if (!isKnown) return null;
  return {
    onBattery: words.has('OB') || words.has('FSD'),
    // On the mains a low battery only charges.
    // FSD: somebody has ordered the shutdown, and nothing takes it back.
    batteryLow: words.has('FSD') || (words.has('OB') && words.has('LB')),
    replaceBattery: words.has('RB'),
    charge: numberOf(vars.get('battery.charge')),
    runtime: numberOf(vars.get('battery.runtime')),
  };
}
