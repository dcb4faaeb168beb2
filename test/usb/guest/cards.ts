/**
 * Cards through a KSP-1 shoe on any carrier: a host that is lost, a plug that is pulled, and not
 * one card too few or many.
 */
import assert from 'node:assert/strict';
import type { CardShoe, OpenTransport, ShoeEvent } from '../../../hardware/ports.ts';
import { createKsp1 } from '../../../hardware/shoe/ksp1/ksp1.driver.ts';
import { systemClock } from '../../../hardware/transport/clock.ts';
import { until } from '../../support/until.ts';

export interface FarShoe {
  load(cards: readonly number[], decks: number): Promise<string>;
  draw(): Promise<{ readonly drawn: boolean }>;
  drawn(): Promise<readonly number[]>;
  journal(): Promise<{ readonly lastSeq: number; readonly ackedSeq: number }>;
}

/**
 * A host reduced to its rule for cards: what is stored outlives it, and only what is stored is
 * acknowledged.
 */
class Layout {
  readonly #open: OpenTransport;
  #shoe: CardShoe | null = null;
  #storedSeq = 0;
  readonly cards: number[] = [];
  readonly events: ShoeEvent[] = [];
  /** The next event is stored, and the host is lost before it can acknowledge it. */
  diesBeforeAcknowledging = false;

  constructor(open: OpenTransport) {
    this.#open = open;
  }

  get isAlive(): boolean {
    return this.#shoe !== null;
  }

  start(): void {
    const shoe = createKsp1('shoe', this.#open, systemClock);
    this.#shoe = shoe;
    shoe.start(
      (event) => {
        if (this.#shoe === shoe) this.#on(shoe, event);
      },
      () => this.#storedSeq,
    );
  }

  async stop(): Promise<void> {
    const shoe = this.#shoe;
    this.#shoe = null;
    await shoe?.stop();
  }

  #on(shoe: CardShoe, event: ShoeEvent): void {
    this.events.push(event);
    if (!('seq' in event) || event.seq === null) return;
    if (event.seq > this.#storedSeq) {
      assert.equal(event.seq, this.#storedSeq + 1, 'no event is missing');
      this.#storedSeq = event.seq;
      if (event.type === 'card' && event.suit !== null && event.rank !== null)
        this.cards.push(event.suit * 13 + event.rank);
    }
    if (this.diesBeforeAcknowledging) {
      this.diesBeforeAcknowledging = false;
      void this.stop();
    } else shoe.acknowledge(event.seq);
  }

  get link(): string | undefined {
    return this.events.findLast((event) => event.type === 'link')?.link;
  }
}

/** Loads twelve cards, draws them all, and loses host and plug on the way. */
export async function noCardIsLost(
  open: OpenTransport,
  far: FarShoe,
  plug: { pull(): unknown; putIn(): unknown },
): Promise<void> {
  const layout = new Layout(open);
  const draw = (): Promise<unknown> => until('a card is drawn', async () => (await far.draw()).drawn);
  const taken = (): Promise<unknown> =>
    until('all is acknowledged', async () => {
      const { lastSeq, ackedSeq } = await far.journal();
      return lastSeq === ackedSeq;
    });
  try {
    layout.start();
    await until('the link is up', () => layout.link === 'up');
    await far.load([0, 51, 13, 26, 12, 38, 7, 20, 33, 46, 1, 50], 1);
    await taken();
    for (let i = 0; i < 3; i += 1) await draw();
    await taken();

    layout.diesBeforeAcknowledging = true;
    await draw();
    await until('the host is lost', () => !layout.isAlive);
    await draw();
    layout.start();
    await taken();

    await draw();
    await plug.pull();
    await until('the driver knows', () => layout.link === 'down');
    await draw();
    await draw();
    await plug.putIn();
    await until('the link is up again', () => layout.link === 'up');
    for (let i = 0; i < 4; i += 1) await draw();
    await taken();
    const drawn = await far.drawn();
    assert.equal(drawn.length, 12);
    assert.deepEqual(layout.cards, drawn);
  } finally {
    await layout.stop();
  }
}
