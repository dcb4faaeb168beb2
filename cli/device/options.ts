/** Options that `device sim`, `run` and `replay` have in common. */
import type { Model, ModelOptions } from '../../hardware/model.ts';
import { modelNames, modelOf } from '../../hardware/models.ts';
import type { SerialLine } from '../../hardware/ports.ts';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import { CannotRun } from '../command.ts';

/** The model of that name. Throws CannotRun. */
export function knownModel(option: string, name: string): Model {
  const model = modelOf(name);
  if (model === undefined) throw new CannotRun(`${option}: there is no '${name}'; there are ${modelNames()}`);
  return model;
}

/**
 * Options of a driver as JSON text, laid over `recorded`, checked by the model. Throws CannotRun
 * with the place.
 */
export function driverOptions(
  model: Model,
  text: string | undefined,
  recorded: ModelOptions = {},
): ModelOptions {
  let json: unknown;
  try {
    json = parseBounded(text ?? '{}', FILE_BOUNDS);
  } catch (error) {
    throw new CannotRun(`--options: ${(error as Error).message}`);
  }
  const given =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...recorded, ...json } : json;
  const issue = model.options.safeParse(given).error?.issues[0];
  if (issue !== undefined)
    throw new CannotRun(`--options: ${['options', ...issue.path].join('.')}: ${issue.message}`);
  return given as ModelOptions;
}

/** A whole number from `least`; null when it is not given. Throws CannotRun. */
export function wholeNumber(option: string, text: string | undefined, least: number): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least)
    throw new CannotRun(`${option} ${text}: a whole number from ${least}`);
  return value;
}

/** `9600-8E1`. Throws CannotRun. */
export function serialLine(text: string): SerialLine {
  const [, baud, dataBits, parity, stopBits] = /^(\d{3,7})-([78])([NEO])([12])$/.exec(text) ?? [];
  if (baud === undefined)
    throw new CannotRun(`--line ${text}: expected baud, data, parity and stop as in 9600-8E1`);
  return {
    baud: Number(baud),
    dataBits: dataBits === '7' ? 7 : 8,
    parity: parity === 'N' ? 'none' : parity === 'E' ? 'even' : 'odd',
    stopBits: stopBits === '2' ? 2 : 1,
  };
}
