/**
 * The ledger's schema as frozen steps: step n brings `PRAGMA user_version` from n to n+1. A step
 * that has been released is never edited (a test pins its SHA-256); a change is a new step, and no
 * step takes away what is not stored elsewhere in the file: rows of an index or of postings are
 * told by the entries.
 */

/** `PRAGMA application_id`: the bytes `BNCA`. */
export const APPLICATION_ID = 0x424e4341;

/**
 * Snapshots that must stay in the file; older ones may be deleted (they can be rebuilt from the
 * entries).
 */
export const SNAPSHOTS_KEPT = 8;

const V1 = `
CREATE TABLE identity (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  terminal TEXT NOT NULL
) STRICT;

CREATE TABLE keys (
  key_id TEXT PRIMARY KEY,
  public_key BLOB NOT NULL CHECK (length(public_key) = 32)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  seq INTEGER PRIMARY KEY CHECK (seq >= 1),
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind <> ''),
  round_id TEXT,
  command_id TEXT,
  bytes TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX entries_by_round ON entries (round_id, seq) WHERE round_id IS NOT NULL;

CREATE TABLE postings (
  seq INTEGER NOT NULL REFERENCES entries (seq),
  line INTEGER NOT NULL CHECK (line >= 1),
  account TEXT NOT NULL CHECK (account <> ''),
  currency TEXT NOT NULL CHECK (currency <> ''),
  amount_minor INTEGER NOT NULL CHECK (amount_minor BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY (seq, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE commands (
  id TEXT PRIMARY KEY CHECK (id <> ''),
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  CHECK (last_seq >= first_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE note_credits (
  note_id TEXT PRIMARY KEY CHECK (note_id <> ''),
  seq INTEGER NOT NULL UNIQUE REFERENCES entries (seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
  no INTEGER PRIMARY KEY CHECK (no >= 1),
  seq INTEGER NOT NULL CHECK (seq >= 0),
  entry_hash BLOB NOT NULL CHECK (length(entry_hash) = 32),
  state_hash BLOB CHECK (length(state_hash) = 32),
  reason TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  key_id TEXT NOT NULL REFERENCES keys (key_id),
  signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY CHECK (seq >= 0),
  state TEXT NOT NULL,
  state_hash BLOB NOT NULL CHECK (length(state_hash) = 32),
  checkpoint_no INTEGER NOT NULL REFERENCES checkpoints (no)
) STRICT;

CREATE TABLE acks (
  seq INTEGER PRIMARY KEY REFERENCES entries (seq),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  at_ms INTEGER NOT NULL
) STRICT;
`;

/** No row of these is ever changed or taken away. */
const APPEND_ONLY = [
  'identity',
  'keys',
  'entries',
  'postings',
  'commands',
  'note_credits',
  'checkpoints',
  'acks',
] as const;

// INSERT OR REPLACE takes a row away without firing a delete trigger unless the connection asks for
// it (recursive_triggers, which ours does and another tool may not), so tables that are not written
// at every touch refuse a second row with the same key themselves. For postings and commands the
// check would cost a tenth of a commit and guard nothing that the chain does not: the verifier
// compares both with the entries.
const ONE_ROW_PER_KEY: Readonly<Record<string, string>> = {
  identity: 'EXISTS (SELECT 1 FROM identity)',
  keys: 'EXISTS (SELECT 1 FROM keys WHERE key_id = NEW.key_id)',
  entries: 'NEW.seq <> coalesce((SELECT max(seq) FROM entries), 0) + 1',
  note_credits: 'EXISTS (SELECT 1 FROM note_credits WHERE note_id = NEW.note_id OR seq = NEW.seq)',
  checkpoints: 'NEW.no <> coalesce((SELECT max(no) FROM checkpoints), 0) + 1',
  snapshots: 'EXISTS (SELECT 1 FROM snapshots WHERE seq = NEW.seq)',
  acks: 'NEW.seq <= coalesce((SELECT max(seq) FROM acks), 0)',
};

const refuse = (name: string, when: string): string =>
  `CREATE TRIGGER ${name} BEFORE ${when} BEGIN SELECT RAISE(ABORT, '${name}'); END;\n`;

