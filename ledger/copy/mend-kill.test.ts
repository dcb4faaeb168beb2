/**
 * A repair that is killed: at every change of a file name and at moments between, the next start
 * completes it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { append, cutPower, flip, follow, mend, open, placeIn } from '../../test/kits/ledger-copy.ts';
import { verifyLedger } from '../chain/verifier.store.ts';
import { openLedgerReader } from '../store/ledger.store.ts';

const STEPS = ['linkSync', 'renameSync', 'rmSync', 'unlinkSync', 'fsyncSync'] as const;

const [, , role, dir, nth] = process.argv;
if (role === 'mend-and-die') mendAndDie(dir!, Number(nth));
else parent();

/**
 * Mends, and ends itself by SIGKILL before the nth step, 0 for never. Prints how many steps it
 * took.
 */
function mendAndDie(where: string, at: number): void {
  let steps = 0;
  for (const name of STEPS) {
    const real = fs[name] as (...args: unknown[]) => unknown;
    (fs as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
      steps += 1;
      if (steps === at) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    };
  }
  syncBuiltinESMExports();
  mend(placeIn(where));
  process.stdout.write(`${steps}`);
}

function parent(): void {
  const root = mkdtempSync(join(tmpdir(), 'banca-mend-kill-'));
  after(() => rmSync(root, { recursive: true, force: true }));

  const run = (where: string, at: number, killAfterMs: number | null): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [import.meta.filename, 'mend-and-die', where, String(at)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      child.once('error', reject);
      child.once('close', (code, signal) => {
        if (timer) clearTimeout(timer);
        if (code !== 0 && signal !== 'SIGKILL') reject(new Error(`the child ended with ${code} ${signal}`));
        else resolve(signal === null ? text : null);
      });
    });

  // The newest entries are in the -wal, some of them in no other file: nothing of it may get lost
  // on the way.
  const live = placeIn(join(root, 'live'));
  const begun = open(live);
  append(begun, 40);
  begun.close();
  follow(live);
  const ledger = open(live);
  append(ledger, 4);
  const cut = (name: string) => {
    const place = cutPower(live, join(root, name));
    const page = readFileSync(place.path).indexOf('"n":19,');
    assert.ok(page > 0);
    flip(place.path, page + 4, 1);
    // The same page may stand in the -wal, whole.
    const wal = readFileSync(`${place.path}-wal`);
    for (let at = wal.indexOf('"n":19,'); at >= 0; at = wal.indexOf('"n":19,', at + 1))
      assert.fail('the fixture is of no use: the page is in the -wal too');
    return place;
  };
  const headSeq = ledger.head().seq;
  const before = ledger.readBytes(1, headSeq).map(({ bytes }) => bytes);

  const examine = (name: string, place: ReturnType<typeof placeIn>): void => {
    mend(place);
    assert.deepEqual(verifyLedger(place.path).problems, [], name);
    const reader = openLedgerReader(place.path);
    const now = reader.readBytes(1, 1_000);
    assert.ok(
      before.every((bytes, i) => now[i]?.bytes.equals(bytes)),
      `${name}: an entry is another one`,
    );
    assert.deepEqual(
      reader.read(headSeq + 1, 10).map((entry) => entry.kind),
      ['ledger-repaired'],
      name,
    );
    reader.close();
    const names = readdirSync(place.dir).filter((file) => !/-(shm|wal|lock)$/.test(file) && file !== 'copy');
    assert.deepEqual(names.sort(), ['ledger-key.pem', 'ledger.db', 'ledger.db.damaged-1'], name);
    assert.ok(fs.existsSync(join(place.dir, 'ledger.db.damaged-1-wal')), name);
    rmSync(place.dir, { recursive: true });
  };

  const stride = process.env['BANCA_KILLS'] === undefined ? 2 : 1;
  it(`at every${stride === 1 ? '' : ' second'} step that changes a name or syncs a file`, async (t) => {
    const steps = Number(await run(cut('count').dir, 0, null));
    assert.ok(steps > 10);
    for (let at = 1 + randomInt(stride); at <= steps; at += stride) {
      const place = cut(`step-${at}`);
      assert.equal(await run(place.dir, at, null), null, `step ${at} came`);
      // Killed again at the same step of the second attempt, which may be its last or none.
      if (at % 3 === 0) await run(place.dir, at, null);
      examine(`killed at step ${at} of ${steps}`, place);
    }
    t.diagnostic(`of ${steps} steps`);
  });

  const moments = Number(process.env['BANCA_KILLS'] ?? 2);
  it(`at ${moments} moments`, async (t) => {
    let killed = 0;
    for (let i = 0; i < moments; i++) {
      const place = cut(`moment-${i}`);
      const ms = randomInt(200, 700);
      if ((await run(place.dir, 0, ms)) === null) killed += 1;
      examine(`killed after ${ms} ms`, place);
    }
    t.diagnostic(`${killed} of ${moments} were killed before the end`);
    ledger.close();
  });
}
