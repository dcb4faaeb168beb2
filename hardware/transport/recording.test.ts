import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Model, ModelOptions, SimulatedShoe } from '../model.ts';
import { MODELS, modelOf } from '../models.ts';
import type { OpenTransport, Tape } from '../ports.ts';
import { Ksp1Sim } from '../shoe/ksp1/ksp1.sim.ts';
import { fromHex } from './bytes.ts';
import { HandClock } from './clock.ts';
import type { LineFaults } from './faults.ts';
import { memoryPair } from './memory.transport.ts';
import { entryLine, fromPlain, headLine, RingTape, readRecording, toPlain } from './recording.ts';
import { replay } from './replay.ts';

const known = (name: string): Model => {
  const model = modelOf(name);
  assert.ok(model, name);
  return model;
};

const KEY = '00112233445566778899aabbccddeeff';

interface Life {
  readonly tape: RingTape;
  /** Every event the driver told, as text. */
  readonly told: readonly string[];
}

/**
 * Every model, with options of its driver; the shoe's are those with which there is the most to
 * say.
 */
const SUBJECTS: readonly (readonly [name: string, options: ModelOptions])[] = Object.entries(MODELS).map(
  ([name, { example }]) => [name, name === 'ksp1' ? { pairingKey: KEY } : example],
);

/**
 * A device on a bad line: notes or cards come, power and plug fail, and the host answers as it
 * should.
 */
async function live(
  name: string,
  options: ModelOptions,
  seed: number,
  faults: LineFaults,
  half: number,
): Promise<Life> {
  const clock = new HandClock();
  const model = known(name);
  const tape = new RingTape(half);
  const told: string[] = [];
  let line: ReturnType<typeof memoryPair> | null = null;
  const opens = (plug: (device: ReturnType<typeof memoryPair>[1]) => void): OpenTransport => {
    let lines = 0;
    const open = (): ReturnType<typeof memoryPair>[0] => {
      line = memoryPair({ clock, latencyMs: 3, faults, seed: seed + lines++ });
      plug(line[1]);
      return line[0];
    };
    return Object.assign(open, { tape: tape as Tape });
  };
  const unplug = (): void => line?.[0].unplug('pulled');
  if (model.kind === 'bill-acceptor') {
    const unit = await model.simulator({ clock, seed });
    const driver = model.create(
      'a',
      opens((device) => unit.sim.plug(device)),
      clock,
      options,
    );
    driver.allow([10_000, 50_000]);
    driver.start((event) => {
      told.push(JSON.stringify(event));
      if (event.type === 'escrowed') driver.stack();
      if (event.type === 'credit') driver.acknowledgeCredit();
    });
    // From its start to its rest an EBDS unit takes some seconds.
    await clock.turn(4000);
    for (let round = 0; round < 6; round++) {
      await clock.turn(1500);
      unit.insert(round % 2 === 0 ? 10_000 : 50_000, unit.currency);
      await clock.turn(900 + 137 * (seed % 7));
      if (round === 2) unplug();
      if (round === 4) {
        unit.sim.powerOff();
        await clock.turn(500);
        unit.sim.powerOn();
      }
    }
    await clock.turn(4000);
    await driver.stop();
  } else if (model.kind === 'receipt-printer') {
    const { sim } = await model.simulator({ clock, seed });
    const driver = model.create(
      'p',
      opens((device) => sim.plug(device)),
      clock,
      options,
    );
    driver.start((event) => told.push(JSON.stringify(event)));
    for (let number = 1; number <= 6; number++) {
      await clock.turn(1500 + 91 * (seed % 5));
      driver.print({ number, items: [{ type: 'line', text: `slip ${number}` }, { type: 'cut' }] });
      if (number === 3) unplug();
      if (number === 5) {
        sim.powerOff();
        await clock.turn(300);
        sim.powerOn();
      }
    }
    await clock.turn(20_000);
    await driver.stop();
    sim.powerOff();
  } else if (model.kind === 'cabinet-board' || model.kind === 'power-supply') {
    const { sim, faults: known, fault } = await model.simulator({ clock, seed });
    const driver = model.create(
      'b',
      opens((device) => sim.plug(device)),
      clock,
      options,
    );
    driver.start((event) => told.push(JSON.stringify(event)));
    for (const [at, name] of known.entries()) {
      await clock.turn(900 + 91 * (seed % 5));
      fault(name);
      if ('siren' in driver && at === 1) {
        driver.lamp('slow', 'fast');
        driver.siren(3_000);
      }
      if (at === 3) unplug();
      if (at === 4) {
        sim.powerOff();
        await clock.turn(300);
        sim.powerOn();
      }
    }
    await clock.turn(6000);
    await driver.stop();
    sim.powerOff();
  } else {
    const shoe = name === 'ksp1' ? pairedShoe(clock, seed) : await model.simulator({ clock, seed });
    const driver = model.create(
      's',
      opens((device) => shoe.sim.plug(device)),
      clock,
      options,
    );
    let stored = 0;
    driver.start(
      (event) => {
        told.push(JSON.stringify(event));
        if (!('seq' in event) || event.seq === null) return;
        stored = event.seq;
        driver.acknowledge(event.seq);
      },
      () => stored,
    );
    shoe.load(
      Array.from({ length: 52 }, (_, card) => card),
      1,
    );
    for (let round = 0; round < 8; round++) {
      await clock.turn(700 + 91 * (seed % 5));
      shoe.draw();
      if (round === 3) unplug();
      if (round === 5) {
        shoe.sim.powerOff();
        await clock.turn(300);
        shoe.sim.powerOn();
      }
    }
    await clock.turn(4000);
    await driver.stop();
    shoe.sim.powerOff();
  }
  return { tape, told };
}

