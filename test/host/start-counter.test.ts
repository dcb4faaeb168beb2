/**
 * The counter of starts against a TPM of software: what a start that dies at each of its steps
 * leaves, and what an attacker would.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Starts } from '../../host/program/life.ts';
import { countedStart, counterDispute, StartCounter } from '../../host/program/start-counter.ts';
import type { Counted } from '../../wire/host-events.ts';
import { NO_TPM, SoftwareTpm } from '../support/tpm.ts';

const startsOf = (counter: Counted | null, count = 1): Starts => ({
  count,
  counter,
  witness: null,
  wordAtMs: 0,
});

describe('the counter of starts', { skip: NO_TPM }, () => {
  it('goes up with every start, and an image of an earlier life is older than it', async (t) => {
    const tpm = new SoftwareTpm(t);
    await tpm.start();
    const counter = new StartCounter(tpm.tcti);
    assert.equal(counter.read(), null);
    const lives: Counted[] = [];
    for (let life = 0; life < 3; life += 1) {
      const before = startsOf(lives.at(-1) ?? null, life);
      assert.equal(counterDispute(before, counter), null);
      const { counted, now } = countedStart(counter, before);
      assert.equal(now(), null);
      assert.equal(counter.read(), counted!.willBe);
      lives.push(counted!);
    }
    assert.equal(counterDispute(startsOf(lives[2]!), counter), null);
    for (const old of lives.slice(0, 2)) assert.equal(counterDispute(startsOf(old), counter)?.kind, 'older');
    assert.equal(counterDispute(startsOf(null, 5), counter)?.kind, 'older', 'an image of before the counter');
    assert.equal(counterDispute(startsOf(null, 0), counter), null, 'a terminal that was wiped');
  });

  it('is no lock for starts that die at any of their steps, however many in a row', async (t) => {
    const tpm = new SoftwareTpm(t);
    await tpm.start();
    const counter = new StartCounter(tpm.tcti);
    let known: Counted | null = null;
    for (const died of [
      'begun',
      'said',
      'said',
      'half',
      'said',
      'counted',
      'said',
      'said',
      'counted',
      'counted',
    ]) {
      assert.equal(counterDispute(startsOf(known), counter), null, `before a start that was ${died}`);
      const { counted, now }: ReturnType<typeof countedStart> = countedStart(counter, startsOf(known));
      if (died === 'begun') {
        // Made in the TPM, and not yet in the ledger: only a ledger that never started may have
        // that.
        assert.equal(counterDispute(startsOf(null, 0), counter), null);
      }
      known = counted;
      if (died === 'half') counter.countTo(counter.read()! + 1);
      if (died === 'counted') now();
    }
    // An image of each of those dead starts, after a start that lived.
    const { counted, now } = countedStart(counter, startsOf(known));
    now();
    assert.equal(counterDispute(startsOf(known), counter)?.kind, 'older');
    assert.equal(counterDispute(startsOf(counted), counter), null);
  });

  it('locks where the TPM is away, is another one, or has an index that anybody can write', async (t) => {
    const tpm = new SoftwareTpm(t);
    await tpm.start();
    const counter = new StartCounter(tpm.tcti);
    const { counted, now } = countedStart(counter, startsOf(null));
    now();
    const kind = (): string | undefined => counterDispute(startsOf(counted), counter)?.kind;
    assert.equal(kind(), undefined);
    assert.equal(counterDispute(startsOf(counted), null)?.kind, 'unwitnessed', 'not in the terminal file');
    await tpm.stop();
    assert.equal(kind(), 'unwitnessed');
    assert.equal(counterDispute(startsOf(null), counter), null, 'a ledger that was never counted starts');
    assert.match(countedStart(counter, startsOf(null)).now()!, /TPM: /);
    await tpm.start('two');
    assert.equal(kind(), 'unwitnessed');
    await tpm.stop();
    await tpm.start();
    assert.equal(kind(), undefined);
    tpm.tool('tpm2_nvundefine', '-C', 'o', '0x1500BA4');
    assert.equal(kind(), 'unwitnessed', 'taken away');
    tpm.tool(
      'tpm2_nvdefine',
      '-C',
      'o',
      '-s',
      '8',
      '-a',
      'ownerread|ownerwrite|authread|authwrite',
      '0x1500BA4',
    );
    assert.match(counterDispute(startsOf(counted), counter)!.why, /is no counter/);
    tpm.tool('tpm2_nvundefine', '-C', 'o', '0x1500BA4');
    counter.readOrBegin();
    assert.equal(kind(), 'older', 'made again it goes on above all that it has counted');
  });
});
