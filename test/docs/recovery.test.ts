/**
 * docs/operations/recovery.md as a second person follows it: its commands, one after the other, on
 * terminals that were damaged as its headings say. Only what stands there is done. The machine of
 * the document is a folder here, its unit the host alone.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { type VerifyReport, verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { flip } from '../kits/ledger-copy.ts';
import { assertBuilt, BUILT_HOST } from '../support/built.ts';
import { LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import { ROOT } from './generated.ts';

const DOCUMENT = readFileSync(join(ROOT, 'docs/operations/recovery.md'), 'utf8');
const root = mkdtempSync(join(tmpdir(), 'banca-recovery-'));
after(() => rmSync(root, { recursive: true, force: true }));

interface Block {
  readonly commands: readonly string[];
  /** Lines that are printed, in this order, `…` for anything. */
  readonly printed: readonly string[];
}

/** The fenced commands of a case, each with what the document says it prints. */
function stepsOf(number: number): Block[] {
  const section = new RegExp(`^### Case ${number}: [\\s\\S]*?(?=^###? |(?![\\s\\S]))`, 'm').exec(
    DOCUMENT,
  )?.[0];
  assert.ok(section, `case ${number} is in the document`);
  const blocks: { commands: string[]; printed: string[] }[] = [];
  for (const [, kind, body] of section.matchAll(/^ *```(sh|text)\n([\s\S]*?)^ *```$/gm)) {
    const lines = body!
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (kind === 'sh') blocks.push({ commands: lines, printed: [] });
    else blocks.at(-1)!.printed.push(...lines);
  }
  assert.ok(blocks.length > 0);
  return blocks;
}

const UNIT = '/etc/systemd/system/banca.service';

/** The machine of the document under a folder: its paths, its unit and its log. */
class Machine {
  readonly #dir: string;
  #host: ChildProcess | null = null;
  #log = '';
  isReady = false;

  constructor(dir: string) {
    this.#dir = dir;
    for (const folder of ['etc/systemd/system', 'etc/banca', 'media/evidence', 'media/safe'])
      mkdirSync(this.at(`/${folder}`), { recursive: true });
    const unit = readFileSync(join(ROOT, 'electron/deploy/banca.service'), 'utf8');
    // What happens at the table is simulated here.
    writeFileSync(this.at(UNIT), unit.replace('--production ', ''));
    copyFileSync(join(ROOT, 'host/profiles/demo.json'), this.at('/etc/banca/terminal.json'));
  }

