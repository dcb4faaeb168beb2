/** Nobody is asked at a seat who they are, and nothing that is kept has a place for it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { MEMBERS } from '../../renderer/service/entry-members.ts';
import { COMMAND_ROWS } from '../../wire/commands.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What tells who a player is, as a word of a name. */
const PERSONAL =
  /(?:player|patron|guest|customer|member|first|last|full|family|given)_?names?$|birth|passport|document|nationality|gender|e_?mail|phone|address|photo|face_?id|finger|biometr|loyalty|account_holder/i;
const words = (member: string): string => member.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

/** Members whose value is a person: staff alone, as `Person` has no other roles. */
const OF_STAFF = ['person', 'second', 'persons', 'relieves'];

test('K9: no member of any entry is a place for who a player is', () => {
  const members = Object.entries(MEMBERS);
  assert.ok(members.length > 150);
  assert.deepEqual(
    members.map(([member]) => member).filter((member) => PERSONAL.test(words(member))),
    [],
  );
  assert.deepEqual(
    members.flatMap(([member, is]) => (is === 'person' ? [member] : [])).toSorted(),
    OF_STAFF.toSorted(),
  );
  for (const planted of ['playerName', 'passportNo', 'dateOfBirth', 'email', 'lastName'])
    assert.match(words(planted), PERSONAL);
});

test('K9: no column of the ledger or the centre is one', () => {
  const schema = join(ROOT, 'upstream/schema');
  const files = [
    join(ROOT, 'ledger/schema/migrations.ts'),
    ...readdirSync(schema).map((name) => join(schema, name)),
  ];
  const columns = files.flatMap((path) =>
    [
      ...readFileSync(path, 'utf8').matchAll(
        /^\s+(?:ADD COLUMN )?([a-z_]+) (?:TEXT|INTEGER|BLOB|text|bigint|integer|bytea|json|boolean|timestamptz|float8)\b/gm,
      ),
    ].map(([, column]) => column!),
  );
  assert.ok(columns.length > 40, columns.join(' '));
  assert.deepEqual(
    columns.filter((column) => PERSONAL.test(column)),
    [],
  );
});

/** Every member of a schema that takes text somebody makes up. */
const freeText = (schema: z.core.$ZodType, path: string): string[] => {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Record<string, unknown>;
  const walk = (at: unknown, name: string): string[] => {
    if (typeof at !== 'object' || at === null) return [];
    const { type, enum: among, const: only, properties, items, anyOf } = at as Record<string, unknown>;
    if (type === 'string' && among === undefined && only === undefined) return [name];
    return [
      ...Object.entries((properties ?? {}) as object).flatMap(([member, each]) =>
        walk(each, `${name}.${member}`),
      ),
      ...walk(items, name),
      ...((anyOf ?? []) as unknown[]).flatMap((each) => walk(each, name)),
    ];
  };
  return walk(json, path);
};

test('K9: nothing that a seat can send takes words of its player', () => {
  const sent = COMMAND_ROWS.filter(({ from }) => from.includes('seat')).flatMap(({ name, schema }) =>
    freeText(schema, name),
  );
  const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  // A round, a bet, a request; and the number and PIN of an attendant who pays at the panel.
  assert.deepEqual(
    [...new Set(sent.map(last))].toSorted(),
    ['bet', 'person', 'pin', 'requestId', 'roundId'],
    sent.join(' '),
  );
});
