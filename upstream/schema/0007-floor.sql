-- What each table is now, as its own entries up to `seq` say. It can be made from them again.
CREATE TABLE floor_tables (
  terminal_id text PRIMARY KEY REFERENCES terminals,
  seq bigint NOT NULL DEFAULT 0,
  -- Number of its newest alarm.
  alarm_no bigint NOT NULL DEFAULT 0,
  state json NOT NULL
);

-- What people have to know of: opened and cured by entries and reports, seen by a person.
CREATE TABLE floor_alarms (
  terminal_id text NOT NULL REFERENCES terminals,
  no bigint NOT NULL CHECK (no >= 1),
  kind text NOT NULL CHECK (kind IN
    ('fault', 'hold', 'call', 'complaint', 'hand-pay', 'held-note', 'silent', 'locked', 'clock', 'late', 'pace')),
  -- Which one of its kind: a device and its fault, a seat, a number.
  about text NOT NULL,
  facts json NOT NULL,
  since timestamptz NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- The entry that opened it, and the one that cured it; NULL where a report or none did.
  opened_seq bigint,
  seen_at timestamptz,
  seen_by text,
  cured_at timestamptz,
  cured_seq bigint,
  PRIMARY KEY (terminal_id, no),
  CHECK ((seen_at IS NULL) = (seen_by IS NULL))
);

CREATE UNIQUE INDEX floor_alarms_open ON floor_alarms (terminal_id, kind, about) WHERE cured_at IS NULL;

CREATE INDEX floor_alarms_trail ON floor_alarms (opened_at DESC);

CREATE FUNCTION floor_alarms_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.seen_by IS NULL OR (NEW.seen_by = OLD.seen_by AND NEW.seen_at = OLD.seen_at))
    AND (OLD.cured_at IS NULL OR NEW.cured_at = OLD.cured_at)
    AND (NEW.kind, NEW.about, NEW.since, NEW.opened_at) = (OLD.kind, OLD.about, OLD.since, OLD.opened_at)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'what was opened, seen and cured on the floor stays as it was';
END $$;

CREATE TRIGGER floor_alarms_no_change BEFORE UPDATE OR DELETE ON floor_alarms
  FOR EACH ROW EXECUTE FUNCTION floor_alarms_are_kept();

-- Rounds of a table in each five minutes; what is older than eight days is taken away.
CREATE TABLE floor_paces (
  terminal_id text NOT NULL REFERENCES terminals,
  -- Five minutes since 1970 UTC.
  slot bigint NOT NULL,
  rounds integer NOT NULL,
  PRIMARY KEY (terminal_id, slot)
);
