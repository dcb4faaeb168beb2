-- A terminal that has locked its money says so for as long as that lasts, and with which entry its ledger ends.
ALTER TABLE incidents DROP CONSTRAINT incidents_kind_check;

ALTER TABLE incidents ADD CONSTRAINT incidents_kind_check
  CHECK (kind IN ('gap', 'older-copy', 'centre-restored', 'clock', 'bad-signature', 'locked'));

ALTER TABLE reports ADD COLUMN head_hash text;

ALTER TABLE reports ADD COLUMN locked boolean NOT NULL DEFAULT false;
