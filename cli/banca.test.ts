import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isWeakHash, People } from '../host/config/people.ts';
import { readScript } from '../host/simulation/script.ts';
import { loadOrCreateKey } from '../ledger/store/ledger.store.ts';
import {
  banca,
  binaryCannotRun,
  cannotRun,
  json,
  profile,
  root,
  START,
  script,
  stepsOf,
} from '../test/kits/cli.ts';

describe('a command line', () => {
  it('says what there is', async () => {
    for (const argv of [[], ['--help']]) {
      const { status, stdout } = banca(argv);
      assert.equal(status, 0);
      for (const name of [
        'host',
        'verify',
        'replay',
        'recall',
        'meters',
        'export',
        'vectors',
        'devices',
        'person',
        'simulate',
      ])
        assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'));
    }
    const help = banca(['export', '--help']);
    assert.match(help.stdout, /^usage: banca export DB --out DIR /);
    assert.equal(help.status, 0);
  });

  it('that cannot run gets one sentence and exit 2', async () => {
    await cannotRun(['verfy'], /^banca: there is no command 'verfy'/);
    await cannotRun(['toString'], /^banca: there is no command 'toString'/);
    await cannotRun(['replay'], /^banca replay: DB is missing$/m);
    await cannotRun(['replay', join(root, 'none.db')], /^banca replay: there is no file .*none\.db$/m);
    await cannotRun(['vectors', join(root, 'none.json')], /^banca vectors: .*none\.json/);
    await cannotRun(['device', 'x', '--json'], /^banca device: there is no 'x'; sim, run or replay$/m);
  });

  it('of vectors and devices answers with --json', async () => {
    const vectors = join(root, 'vectors.json');
    writeFileSync(vectors, '{"format":"banca-vectors/1","vectors":[]}');
    assert.deepEqual(await json('vectors', vectors), {
      status: 0,
      passed: 0,
      failed: 0,
      unsupported: 0,
      failures: [],
    });
    assert.ok('usb' in (await json('devices')));
  });
});

describe('banca person', () => {
  const ana = ['person', '--id', 'A-9', '--name', 'Ana Rocha', '--number', '47', '--role', 'auditor'];

  it('makes a record that the terminal knows by its PIN', async () => {
    for (const [argv, input] of [
      [ana, '604913\n604913\n'],
      [[...ana, '--pin-stdin', '--json'], '604913'],
    ] as const) {
      const { status, stdout } = banca(argv, input);
      assert.equal(status, 0);
      const { pinHash, ...person } = JSON.parse(stdout) as { pinHash: string };
      const expected = { id: 'A-9', name: 'Ana Rocha', role: 'auditor' } as const;
      assert.deepEqual(person, { ...expected, number: '47' });
      assert.equal(isWeakHash(pinHash), false);
      const people = new People(() => [{ ...expected, number: '47', pinHash }], { monotonic: () => 0 });
      const credential = { person: '47', pin: '604913' };
      assert.deepEqual(
        await people.identify({ credential, roles: ['auditor'], pad: 'staff', from: 'table' }),
        { person: expected, forgiven: null },
      );
    }
  });

  it('refuses two PINs, half a PIN, one that is guessed first, and a role that is none', async () => {
    binaryCannotRun(ana, /the two PINs are not the same/, '604913\n604914\n');
    binaryCannotRun(ana, /the PIN must come twice/, '604913\n');
    binaryCannotRun(ana, /the PIN is missing/);
    binaryCannotRun([...ana, '--pin-stdin'], /the PIN: 4 to 8 digits/, '47\n');
    binaryCannotRun([...ana, '--pin-stdin'], /the PIN: it needs at least 6 digits/, '4711\n');
    binaryCannotRun([...ana, '--pin-stdin'], /the PIN: digits that are all the same or in a row/, '345678\n');
    await cannotRun([...ana.slice(0, -1), 'owner'], /--role: /);
    await cannotRun(['person', '--id', 'x'], /--name NAME is missing/);
  });
});

