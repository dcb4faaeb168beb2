-- A call of a player and a long session stand among what an operator looks at first.
DROP INDEX entries_alarms;

CREATE INDEX entries_alarms ON entries (terminal_id, seq) WHERE kind IN ('fault-reported', 'fault-cleared', 'table-held',
  'note-held', 'round-voided', 'access-refused', 'centre-command-refused', 'attendant-called', 'session-long');
