import type { Person } from '../../engine/table/inputs.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';

type Matrix = readonly number[];
type TouchSet = Extract<HostEvent, { type: 'touch-set' }>;

const MILLION = 1_000_000;
/** More than all glasses of a table, each set right many times. */
const MOST_LOOKED_AT = 500;

const deviceOf = (role: DisplayRole): string => `display:${role}`;

/** First `before`, then `correction`; both are six of nine numbers of a matrix, in millionths. */
export function after(correction: Matrix, before: Matrix): number[] {
  const [a, b, c, d, e, f] = correction as [number, number, number, number, number, number];
  const [g, h, i, j, k, l] = before as [number, number, number, number, number, number];
  const row = (x: number, y: number, z: number): number[] =>
    [x * g + y * j, x * h + y * k, x * i + y * l + z * MILLION].map((each) => Math.round(each / MILLION));
  return [...row(a, b, c), ...row(d, e, f)];
}

/**
 * Where each display's glass feels a touch. The newest entry for a display is in force; its window
 * gets it at every start and after every change.
 */
export class TouchSettings {
  readonly #o: { readonly terminal: Terminal; readonly report: (line: object) => void };
  readonly #inForce = new Map<string, Matrix | null>();

  constructor(o: { readonly terminal: Terminal; readonly report: (line: object) => void }) {
    this.#o = o;
    const { ledger } = o.terminal;
    for (const { body } of ledger.newest({ beforeSeq: null, limit: MOST_LOOKED_AT, kind: 'touch-set' })) {
      const { device, matrix } = body as TouchSet;
      if (!this.#inForce.has(device)) this.#inForce.set(device, matrix);
    }
  }

  start(): void {
    for (const device of this.#inForce.keys()) this.#tell(device);
  }

  /** @param correction of what is felt now; null = the glass is as it came */
  set(role: DisplayRole, correction: Matrix | null, person: Person, commandId: string): Outcome {
    const device = deviceOf(role);
    const before = this.#inForce.get(device) ?? null;
    const matrix = correction === null || before === null ? correction : after(correction, before);
    const outcome = this.#o.terminal.record({ type: 'touch-set', device, matrix, person }, commandId);
    if (outcome.status !== 'done') return outcome;
    this.#inForce.set(device, matrix);
    this.#tell(device);
    return outcome;
  }

  #tell(device: string): void {
    const role = device.slice('display:'.length);
    this.#o.report({ touch: { role, matrix: this.#inForce.get(device) ?? null } });
  }
}
