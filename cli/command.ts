import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * What a command cannot be run with: its message is one sentence for a person, the exit code is 2.
 */
export class CannotRun extends Error {}

/**
 * What a command looked at is not as it must be: its message is one sentence, the exit code is 1.
 */
export class DoesNotHold extends Error {}

export interface Command {
  /** What stands behind the command's name, as in `DB [--json]`. */
  readonly usage: string;
  /** What it does, in one line. */
  readonly summary: string;
  /**
   * Resolves to the exit code: 0 holds, 1 does not hold, 2 cannot run. Throws what has a sentence
   * for a person.
   */
  run(argv: string[]): Promise<number> | number;
}

/**
 * Values and positionals of a command; exactly the named positionals must be there. Throws
 * CannotRun.
 */
export function readArguments<T extends ParseArgsOptionsConfig>(
  argv: string[],
  options: T,
  positionalNames: readonly string[] = [],
) {
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true, strict: true });
  const missing = positionalNames[positionals.length];
  if (missing !== undefined) throw new CannotRun(`${missing} is missing`);
  const tooMany = positionals[positionalNames.length];
  if (tooMany !== undefined) throw new CannotRun(`'${tooMany}' is one argument too many`);
  return { values, positionals };
}

/** An option that must be given and not be empty. Throws CannotRun. */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new CannotRun(`${name} is missing`);
  return value;
}

/** Minor units as people write them: `1,234.50`. */
export function moneyText(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${minor < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`;
}
