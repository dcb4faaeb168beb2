import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrinterEvent } from '../ports.ts';
import { fromHex, toHex } from '../transport/bytes.ts';
import { HandClock } from '../transport/clock.ts';
import { type MemoryTransport, memoryPair } from '../transport/memory.transport.ts';
import { encodeDocument } from './escpos.codec.ts';
import { EscposPrinter } from './escpos.driver.ts';
import { EscposSim, readAs } from './escpos.sim.ts';

const text = (words: string) => ({ type: 'line', text: words }) as const;
const items = [text('first'), text('second'), { type: 'cut' } as const];
const job = (number: number) => ({ number, items });
const bytesOf = (number: number) => toHex(encodeDocument(number, items));

/** A driver with a line whose other end the test holds. */
async function byHand() {
  const clock = new HandClock();
  const events: PrinterEvent[] = [];
  const sent: string[] = [];
  let far: MemoryTransport | null = null;
  const printer = new EscposPrinter(
    'printer',
    () => {
      const [host, device] = memoryPair({ clock });
      far = device;
      void device.open({ onBytes: (bytes) => sent.push(toHex(bytes)), onClose: () => {} });
      return host;
    },
    clock,
  );
  printer.start((event) => events.push(event));
  await clock.turn(10);
  const say = async (hex: string) => {
    void far?.write(fromHex(hex));
    await clock.turn(10);
    return sent.splice(0);
  };
  return { clock, events, sent, printer, say };
}

test('the bytes of both sides, from the opening to a document on paper', async () => {
  const { events, sent, printer, say } = await byHand();
  assert.deepEqual(sent.splice(0), ['10 14 08 01 03 14 01 06 02 08']);
  assert.deepEqual(await say('37 25 00'), ['1d 61 0e', '10 04 01']);
  assert.deepEqual(await say('12'), ['10 04 02']);
  assert.deepEqual(await say('12'), ['10 04 03']);
  assert.deepEqual(await say('12'), ['10 04 04']);
  printer.print(job(7));
  // One round of answers alone is not believed.
  assert.deepEqual(await say('12'), []);
  assert.deepEqual(await say('10 00 00 00'), ['1d 56 42 00', bytesOf(7)]);
  assert.deepEqual(await say('37 22 30 30 30 37 00'), []);
  const status = {
    paper: 'there',
    coverOpen: false,
    cutterError: false,
    failed: false,
    pausing: false,
    online: true,
  } as const;
  assert.deepEqual(events, [
    { type: 'link', link: 'up' },
    { type: 'status', status },
    { type: 'begun', number: 7 },
    { type: 'printed', number: 7 },
  ]);
});

test('the answer about another document is believed of none', async () => {
  const { clock, events, printer, say } = await byHand();
  await say('37 25 00');
  await say('10 00 00 00');
  printer.print(job(8));
  await say('37 22 30 30 30 37 00');
  assert.deepEqual(events.at(-1), { type: 'begun', number: 8 });
  for (let i = 0; i < 20; i++) {
    await say('12');
    await clock.turn(1000);
  }
  assert.deepEqual(events.at(-1), { type: 'cut-off', number: 8, why: 'silent' });
  // It comes too late: what was cut off stays cut off.
  await say('37 22 30 30 30 38 00');
  assert.deepEqual(events.at(-1), { type: 'cut-off', number: 8, why: 'silent' });
});

test('a printer that cannot clear its buffers: what was left half is filled up, and cut off', async () => {
  const { clock, events, sent, printer, say } = await byHand();
  const clear = '10 14 08 01 03 14 01 06 02 08';
  await clock.turn(3100);
  // Perhaps nobody is there yet; a printer that answers later must be cleared again.
  assert.deepEqual(sent.splice(0), [clear, clear, clear, '10 04 01']);
  assert.deepEqual(await say('12'), [clear]);
  await clock.turn(3000);
  assert.deepEqual(sent.splice(0), [clear, clear, '1d 61 0e', '10 04 01']);
  await say('10 00 00 00');
  printer.print(job(9));
  await clock.turn(10);
  const [fill, ...rest] = sent.splice(0);
  assert.match(fill!, /^(00 ){9215}00$/);
  assert.deepEqual(rest, ['1d 56 42 00', bytesOf(9)]);
  await say('37 22 30 30 30 39 00');
  printer.print(job(10));
  await clock.turn(10);
  assert.deepEqual(sent.splice(0), [bytesOf(10)]);
  // It was slow, and has cleared what it was sent since.
  await say('37 25 00');
  assert.deepEqual(events.at(-1), { type: 'cut-off', number: 10, why: 'error' });
});