describe('banca host', () => {
  const host = (name: string, ...more: readonly string[]): string[] => [
    'host',
    ...['--data', join(root, name), '--profile', profile],
    ...more,
  ];

  it('ends a script at the first refused step: exit 1', async () => {
    const path = script('refused.jsonl', ...START.slice(0, 1), { do: 'open-betting' }, { do: 'cut' });
    const run = banca(host('refused', '--sim', path));
    assert.equal(run.status, 1);
    const steps = stepsOf(run);
    assert.deepEqual(
      steps.slice(0, 2).map((step) => [step['do'], step['ok']]),
      [
        ['sign-in', true],
        ['open-betting', false],
      ],
    );
    assert.deepEqual(steps[2], { script: 'stopped', line: 2, why: 'not-due' });
    assert.equal(steps.length, 3);
    assert.equal((await json('verify', join(root, 'refused', 'ledger.db')))['ok'], true);
  });

  it('plays faults and words of the dealer, and stops when an announced refusal does not come', async () => {
    const path = script(
      'faults.jsonl',
      ...START,
      { do: 'note', seat: 1, valueMinor: 123, refused: 'rejected' },
      { do: 'draw', count: 1, refused: 'unexpected-card' },
      { do: 'command', command: { type: 'set-card-aside' } },
      { do: 'draw', refused: 'not-due' },
      { do: 'fault', device: 'acceptor-3', fault: 'jam' },
      { do: 'wait', device: 'acceptor-3', state: 'jammed' },
      {
        do: 'device',
        command: { do: 'insert-note', acceptor: 3, valueMinor: 5000, currency: 'MOP' },
        refused: 'device',
      },
      {
        do: 'command',
        command: { type: 'enter-service', credential: { person: '4', pin: '9999' } },
        refused: 'person',
      },
      { do: 'command', command: { type: 'no-such' }, refused: 'malformed' },
      { do: 'fault', device: 'shoe', fault: 'fire', refused: 'device' },
      { do: 'wait', step: 'open-betting' },
      { do: 'open-betting', refused: 'held' },
    );
    const run = banca(host('faults', '--sim', path));
    const steps = stepsOf(run);
    assert.equal(run.status, 1, run.stderr);
    assert.deepEqual(steps.at(-1), { script: 'stopped', line: 17, why: 'not refused with held' });
    assert.deepEqual(steps.filter((step) => step['ok'] === false).length, 1);
  });

  it('names file, line and place of a mistake in a script before anything is started: exit 2', async () => {
    const mistake = join(root, 'mistake.jsonl');
    const cases: [string, RegExp][] = [
      ['{"do":"bet","seat":0,"amountMinor":100}', /mistake\.jsonl:1: seat: /],
      ['# only a remark\n{"do":"load-shoe","cards":["1X"]}', /mistake\.jsonl:2: cards\.0: 1X is no card/],
      ['{"do":"wait"}', /mistake\.jsonl:1: step: wait for one of/],
      ['{"do":"cut","seats":1}', /mistake\.jsonl:1: .*"seats"/],
      ['{"do":', /mistake\.jsonl:1: .*JSON/],
      ['# nothing', /mistake\.jsonl: the script has no step/],
      ['{"do":"sign-in","credential":{"person":"1","pin":"1111"}}\n{"do":"dance"}', /mistake\.jsonl:2: do: /],
    ];
    for (const [text, sentence] of cases) {
      writeFileSync(mistake, text);
      assert.throws(() => readScript(mistake), { message: sentence });
    }
    binaryCannotRun(host('nothing', '--sim', mistake), /mistake\.jsonl:2: do: /);
    assert.ok(!readdirSync(root).includes('nothing'));
  });

  it('that cannot run says why: exit 2', async () => {
    await cannotRun(['host'], /^banca host: --data DIR is missing$/m);
    binaryCannotRun(host('x', '--port', 'many'), /--port many: a number from 0 to 65535/);
    binaryCannotRun(host('x', '--profile', join(root, 'none.json')), /none\.json/);
    binaryCannotRun(
      host('x', '--demo', '--sim', script('any.jsonl', { do: 'cut' })),
      /--sim .* --demo .* one of them/,
    );
    const damaged = join(root, 'damaged');
    loadOrCreateKey(damaged);
    writeFileSync(join(damaged, 'ledger.db'), 'no database at all'.repeat(500));
    binaryCannotRun(
      host('damaged'),
      /^\[host\] ledger .* is damaged: .*its copy .* does not mend it: .*call the technician\.$/m,
    );
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      const taken = new RegExp(`banca host: .*EADDRINUSE.*:${port}`);
      binaryCannotRun(host('taken', '--port', String(port)), taken);
    } finally {
      server.close();
    }
  });
});
