/** Sets right where a touch glass is felt, with X's own tool and in the window's account. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Place } from './place.ts';

const run = promisify(execFile);

/** What libinput's driver has of every glass; any other driver has the second one. */
const LIBINPUT = 'libinput Calibration Matrix';
const ANY_DRIVER = 'Coordinate Transformation Matrix';

/**
 * Six numbers in millionths, row by row: where of the glass a touch is, of where it is felt. Null =
 * as it came.
 */
export type TouchMatrix = readonly number[] | null;

/** What a line of JSON says of a glass, or undefined where it says nothing that can be one. */
export function touchMatrixIn(said: unknown): TouchMatrix | undefined {
  if (said === null) return null;
  const isOne = Array.isArray(said) && said.length === 6 && said.every((each) => Number.isSafeInteger(each));
  return isOne ? (said as number[]) : undefined;
}

const AS_IT_CAME = [1_000_000, 0, 0, 0, 1_000_000, 0];

/** Rejects with what is wrong; a glass that is not there leaves everything as it is. */
export async function setTouch(
  place: Place,
  matrix: TouchMatrix,
  log: (line: string) => void,
): Promise<void> {
  const numbers = (matrix ?? AS_IT_CAME).map((each) => String(each / 1_000_000));
  const display = place.screen ?? process.env['DISPLAY'];
  if (!display) {
    // The compositor has it from udev alone.
    log(`touch: without X by udev: ENV{LIBINPUT_CALIBRATION_MATRIX}="${numbers.join(' ')}"`);
    return;
  }
  const xinput = async (...words: string[]): Promise<string> => {
    const { stdout } = await run('xinput', words, { env: { ...process.env, DISPLAY: display } });
    return stdout;
  };
  const glasses = place.touch === undefined ? await glassesIn(xinput) : [place.touch];
  if (glasses.length !== 1) {
    const which = glasses.length === 0 ? 'X has no touch glass' : 'X has several touch glasses';
    log(`touch: ${which}; \`displays\` of the terminal file names the one of this display with \`touch\``);
    return;
  }
  const [glass] = glasses as [string];
  const property = (await xinput('list-props', glass)).includes(LIBINPUT) ? LIBINPUT : ANY_DRIVER;
  await xinput('set-prop', glass, property, ...numbers, '0', '0', '1');
  log(`touch: ${property} of ${glass} is ${numbers.join(' ')}`);
}

/** Devices that feel a place and no movement, by their numbers. */
async function glassesIn(xinput: (...words: string[]) => Promise<string>): Promise<string[]> {
  const ids = (await xinput('list', '--id-only')).split('\n').filter((id) => /^\d+$/.test(id));
  const found: string[] = [];
  for (const id of ids) if ((await xinput('list-props', id)).includes(LIBINPUT)) found.push(id);
  return found;
}