const V1_TRIGGERS =
  APPEND_ONLY.map(
    (table) =>
      refuse(`${table}_no_update`, `UPDATE ON ${table}`) + refuse(`${table}_no_delete`, `DELETE ON ${table}`),
  ).join('') +
  refuse('snapshots_no_update', 'UPDATE ON snapshots') +
  refuse(
    'snapshots_keep_newest',
    `DELETE ON snapshots WHEN (SELECT count(*) FROM snapshots WHERE seq > OLD.seq) < ${SNAPSHOTS_KEPT}`,
  ) +
  Object.entries(ONE_ROW_PER_KEY)
    .map(([table, when]) => refuse(`${table}_in_order`, `INSERT ON ${table} WHEN ${when}`))
    .join('');

// Every touch pays for each page that its transaction writes (some 12 µs of 140). The index by
// round was one of them and stored nothing that its table has not; where rounds begin is written
// once a round. Rows of commands were another, in a random place: since this version they are
// entered when the books are closed, for all entries up to there.
const V2 = `
DROP INDEX entries_by_round;

CREATE TABLE round_runs (
  first_seq INTEGER PRIMARY KEY REFERENCES entries (seq),
  round_id TEXT NOT NULL CHECK (round_id <> '')
) STRICT;
CREATE INDEX round_runs_by_round ON round_runs (round_id);
INSERT INTO round_runs
  SELECT seq, round_id FROM (SELECT seq, round_id, lag(round_id) OVER (ORDER BY seq) AS before FROM entries)
  WHERE round_id IS NOT NULL AND round_id IS NOT before;

CREATE TABLE closings (
  seq INTEGER PRIMARY KEY CHECK (seq >= 0),
  balances TEXT NOT NULL,
  checkpoint_no INTEGER NOT NULL REFERENCES checkpoints (no)
) STRICT;
`;

const V2_TRIGGERS =
  ['round_runs', 'closings']
    .map(
      (table) =>
        refuse(`${table}_no_update`, `UPDATE ON ${table}`) +
        refuse(`${table}_no_delete`, `DELETE ON ${table}`),
    )
    .join('') +
  refuse(
    'round_runs_in_order',
    'INSERT ON round_runs WHEN NEW.first_seq <= coalesce((SELECT max(first_seq) FROM round_runs), 0)',
  ) +
  refuse(
    'closings_in_order',
    'INSERT ON closings WHEN NEW.seq <= coalesce((SELECT max(seq) FROM closings), -1)',
  );

// Rows of postings were the last page that a touch wrote for what its entry holds already (15 µs of
// 136): who asks for them reads the entries. With a trigger that refuses a command which has been
// entered, a touch is one statement and needs no look before it.
const V3 = `
DROP TABLE postings;

CREATE VIEW postings (seq, line, account, currency, amount_minor) AS
  SELECT e.seq, p.key + 1, p.value ->> 'account', p.value ->> 'currency', p.value ->> 'amountMinor'
  FROM entries e, json_each(e.bytes, '$.postings') p;

DROP TRIGGER entries_in_order;
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
WHEN NEW.seq <> coalesce((SELECT max(seq) FROM entries), 0) + 1
  OR EXISTS (SELECT 1 FROM commands WHERE id = NEW.command_id)
BEGIN
  SELECT CASE WHEN EXISTS (SELECT 1 FROM commands WHERE id = NEW.command_id)
    THEN RAISE(ABORT, 'commands_once') ELSE RAISE(ABORT, 'entries_in_order') END;
END;
`;

// A trigger of INSERT makes SQLite put the rows of a statement aside first: 20 µs of 84 for ten. It
// guarded nothing that the chain does not show (a gap, a row replaced by another tool), a doubled
// number is refused by the key, and a command by the statement itself.
//
// A view can stand where PRAGMA integrity_check looks for the first table; it then takes itself for
// the check of a part, and looks neither at the list of free pages nor for pages that belong to
// nothing. Who asks for postings reads the entries.
const V4 = `
DROP TRIGGER entries_in_order;

DROP VIEW postings;
`;

export const MIGRATIONS: readonly string[] = [V1 + V1_TRIGGERS, V2 + V2_TRIGGERS, V3, V4];

/**
 * What the rows of `sqlite_schema` come to after each step; docs/ledger-format.md, section 1, says
 * how.
 */
export const SCHEMA_SHA256: readonly string[] = [
  '1417deac7ab9449195b4e99b1b2295f546b02ef3de9640ed7f73370220f4f505',
  '4a8b27a570d984ef9a81774e83784f6dbf250db2ecc29a899af7db71ee6bcea3',
  'e2eee85236e9cf120a6765386c43806c968054905a3a3aeb7d26d86fe3ad4260',
  '65df48cf0e8f14943fad76a2101dd129eaab242d519d83441a1cc30d06537ab5',
];
