/**
 * Makes the recordings of this folder again: `node test/devices/recordings/make.ts`. Each is a
 * session of our driver with a unit that does what a maker, an integrator or a capture says of one
 * (docs/protocols has which), or with one of a public trace (../traces). A driver that speaks
 * otherwise on purpose needs it; what that changes is then to be read in the difference of the
 * `.events.jsonl` beside each.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CctalkSim } from '../../../hardware/bill-acceptor/cctalk/cctalk.sim.ts';
import { EbdsSim } from '../../../hardware/bill-acceptor/ebds/ebds.sim.ts';
import { Id003Sim } from '../../../hardware/bill-acceptor/id003/id003.sim.ts';
import { SspSim } from '../../../hardware/bill-acceptor/ssp/ssp.sim.ts';
import type { ModelOptions } from '../../../hardware/model.ts';
import { type ModelName, modelOf } from '../../../hardware/models.ts';
import type { OpenTransport } from '../../../hardware/ports.ts';
import { HandClock } from '../../../hardware/transport/clock.ts';
import { RingTape } from '../../../hardware/transport/recording.ts';
import { argumentsOf } from '../../../ledger/chain/program-arguments.ts';
import { realUnit } from '../../kits/real-unit.ts';
import { slowLinesTo } from '../../kits/slow-line.ts';
import { linesTo } from '../../kits/till.ts';
import { tracedUnit, traces } from '../../kits/traced-unit.ts';

argumentsOf({});

/** More than any of them has. */
const ENTRIES = 100_000;
const STARTS_WITHIN_MS = 60_000;

interface Session {
  readonly model: ModelName;
  readonly options?: ModelOptions;
  readonly set: (clock: HandClock) => {
    readonly unit: { insert(valueMinor: number, currency: string): { readonly taken: boolean } };
    readonly open: OpenTransport;
  };
  readonly note: readonly [valueMinor: number, currency: string];
  /** What the host does with it; absent: it is stacked. */
  readonly host?: 'stacks' | 'returns' | 'leaves it';
  /** How long it goes on after the note is in. */
  readonly lastsMs: number;
}

const MOP = { countries: { 77: 'MOP' } };
const PYRAMID = {
  notes: [1000, 2000, 5000, 10_000].map((valueMinor) => ({ currency: 'HKD', valueMinor })),
};

const id003 = (
  o: Partial<ConstructorParameters<typeof Id003Sim>[0]>,
  lines: (unit: Id003Sim, clock: HandClock) => OpenTransport = realUnit,
): Session['set'] => {
  return (clock) => {
    const unit = new Id003Sim({ clock, currencies: ['MOP'], ...o });
    return { unit, open: lines(unit, clock) };
  };
};
const ebds = (o: Partial<ConstructorParameters<typeof EbdsSim>[0]>): Session['set'] => {
  return (clock) => {
    const unit = new EbdsSim({ clock, currencies: ['HKD'], ...o });
    return { unit, open: linesTo(unit, clock) };
  };
};
const ssp = (o: Partial<ConstructorParameters<typeof SspSim>[0]>): Session['set'] => {
  return (clock) => {
    const unit = new SspSim({ clock, currencies: ['MOP'], ...o });
    return { unit, open: linesTo(unit, clock) };
  };
};

