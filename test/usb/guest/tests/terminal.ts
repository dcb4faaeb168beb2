/**
 * The whole terminal on USB: ID-003 over two FTDI adapters, ccTalk over CDC-ACM, a KSP-1 shoe over
 * HID.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { CODE } from '../../../../hardware/bill-acceptor/id003/id003.codec.ts';
import { totalMinor } from '../../../kits/till.ts';
import { until } from '../../../support/until.ts';
import { AcmGadget } from '../acm-gadget.ts';
import type { FarAcceptor } from '../notes.ts';
import { inside, outside } from '../rig.ts';
import { ShoeGadget } from '../shoe-gadget.ts';
import { Terminal } from '../terminal.ts';

const CURRENCY = 'MOP';
const acceptors: readonly (FarAcceptor & { emptyBox(): Promise<unknown> })[] = [
  outside.one,
  outside.two,
  inside.cctalk,
];
const isStacking: Readonly<Record<1 | 3, () => Promise<boolean>>> = {
  1: async () => (await outside.one.status()) === CODE.stacking,
  3: async () => (await inside.cctalk.state()) === 'stacking',
};
const shoe = inside.table;

describe('the whole terminal', () => {
  let terminal: Terminal;
  const acm = new AcmGadget(0, 'TABLE-CCTALK', 'cctalk');

  before(async () => {
    const gadget = new ShoeGadget(2, 'TABLE-SHOE', 'table');
    await gadget.plug();
    await acm.plug();
    for (const acceptor of acceptors) await acceptor.emptyBox();
    terminal = new Terminal({
      acceptors: {
        1: { model: 'id003', at: 'usb:0403:6001/BV-ONE' },
        2: { model: 'id003', at: 'usb:0403:6001/BV-TWO' },
        3: { model: 'cctalk', at: `usb:${acm.selector}` },
      },
      shoe: { model: 'ksp1', at: 'usb:1209:0002/TABLE-SHOE' },
      simulatorsAllowed: true,
    });
    await terminal.start();
  });
  after(async () => {
    await terminal.kill();
    await acm.remove();
  });
  afterEach(async (context) => {
    if ('passed' in context && context.passed) return;
    const states = [outside.one.status(), outside.two.status(), inside.cctalk.state()];
    const paths = acceptors.map((acceptor) => acceptor.inPath());
    console.log(terminal.story(), JSON.stringify(await Promise.all([...states, ...paths])));
  });

  const credit = (seat: number): number => terminal.view.seats[seat - 1]?.creditMinor ?? 0;
  const boxMinor = async (seat: number): Promise<number> =>
    totalMinor((await acceptors[seat - 1]?.cashBox()) ?? []);
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
      assert.equal((await acceptor.owesCredit?.()) ?? false, false);
    }
    assert.equal(terminal.newest('note-held'), undefined);
    const unknown = terminal.newest('usb-unknown')?.body as { readonly id: string } | undefined;
    assert.notEqual(unknown?.id, '1209:0001', 'the terminal file names it');
  }

  async function fund(seat: number, valueMinor: number): Promise<void> {
    const before = credit(seat);
    await feed(seat, valueMinor);
    await untilCredit(seat, before + valueMinor);
  }

  const untilCredit = async (seat: number, minor: number): Promise<void> => {
    await terminal.until(`credit of seat ${seat}: ${minor}`, () => credit(seat) === minor);
    await until('the device has its answer', async () => !(await acceptors[seat - 1]?.owesCredit?.()));
  };

  /**
   * A note of `valueMinor` into the acceptor of `seat`, and `mishap` when the device has obeyed
   * STACK. Again with another note where the credit was quicker than the mishap, which the books
   * must survive as well.
   */
  async function midNote(
    seat: 1 | 3,
    valueMinor: number,
    mishap: () => Promise<void>,
    mend: () => Promise<void>,
  ): Promise<void> {
    for (let tries = 0; tries < 8; tries += 1) {
      const before = credit(seat);
      const inBox = await boxMinor(seat);
      await feed(seat, valueMinor);
      await until('STACK is obeyed', async () => {
        if ((await isStacking[seat]()) || credit(seat) > before) return true;
        // A unit that is still open draws the note in while the host looks for it, and gives it
        // back.
        const isOut = (await acceptors[seat - 1]?.inPath()) === null;
        if (isOut && (await boxMinor(seat)) === inBox) await feed(seat, valueMinor);
        return false;
      });
      await mishap();
      const [asked, credited] = [terminal.newest('note-stack-requested'), terminal.newest('note-credited')];
      assert.ok(asked);
      const isBetween = asked.seq > (credited?.seq ?? 0);
      await mend();
      await untilCredit(seat, before + valueMinor);
      if (isBetween) return;
    }
    assert.fail('each time the credit was there before the mishap');
  }

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

  test('ID-003: kill -9 of the host between STACK and credit', async () => {
    await midNote(
      1,
      10_000,
      () => terminal.kill(),
      () => terminal.start(),
    );
    await assertBooks();
  });

  // Each start of the host takes an emulated processor ten seconds: every mishap befalls one of the
  // two acceptors, and a plug that is pulled both.
  const PLUGS = { 1: outside.adapterOne, 3: acm };
  for (const [name, seat] of [
    ['ccTalk', 3],
    ['ID-003', 1],
  ] as const)
    test(`${name}: the plug is pulled between STACK and credit`, async () => {
      await midNote(
        seat,
        50_000,
        () => PLUGS[seat].unplug(),
        () => PLUGS[seat].plug(),
      );
      await assertBooks();
    });

  test('ccTalk: the plug is pulled and the host killed between STACK and credit', async () => {
    await midNote(
      3,
      5_000,
      async () => {
        await acm.unplug();
        await terminal.kill();
      },
      async () => {
        await terminal.start();
        await acm.plug();
      },
    );
    await assertBooks();
  });
});
