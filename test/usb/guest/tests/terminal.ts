/** The whole terminal on USB: ID-003 over two FTDI adapters, a KSP-1 shoe over HID. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { CODE } from '../../../../hardware/bill-acceptor/id003/id003.codec.ts';
import { totalMinor } from '../../../kits/till.ts';
import { until } from '../../../support/until.ts';
import { inside, outside } from '../rig.ts';
import { ShoeGadget } from '../shoe-gadget.ts';
import { Terminal } from '../terminal.ts';

const CURRENCY = 'MOP';
const acceptors = [outside.one, outside.two];
const shoe = inside.table;

describe('the whole terminal', () => {
  let terminal: Terminal;

  before(async () => {
    const gadget = new ShoeGadget(2, 'TABLE-SHOE', 'table');
    await gadget.plug();
    for (const acceptor of acceptors) await acceptor.emptyBox();
    terminal = new Terminal({
      acceptors: {
        1: { model: 'id003', at: 'usb:0403:6001/BV-ONE' },
        2: { model: 'id003', at: 'usb:0403:6001/BV-TWO' },
      },
      shoe: { model: 'ksp1', at: 'usb:1209:0002/TABLE-SHOE' },
      simulatorsAllowed: true,
    });
    await terminal.start();
  });
  after(() => terminal.kill());
  afterEach(async (context) => {
    if ('passed' in context && context.passed) return;
    const states = acceptors.map(async (acceptor) => [await acceptor.status(), await acceptor.inPath()]);
    console.log(terminal.story(), JSON.stringify(await Promise.all(states)));
  });

  const credit = (seat: number): number => terminal.view.seats[seat - 1]?.creditMinor ?? 0;
  const feed = (seat: number, valueMinor: number): Promise<unknown> =>
    until(
      `acceptor ${seat} takes a note`,
      async () => (await acceptors[seat - 1]?.insert(valueMinor, CURRENCY))?.taken,
    );

  /** The ledger verifies, and in it every box holds what lies in it. */
  async function assertBooks(): Promise<void> {
    const balances = await terminal.verified();
    for (const [index, acceptor] of acceptors.entries()) {
      await until('the note has come to rest', async () => (await acceptor.inPath()) === null);
      assert.equal(
        balances[`${CURRENCY}/cash-box:${index + 1}`] ?? 0,
        totalMinor(await acceptor.cashBox()),
        `cash box ${index + 1}`,
      );
      assert.equal(await acceptor.owesCredit(), false);
    }
    assert.equal(terminal.newest('note-held'), undefined);
  }

  async function fund(seat: number, valueMinor: number): Promise<void> {
    const before = credit(seat);
    await feed(seat, valueMinor);
    await untilCredit(seat, before + valueMinor);
  }

  const untilCredit = async (seat: number, minor: number): Promise<void> => {
    await terminal.until(`credit of seat ${seat}: ${minor}`, () => credit(seat) === minor);
    await until('the device has its answer', async () => !(await acceptors[seat - 1]?.owesCredit()));
  };

  /**
   * A note of `valueMinor` into acceptor 1, and `mishap` when the device has obeyed STACK. Again
   * with another note where the credit was quicker than the mishap, which the books must survive as
   * well.
   */
  async function midNote(
    valueMinor: number,
    mishap: () => Promise<void>,
    mend: () => Promise<void>,
  ): Promise<void> {
    for (let tries = 0; tries < 8; tries += 1) {
      const before = credit(1);
      await feed(1, valueMinor);
      await until(
        'STACK is obeyed',
        async () => (await outside.one.status()) === CODE.stacking || credit(1) > before,
      );
      await mishap();
      const [asked, credited] = [terminal.newest('note-stack-requested'), terminal.newest('note-credited')];
      assert.ok(asked);
      const isBetween = asked.seq > (credited?.seq ?? 0);
      await mend();
      await untilCredit(1, before + valueMinor);
      if (isBetween) return;
    }
    assert.fail('each time the credit was there before the mishap');
  }

  const pull = (): Promise<void> => outside.adapterOne.unplug();
  const putIn = (): Promise<void> => outside.adapterOne.plug();

  test('a round from bank notes to settlement', async () => {
    // Burnt; seat 1, seat 2, bank; seat 1, seat 2; bank.
    await terminal.readyShoe(shoe, '2C TS 9H 7D KD 6D TC');
    await fund(1, 100_000);
    await fund(2, 50_000);
    await terminal.playRound(shoe, [
      { seat: 1, amountMinor: 20_000 },
      { seat: 2, amountMinor: 10_000 },
    ]);
    // 20 and 15 against 17.
    assert.deepEqual([credit(1), credit(2)], [120_000, 40_000]);
    await assertBooks();
  });

  test('kill -9 of the host between STACK and credit', async () => {
    await midNote(
      10_000,
      () => terminal.kill(),
      () => terminal.start(),
    );
    await assertBooks();
  });

  test('the plug is pulled between STACK and credit', async () => {
    await midNote(50_000, pull, putIn);
    await assertBooks();
  });

  test('the plug is pulled and the host killed between STACK and credit', async () => {
    await midNote(
      5_000,
      async () => {
        await pull();
        await terminal.kill();
      },
      async () => {
        await terminal.start();
        await putIn();
      },
    );
    await assertBooks();
  });
});
