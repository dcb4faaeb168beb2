/**
 * `node bench/long-child.ts ready-ledger|ready-terminal|verify|balances DIR`: one thing done with
 * the ledger in DIR; prints one line of JSON when it is done. `ready-…` imports nothing that a
 * terminal does not.
 */
import { join } from 'node:path';

const [, , what, dir = ''] = process.argv;
const path = join(dir, 'ledger.db');
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify({ ...line, cpuMs: cpuMs() })}\n`);
};

if (what === 'verify') {
  const { verifyLedger } = await import('../ledger/chain/verifier.store.ts');
  const startMs = performance.now();
  const startCpuMs = cpuMs();
  const stages: Record<string, number> = {};
  const { ok, entries, checkpoints } = verifyLedger(path, (stage, _, ms) => {
    stages[`${stage}Ms`] = ms;
    stages[`${stage}WorkMs`] = cpuMs() - startCpuMs;
  });
  say({ ok, entries, checkpoints, ...stages, ms: performance.now() - startMs, workMs: cpuMs() - startCpuMs });
} else if (what === 'balances') {
  const { checkBalances } = await import('../ledger/chain/closings.store.ts');
  const { openForReading } = await import('../ledger/store/sqlite.store.ts');
  const { db, close } = openForReading(path);
  const closings = db.prepare<[], number>('SELECT count(*) FROM closings').pluck().get()!;
  const startMs = performance.now();
  const startCpuMs = cpuMs();
  let wrong = 0;
  const { size } = checkBalances(db, true, () => wrong++);
  const took = { ms: performance.now() - startMs, workMs: cpuMs() - startCpuMs };
  close();
  if (wrong > 0) throw new Error(`${wrong} of ${closings} stored balances are not those of the entries`);
  say({ closings, accounts: size, ...took });
} else {
  const { loadOrCreateKey, openLedger } = await import('../ledger/store/ledger.store.ts');
  const openCpuMs = cpuMs();
  // As the generator of test/verifier/played-ledger.ts calls it, which is too much to load here.
  const ledger = openLedger(path, {
    terminalId: 'simulation',
    key: loadOrCreateKey(dir),
    createIfMissing: false,
  });
  const openedCpuMs = cpuMs();
  let locked: unknown = null;
  if (what === 'ready-terminal') {
    const { Terminal } = await import('../host/table/terminal.ts');
    const terminal = new Terminal({ ledger, now: Date.now, log: () => {} });
    locked = terminal.locked;
  }
  say({
    head: ledger.head().seq,
    locked,
    ms: performance.now(),
    beforeOpenCpuMs: openCpuMs,
    openCpuMs: openedCpuMs - openCpuMs,
  });
  ledger.close();
}
