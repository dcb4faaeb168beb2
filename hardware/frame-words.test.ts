import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { encode as cctalk, HEADER } from './bill-acceptor/cctalk/cctalk.codec.ts';
import { COMMAND, encode as id003 } from './bill-acceptor/id003/id003.codec.ts';
import { encode as kcb1 } from './cabinet/kcb1/kcb1.codec.ts';
import { inWords } from './frame-words.ts';
import { MODELS } from './models.ts';
import { encode as angelEye, encodeCommand } from './shoe/angel-eye/angel-eye.codec.ts';
import { encode as ksp1 } from './shoe/ksp1/ksp1.codec.ts';
import { toHex } from './transport/bytes.ts';

const ROOT = join(import.meta.dirname, '..');
const texts = (language: string, file: string): Record<string, Record<string, string>> =>
  JSON.parse(readFileSync(join(ROOT, 'locales', language, `${file}.json`), 'utf8'));
const keyIsThere = (key: string): boolean => {
  const [group, code] = key.split('.') as [string, string | undefined];
  if (code === undefined) return true;
  const files = ['zh-Hant', 'pt', 'en'].map((each) => texts(each, group === 'frame' ? 'map' : 'service'));
  // A code of the unit that no table names shows itself.
  return (
    /^(reason|failure|fault) [0-9a-f]+$/.test(code) ||
    files.every((file) => file[group]?.[code] !== undefined)
  );
};

/** As the driver of each model of the recordings calls it. */
const DRIVEN = {
  id003: 'JCM ID-003',
  ebds: 'MEI/CPI EBDS',
  pyramid: 'Pyramid RS-232',
  cctalk: 'ccTalk',
  ssp: 'ITL SSP',
} as const;

interface Line {
  readonly type?: string;
  readonly hex?: string;
  readonly model?: keyof typeof DRIVEN;
}

