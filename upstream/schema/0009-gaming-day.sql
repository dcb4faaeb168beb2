-- The gaming day: what the entries of each table come to, what lies in its boxes and what the count
-- room has found, and the signed closings. All but counts and closings can be made from the entries
-- again.
CREATE TABLE day_ledgers (
  terminal_id text PRIMARY KEY REFERENCES terminals,
  -- Its entries are counted up to here.
  seq bigint NOT NULL DEFAULT 0,
  -- Its books after that entry, and the day that is being counted.
  state json NOT NULL
);

-- Days of which no further entry will be counted.
CREATE TABLE table_days (
  terminal_id text NOT NULL REFERENCES terminals,
  day date NOT NULL,
  part json NOT NULL,
  PRIMARY KEY (terminal_id, day)
);

-- Cash boxes that were taken out, each by the entry that says so.
CREATE TABLE cash_boxes (
  terminal_id text NOT NULL REFERENCES terminals,
  removed_seq bigint NOT NULL,
  day date NOT NULL,
  -- As a closing has it.
  box json NOT NULL,
  PRIMARY KEY (terminal_id, removed_seq)
);

CREATE INDEX cash_boxes_day ON cash_boxes (day, terminal_id);

CREATE TABLE day_closings (
  terminal_id text NOT NULL REFERENCES terminals,
  no bigint NOT NULL CHECK (no >= 1),
  day date NOT NULL,
  bytes text NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (terminal_id, no),
  UNIQUE (terminal_id, day)
);

CREATE TABLE box_counts (
  terminal_id text NOT NULL,
  removed_seq bigint NOT NULL,
  no integer NOT NULL CHECK (no >= 1),
  notes json NOT NULL,
  person_id bigint NOT NULL REFERENCES people,
  who text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  reason text NOT NULL,
  PRIMARY KEY (terminal_id, removed_seq, no),
  FOREIGN KEY (terminal_id, removed_seq) REFERENCES cash_boxes
);

CREATE FUNCTION days_are_append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'counts and closings are append-only'; END $$;

CREATE TRIGGER day_closings_no_change BEFORE UPDATE OR DELETE ON day_closings
  FOR EACH ROW EXECUTE FUNCTION days_are_append_only();

CREATE TRIGGER day_closings_no_end BEFORE TRUNCATE ON day_closings
  FOR EACH STATEMENT EXECUTE FUNCTION days_are_append_only();

CREATE TRIGGER box_counts_no_change BEFORE UPDATE OR DELETE ON box_counts
  FOR EACH ROW EXECUTE FUNCTION days_are_append_only();

CREATE TRIGGER box_counts_no_end BEFORE TRUNCATE ON box_counts
  FOR EACH STATEMENT EXECUTE FUNCTION days_are_append_only();

-- A box of a closed day is counted no more, whoever asks.
CREATE FUNCTION closed_days_are_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cash_boxes b JOIN day_closings c ON c.terminal_id = b.terminal_id AND c.day = b.day
    WHERE b.terminal_id = NEW.terminal_id AND b.removed_seq = NEW.removed_seq)
  THEN RAISE EXCEPTION 'the day of this box is closed'; END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER box_counts_before_closing BEFORE INSERT ON box_counts
  FOR EACH ROW EXECUTE FUNCTION closed_days_are_counted();

-- Where the time of rounds went, by the hour in which they ended.
CREATE TABLE round_seconds (
  terminal_id text NOT NULL REFERENCES terminals,
  -- Hours since 1970 UTC.
  hour bigint NOT NULL,
  -- Id of who dealt, empty where nobody was signed in; the name as it was then.
  dealer text NOT NULL,
  name text NOT NULL,
  game text NOT NULL,
  rounds integer NOT NULL,
  players_ms bigint NOT NULL,
  dealer_ms bigint NOT NULL,
  shoe_ms bigint NOT NULL,
  screen_ms bigint NOT NULL,
  settlement_ms bigint NOT NULL,
  stopped_ms bigint NOT NULL,
  PRIMARY KEY (terminal_id, hour, dealer, game)
);

CREATE INDEX round_seconds_hour ON round_seconds (hour);
