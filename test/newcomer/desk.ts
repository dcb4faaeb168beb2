/**
 * The staff's desk at the terminal as it ships, by visible controls alone, in the order of a shift:
 * a call is answered, a note that nobody can account for gets its end, a complaint is dismissed and
 * another one puts a credit right, a document is asked about, and the shift is handed over. The
 * queue of hand-pays is the newcomer's.
 */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { RackClient } from '../../hardware/rack/rack-client.ts';
import { handsAt } from '../attacks/kit.ts';
import { seen } from '../support/dealt-round.ts';
import type { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';

/** Of the terminal file that ships. */
const ATTENDANT = { name: 'Chan Wai', pin: '2222' };
const SUPERVISOR = { name: 'Maria Nunes', pin: '3333' };
const LIMIT_MS = 120_000;

const zh = (key: string, values = {}): string => text('zh-Hant', key, values);
const bi = (key: string, values = {}): string => `${zh(key, values)} ${text('pt', key, values)}`;

export async function useDesk({
  page,
  rack,
  watch,
  data,
}: {
  readonly page: Page;
  readonly rack: RackClient;
  readonly watch: TestDisplay;
  readonly data: string;
}): Promise<void> {
  const edge = page.getByRole('region', { name: bi('dealer.label') });
  const dialog = edge.getByRole('dialog');
  const key = (name: string | RegExp): Locator => dialog.getByRole('button', { name, exact: true });
  const panelOf = (seat: number): Locator => page.locator(`.panel[data-seat="${seat}"]`);
  const matter = async (name: string): Promise<void> => {
    if ((await dialog.count()) === 0) await edge.getByRole('button', { name: bi('desk.title') }).click();
    await key(new RegExp(`^${bi(`desk.${name}`)}`)).click();
  };
  const sign = async (...persons: readonly (typeof ATTENDANT)[]): Promise<void> => {
    for (const { name, pin } of persons) {
      // Where one person alone does this as a rule the pad begins with the PIN.
      await key(zh('pin.ok')).or(key(name)).first().waitFor();
      if ((await dialog.getByText(name, { exact: true }).count()) === 0)
        await key(zh('pin.somebodyElse')).click();
      if ((await key(name).count()) > 0) await key(name).click();
      for (const digit of pin) await key(digit).click();
      await key(zh('pin.ok')).click();
    }
  };
  const close = (): Promise<void> => key(bi('pin.close')).click();

  await panelOf(5)
    .getByRole('button', { name: zh('seat.attendant') })
    .click();
  await matter('calls');
  await dialog.locator('.desk-row').getByRole('button').click();
  await seen(watch, 'no call waits', ({ seats }) => seats.every(({ callsAttendant }) => !callsAttendant));

  const acceptor = 6;
  await handsAt(rack, { do: 'insert-note', acceptor, valueMinor: 50_000, currency: 'MOP' });
  await until(
    'the note is beyond return',
    async () => {
      const sight = await rack.do({ do: 'state' });
      assert.ok(sight.ok);
      const unit = sight.acceptors[acceptor - 1]!;
      return unit.path?.beyond === true || unit.owesCredit;
    },
    { limitMs: LIMIT_MS, everyMs: 2 },
  );
  await handsAt(rack, { do: 'fault', device: `acceptor-${acceptor}`, fault: 'forget-credit' });
  await handsAt(rack, { do: 'power-cycle', device: `acceptor-${acceptor}`, offMs: 100 });
  await seen(watch, 'a note is held', ({ heldNotes }) => heldNotes.length === 1);
  await matter('held-notes');
  await key(bi('desk.outcome.credited')).click();
  await key(bi('desk.heldReason.seen-in-box')).click();
  await sign(ATTENDANT);
  await seen(watch, 'the note is credited', ({ seats }) => seats[acceptor - 1]!.creditMinor === 50_000);

  // The player at the own seat, and the dealer for whoever has gone.
  const flag = panelOf(acceptor).getByRole('button', { name: zh('complaint.button'), exact: true });
  await flag.click();
  await flag.first().click();
  await seen(watch, 'a complaint', ({ complaints }) => complaints.length === 1);
  await matter('complaints');
  await key(bi('option.raise-complaint')).click();
  await key(bi('seat.name', { seat: 2 })).click();
  await seen(watch, 'two complaints', ({ complaints }) => complaints.length === 2);
  await matter('complaints');
  const ofSeat = (seat: number): Locator =>
    dialog.locator('.held-case', { hasText: zh('seat.name', { seat }) });
  await ofSeat(2)
    .getByRole('button', { name: bi('desk.dismiss') })
    .click();
  await sign(SUPERVISOR);
  await seen(watch, 'one complaint', ({ complaints }) => complaints.length === 1);
  await matter('complaints');
  await ofSeat(acceptor)
    .getByRole('button', { name: bi('desk.adjust-credit') })
    .click();
  for (const digit of ['1', '5', '00', '0']) await key(digit).click();
  await key(bi('pin.erase')).click();
  await key(new RegExp(`^${zh('desk.creditThen', { amount: '515.00' })}`)).click();
  await key(bi('desk.adjustReason.complaint-upheld')).click();
  await sign(ATTENDANT, SUPERVISOR);
  await seen(watch, 'the credit is right', ({ seats }) => seats[acceptor - 1]!.creditMinor === 51_500);
  await matter('complaints');
  await ofSeat(acceptor)
    .getByRole('button', { name: bi('desk.uphold') })
    .click();
  await sign(SUPERVISOR);
  await seen(watch, 'no complaint', ({ complaints }) => complaints.length === 0);

  await matter('adjust-credit');
  await key(bi('seat.name', { seat: acceptor })).click();
  await key(bi('desk.less')).click();
  for (const digit of ['1', '5', '00']) await key(digit).click();
  await key(new RegExp(`^${zh('desk.creditThen', { amount: '500.00' })}`)).click();
  await key(bi('desk.adjustReason.other')).click();
  await dialog.getByRole('textbox').fill('counted again');
  await key(bi('pin.ok')).click();
  await sign(ATTENDANT, SUPERVISOR);
  await seen(watch, 'less credit', ({ seats }) => seats[acceptor - 1]!.creditMinor === 50_000);

  await matter('exclusion');
  await dialog.getByRole('textbox').fill('1234567(8)');
  await key(bi('pin.ok')).click();
  await sign(ATTENDANT);
  // The demonstration has no list of exclusions, which is said and not taken for an answer.
  await dialog.getByRole('status').getByText(zh('reject.off')).waitFor();
  await close();

  await matter('hand-over');
  await dialog.getByText('MOP 500.00').waitFor();
  await key(bi('desk.read')).click();
  await sign(ATTENDANT, SUPERVISOR);
  const { person, second } = await until(
    'the shift',
    () =>
      entriesOf(data, 'shift-handed-over').at(-1)?.body as
        | { person: { name: string }; second: { name: string } }
        | undefined,
    { limitMs: LIMIT_MS },
  );
  assert.deepEqual([person.name, second.name], [ATTENDANT.name, SUPERVISOR.name]);
}
