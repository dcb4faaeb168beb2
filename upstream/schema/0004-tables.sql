-- The newest table of a terminal is found without going through its rounds.
CREATE INDEX entries_tables ON entries (terminal_id, seq) WHERE kind = 'table-configured';
