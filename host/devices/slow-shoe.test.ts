import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { shuffledShoe } from '../../engine/core/shoe.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { OpenTransport } from '../../hardware/ports.ts';
import { decode, encode, parse } from '../../hardware/shoe/ksp1/ksp1.codec.ts';
import { Ksp1Sim } from '../../hardware/shoe/ksp1/ksp1.sim.ts';
import { EMPTY_PARSER } from '../../hardware/transport/bytes.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { Terminal } from '../table/terminal.ts';
import { Devices } from './devices.ts';
import { connectDevices } from './drivers.ts';

const { profile } = readTerminalFile(new URL('../profiles/demo.json', import.meta.url).pathname);
const DEALER: Person = { id: 'P-1', name: 'Ana', role: 'dealer' };
const FAULTLESS = { dropPerMille: 0, flipPerMille: 0, losePerMille: 0 };

/** The line to the simulated shoe; `firmware`: what its greeting says, null = what it is. */
function lineTo(sim: Ksp1Sim, clock: HandClock, firmware: string | null): OpenTransport {
  return () => {
    const [near, far] = memoryPair({ clock, latencyMs: 3, faults: FAULTLESS, seed: 1 });
    sim.plug(far);
    if (firmware === null) return near;
    let state = EMPTY_PARSER;
    return {
      name: near.name,
      open: ({ onBytes, onClose }) =>
        near.open({
          onClose,
          onBytes: (chunk) => {
            const parsed = parse(state, chunk);
            state = parsed.state;
            for (const { frame, bytes } of parsed.frames) {
              const message = decode(frame);
              onBytes(
                message.ok && message.value.type === 'hello'
                  ? encode({ ...message.value, firmware }, frame.seq, frame.deviceMs, frame.flags)
                  : bytes,
              );
            }
          },
        }),
      write: (bytes) => near.write(bytes),
      close: () => near.close(),
    };
  };
}

/** A terminal as it plays for money, with a shoe that is there when the test says so. */
class Production {
  readonly clock = new HandClock();
  readonly dir = mkdtempSync(join(tmpdir(), 'banca-slow-'));
  readonly sim = new Ksp1Sim({ clock: this.clock });
  readonly log: string[] = [];
  terminal!: Terminal;
  firmware: string | null;
  devices!: Devices;
  #close: () => Promise<void> = async () => {};