async function withSim(o: { readonly clears?: boolean } = {}) {
  const clock = new HandClock();
  const sim = new EscposSim({ clock, bytesAtOnce: 4, ...o });
  const told: string[] = [];
  const printer = new EscposPrinter(
    'printer',
    () => {
      const [host, device] = memoryPair({ clock });
      sim.plug(device);
      return host;
    },
    clock,
  );
  printer.start((event) => {
    if ('number' in event) told.push(`${event.type} ${event.number}`);
  });
  await clock.turn(o.clears === false ? 9000 : 3000);
  return { clock, sim, told, printer };
}

for (const [fault, mend] of [
  ['out', 'load-paper'],
  ['cover-open', 'cover-close'],
  ['hot', 'cool'],
] as const)
  test(`${fault} in mid-print: the document waits, the next one too, and each is one piece`, async () => {
    const { clock, sim, told, printer } = await withSim();
    printer.print(job(1));
    await clock.turn(60);
    sim.fault(fault);
    printer.print(job(2));
    await clock.turn(60_000);
    assert.deepEqual(told, ['begun 1']);
    sim.fault(mend);
    await clock.turn(3000);
    assert.deepEqual(told, ['begun 1', 'printed 1', 'begun 2', 'printed 2']);
    assert.equal(sim.pieces().length, 2);
  });

test('power that fails in the middle: cut off, and the next document begins on paper of its own', async () => {
  for (const offMs of [10, 500, 8000]) {
    const { clock, sim, told, printer } = await withSim();
    printer.print(job(1));
    await clock.turn(90);
    sim.powerOff();
    await clock.turn(offMs);
    sim.powerOn();
    printer.print(job(2));
    await clock.turn(40_000);
    assert.deepEqual(told, ['begun 1', 'cut-off 1', 'begun 2', 'printed 2'], `${offMs} ms`);
    const words = sim.pieces().map((piece) => piece.map((item) => (item.type === 'text' ? item.text : '')));
    assert.deepEqual(words.at(-1), ['first', 'second']);
  }
});

test('a cutter that jams: cut off, and nothing more until a person has mended it', async () => {
  const { clock, sim, told, printer } = await withSim();
  printer.print(job(1));
  await clock.turn(60);
  sim.fault('cutter');
  printer.print(job(2));
  await clock.turn(20_000);
  assert.deepEqual(told, ['begun 1', 'cut-off 1']);
  sim.fault('mend');
  printer.recover();
  await clock.turn(20_000);
  assert.deepEqual(told, ['begun 1', 'cut-off 1', 'begun 2', 'printed 2']);
});

test('a host that is not ours (python-escpos 5b94336): its slip, its picture and its questions', async () => {
  const clock = new HandClock();
  const sim = new EscposSim({ clock });
  const [host, device] = memoryPair({ clock });
  const said: string[] = [];
  sim.plug(device);
  await host.open({ onBytes: (bytes) => said.push(toHex(bytes)), onClose: () => {} });
  const ask = async (...sent: readonly string[]) => {
    for (const hex of sent) await host.write(fromHex(hex));
    await clock.turn(1000);
    return said.splice(0);
  };
  assert.deepEqual(await ask('10 04 01', '10 04 04'), ['12', '12']);
  await ask(
    '1b 21 00 1b 21 00 1b 21 30 1b 45 01 1b 61 01 1b 74 00 52 45 43 45 49 50 54 20 31 32 0a',
    '1d 28 6b 04 00 31 41 32 00 1d 28 6b 03 00 31 43 06 1d 28 6b 03 00 31 45 30',
    '1d 28 6b 07 00 31 50 30 68 74 74 70 1d 28 6b 03 00 31 51 30 65 6e 64 0a',
    // The cut of function A: nothing behind it, and what follows is a command of its own.
    '1b 64 06 1d 56 00',
    '1d 76 30 00 01 00 02 00 80 01',
    '1b 2a 21 02 00 ff ff ff 00 00 00 1b 32 1b 70 00 19 fa 1d 4c 00 00',
    '65 6e 64 0a 1b 64 06 1d 56 00',
  );
  assert.deepEqual(
    sim.pieces().map((piece) => piece.map(readAs)),
    [
      ['RECEIPT 12', 'http', 'end'],
      ['[8 x 2]', 'end'],
    ],
  );
  sim.fault('near-end');
  assert.deepEqual(await ask('10 04 01', '10 04 04'), ['12', '1e']);
  sim.fault('out');
  assert.deepEqual(await ask('10 04 01', '10 04 04'), ['1a', '7e']);
  sim.fault('load-paper');
  sim.fault('cover-open');
  assert.deepEqual(await ask('10 04 01', '10 04 04'), ['1a', '12']);
});
