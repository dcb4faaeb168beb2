import type { TableProfile } from '../../engine/table/profile.ts';
import { canonicalText } from '../../ledger/chain/canonical.ts';
import { textHash } from '../../ledger/chain/roster.codec.ts';

/** SHA-256 in hex of the RFC 8785 text of a JSON value. */
export const jsonHash = (value: unknown): string => textHash(canonicalText(value)!);

/**
 * Of a table's profile, with its options and their authorisations: what two people compare a table
 * by, and which table exactly a round was played by.
 */
export const tableHashOf = (profile: TableProfile): string => jsonHash(profile);
