import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseMessage } from '../../host/messages.ts';
import { ROOT } from './generated.ts';

const document = readFileSync(join(ROOT, 'docs/wire.md'), 'utf8');
const api = ['host/api.ts', 'host/api-commands.ts']
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\nexport ');

/** The names in the source of a union of the wire, as in `readonly type: 'undo-bet' | 'clear-bets'`. */
function namesIn(union: string, member: string): string[] {
  const from = api.indexOf(`export type ${union} =`);
  const source = api.slice(from, api.indexOf('\nexport ', from + 1));
  return [...source.matchAll(new RegExp(`readonly ${member}: ((?:'[^']+'(?: \\| )?)+)`, 'g'))].flatMap(
    ([, names]) => names!.split(' | ').map((name) => name.replaceAll("'", '')),
  );
}

test('every command, query and message of the wire is in the document', () => {
  const commands = namesIn('Command', 'type');
  const queries = ['ServiceQuery', 'RecallQuery', 'SeatQuery'].flatMap((union) => namesIn(union, 'query'));
  assert.ok(
    commands.length > 30 && queries.length > 5,
    `${commands.length} commands, ${queries.length} queries`,
  );
  const missing = [...commands, ...queries].filter((name) => !document.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
  const messages = [...namesIn('ToHost', 't'), ...namesIn('ToDisplay', 't')];
  assert.deepEqual(
    messages.filter((name) => !document.includes(`{"t":"${name}"`)),
    [],
  );
});

test('the hello of the document is one that the host takes', () => {
  const hello = /`(\{"t":"hello",[^`]*\})`/.exec(document)?.[1];
  assert.ok(hello);
  assert.deepEqual(parseMessage(hello), { ok: true, message: JSON.parse(hello) });
});
