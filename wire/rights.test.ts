import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PersonRole, ROLES } from '../engine/table/inputs.ts';
import { COMMAND_ROWS, type CommandType } from './commands.ts';
import { QUERY_ROWS, type QueryName } from './queries.ts';
import { maySee, PAGES, type Page, RIGHTS, rightOf } from './rights.ts';

/** Whoever stands there may do these; the faults have their persons in faults.ts. */
const OF_ANYBODY: ReadonlySet<CommandType> = new Set(['exit-service', 'hide-recall', 'end-fault']);

test('every command that asks who somebody is, and every one of service mode, has its row', () => {
  for (const { name, schema, from } of COMMAND_ROWS) {
    const isNamed = 'credential' in schema.shape || from.includes('service');
    assert.equal(rightOf(name) !== null, isNamed && !OF_ANYBODY.has(name), name);
    const second = rightOf(name)?.second ?? null;
    if (name !== 'end-fault') assert.equal(second !== null, 'secondCredential' in schema.shape, name);
  }
});

test('every question of service mode is of a page, and every page has somebody who sees it', () => {
  const asked = new Set(Object.values(PAGES).flatMap(({ asks }): readonly QueryName[] => asks));
  for (const { name, asker } of QUERY_ROWS)
    if (asker === 'service' || asker === 'dealer') assert.ok(asked.has(name), name);
  for (const [page, { roles }] of Object.entries(PAGES)) assert.ok(roles.length > 0, page);
});

const pagesOf = (role: PersonRole): string[] =>
  Object.keys(PAGES).filter((page) => page !== 'map' && maySee(role, page as Page));

test('an attendant sees the pages of an attendant’s work, the maker none with money', () => {
  assert.deepEqual(pagesOf('attendant'), ['meters', 'notes', 'payouts', 'devices', 'rounds']);
  assert.deepEqual(pagesOf('manufacturer'), [
    'charts',
    'devices',
    'displays',
    'sound',
    'link',
    'clock',
    'storage',
    'selfTest',
    'software',
  ]);
  assert.deepEqual(pagesOf('dealer'), []);
  for (const role of ['supervisor', 'technician', 'auditor'] as const)
    assert.equal(pagesOf(role).length, Object.keys(PAGES).length - 1, role);
});

test('the maker looks, and does nothing but open the door, test and leave', () => {
  const may = Object.entries(RIGHTS).flatMap(([name, right]) => {
    const { first, second = [] } = right as { first: readonly PersonRole[]; second?: readonly PersonRole[] };
    return [...first, ...second].includes('manufacturer') ? [name] : [];
  });
  assert.deepEqual(may, ['enter-service', 'run-self-test']);
  assert.ok(ROLES.includes('manufacturer'));
});