test('every frame of every recording is said in words that stand in all three languages', () => {
  const files = globSync('test/devices/recordings/*.jsonl', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.events.jsonl'),
  );
  assert.ok(files.length >= 8, files.join(', '));
  for (const file of files) {
    const [head, ...lines] = readFileSync(join(ROOT, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const model = DRIVEN[head!.model!];
    assert.ok(model, file);
    const frames = lines.flatMap(({ type, hex }) =>
      (type === 'in' || type === 'out') && hex !== undefined
        ? [{ atMs: 0, direction: type as 'in' | 'out', hex }]
        : [],
    );
    const said = inWords(model, frames);
    for (const { direction, hex, says } of said)
      if (direction === 'out') assert.notDeepEqual(says, [], `${file}: ${hex}`);
    assert.ok(
      said.some(({ direction, says }) => direction === 'in' && says.length > 0),
      file,
    );
    for (const key of said.flatMap(({ says }) => says)) assert.ok(keyIsThere(key), `${file}: ${key}`);
  }
});

test('each driver of the house is known by the name it gives its devices', () => {
  const source = readFileSync(join(import.meta.dirname, 'frame-words.ts'), 'utf8');
  const drivers = globSync('*/**/*.{driver,machine}.ts', { cwd: import.meta.dirname })
    .concat(globSync('bill-acceptor/ebds/ebds-profile.ts', { cwd: import.meta.dirname }))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  const names = [...Object.values(DRIVEN), 'KSP-1', 'Angel Eye II-EX', 'ESC/POS', 'KCB-1', 'NUT'];
  assert.equal(names.length, Object.keys(MODELS).length);
  for (const name of names) {
    assert.ok(drivers.includes(`'${name}'`), `a driver calls itself ${name}`);
    assert.ok(inWords(name, []).length === 0 && source.includes(name), name);
  }
});

const one = (model: string, direction: 'in' | 'out', bytes: Uint8Array): readonly string[] =>
  inWords(model, [{ atMs: 0, direction, hex: toHex(bytes) }])[0]!.says;

test('a question, a jam and a shut gate of ID-003; what is no frame says nothing', () => {
  assert.deepEqual(one('JCM ID-003', 'out', id003(COMMAND.statusRequest)), ['frame.poll']);
  assert.deepEqual(one('JCM ID-003', 'in', id003(0x45)), ['deviceState.jammed', 'failure.path']);
  assert.deepEqual(one('JCM ID-003', 'in', id003(0x17, [0x71])), [
    'deviceState.rejecting',
    'rejection.insertion',
  ]);
  assert.deepEqual(one('JCM ID-003', 'out', id003(COMMAND.inhibit, [1])), ['frame.shut']);
  assert.deepEqual(one('JCM ID-003', 'out', id003(COMMAND.inhibit, [0])), ['frame.open']);
  assert.deepEqual(one('JCM ID-003', 'in', Uint8Array.of(1, 2, 3)), []);
  assert.deepEqual(one('a stranger', 'in', id003(0x45)), []);
});

test('an answer of ccTalk means what was asked', () => {
  const wire = { address: 40, checksum: 'simple', code: null } as const;
  const asked = cctalk(wire, 40, HEADER.readBillEvents);
  const events = cctalk(wire, 1, 0, [3, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]);
  const [, heard] = inWords('ccTalk', [
    { atMs: 0, direction: 'out', hex: toHex(asked) },
    { atMs: 1, direction: 'in', hex: toHex(events) },
  ]);
  assert.deepEqual(heard?.says, ['frame.newest', 'deviceState.jammed', 'failure.path']);
  assert.deepEqual(one('ccTalk', 'out', cctalk(wire, 40, HEADER.routeBill, [1])), ['frame.stack']);
  assert.deepEqual(one('ccTalk', 'in', events), ['frame.answer']);
});

test('cards of both shoes, and a card that was not read', () => {
  const read = ksp1({ type: 'card', rank: 13, suit: 4, confidence: 255, code: null }, 1);
  assert.deepEqual(one('KSP-1', 'in', read), ['frame.card', 'KH']);
  const unread = ksp1({ type: 'card', rank: 0, suit: 0, confidence: 0, code: null }, 2);
  assert.deepEqual(one('KSP-1', 'in', unread), ['frame.unread-card']);
  const telegram = angelEye(3, { type: 'card', kind: 'game', target: 0, index: 0, suit: 3, rank: 10 });
  assert.deepEqual(one('Angel Eye II-EX', 'in', telegram), ['frame.card', 'TS']);
  assert.deepEqual(one('Angel Eye II-EX', 'out', encodeCommand({ type: 'LK', data: 2 })), ['frame.lock']);
});

test('the cabinet board and the UPS', () => {
  assert.deepEqual(one('KCB-1', 'out', kcb1({ type: 'lamp', upper: 'slow', lower: 'off' })), ['frame.lamp']);
  assert.deepEqual(one('KCB-1', 'out', kcb1({ type: 'siren', ms: 0 })), ['frame.silence']);
  assert.deepEqual(one('KCB-1', 'out', kcb1({ type: 'siren', ms: 10_000 })), ['frame.siren']);
  const line = (text: string): readonly string[] => one('NUT', 'in', Buffer.from(`${text}\n`));
  assert.deepEqual(one('NUT', 'out', Buffer.from('LIST VAR ups\n')), ['frame.poll']);
  assert.deepEqual(line('VAR ups ups.status "OL"'), ['frame.on-mains']);
  assert.deepEqual(line('VAR ups ups.status "OB LB"'), ['deviceState.battery-low']);
  assert.deepEqual(line('ERR DATA-STALE'), ['frame.refused']);
  assert.deepEqual(line('something else'), []);
  for (const key of ['frame.lamp', 'frame.silence', 'frame.siren', 'frame.doors-closed', 'frame.on-mains'])
    assert.ok(keyIsThere(key), key);
});