  /** Where a path of the document is. */
  at(path: string): string {
    return join(this.#dir, path);
  }

  /**
   * Paths of the document as they are here, but for those between quotes: the files hold the
   * document's.
   */
  #here(text: string): string {
    return text.replaceAll(/'[^']*'|(?<=^|[\s"=])\/(?:var\/lib|etc|opt|media)\//g, (found) =>
      found.startsWith("'") ? found : this.at(found),
    );
  }

  /** What is printed, as it would be there. */
  #there(text: string): string {
    return text.replaceAll(this.#dir, '');
  }

  async do(line: string): Promise<string> {
    const [command, exit = '0'] = line.split(/ *# exit /) as [string, string?];
    const [, unit] = /^systemctl (start|stop) banca$/.exec(command) ?? [];
    if (unit === 'start') await this.start();
    if (unit === 'stop') await this.stop();
    if (unit !== undefined || command === 'systemctl daemon-reload') return '';
    if (command === 'journalctl -u banca -n 20') return this.#there(this.#log);
    const { status, stdout, stderr } = spawnSync(
      'sh',
      [
        '-c',
        this.#here(command)
          .replace(/^runuser -u banca -- /, '')
          .replace(' -o banca -g banca', '')
          .replace(/^banca /, `npm --prefix '${ROOT}' run --silent banca -- `),
      ],
      { encoding: 'utf8' },
    );
    const printed = this.#there(stdout + stderr);
    assert.equal(status, Number(exit), `${line}\n${printed}`);
    return printed;
  }

  /** The unit's command, with the host in the place of the supervisor. */
  async start(more: readonly string[] = []): Promise<void> {
    const args = /^ExecStart=.*launch\.ts (.*)$/m.exec(readFileSync(this.at(UNIT), 'utf8'))![1]!.split(' ');
    const host = spawn(process.execPath, [BUILT_HOST, ...args.map((word) => this.#here(word)), ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#host = host;
    this.isReady = false;
    host.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    await new Promise<void>((resolve) => {
      host.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"ready":true')) {
          this.isReady = true;
          if (more.length === 0) resolve();
        }
      });
      host.once('close', () => resolve());
    });
  }

  /** Sends a signal to the host, which has to be running. */
  signal(signal: NodeJS.Signals): void {
    assert.ok(this.#host?.kill(signal));
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const host = this.#host;
    this.#host = null;
    if (host === null || host.exitCode !== null || host.signalCode !== null) return;
    const ended = new Promise((resolve) => host.once('close', resolve));
    host.kill(signal);
    await ended;
  }

  async follow(number: number): Promise<void> {
    for (const { commands, printed } of stepsOf(number)) {
      const output: string[] = [];
      for (const line of commands) output.push(...(await this.do(line)).split('\n'));
      let at = 0;
      for (const line of printed) {
        const pattern = new RegExp(
          `^${line
            .split('…')
            .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
            .join('.*')}$`,
        );
        const found = output.findIndex((each, i) => i >= at && pattern.test(each));
        assert.ok(found >= 0, `case ${number} prints '${line}', not:\n${output.join('\n')}`);
        at = found + 1;
      }
    }
  }

  report(path = '/var/lib/banca/ledger.db'): VerifyReport {
    return verifyLedger(this.at(path));
  }
}

describe('docs/operations/recovery.md', { concurrency: false }, () => {
  const template = join(root, 'template');
  let balances: VerifyReport['balances'];

  before(async () => {
    assertBuilt();
    const machine = new Machine(template);
    const script = join(root, 'script.jsonl');
    writeFileSync(
      script,
      [
        { do: 'sign-in', credential: { person: '1', pin: '1111' } },
        { do: 'load-shoe' },
        { do: 'cut' },
        { do: 'place-end-card' },
        { do: 'draw' },
        { do: 'note', seat: 1, valueMinor: 50_000 },
        { do: 'note', seat: 3, valueMinor: 10_000 },
      ]
        .map((step) => JSON.stringify(step))
        .join('\n'),
    );
    await machine.start(['--sim', script]);
    const report = machine.report();
    assert.deepEqual(report.problems, []);
    balances = report.balances;
    assert.ok(Object.keys(balances).length >= 3, JSON.stringify(balances));
    copyFileSync(machine.at('/var/lib/banca/ledger-key.pem'), machine.at('/media/safe/ledger-key.pem'));
  });

  /** The terminal again, damaged, then brought back by the document alone. */
  async function recover(number: number, harm: (machine: Machine) => void | Promise<void>): Promise<Machine> {
    const dir = join(root, `case-${number}`);
    const machine = new Machine(dir);
    cpSync(template, dir, { recursive: true });
    await harm(machine);
    try {
      await machine.follow(number);
      assert.ok(machine.isReady, 'the terminal has started');
    } finally {
      await machine.stop();
    }
    return machine;
  }

  const assertSame = (machine: Machine): void => {
    for (const path of ['/var/lib/banca/ledger.db', '/var/lib/banca/copy/ledger.db']) {
      const report = machine.report(path);
      assert.deepEqual(report.problems, []);
      assert.deepEqual(report.balances, balances);
    }
  };

  /** Bytes flipped in many pages. */
  const spoil = (path: string, seed: number): void => {
    const { size } = statSync(path);
    for (let page = 0; page < size / 4096; page++) flip(path, page * 4096 + ((seed + page * 613) % 4096));
  };

  it('case 1: the ledger was damaged, the copy is good; the terminal was killed in the moment', async (t) => {
    const seed = randomInt(4096);
    t.diagnostic(`seed ${seed}`);
    let before = { headSeq: 0, headHash: '' };
    const machine = await recover(1, async (m) => {
      await m.start();
      const ledger = m.at('/var/lib/banca/ledger.db');
      const level = (): boolean => {
        // It stands still for the look: an entry between the look and the kill would be missed.
        m.signal('SIGSTOP');
        before = m.report();
        const isLevel = m.report('/var/lib/banca/copy/ledger.db').headHash === before.headHash;
        if (!isLevel) m.signal('SIGCONT');
        return isLevel;
      };
      await until('the copy is level', level);
      await m.stop('SIGKILL');
      assert.ok(statSync(`${ledger}-wal`).size > 0, 'its newest part is in the -wal');
      spoil(ledger, seed);
      for (let at = 40; at < statSync(`${ledger}-wal`).size; at += 4_120) flip(`${ledger}-wal`, at);
    });
    assertSame(machine);
    const reader = openLedgerReader(machine.at('/var/lib/banca/ledger.db'));
    assert.equal(
      toHex(reader.hashAt(before.headSeq)!),
      before.headHash,
      'every entry is there, in its place',
    );
    assert.equal(reader.read(before.headSeq + 1, 1)[0]!.kind, 'ledger-repaired');
    reader.close();
  });

  // `e2e/service` and `e2e/repair` mend either file from the other.
  it('case 2: the copy is damaged', { skip: LONG }, async () => {
    assertSame(await recover(2, (m) => spoil(m.at('/var/lib/banca/copy/ledger.db'), 100)));
  });

  it('case 3: a file is gone', { skip: LONG }, async () => {
    assertSame(await recover(3, (m) => rmSync(m.at('/var/lib/banca/ledger.db'))));
  });

  it('case 4: both files are damaged', async () => {
    const machine = await recover(4, (m) => {
      for (const path of ['/var/lib/banca/ledger.db', '/var/lib/banca/copy/ledger.db']) {
        const at = readFileSync(m.at(path)).indexOf('"kind":"note-credited"');
        assert.ok(at > 0);
        flip(m.at(path), at + 9, 1);
      }
    });
    const old = machine.report();
    assert.equal(old.ok, false, 'the old ledger is as it was');
    const exported = readFileSync(machine.at('/media/evidence/export/entries.jsonl'), 'utf8');
    assert.ok(exported.split('\n').length > old.firstBadSeq!);
    assert.deepEqual(machine.report('/var/lib/banca/epoch-2/ledger.db').problems, []);
    assert.ok(existsSync(machine.at('/media/evidence/banca/ledger.db')));
  });

  it('case 5: the key is lost', async () => {
    const machine = await recover(5, async (m) => {
      rmSync(m.at('/var/lib/banca/ledger-key.pem'));
      await m.start();
      assert.equal(m.isReady, false);
      assert.equal(existsSync(m.at('/var/lib/banca/ledger-key.pem')), false, 'no new key is made');
    });
    assertSame(machine);
  });
});
