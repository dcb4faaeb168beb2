-- Entries in hash partitions of the terminal's name, so that the largest table can be spread over many nodes. No
-- foreign key to `terminals`: ingest holds that row locked, and the check would cost a look-up for every entry.
DROP VIEW postings;

DROP TRIGGER entries_no_change ON entries;

ALTER TABLE entries RENAME TO entries_before_partitions;

CREATE TABLE entries (
  terminal_id text NOT NULL,
  seq bigint NOT NULL CHECK (seq >= 1),
  at_ms bigint NOT NULL,
  kind text NOT NULL,
  round_id text,
  command_id text,
  bytes text NOT NULL,
  postings json NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (terminal_id, seq)
) PARTITION BY HASH (terminal_id);

-- A trigger of the whole table does not see a TRUNCATE of one partition.
DO $$ BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE entries_%s PARTITION OF entries FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    EXECUTE format('CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries_%s
      FOR EACH STATEMENT EXECUTE FUNCTION entries_are_append_only()', part);
  END LOOP;
END $$;

INSERT INTO entries SELECT * FROM entries_before_partitions ORDER BY terminal_id, seq;

DROP TABLE entries_before_partitions;

CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION entries_are_append_only();

CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION entries_are_append_only();

-- One round of one terminal, for those who look into it. A round's entries share one key of the index.
CREATE INDEX entries_by_round ON entries (terminal_id, round_id) WHERE round_id IS NOT NULL;

-- What an operator looks at first; few entries are of these kinds.
CREATE INDEX entries_alarms ON entries (terminal_id, seq) WHERE kind IN ('fault-reported', 'fault-cleared', 'table-held',
  'note-held', 'round-voided', 'access-refused', 'centre-command-refused');

CREATE VIEW postings AS
  SELECT e.terminal_id, e.seq, p.line, p.posting ->> 'account' AS account, p.posting ->> 'currency' AS currency,
    (p.posting ->> 'amountMinor')::bigint AS amount_minor
  FROM entries e, json_array_elements(e.postings) WITH ORDINALITY AS p (posting, line);

-- Sum of the postings of each account, kept in the transaction that stores them.
CREATE TABLE balances (
  terminal_id text NOT NULL,
  currency text NOT NULL,
  account text NOT NULL,
  amount_minor bigint NOT NULL,
  PRIMARY KEY (terminal_id, currency, account)
);

INSERT INTO balances
  SELECT terminal_id, currency, account, sum(amount_minor)::bigint FROM postings GROUP BY 1, 2, 3;

-- The entries of a history that was not taken: neither merged with the stored one nor put over it.
CREATE TABLE fork_entries (
  terminal_id text NOT NULL,
  seq bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  bytes text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (terminal_id, seq, hash)
);

ALTER TABLE forks ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now();

-- What did not fit, besides forks. `seq` is the entry it is about, 0 where it is about none.
CREATE TABLE incidents (
  terminal_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('gap', 'older-copy', 'centre-restored', 'clock', 'bad-signature')),
  seq bigint NOT NULL,
  detail text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  times integer NOT NULL DEFAULT 1,
  PRIMARY KEY (terminal_id, kind, seq)
);

-- What each terminal said last about itself.
CREATE TABLE reports (
  terminal_id text PRIMARY KEY,
  received_at timestamptz NOT NULL,
  head_seq bigint NOT NULL,
  acked_seq bigint NOT NULL,
  -- Terminal's clock minus the centre's, NULL while it is not known.
  clock_off_ms bigint
);

-- Signed by people who hold the key for commands; the service only hands them on.
CREATE TABLE commands (
  terminal_id text NOT NULL,
  no bigint NOT NULL CHECK (no >= 1),
  type text NOT NULL,
  bytes text NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  issued_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (terminal_id, no)
);

-- What the terminals' own entries say became of them.
CREATE TABLE command_outcomes (
  terminal_id text NOT NULL,
  no bigint NOT NULL,
  -- The entry that says so.
  seq bigint NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (terminal_id, no)
);
