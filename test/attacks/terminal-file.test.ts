/**
 * Who changes the terminal file or its people is seen in the ledger, also where everything was put
 * back.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TerminalFile } from '../../host/config/terminal-file.ts';
import { codesOf } from '../../host/pages/event-codes.ts';
import { ROOT } from '../shell/paths.ts';
import { entriesOf } from '../support/entries.ts';
import { attack, folderOf } from './kit.ts';

const DEMO = join(ROOT, 'host', 'profiles', 'demo.json');
const WEAK = `scrypt$${'a'.repeat(32)}$${'b'.repeat(64)}`;

test('the terminal file and its people: every change is in the ledger, and nothing where there is none', async (t) => {
  const folder = folderOf(t);
  const [path, data] = [join(folder, 'terminal.json'), join(folder, 'data')];
  const { profile, people } = JSON.parse(readFileSync(DEMO, 'utf8')) as TerminalFile;
  const terminal = { profile: { ...profile, terminalId: 'BJ-08' }, people: [...people] };
  const life = async (text: string) => {
    writeFileSync(path, text);
    const from = existsSync(data) ? entriesOf(data).length : 0;
    const { terminal: started } = await attack(t, { data, args: ['--profile', path] });
    await started.stop();
    const told = entriesOf(data)
      .slice(from)
      .filter(({ kind }) => kind === 'terminal-file-changed' || kind === 'people-changed');
    return told.map(({ kind, body }) => ({
      kind,
      body: body as Record<string, unknown>,
      codes: codesOf({ kind, body }),
    }));
  };
  const text = (): string => JSON.stringify(terminal);

  const [file, roster] = await life(text());
  assert.deepEqual(
    [file?.kind, file?.body['was'], file?.codes],
    ['terminal-file-changed', null, [{ code: '813', class: 'W' }]],
  );
  assert.deepEqual([roster?.kind, roster?.codes], ['people-changed', [{ code: '814', class: 'W' }]]);
  const changesIn = (body: unknown) =>
    (
      body as {
        changes: { what: string; person: { id: string }; was: { role: string } | null; newPin: boolean }[];
      }
    ).changes;
  assert.deepEqual(
    changesIn(roster?.body).map(({ what, person: { id } }) => [what, id]),
    people.map(({ id }) => ['added', id]),
  );

  assert.deepEqual(await life(text()), [], 'the same file again');
  const spaced = await life(`${text()}\n`);
  assert.deepEqual(
    spaced.map(({ kind }) => kind),
    ['terminal-file-changed'],
    'other bytes, the same people',
  );
  assert.equal(spaced[0]?.body['was'], file?.body['sha256']);

  // A technician makes themselves a supervisor, gives a dealer a PIN that they know, and a friend a
  // name on the list.
  const technician = people.findIndex(({ role }) => role === 'technician');
  terminal.people[technician] = { ...people[technician]!, role: 'supervisor' };
  terminal.people[0] = { ...people[0]!, pinHash: WEAK };
  terminal.people.splice(1, 1, {
    ...people[1]!,
    id: 'A-99',
    name: 'A friend',
    pinHash: WEAK.replace('a', 'c'),
  });
  const changed = (await life(text())).find(({ kind }) => kind === 'people-changed');
  assert.deepEqual(
    changesIn(changed?.body)
      .map(({ what, person: { id }, was, newPin }) => [what, id, was?.role ?? null, newPin])
      .sort(),
    [
      ['added', 'A-99', null, true],
      ['changed', people[0]!.id, null, true],
      ['changed', people[technician]!.id, 'technician', false],
      ['removed', people[1]!.id, null, false],
    ].sort(),
  );
  // And puts everything back: that is seen as well.
  terminal.people.splice(0, terminal.people.length, ...people);
  assert.equal(changesIn((await life(text())).at(-1)?.body).length, 4);

  const ledger = JSON.stringify(entriesOf(data).map(({ body }) => body));
  for (const { pinHash } of people)
    for (const part of pinHash.split('$').slice(-2)) assert.ok(!ledger.includes(part), 'no hash of a PIN');
  assert.ok(!ledger.includes('scrypt'));
});
