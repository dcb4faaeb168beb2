/**
 * A table with a shoe that has no memory, cannot say that it was loaded, and is heard through a
 * socket.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseCard } from '../../engine/core/cards.ts';
import type { SimulatedAcceptor, SimulatedShoe } from '../../hardware/model.ts';
import { modelOf } from '../../hardware/models.ts';
import type { DeviceClock } from '../../hardware/ports.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { type DeviceServer, serveDevice } from '../../hardware/transport/socket.transport.ts';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import type { Host } from '../../host/host.ts';
import type { Command } from '../../wire/commands.ts';
import { until } from '../support/until.ts';
import { startAt } from './host.ts';

const DEMO = join(resolve(import.meta.dirname, '../..'), 'host/profiles/demo.json');

/** The clock of the shoe; it rests when the shoe has said all that it has to say. */
class ShoeClock implements DeviceClock {
  #steps = 0;

  get rests(): boolean {
    return this.#steps === 0;
  }

  now(): number {
    return systemClock.now();
  }

  after(ms: number, run: () => void): () => void {
    this.#steps += 1;
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.#steps -= 1;
      isOver = true;
    };
    const cancel = systemClock.after(ms, () => {
      over();
      run();
    });
    return () => {
      over();
      cancel();
    };
  }
}

class AngelTable {
  readonly dir = mkdtempSync(join(tmpdir(), 'banca-angel-'));
  acceptor!: SimulatedAcceptor;
  shoe!: SimulatedShoe;
  readonly shoeClock = new ShoeClock();
  host!: Host;
  #shoeServer!: DeviceServer;
  #commands = 0;

  static async open(t: TestContext): Promise<AngelTable> {
    const table = new AngelTable();
    const [id003, angel] = [modelOf('id003'), modelOf('angel-eye')];
    assert.ok(id003?.kind === 'bill-acceptor' && angel?.kind === 'card-shoe');
    table.acceptor = await id003.simulator({ clock: systemClock, seed: 1 });
    table.shoe = await angel.simulator({ clock: table.shoeClock, seed: 2 });
    const acceptors = await serveDevice(join(table.dir, 'a.sock'), (line) => table.acceptor.sim.plug(line));
    await table.plugShoe();
    await table.start();
    t.after(async () => {
      await table.host.stop();
      await acceptors.close();
      await table.unplugShoe();
      rmSync(table.dir, { recursive: true, force: true });
    });
    return table;
  }

  async plugShoe(): Promise<void> {
    this.#shoeServer = await serveDevice(join(this.dir, 's.sock'), (line) => this.shoe.sim.plug(line));
  }
  unplugShoe(): Promise<void> {
    return this.#shoeServer.close();
  }

  async start(): Promise<void> {
    const { dir } = this;
    const path = join(dir, 'terminal.json');
    const demo = JSON.parse(readFileSync(DEMO, 'utf8')) as object;
    const devices = {
      acceptors: { 1: { model: 'id003', at: `unix:${join(dir, 'a.sock')}` } },
      shoe: { model: 'angel-eye', at: `unix:${join(dir, 's.sock')}`, options: { serial: 'AE-1' } },
      simulatorsAllowed: true,
    };
    writeFileSync(path, JSON.stringify({ ...demo, devices }));
    this.host = await startAt(dir, readTerminalFile(path));
    await until('the line to the shoe is open', () => this.state('shoe') === 'idle');
  }

  state(id: string): string | undefined {
    return this.host.view().devices.find((device) => device.id === id)?.state;
  }
  get step(): string {
    return this.host.view().dealer.step.step;
  }
  get drawn(): number {
    return this.host.view().shoe.drawn;
  }

  async do(command: Command): Promise<void> {
    const outcome = await this.host.command(`c${++this.#commands}`, command);
    assert.equal(outcome.status, 'done', `${JSON.stringify(command)}: ${JSON.stringify(outcome)}`);
  }

