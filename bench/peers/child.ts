/**
 * One program in a process of its own: `child.ts NAME FOLDER`. Answers every message of its parent
 * with one `Measured`.
 */
import { GCProfiler } from 'node:v8';
import { nameOf, OWN_CASES, ownPeer } from './banca.ts';
import { ceiling } from './ceiling.ts';
import type { Measured } from './measured.ts';
import type { Peer } from './peer.ts';

/** Enough for the compiler to have seen everything that a round can be. */
const WARM_SECONDS = 3;
const MEASURED_SECONDS = 0.6;
/** Between two looks at the clock. */
const BATCH_SECONDS = 0.05;

const PEERS: Readonly<Record<string, () => Promise<Peer>>> = {
  'engine-blackjack': async () => (await import('./engine-blackjack.ts')).peer,
  'baccarat-engine': async () => (await import('./baccarat-engine.ts')).peer,
  '@blackjacktrainer/blackjack-simulator': async () => (await import('./blackjacktrainer.ts')).peer,
  'ldobbelsteen/blackjack-simulator': async () => (await import('./ldobbelsteen.ts')).peer,
  'ceiling blackjack': async () => ({ load: async () => ceiling('blackjack') }),
  'ceiling baccarat': async () => ({ load: async () => ceiling('baccarat') }),
  'ceiling casino-war': async () => ({ load: async () => ceiling('casino-war') }),
  ...Object.fromEntries(OWN_CASES.map((own) => [nameOf(own), async () => ownPeer(own)])),
};

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

const [name = '', folder = ''] = process.argv.slice(2);
const peer = await PEERS[name]?.();
if (!peer) throw new RangeError(`no peer ${name}: expected one of ${Object.keys(PEERS).join(', ')}`);
const play = await peer.load(folder);

let batch = 100;

/** Plays on for so much time of the processor. */
function run(seconds: number): Omit<Measured, 'heapBytesPerRound'> {
  const [cpuBefore, before] = [cpuSeconds(), performance.now()];
  let rounds = 0;
  let won = 0;
  for (let last = cpuBefore; last < cpuBefore + seconds; ) {
    won += play(batch);
    rounds += batch;
    const now = cpuSeconds();
    if (now - last < BATCH_SECONDS / 2) batch *= 2;
    last = now;
  }
  return {
    rounds,
    cpuSeconds: cpuSeconds() - cpuBefore,
    seconds: (performance.now() - before) / 1_000,
    meanNet: won / rounds,
  };
}

/** From the heap's size before and after each collection. */
function heapPerRound(): number {
  const profiler = new GCProfiler();
  let left = process.memoryUsage().heapUsed;
  profiler.start();
  play(batch);
  const { statistics } = profiler.stop();
  let allocated = 0;
  for (const { beforeGC, afterGC } of statistics) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - left);
    left = afterGC.heapStatistics.usedHeapSize;
  }
  return Math.round((allocated + Math.max(0, process.memoryUsage().heapUsed - left)) / batch);
}

run(WARM_SECONDS);
process.on('message', () => {
  const measured: Measured = { ...run(MEASURED_SECONDS), heapBytesPerRound: heapPerRound() };
  process.send!(measured);
});
process.send?.('warm');
