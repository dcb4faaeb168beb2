CREATE TABLE terminals (
  terminal_id text PRIMARY KEY,
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  enrolled_at timestamptz NOT NULL DEFAULT now(),
  head_seq bigint NOT NULL DEFAULT 0,
  head_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (length(head_hash) = 32)
);

CREATE TABLE entries (
  terminal_id text NOT NULL REFERENCES terminals,
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
);

CREATE TABLE forks (
  terminal_id text NOT NULL REFERENCES terminals,
  seq bigint NOT NULL,
  stored_hash bytea NOT NULL,
  offered_hash bytea NOT NULL,
  offered_bytes text,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  times integer NOT NULL DEFAULT 1,
  PRIMARY KEY (terminal_id, seq, offered_hash)
);

CREATE VIEW postings AS
  SELECT e.terminal_id, e.seq, p.line, p.posting ->> 'account' AS account, p.posting ->> 'currency' AS currency,
    (p.posting ->> 'amountMinor')::bigint AS amount_minor
  FROM entries e, json_array_elements(e.postings) WITH ORDINALITY AS p (posting, line);

CREATE FUNCTION entries_are_append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'entries are append-only'; END $$;

CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION entries_are_append_only();
