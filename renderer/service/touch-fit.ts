/** Where a finger was to touch, and where it was felt, as parts of the glass. */
export interface Felt {
  readonly target: readonly [x: number, y: number];
  readonly felt: readonly [x: number, y: number];
}

/** Farther from what all four say than this, and one of them was a slip of the finger. */
const SLIP = 0.02;
/** A glass that is more than twice as large as its picture, or half as large, is no glass. */
const LEAST_AREA = 0.25;
const MOST_AREA = 4;

/** Solves three equations by Cramer's rule; null where they are not three. */
function solved(rows: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const of = (m: readonly (readonly number[])[]): number => {
    const [[a, b, c], [d, e, f], [g, h, i]] = m as [number[], number[], number[]] as [
      [number, number, number],
      [number, number, number],
      [number, number, number],
    ];
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  };
  const whole = of(rows);
  if (Math.abs(whole) < 1e-9) return null;
  return [0, 1, 2].map(
    (at) => of(rows.map((row, i) => row.map((each, j) => (j === at ? right[i]! : each)))) / whole,
  );
}

/**
 * What puts right where touches are felt: six numbers in millionths, row by row, as libinput takes
 * them, by least squares. Null where the touches do not fit one another.
 */
export function fitTouch(touches: readonly Felt[]): number[] | null {
  const points = touches.map(({ felt: [x, y] }) => [x, y, 1] as const);
  const sum = (of: (i: number) => number): number => points.reduce((all, _, i) => all + of(i), 0);
  const rows = [0, 1, 2].map((a) => [0, 1, 2].map((b) => sum((i) => points[i]![a]! * points[i]![b]!)));
  const lines = [0, 1].map((axis) =>
    solved(
      rows,
      [0, 1, 2].map((a) => sum((i) => points[i]![a]! * touches[i]!.target[axis]!)),
    ),
  );
  const [across, down] = lines;
  if (!across || !down) return null;
  const area = Math.abs(across[0]! * down[1]! - across[1]! * down[0]!);
  if (area < LEAST_AREA || area > MOST_AREA) return null;
  const isSlip = touches.some(({ target }, i) =>
    [across, down].some((line, axis) => {
      const put = line.reduce((all, each, a) => all + each * points[i]![a]!, 0);
      return Math.abs(put - target[axis]!) > SLIP;
    }),
  );
  return isSlip ? null : [...across, ...down].map((each) => Math.round(each * 1_000_000));
}
