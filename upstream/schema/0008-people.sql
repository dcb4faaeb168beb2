-- People of the centre, how they prove who they are, and what they have looked at and ordered.
CREATE TABLE people (
  person_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  -- Both of a provider of OpenID Connect; neither for a person with passkeys.
  issuer text,
  subject text,
  added_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  UNIQUE (issuer, subject),
  CHECK ((issuer IS NULL) = (subject IS NULL))
);

CREATE TABLE passkeys (
  credential_id text PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz,
  ended_at timestamptz
);

CREATE INDEX passkeys_person ON passkeys (person_id);

-- Of tokens only the hash is kept: who reads this database can use none of them.
CREATE TABLE enrolment_links (
  token_hash bytea PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  ends_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  opened_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  from_where text NOT NULL
);

CREATE INDEX sessions_person ON sessions (person_id);

-- Challenges carry their own end and seal; only those that were used stand here, until that end.
CREATE TABLE spent_challenges (
  challenge text PRIMARY KEY,
  ends_at timestamptz NOT NULL
);

-- What challenges are sealed with, the same for all instances.
CREATE TABLE login_secret (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  secret bytea NOT NULL CHECK (length(secret) = 32)
);

CREATE TABLE audit (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- Null for a program.
  person_id bigint REFERENCES people,
  -- Name and role as they were.
  who text NOT NULL,
  role text NOT NULL,
  act text NOT NULL,
  about text NOT NULL,
  from_where text NOT NULL
);

CREATE INDEX audit_person ON audit (person_id, no);

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$;

CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER audit_no_end BEFORE TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