  constructor(t: TestContext, genuine: boolean) {
    this.firmware = genuine ? '2.1' : null;
    t.after(async () => {
      await this.stop();
      this.sim.powerOff();
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  start(): void {
    const { clock } = this;
    const ledger = openLedger(join(this.dir, 'ledger.db'), {
      terminalId: profile.terminalId,
      key: loadOrCreateKey(this.dir),
      createIfMissing: true,
    });
    const terminal = new Terminal({ ledger, now: () => 1_760_000_000_000 + clock.now(), log: () => {} });
    if (terminal.state.profile === null) terminal.submit({ type: 'configure', profile, person: null });
    terminal.start(`boot-${ledger.head().seq}`, 'test');
    const log = (line: string): void => void this.log.push(line);
    const open = lineTo(this.sim, clock, this.firmware);
    const drivers = connectDevices(
      {
        acceptors: new Map(),
        shoe: { model: 'ksp1', options: {}, open, at: null },
        printer: null,
        cabinet: null,
        ups: null,
        simulatorsAllowed: false,
      },
      { clock, folder: this.dir, log },
    );
    const devices = new Devices({ terminal, ...drivers, log, clock });
    devices.start(() => {});
    this.devices = devices;
    this.terminal = terminal;
    this.#close = async () => {
      await devices.stop();
      terminal.close();
      ledger.close();
    };
  }

  async stop(): Promise<void> {
    await this.#close();
    this.#close = async () => {};
  }

  faults(): string[] {
    return this.terminal.state.faults.map(({ fault }) => fault);
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    await this.clock.turnUntil(`${what} (${this.faults().join(', ')})`, holds, 120_000);
  }

  done(input: Parameters<Terminal['submit']>[0]): void {
    const outcome = this.terminal.submit(input);
    assert.equal(outcome.status, 'done', JSON.stringify([input, outcome]));
  }
}

test('a shoe that answers long after the start is a fault until it does, and its cards come once and in order', async (t) => {
  const table = new Production(t, true);
  const { sim, clock } = table;
  table.start();
  table.done({ type: 'sign-in-dealer', person: DEALER });
  await clock.turn(1000);
  const cards = shuffledShoe(6, 1);
  sim.load(cards, 6);
  await table.until('the shoe is loaded', () => table.terminal.state.shoe.stage === 'cut');
  table.done({ type: 'cut-shoe', seat: null });
  table.done({ type: 'place-end-card', cardsBehind: 60 });
  // The host ends before it hears of the card that is burnt; in its next life the shoe takes half a
  // minute.
  await table.stop();
  sim.draw();
  sim.powerOff();
  table.start();
  await clock.turn(9000);
  assert.deepEqual(table.faults(), [], 'it may still be starting');
  await clock.turn(21_000);
  assert.deepEqual(table.faults(), ['shoe-offline']);
  assert.equal(table.terminal.state.shoe.drawn, 0);
  assert.equal(table.terminal.submit({ type: 'open-betting', roundId: 'r' }).status, 'rejected');
  sim.powerOn();
  await table.until('the card is there', () => table.terminal.state.shoe.stage === 'ready');
  assert.deepEqual(table.faults(), []);
  const { drawn, burned } = table.terminal.state.shoe;
  assert.deepEqual([drawn, burned], [1, 1]);
  await clock.turn(5000);
  assert.equal(table.terminal.state.shoe.drawn, 1, 'once');
  table.done({ type: 'open-betting', roundId: table.terminal.nextRoundId() });
});

test('a simulated shoe that answers late is refused as one that answers at once, before any of its cards is heard', async (t) => {
  const table = new Production(t, false);
  const { sim, clock } = table;
  sim.powerOff();
  table.start();
  table.done({ type: 'sign-in-dealer', person: DEALER });
  await clock.turn(30_000);
  assert.deepEqual(table.faults(), ['shoe-offline']);
  sim.powerOn();
  sim.load(shuffledShoe(6, 1), 6);
  await table.until('it is refused', () => table.faults().includes('shoe-not-authentic'));
  await clock.turn(10_000);
  assert.equal(table.terminal.state.shoe.stage, 'none');
  assert.equal(table.log.filter((line) => /refused here: shoe \("SIMULATED/.test(line)).length, 1);
});

test('419 shoe-changed: other firmware in the same shoe deals no card until two persons have accepted it', async (t) => {
  const table = new Production(t, true);
  const { sim, clock } = table;
  const accepted = (): unknown[] =>
    table.terminal.ledger
      .newest({ beforeSeq: null, limit: 9, kind: 'unit-accepted' })
      .map(({ body }) => body as { device: string; identity: { firmware: string }; persons: Person[] })
      .filter(({ device }) => device === 'shoe')
      .map(({ identity, persons }) => [identity.firmware, persons.map(({ role }) => role)]);
  const again = async (firmware: string): Promise<void> => {
    await table.stop();
    table.firmware = firmware;
    table.start();
    await clock.turn(3000);
  };
  table.start();
  table.done({ type: 'sign-in-dealer', person: DEALER });
  await clock.turn(1000);
  assert.deepEqual(accepted(), [['2.1', []]], 'the first one is taken as it is');
  sim.load(shuffledShoe(6, 1), 6);
  await table.until('the shoe is loaded', () => table.terminal.state.shoe.stage === 'cut');
  table.done({ type: 'cut-shoe', seat: null });
  table.done({ type: 'place-end-card', cardsBehind: 60 });
  sim.draw();
  await table.until('the shoe is ready', () => table.terminal.state.shoe.stage === 'ready');
  await again('2.1');
  assert.deepEqual(table.faults(), []);
  await again('2.2');
  assert.deepEqual(table.faults(), ['shoe-changed']);
  assert.equal(table.terminal.submit({ type: 'open-betting', roundId: 'r' }).status, 'rejected');
  await again('2.2');
  assert.deepEqual(table.faults(), ['shoe-changed'], 'a restart does not end it');
  const by: Person[] = [
    { id: 'P-4', name: 'Leo', role: 'technician' },
    { id: 'P-3', name: 'Mei', role: 'supervisor' },
  ];
  assert.equal(table.devices.release('shoe', 'shoe-changed', by, 'accept-1').status, 'done');
  await again('2.2');
  assert.deepEqual(table.faults(), [], 'accepted is accepted');
  assert.deepEqual(accepted(), [
    ['2.2', ['technician', 'supervisor']],
    ['2.1', []],
  ]);
  table.done({ type: 'open-betting', roundId: table.terminal.nextRoundId() });
});