  async draw(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      const { drawn } = this;
      assert.equal(this.shoe.draw().drawn, true);
      await until('the card is read', () => this.drawn === drawn + 1);
    }
  }

  /** Seat 1 has a bet; cards of the round come next. */
  async inRound(cards: string): Promise<void> {
    await this.do({ type: 'sign-in-dealer', credential: { person: '1', pin: '1111' } });
    await until('the acceptor is open', () => this.acceptor.look()['state'] === 'idle');
    assert.deepEqual(this.acceptor.insert(50_000, 'MOP'), { taken: true });
    await until('credit', () => this.host.view().seats[0]?.creditMinor === 50_000);
    assert.equal(this.step, 'load-shoe');
    assert.equal(this.host.view().shoe.handLoaded, true);
    const first = `2C ${cards}`.split(' ').map((text) => parseCard(text)!);
    this.shoe.load([...first, ...Array.from({ length: 250 }, (_, i) => i % 52)], 6);
    await this.do({ type: 'load-shoe' });
    await this.do({ type: 'cut-shoe', seat: null });
    await this.do({ type: 'place-end-card', cardsBehind: 60 });
    await this.draw();
    await this.do({ type: 'open-betting' });
    const roundId = this.host.view().round?.id ?? '';
    const touchedAtMs = Date.now();
    await this.do({ type: 'place-bet', roundId, seat: 1, bet: 'main', amountMinor: 10_000, touchedAtMs });
    await this.do({ type: 'close-betting' });
  }
}

test('a round from a shoe that tells cards and nothing else: the dealer says that it is loaded', async (t) => {
  const table = await AngelTable.open(t);
  await table.inRound('TS 9H TD 8C');
  // To the seat, to the bank, to the seat; the shoe's own player and bank sides are others.
  await table.draw(3);
  const view = table.host.view();
  assert.deepEqual(
    view.seats[0]?.hands[0]?.cards,
    ['TS', 'TD'].map((text) => parseCard(text)),
  );
  assert.equal(view.hold, null);
  const loaded = table.host.terminal.ledger.newest({ beforeSeq: null, limit: 1, kind: 'shoe-loaded' });
  assert.match(JSON.stringify(loaded[0]?.body), /"shoeId":"AE-1\/\d+"/);
});

test('5.4 the line is lost in a round: the dealer confirms the cards, or the supervisor voids the round', async (t) => {
  const table = await AngelTable.open(t);
  await table.inRound('TS 9H TD 8C 5D');
  await table.draw();
  await table.unplugShoe();
  await until('the round is held', () => table.host.view().hold?.code === 'shoe-fault');
  await table.plugShoe();
  // Nothing was drawn meanwhile: what lies there is what the screen shows.
  await until('the dealer is asked', () => table.step === 'confirm-layout');
  await table.do({ type: 'confirm-layout' });
  assert.equal(table.host.view().hold, null);
  await table.draw();

  await table.unplugShoe();
  await until('the round is held again', () => table.host.view().hold?.code === 'shoe-fault');
  assert.equal(table.shoe.draw().drawn, true);
  await until('the shoe has told it to nobody', () => table.shoeClock.rests);
  await table.plugShoe();
  await until('the dealer is asked again', () => table.step === 'confirm-layout');
  // A card lies there that the screen does not show: a misdeal, and every stake goes back
  // (art. 5.1.2).
  await table.do({ type: 'void-round', reason: 'shoe-fault', credential: { person: '3', pin: '3333' } });
  assert.equal(table.host.view().seats[0]?.creditMinor, 50_000);
  // No new shoe is asked for.
  assert.deepEqual(
    table.host.terminal.state.faults.filter(({ device }) => device === 'shoe'),
    [],
  );
});

test('the host dies and comes back: numbers go on, and the dealer confirms the cards', async (t) => {
  const table = await AngelTable.open(t);
  await table.inRound('TS 9H TD 8C');
  await table.draw(2);
  await table.host.stop();
  await table.start();
  assert.equal(table.host.view().hold?.code, 'recovery');
  await table.do({ type: 'confirm-layout' });
  await table.draw();
  assert.equal(table.host.view().hold, null);
  assert.deepEqual(
    table.host.view().seats[0]?.hands[0]?.cards,
    ['TS', 'TD'].map((text) => parseCard(text)),
  );
});
