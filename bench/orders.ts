/**
 * How long an order of the centre takes to the bill acceptors: handed in at a real centre, taken by
 * a terminal with simulated devices over the live link, until every unit has shut its mouth or
 * opened it again.
 */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CentreOrder, signCommand } from '../ledger/chain/command.codec.ts';
import { keyFromPrivate } from '../ledger/chain/key.ts';
import { loadOrCreateKey } from '../ledger/store/ledger.store.ts';
import { TestTerminal } from '../test/host/test-terminal.ts';
import { ROOT } from '../test/shell/paths.ts';
import { until } from '../test/support/until.ts';
import { basicOf, readPassword } from '../upstream/password.store.ts';
import type { PartContext } from './part.ts';
import { atMost, progress, spread } from './stats.ts';

const ORDERS = 60;
const ACCEPTORS = 6;
const TERMINAL = 'T-BENCH';
/** Status bytes of an ID-003 unit. */
const [OPEN, SHUT] = [0x11, 0x1a];
/** SAS 7.5 by way of the features: an order of the host is in force within a second. */
const GOAL_MS = 1_000;

export async function benchOrders({ stack, makeDir }: PartContext): Promise<object> {
  const dir = makeDir('orders');
  const enrolDir = join(dir, 'enrol');
  mkdirSync(enrolDir);
  const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const commandKey = Buffer.from(key.publicKey).toString('base64');
  const data = join(dir, 'centre');
  const centre = spawn(
    process.execPath,
    [
      ...[join(ROOT, 'upstream', 'main.ts'), '--data', data, '--enrol-dir', enrolDir],
      ...['--command-key', commandKey, '--supervised'],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL: '' } },
  );
  stack.defer(async () => {
    centre.stdin.end();
    await once(centre, 'exit');
  });
  const [line] = (await once(createInterface({ input: centre.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const authorization = basicOf(readPassword(join(data, 'operator-password')));

  const kit = await TestTerminal.open(
    { after: (end: () => unknown) => stack.defer(async () => void (await end())) } as never,
    { upstream: `${url}#command-key=${commandKey}`, profile: { terminalId: TERMINAL } },
  );
  writeFileSync(join(enrolDir, `${TERMINAL}.pub`), loadOrCreateKey(kit.dir).publicPem);
  await until('the link', () => kit.view.link.state === 'up');
  for (let acceptor = 1; acceptor <= ACCEPTORS; acceptor += 1) await kit.acceptorReady(acceptor);

  const ask = `${url}/v1/terminals/${TERMINAL}/commands`;
  const give = async (no: number, order: CentreOrder): Promise<void> => {
    const issuedAtMs = Date.now();
    const signed = signCommand(
      { terminal: TERMINAL, no, issuedAtMs, notAfterMs: null, issuer: 'bench', order },
      key,
    );
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await fetch(ask, { method: 'POST', headers, body: JSON.stringify(signed) });
    if (!answer.ok) throw new Error(`the centre answered ${answer.status}: ${await answer.text()}`);
  };
  progress(`orders: ${ORDERS} to ${ACCEPTORS} acceptors`);
  const took: number[] = [];
  for (let no = 1; no <= ORDERS; no += 1) {
    // At any moment between two reports.
    await sleep(100 + ((no * 137) % 700));
    const isOn = no % 2 === 0;
    const since = performance.now();
    await give(no, { type: isOn ? 'acceptor-on' : 'acceptor-off', acceptor: null });
    const wanted = isOn ? OPEN : SHUT;
    const isEverywhere = (): boolean =>
      Array.from({ length: ACCEPTORS }, (_, i) => kit.rack.acceptor(i + 1).status()).every(
        (status) => status === wanted,
      );
    await until(`order ${no} at the units`, isEverywhere, { everyMs: 2 });
    took.push(performance.now() - since);
  }
  const tookMs = spread(took);
  return { acceptors: ACCEPTORS, tookMs, goals: { mostMs: atMost(tookMs.max, GOAL_MS) } };
}