/** The registry's shoe has no key. */
function pairedShoe(clock: HandClock, seed: number): Pick<SimulatedShoe, 'sim' | 'load' | 'draw'> {
  const sim = new Ksp1Sim({ clock, seed, pairingKey: fromHex(KEY) });
  return { sim, load: (cards, decks) => void sim.load(cards, decks), draw: () => sim.draw() };
}

/** The events that a recording makes, as text. */
function replayed(text: string, options: ModelOptions): readonly string[] {
  const { head, entries } = readRecording(text);
  const model = known(head.model);
  const secrets = model.options.parse(options) as Readonly<Record<string, unknown>>;
  const state = head.state === null ? null : fromPlain(head.state, secrets);
  const { events, departure } = replay(model.machine(options, state), entries, head.ticks);
  assert.equal(departure, null);
  return events.flatMap(({ event }) => (model.tells(event) ? [JSON.stringify(event)] : []));
}

const GOOD: LineFaults = { dropPerMille: 0, flipPerMille: 0, losePerMille: 0 };
const rate = fc.integer({ min: 0, max: 60 });
const lineFaults: fc.Arbitrary<LineFaults> = fc.record({
  dropPerMille: rate,
  flipPerMille: rate,
  losePerMille: rate,
});
const numRuns = Number(process.env['BANCA_FUZZ_RUNS'] ?? 40);

for (const name of ['ksp1', 'angel-eye'] as const)
  test(`${name}: with the card that it has told last it forgets what was before, and plays again from there`, async () => {
    const clock = new HandClock();
    const tape = new RingTape();
    const told: string[] = [];
    const model = known(name);
    assert.ok(model.kind === 'card-shoe');
    const shoe = await model.simulator({ clock, seed: 1 });
    const open = Object.assign(
      () => {
        const [near, far] = memoryPair({ clock, latencyMs: 3, faults: GOOD, seed: 1 });
        shoe.sim.plug(far);
        return near;
      },
      { tape: tape as Tape },
    );
    const options = model.example;
    const driver = model.create('s', open, clock, options);
    let stored = 0;
    let kept = 0;
    driver.start(
      (event) => {
        told.push(JSON.stringify(event));
        if (!('seq' in event) || event.seq === null) return;
        stored = event.seq;
        if (event.type === 'card' && told.filter((each) => each.startsWith('{"type":"card"')).length === 5) {
          driver.forget();
          kept = told.length;
        }
        driver.acknowledge(event.seq);
      },
      () => stored,
    );
    shoe.load(
      Array.from({ length: 52 }, (_, card) => card),
      1,
    );
    let forgotAtMs = 0;
    for (let card = 1; card <= 8; card++) {
      await clock.turn(2000);
      if (card === 5) forgotAtMs = clock.now();
      shoe.draw();
    }
    await clock.turn(2000);
    await driver.stop();
    shoe.sim.powerOff();
    assert.ok(kept > 0 && told.length > kept, 'more was reported since');
    assert.ok(driver.frames().length > 0 && driver.frames().every(({ atMs }) => atMs >= forgotAtMs));
    assert.ok(tape.frames(0, Number.MAX_VALUE).every(({ ms }) => ms >= forgotAtMs));
    const text = tape.text({ model: name, options: {}, withheld: [], madeAt: '' }, []);
    assert.deepEqual(replayed(text, options), told.slice(kept));
  });

for (const [name, options] of SUBJECTS)
  test(`${name}: what was recorded on a bad line makes the same events, from the start and from any moment on`, async () => {
    let started = 0;
    let midway = 0;
    let goods = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100_000 }),
        lineFaults,
        fc.constantFrom(40, 300, 1_000_000),
        async (seed, faults, half) => {
          const { tape, told } = await live(name, options, seed, faults, half);
          const text = tape.text(
            { model: name, options: {}, withheld: known(name).secrets, madeAt: '' },
            known(name).secrets,
          );
          assert.ok(!text.includes('00 11 22 33') && !text.includes(KEY), 'the key is in no recording');
          goods += told.filter((event) =>
            /^\{"type":"(credit|card|printed|status|power)"/.test(event),
          ).length;
          const again = replayed(text, options);
          assert.deepEqual(again, told.slice(told.length - again.length));
          if (half > 100_000) {
            started++;
            assert.equal(again.length, told.length, 'nothing is missing');
          } else midway += again.length;
        },
      ),
      { numRuns, seed: 20_261_122 },
    );
    assert.ok(started > 0 && midway > 0, `${started} whole, ${midway} events from the middle`);
    assert.ok(goods > numRuns, `${goods} credits, cards, slips or states in ${numRuns} runs`);
  });

