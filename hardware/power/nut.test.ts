import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PowerEvent } from '../ports.ts';
import { EMPTY_PARSER, type ParserState } from '../transport/bytes.ts';
import { HandClock } from '../transport/clock.ts';
import { seededChance } from '../transport/faults.ts';
import { memoryPair } from '../transport/memory.transport.ts';
import { encodeList, parse, readLine, statusOf } from './nut.codec.ts';
import { NutSupply } from './nut.driver.ts';
import { NutSim } from './nut.sim.ts';

const status = (words: string) => statusOf(new Map([['ups.status', words]]));

test('lines of upsd are read, quotes in a value among them', () => {
  assert.deepEqual(readLine('VAR ups device.model "A \\"B\\" \\\\ C"'), {
    type: 'var',
    ups: 'ups',
    name: 'device.model',
    value: 'A "B" \\ C',
  });
  assert.deepEqual(readLine('BEGIN LIST VAR ups'), { type: 'begin', ups: 'ups' });
  assert.deepEqual(readLine('ERR DATA-STALE'), { type: 'error', code: 'DATA-STALE' });
  assert.deepEqual(readLine('ERR ACCESS-DENIED because'), { type: 'error', code: 'ACCESS-DENIED' });
  for (const line of ['VAR ups ups.status "OL', 'VAR ups ups.status OL', 'END LIST CMD ups', ''])
    assert.equal(readLine(line), null, line);
});

test('what is asked is kept in a recording for itself, without a pool of bytes behind it', () => {
  const asked = encodeList('ups');
  assert.equal(String(Buffer.from(asked)), 'LIST VAR ups\n');
  assert.equal(asked.buffer.byteLength, asked.byteLength);
});

test('the words of a status: what is a battery, what is its end', () => {
  assert.deepEqual(status('OL CHRG LB')?.batteryLow, false, 'it charges');
  const of = (words: string) => [status(words)?.onBattery, status(words)?.batteryLow];
  assert.deepEqual(of('OL'), [false, false]);
  assert.deepEqual(of('OB DISCHRG'), [true, false]);
  assert.deepEqual(of('OB LB'), [true, true]);
  assert.deepEqual(of('FSD OL'), [true, true]);
  assert.equal(status('OL RB')?.replaceBattery, true);
  assert.equal(status('WAIT'), null);
  assert.equal(statusOf(new Map()), null);
});

test('lines are found in any pieces; random bytes neither crash the parser nor make it grow', () => {
  const text = Buffer.from('BEGIN LIST VAR ups\nVAR ups ups.status "OL"\nEND LIST VAR ups\n');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), (size) => {
      let state: ParserState = EMPTY_PARSER;
      const seen: string[] = [];
      for (let at = 0; at < text.length; at += size) {
        const parsed = parse(state, text.subarray(at, at + size));
        state = parsed.state;
        seen.push(...parsed.frames.map(({ frame }) => frame.type));
      }
      assert.deepEqual(seen, ['begin', 'var', 'end']);
    }),
  );
  const chance = seededChance(49);
  const runs = Number(process.env['BANCA_FUZZ'] ?? 20_000);
  let state: ParserState = EMPTY_PARSER;
  for (let run = 0; run < runs; run++) {
    const bytes = Uint8Array.from({ length: 1 + chance.below(200) }, () => chance.below(256));
    state = parse(state, bytes).state;
    assert.ok(state.kept.length <= 1024);
  }
});

test('mains, battery, its end, silence and old data, in this order', async () => {
  const clock = new HandClock();
  const sim = new NutSim({ clock });
  const said: string[] = [];
  const supply = new NutSupply(
    'ups',
    () => {
      const [host, device] = memoryPair({ clock, latencyMs: 2 });
      sim.plug(device);
      return host;
    },
    clock,
    { ups: 'ups' },
  );
  supply.start((event: PowerEvent) => {
    if (event.type === 'link') said.push(event.link);
    else if (event.type === 'identity') said.push(event.identity.model);
    else said.push(event.status.batteryLow ? 'low' : event.status.onBattery ? 'battery' : 'mains');
  });
  await clock.turn(5_000);
  assert.deepEqual(said.splice(0), ['up', 'SIMULATED UPS', 'mains']);
  sim.fault('mains-off');
  await clock.turn(1_100);
  assert.deepEqual(said.splice(0), ['battery']);
  sim.fault('low');
  await clock.turn(1_100);
  assert.deepEqual(said.splice(0), ['low']);
  sim.fault('stale');
  await clock.turn(5_000);
  assert.deepEqual(said.splice(0), ['down']);
  sim.fault('fresh');
  await clock.turn(1_100);
  assert.deepEqual(said.splice(0), ['up', 'low']);
  sim.powerOff();
  await clock.turn(10_000);
  assert.deepEqual(said.splice(0), ['down']);
  sim.powerOn();
  sim.fault('charged');
  sim.fault('mains-on');
  await clock.turn(15_000);
  assert.deepEqual(said.splice(0), ['up', 'SIMULATED UPS', 'mains']);
  await supply.stop();
});

test('an upsd that does not know the UPS, or speaks another language, is no UPS', async () => {
  const clock = new HandClock();
  const sim = new NutSim({ clock, ups: 'other' });
  const said: PowerEvent[] = [];
  const supply = new NutSupply(
    'ups',
    () => {
      const [host, device] = memoryPair({ clock, latencyMs: 2 });
      sim.plug(device);
      return host;
    },
    clock,
    { ups: 'ups' },
  );
  supply.start((event) => said.push(event));
  await clock.turn(30_000);
  assert.deepEqual(said, []);
  await supply.stop();
});