const SESSIONS: Readonly<Record<string, Session>> = {
  'id003-eur-table-of-a-unit': {
    model: 'id003',
    options: { countries: { 224: 'EUR' } },
    set: id003({ currencies: ['EUR'] }),
    note: [5000, 'EUR'],
    lastsMs: 3000,
  },
  'id003-vend-valid-with-a-byte': {
    model: 'id003',
    options: MOP,
    set: id003({ vendData: [0x01] }),
    note: [1000, 'MOP'],
    lastsMs: 3000,
  },
  'id003-escrow-ends-by-rejecting-79': {
    model: 'id003',
    options: MOP,
    set: id003({ escrowEnds: 'rejecting' }),
    note: [1000, 'MOP'],
    host: 'leaves it',
    lastsMs: 13_000,
  },
  'id003-silent-to-optional-questions': {
    model: 'id003',
    options: MOP,
    set: id003({ silentCommands: [0x88, 0x89, 0xc5, 0xc7] }),
    note: [1000, 'MOP'],
    lastsMs: 3000,
  },
  'id003-line-of-12-ms-a-byte': {
    model: 'id003',
    options: MOP,
    set: id003({}, (unit, clock) => slowLinesTo(unit, clock, { byteMs: 12, mergeMs: 50 })),
    note: [1000, 'MOP'],
    lastsMs: 5000,
  },
  'ebds-table-ends-at-index-0': {
    model: 'ebds',
    set: ebds({ tableEnd: 'index-0' }),
    note: [10_000, 'HKD'],
    lastsMs: 3000,
  },
  'ebds-silent-to-auxiliary': {
    model: 'ebds',
    set: ebds({ silentTo: ['auxiliary'] }),
    note: [10_000, 'HKD'],
    lastsMs: 3000,
  },
  'pyramid-without-telemetry': {
    model: 'pyramid',
    options: PYRAMID,
    set: ebds({ model: 'pyramid', silentTo: ['telemetry'] }),
    note: [10_000, 'HKD'],
    lastsMs: 3000,
  },
  'cctalk-crc-and-its-own-echo': {
    model: 'cctalk',
    options: { checksum: 'crc16' },
    set: (clock) => {
      const unit = new CctalkSim({ clock, currencies: ['MOP'], checksum: 'crc16' });
      return { unit, open: linesTo(unit, clock) };
    },
    note: [10_000, 'MOP'],
    lastsMs: 3000,
  },
  'ssp-repeats-its-answer-until-acknowledged': {
    model: 'ssp',
    set: ssp({}),
    note: [10_000, 'MOP'],
    lastsMs: 4000,
  },
  'ssp-without-encryption': {
    model: 'ssp',
    options: { encryption: 'off' },
    set: ssp({ unknownCommands: [0x4a, 0x4b, 0x4c, 0x56, 0x57], tellsOnce: true }),
    note: [10_000, 'MOP'],
    lastsMs: 4000,
  },
};

const TRACED: Readonly<Record<string, Session>> = Object.fromEntries(
  traces().map(([name, trace]) => [
    name,
    { ...trace, set: (clock) => tracedUnit(trace, clock) } satisfies Session,
  ]),
);

for (const [name, { model: modelName, options = {}, set, note, host = 'stacks', lastsMs }] of Object.entries({
  ...SESSIONS,
  ...TRACED,
})) {
  const clock = new HandClock();
  const { unit, open } = set(clock);
  const tape = new RingTape(ENTRIES);
  const model = modelOf(modelName);
  if (model?.kind !== 'bill-acceptor') throw new Error(`${modelName} is no bill-acceptor`);
  const driver = model.create('acceptor-1', Object.assign(open, { tape }), clock, options);
  const told: string[] = [];
  driver.allow([note[0]]);
  driver.start((event) => {
    told.push(JSON.stringify({ ms: clock.now(), ...event }));
    if (event.type === 'escrowed' && host === 'stacks') driver.stack();
    if (event.type === 'escrowed' && host === 'returns') driver.returnNote();
    if (event.type === 'credit') driver.acknowledgeCredit();
  });
  await clock.turnUntil(`${name}: open`, () => unit.insert(...note).taken, STARTS_WITHIN_MS);
  await clock.turn(lastsMs);
  const recording = tape.text({ model: modelName, options, withheld: [], madeAt: '' }, []);
  await driver.stop();
  // From its start: a state of this version's machine says nothing to a later one.
  const [head = '', ...entries] = recording.split('\n');
  const file = join(import.meta.dirname, name);
  writeFileSync(
    `${file}.jsonl`,
    [JSON.stringify({ ...(JSON.parse(head) as object), state: null }), ...entries].join('\n'),
  );
  writeFileSync(`${file}.events.jsonl`, `${told.join('\n')}\n`);
}