test('a driver that says something else than it said is found out, with the entry', () => {
  const head = headLine({
    model: 'id003',
    options: {},
    withheld: [],
    madeAt: '',
    ticks: 'recorded',
    state: null,
  });
  const text = (out: string): string =>
    [head, '{"ms":0,"type":"tick"}', '{"ms":5,"type":"opened"}', out, '{"ms":9,"type":"tick"}'].join('\n');
  const departure = (line: string): string | undefined => {
    const { entries } = readRecording(text(line));
    const found = replay(known('id003').machine({}, null), entries, 'recorded').departure;
    return found === null ? undefined : `${found.entry}: ${found.why}`;
  };
  assert.equal(departure('{"ms":5,"type":"out","hex":"fc 05 11 27 56"}'), undefined);
  assert.equal(
    departure('{"ms":5,"type":"out","hex":"fc 05 40 2b 15"}'),
    '3: fc 05 40 2b 15 was written then, fc 05 11 27 56 now',
  );
  assert.equal(departure(''), '3: fc 05 11 27 56 is written now, nothing then');
});

test('a recording without ticks, as somebody else would write it, is played by the clock', () => {
  const text = [
    '{"banca-recording":1,"model":"id003"}',
    '{"ms":0,"type":"opened"}',
    // VEND VALID, then nothing more: the link is given up 3 s later.
    '{"ms":10,"type":"in","hex":"fc 05 15 03 10"}',
    '{"ms":9000,"type":"closed","reason":"pulled"}',
  ].join('\n');
  const { head, entries } = readRecording(text);
  assert.equal(head.ticks, 'clock');
  const { events, departure } = replay(known('id003').machine({}, null), entries, head.ticks);
  assert.equal(departure, null);
  assert.deepEqual(
    events.map(({ event }) => event),
    [
      { type: 'link', link: 'up' },
      { type: 'credit', note: null },
      { type: 'state', state: 'credited', detail: null },
      { type: 'link', link: 'down' },
      { type: 'state', state: 'offline', detail: null },
    ],
  );
  const [up, , , down] = events.map(({ ms }) => ms);
  assert.equal(up, 10);
  assert.ok(down !== undefined && down > 3000 && down < 9000, `given up at ${down}`);
});

const WRONG: readonly (readonly [text: string, sentence: RegExp])[] = [
  ['', /^line 1: the head of a recording is missing/],
  ['{', /^line 1: /],
  ['{"banca-recording":2,"model":"id003"}', /^line 1: banca-recording: /],
  ['{"banca-recording":1,"model":"id003","speed":1}', /^line 1: .*"speed"/],
  [
    '{"banca-recording":1,"model":"id003"}\n\n{"ms":1,"type":"in","hex":"f"}',
    /^line 3: hex: pairs of hex digits/,
  ],
  ['{"banca-recording":1,"model":"id003"}\n{"ms":-1,"type":"tick"}', /^line 2: ms: /],
  ['{"banca-recording":1,"model":"id003"}\n{"ms":1,"type":"sent"}', /^line 2: type: /],
  [
    '{"banca-recording":1,"model":"id003"}\n{"ms":5,"type":"tick"}\n{"ms":4,"type":"tick"}',
    /^line 3: ms: time goes backwards/,
  ],
];
for (const [text, sentence] of WRONG)
  test(`a recording with a mistake is refused with its line: ${sentence.source}`, () => {
    assert.throws(() => readRecording(text), { message: sentence });
  });

test('plain data goes into JSON and comes back, bytes and infinities too; nothing else goes in', () => {
  const value = {
    bytes: fromHex('01 02'),
    never: Number.NEGATIVE_INFINITY,
    list: [{ deep: new Uint8Array(0) }, null, 'text', 1.25],
    key: fromHex('ff'),
  };
  const plain = JSON.parse(JSON.stringify(toPlain(value, ['key']))) as unknown;
  assert.deepEqual(fromPlain(plain, { key: value.key }), value);
  assert.deepEqual((fromPlain(plain, {}) as typeof value).key, null);
  assert.throws(() => toPlain({ when: new Map() }), /cannot keep a Map/);
});

test('every kind of entry is one line that reads as it was', () => {
  const entries = [
    { ms: 0, input: { type: 'tick' } },
    { ms: 0.125, input: { type: 'opened' } },
    { ms: 1, out: fromHex('fc 05') },
    { ms: 2, input: { type: 'bytes', bytes: fromHex('00') } },
    { ms: 3, input: { type: 'command', command: { type: 'moment', nonce: fromHex('0a'), epochMs: 1 } } },
    { ms: 4, input: { type: 'closed', reason: 'pulled "out"' } },
  ] as const;
  const text = [
    headLine({ model: 'ksp1', options: {}, withheld: [], madeAt: '', ticks: 'recorded', state: null }),
    ...entries.map(entryLine),
  ].join('\n');
  assert.deepEqual(readRecording(text).entries, entries);
});
