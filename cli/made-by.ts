/** What every export names beside its entries: the program, the table in force, the languages. */
import { z } from 'zod';
import { LANGUAGES } from '../engine/table/inputs.ts';
import { tableHashOf } from '../host/table/table-hash.ts';
import { restoreState } from '../host/table/terminal.ts';
import type { LedgerReader } from '../ledger/store/ledger.store.ts';

export const madeBySchema = z.strictObject({
  /** The newest that a start has recorded; null = none has. */
  program: z.strictObject({ version: z.string(), id: z.string() }).nullable(),
  /** `sha256` of the RFC 8785 text of its profile; null = there is none, or nobody can read it. */
  table: z.strictObject({ name: z.string(), rulebook: z.string(), sha256: z.string() }).nullable(),
  languages: z.array(z.string()),
});
export type MadeBy = z.infer<typeof madeBySchema>;

/** As it stood after entry `atSeq`. */
export function madeBy(reader: LedgerReader, atSeq: number): MadeBy {
  const [checked] = reader.newest({ beforeSeq: atSeq + 1, limit: 1, kind: 'code-checked' });
  const program = checked ? (checked.body as { version: string; id: string }) : null;
  return {
    program: program && { version: program.version, id: program.id },
    table: tableAt(reader, atSeq),
    languages: [...LANGUAGES],
  };
}

function tableAt(reader: LedgerReader, atSeq: number): MadeBy['table'] {
  try {
    const { profile } = restoreState(reader, atSeq);
    return profile && { name: profile.tableName, rulebook: profile.rulebook, sha256: tableHashOf(profile) };
  } catch {
    // An export of a damaged ledger says what it can.
    return null;
  }
}
