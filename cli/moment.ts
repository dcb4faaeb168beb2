import { CannotRun } from './command.ts';

/** A place in a ledger as people name it: an entry, or the newest one not younger than a time. */
export type Moment = { readonly seq: number } | { readonly atMs: number };

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Throws CannotRun. Null where the option is not given. */
export function readMoment(option: string, text: string | undefined): Moment | null {
  if (text === undefined) return null;
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  const atMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new CannotRun(
      `--${option} ${text}: an entry number, or a time with its zone as in 2026-05-01T18:30:00+08:00`,
    );
  return { atMs };
}
