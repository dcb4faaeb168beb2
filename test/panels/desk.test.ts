/**
 * The staff's desk and the dealer's edge in Debian's Chromium, against a host that shows chosen
 * views.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Card, cardOf } from '../../engine/core/cards.ts';
import { formOf } from '../../renderer/table/form.ts';
import { type Box, overlap } from '../../renderer/table/geometry.ts';
import { cardBox, layBank, layPlayerSide } from '../../renderer/table/hands.ts';
import { layTable } from '../../renderer/table/layout.ts';
import type { TableView } from '../../wire/view.ts';
import { VIEWS } from '../fixtures/views.ts';
import { boxesAtDesk, dropStands } from '../screens/screens.ts';
import { problems, SIZES } from '../support/chromium.ts';
import { text } from '../support/texts.ts';
import { bi, open, panel, sent, show, skip, withSeat } from './kit.ts';

test('an attendant pays by PIN; above the limit a second person is asked for', { skip }, async (t) => {
  const opened = await open(t, VIEWS['hand-pay']);
  const seat = panel(opened.page, 4, 'en');
  const type = async (pin: string): Promise<void> => {
    const pad = seat.getByRole('dialog');
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.getByRole('button', { name: text('en', 'pin.ok') }).click();
  };
  await seat.getByRole('button', { name: text('en', 'cashOut.pay') }).click();
  await type('1234');
  const request = { seat: 4, requestId: 'pay-9' };
  assert.deepEqual(await sent(opened, 1), [
    { type: 'confirm-hand-pay', from: 'player', ...request, credential: { person: '2', pin: '1234' } },
  ]);
  const cashOut = { ...VIEWS['hand-pay'].seats[3]!.cashOut!, twoPersons: true };
  await show(opened, withSeat(VIEWS['hand-pay'], 4, { cashOut }));
  await seat.getByRole('button', { name: text('en', 'cashOut.pay') }).click();
  await type('1234');
  await seat.getByRole('dialog', { name: text('en', 'cashOut.secondPin') }).waitFor();
  await type('5678');
  assert.deepEqual((await sent(opened, 2))[1], {
    type: 'confirm-hand-pay',
    from: 'player',
    ...request,
    credential: { person: '2', pin: '1234' },
    secondCredential: { person: '3', pin: '5678' },
  });
  await seat.getByRole('button', { name: text('en', 'cashOut.cancel') }).click();
  assert.deepEqual((await sent(opened, 3))[2], { type: 'cancel-cash-out', ...request });

  // A card says who is there, and the pad what has become of it.
  const { pinPad } = VIEWS['hand-pay'];
  const withCard = (card: NonNullable<typeof pinPad.card>): TableView => ({
    ...VIEWS['hand-pay'],
    pinPad: { ...pinPad, card },
  });
  await show(opened, withCard({ state: 'unreadable', person: null }));
  await seat.getByRole('button', { name: text('en', 'cashOut.pay') }).click();
  await seat.getByText(text('en', 'pin.card.unreadable')).waitFor();
  await show(opened, withCard({ state: 'read', person: '3' }));
  await seat.getByText('Maria Nunes').waitFor();
  await type('9012');
  assert.deepEqual((await sent(opened, 4))[3], {
    type: 'confirm-hand-pay',
    from: 'player',
    ...request,
    credential: { person: '3', pin: '9012' },
  });
  await show(opened, { ...VIEWS['hand-pay'], pinPad: { ...pinPad, people: [], closed: 'roster-ended' } });
  await seat.getByRole('button', { name: text('en', 'cashOut.pay') }).click();
  await seat.getByText(text('en', 'pin.closed.roster-ended')).waitFor();
});

/** Opens a matter of the staff's desk. */
async function atDesk(page: Page, matter: string): Promise<Locator> {
  await page.getByRole('button', { name: new RegExp(`^${text('zh-Hant', 'desk.title')}`) }).click();
  const dialog = page.locator('.dealer-popover');
  await dialog.getByRole('button', { name: new RegExp(`^${text('zh-Hant', `desk.${matter}`)}`) }).click();
  return dialog;
}

test('the staff’s desk: the queue of hand-pays in figures and words, paid by two persons above the limit', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.desk);
  const { page } = opened;
  const count = page.getByRole('button', { name: new RegExp(`^${text('zh-Hant', 'desk.title')}`) });
  assert.match(await count.innerText(), /5$/, 'two hand-pays, a note, a call and a complaint');
  const dialog = await atDesk(page, 'hand-pays');
  assert.deepEqual(await dialog.locator('.desk-row strong').allInnerTexts(), [
    '12,480.00 MOP',
    '135,000.00 MOP',
  ]);
  await dialog.getByRole('button', { name: bi('desk.pay') }).count();
  await dialog.getByRole('button', { name: new RegExp(text('zh-Hant', 'seat.name', { seat: 2 })) }).click();
  await dialog.getByText('澳門元壹拾叁萬伍仟元正').waitFor();
  await dialog.getByText('cento e trinta e cinco mil patacas').waitFor();
  await dialog.getByText(text('pt', 'desk.receipt', { no: 42 })).waitFor();
  assert.deepEqual(await problems(page), []);
  await dialog.getByRole('button', { name: bi('desk.paid') }).click();
  await page.keyboard.type('1234');
  await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  await page.getByRole('dialog', { name: bi('cashOut.secondPin') }).waitFor();
  assert.deepEqual(opened.host.commands, [], 'one person pays nothing of it');
  await page.keyboard.type('5678');
  await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  assert.deepEqual(await sent(opened, 1), [
    {
      type: 'confirm-hand-pay',
      seat: 2,
      requestId: 'round-127-2',
      credential: { person: '2', pin: '1234' },
      secondCredential: { person: '3', pin: '5678' },
    },
  ]);
});

test('the staff’s desk: a held note is closed with what became of it and how that is known', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.desk);
  const { page } = opened;
  const dialog = await atDesk(page, 'held-notes');
  await dialog.getByRole('button', { name: bi('desk.outcome.unclaimed') }).click();
  assert.deepEqual(await problems(page), []);
  await dialog.getByRole('button', { name: bi('desk.heldReason.other') }).click();
  assert.equal(await dialog.getByRole('button', { name: bi('pin.ok') }).isEnabled(), false, 'no words yet');
  await dialog.getByRole('textbox').fill('left in the tray');
  await dialog.getByRole('button', { name: bi('pin.ok') }).click();
  await page.keyboard.type('1234');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sent(opened, 1), [
    {
      type: 'resolve-held-note',
      caseNo: 17,
      outcome: 'unclaimed',
      reason: 'other',
      words: 'left in the tray',
      credential: { person: '2', pin: '1234' },
    },
  ]);
});

test('the staff’s desk: credit is put right for a complaint by two persons; then it cannot be dismissed', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.desk);
  const { page } = opened;
  const dialog = await atDesk(page, 'complaints');
  await dialog.getByText(/^第 127 局 · 尚餘 4:0\d$/).waitFor();
  assert.equal(await dialog.getByRole('button', { name: bi('desk.dismiss') }).isEnabled(), false);
  await dialog.getByRole('button', { name: bi('desk.adjust-credit') }).click();
  for (const digit of ['1', '5', '00'])
    await dialog.getByRole('button', { name: digit, exact: true }).click();
  await dialog.getByRole('button', { name: bi('desk.less') }).click();
  assert.deepEqual(await problems(page), []);
  await dialog.getByRole('button', { name: new RegExp(text('zh-Hant', 'desk.creditThen')) }).click();
  await dialog.getByRole('button', { name: bi('desk.adjustReason.complaint-upheld') }).click();
  for (const pin of ['1234', '5678']) {
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
  }
  assert.deepEqual(await sent(opened, 1), [
    {
      type: 'adjust-credit',
      seat: 6,
      amountMinor: -1_500,
      reason: 'complaint-upheld',
      words: '',
      roundNo: 127,
      complaintNo: 3,
      credential: { person: '2', pin: '1234' },
      secondCredential: { person: '3', pin: '5678' },
    },
  ]);
});

test('a player complains at the own seat while the time runs; afterwards the panel says what becomes of it', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.desk);
  const { page } = opened;
  const five = panel(page, 5, 'en');
  await five.getByRole('button', { name: text('en', 'complaint.button') }).click();
  await five.getByText(text('en', 'complaint.ask', { no: 127 })).waitFor();
  await five.getByText(/^Still 4:0\d$/).waitFor();
  assert.deepEqual(await problems(page), []);
  await five
    .getByRole('button', { name: text('en', 'complaint.button') })
    .first()
    .click();
  await panel(page, 6)
    .getByRole('button', { name: text('zh-Hant', 'complaint.open') })
    .click();
  await panel(page, 6).getByText(text('zh-Hant', 'complaint.coming')).waitFor();
  assert.deepEqual(await sent(opened, 1), [{ type: 'raise-complaint', seat: 5, from: 'player' }]);
  await show(opened, { ...VIEWS.desk, complaintWindow: null });
  assert.equal(await five.getByRole('button', { name: text('en', 'complaint.button') }).count(), 0);
});

test('the dealer has one next step in two languages and one button for it', { skip }, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const { page } = opened;
  await page.getByText(text('zh-Hant', 'step.close-betting')).waitFor();
  await page.getByText(text('pt', 'step.close-betting')).waitFor();
  await page.getByRole('button', { name: bi('confirm.close-betting') }).click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'close-betting' }]);
  await show(opened, VIEWS.dealing);
  assert.equal(await page.locator('.button-confirm').count(), 0, 'a card is drawn, not confirmed');
});

test('the seconds of a deadline stand in the strip also when there was none before', { skip }, async (t) => {
  const opened = await open(t, VIEWS.dealing);
  assert.equal(await opened.page.locator('.strip-seconds').count(), 0);
  await show(opened, VIEWS.turn);
  const seconds = Number(await opened.page.locator('.strip-seconds').innerText());
  assert.ok(seconds > 5 && seconds <= 18, String(seconds));
  await opened.page
    .locator('.strip-seconds')
    .getByText(String(seconds - 2), { exact: true })
    .waitFor();
  await show(opened, VIEWS.dealing);
  assert.equal(await opened.page.locator('.strip-seconds').count(), 0);
});

test('while bets are open, and only then, the dealer’s menu has more time for them', { skip }, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const { page } = opened;
  const more = page.getByRole('dialog').getByRole('button', { name: bi('dealer.moreTime') });
  await page.getByRole('button', { name: bi('dealer.others') }).click();
  await more.click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'extend-betting' }]);
  await show(opened, VIEWS.turn);
  await page.getByRole('button', { name: bi('dealer.others') }).click();
  await page.getByRole('button', { name: new RegExp(text('pt', 'option.void-round')) }).waitFor();
  assert.equal(await more.count(), 0);
});

test('a round is voided with a reason and a PIN, and the dialog covers no card, bet or panel', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['hold-unexpected-card']);
  const { page } = opened;
  await page.getByRole('button', { name: bi('dealer.others') }).click();
  await page.getByRole('dialog').getByText('第五條第一款（二）項').first().waitFor();
  const box = await page.locator('.dealer-popover').boundingBox();
  const strip = await page.locator('.strip').boundingBox();
  assert.ok(box && strip && box.y >= strip.y + strip.height, 'below the strip');
  // Between the discard tray (ends at 308), the bank's place (from 844 on) and the insurance band
  // (from 331 on).
  assert.ok(box.x >= 308 && box.x + box.width <= 758 && box.y + box.height <= 333, JSON.stringify(box));
  await page.getByRole('button', { name: new RegExp(text('pt', 'option.void-round')) }).click();
  await page.getByRole('button', { name: bi('voidReason.card-exposed') }).click();
  await page.keyboard.type('90210');
  await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  assert.deepEqual(await sent(opened, 1), [
    { type: 'void-round', reason: 'card-exposed', credential: { person: '3', pin: '90210' } },
  ]);
});

const inDoubt = ({ nowMs: sinceMs }: TableView, card: Card) =>
  ({ code: 'doubtful-card', sinceMs, card, drawNo: null, detail: null }) as const;

test('a card that was read wrongly is named by the dealer and confirmed by the supervisor', {
  skip,
}, async (t) => {
  const read = cardOf(1, 12);
  const base = VIEWS['hold-unexpected-card'];
  const hold = inDoubt(base, read);
  const step = { step: 'confirm-card', card: read, cites: ['art.5.1.1'] } as const;
  const opened = await open(t, { ...base, hold, dealer: { ...base.dealer, step } });
  const { page } = opened;
  await page.locator('.strip .button-confirm').click();
  await page.getByRole('button', { name: '5', exact: true }).click();
  await page.locator('.pick-ok').click();
  await page.getByRole('button', { name: bi('dealer.cardReason.read-wrong') }).click();
  await page.keyboard.type('3333');
  await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  assert.deepEqual(await sent(opened, 1), [
    {
      type: 'confirm-card',
      card: cardOf(1, 4),
      reason: 'read-wrong',
      credential: { person: '3', pin: '3333' },
    },
  ]);
});

test('C6: the dealer has a card in doubt read again, where the shoe can', { skip }, async (t) => {
  const read = cardOf(1, 12);
  const base = VIEWS['hold-unexpected-card'];
  const hold = inDoubt(base, read);
  const cites = ['art.5.1.2'];
  const dealer = { ...base.dealer, step: { step: 'confirm-card', card: read, cites } as const, remedies: [] };
  const again = { remedy: 'read-card-again', by: 'dealer', cites } as const;
  const opened = await open(t, { ...base, hold, dealer });
  const { page } = opened;
  const button = page.getByRole('button', { name: bi('remedy.read-card-again') });
  await page.locator('.strip .button-confirm').click();
  await page.locator('.pick-ok').waitFor();
  assert.equal(await button.count(), 0);
  await show(opened, { ...base, hold, dealer: { ...dealer, remedies: [again] } });
  await button.click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'read-card-again' }]);

  // One that was not read at all is among the ways out of the hold.
  const gap = { ...hold, code: 'card-gap', card: null } as const;
  const step = { step: 'resolve-card', cites } as const;
  await show(opened, { ...base, hold: gap, dealer: { ...dealer, step, remedies: [again] } });
  await page.locator('.strip .button-confirm').click();
  await button.click();
  await page.getByText(text('pt', 'consequence.read-card-again')).waitFor();
  await page.locator('.dealer-popover .button-gold').click();
  assert.deepEqual((await sent(opened, 2))[1], { type: 'read-card-again' });
  assert.deepEqual(await problems(page), []);
});

test('C3, C10: a supervisor says that the shoe was loaded, and names the card that is missing at its end', {
  skip,
}, async (t) => {
  const base = VIEWS['hold-unexpected-card'];
  const at = (step: 'witness-loading' | 'count-cards'): TableView => ({
    ...base,
    hold: null,
    dealer: { ...base.dealer, step: { step, cites: [] } },
  });
  const opened = await open(t, at('witness-loading'));
  const { page } = opened;
  const sign = async (pin: string): Promise<void> => {
    await page.keyboard.type(pin);
    await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  };
  const credential = { person: '3', pin: '3333' };
  await page.getByText(text('zh-Hant', 'step.witness-loading')).waitFor();
  await page.getByRole('button', { name: bi('confirm.witness-loading') }).click();
  await sign('3333');
  assert.deepEqual(await sent(opened, 1), [{ type: 'witness-loading', credential }]);

  await show(opened, at('count-cards'));
  await page.getByRole('button', { name: bi('confirm.count-cards') }).click();
  for (const digits of ['21', '290']) {
    for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
    await page.locator('.adjust-keys .key').last().click();
  }
  await page.getByRole('button', { name: bi('dealer.countDiffers') }).click();
  await page
    .getByRole('button', { name: new RegExp(text('zh-Hant', 'dealer.cards.missing', { cards: '–' })) })
    .click();
  await page.locator('.suit-key').nth(2).click();
  await page.getByRole('button', { name: 'Q', exact: true }).click();
  await page.locator('.pick-ok').click();
  await page.getByText(text('zh-Hant', 'dealer.cards.missing', { cards: 'Q♦' })).waitFor();
  await page.getByRole('button', { name: bi('dealer.supervisorPin') }).click();
  await sign('3333');
  assert.deepEqual((await sent(opened, 2))[1], {
    type: 'count-cards',
    left: 21,
    discarded: 290,
    missing: [cardOf(2, 11)],
    extra: [],
    credential,
  });
});

/** A table of each game, the dealer on either side, and the edge turned. */
const EDGES = [
  ...(['desk', 'pt-betting', 'baccarat-settled', 'war-choice'] as const),
  ...(['dealer-near', 'dealer-near-baccarat', 'dealer-turned'] as const),
];

test('at every dealer’s edge a dialog opens where it was asked for, whole, and covers no card, bet or panel', {
  skip,
}, async (t) => {
  const found: string[] = [];
  for (const [nth, size] of SIZES.slice(0, 2).entries())
    for (const name of EDGES.filter((_, index) => nth === 0 || index % 3 === 0)) {
      const view = VIEWS[name];
      const { page, letGo } = await open(t, view, { size });
      const table = layTable(size.width, size.height, formOf(view), view.seats.length);
      // As many cards as a bank ever has, and all of a seat but the band before it.
      const kept: Box[] = [
        ...layBank(table, table.player === null ? 6 : 3).cards.map((card) => cardBox(table, card)),
        ...(table.player === null ? [] : layPlayerSide(table, 3).cards.map((card) => cardBox(table, card))),
        ...table.seats.map(({ zone }) => zone),
      ];
      const boxOf = async (selector: string): Promise<Box> =>
        (await page.locator(selector).first().boundingBox())!;
      for (const [asker, other, button] of [
        ['.strip', '.corner', '.button-menu'],
        ['.corner', '.strip', '.corner .button-service >> nth=0'],
        ['.corner', '.strip', '.corner .button-service >> nth=-1'],
      ] as const) {
        const control = page.locator(button);
        await control.click();
        const dialog = page.locator('.dealer-popover > *');
        await dialog.waitFor();
        const [box, from, far] = [await boxOf('.dealer-popover'), await boxOf(asker), await boxOf(other)];
        const say = (what: string): void =>
          void found.push(`${name} ${size.width} ${button}: ${what}: ${JSON.stringify([box, from])}`);
        const away = (a: Box, b: Box): number =>
          Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
        if (away(box, from) > away(box, far)) say(`nearer to ${other}`);
        if (box.y < from.y + from.height - 1) say('over what asked for it');
        if (box.x > from.x + from.width || box.x + box.width < from.x) say('beside what asked for it');
        for (const each of kept) if (overlap(box, each)) say(`covers ${JSON.stringify(each)}`);
        const isCut = await dialog.evaluate((each) => each.scrollHeight > each.clientHeight + 1);
        if (isCut && asker === '.corner') say('cut');
        found.push(...(await problems(page)).map((problem) => `${name} ${size.width} ${button}: ${problem}`));
        await control.click();
        await dialog.waitFor({ state: 'detached' });
      }
      await letGo();
    }
  assert.deepEqual(found, []);
});

test('turned to the dealer, the edge stands upside down where it stood, and its dialogs with it', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.desk);
  const { page } = opened;
  const edge = page.locator('.dealer-edge');
  /** Where the parts of the edge are, and how far each is turned. */
  const parts = () =>
    edge.locator('> *').evaluateAll((all) =>
      all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return { class: each.className, turned: getComputedStyle(each).rotate, at: [x, y, width, height] };
      }),
    );
  await atDesk(page, 'hand-pays');
  const upright = await parts();
  assert.ok(upright.length >= 4, 'alerts, strip, corner and dialog');
  await show(opened, { ...VIEWS.desk, table: { ...VIEWS.desk.table, display: { dealerEdge: 'turned' } } });
  await page.locator('.dealer-edge[data-turned="true"]').waitFor({ state: 'attached' });
  assert.deepEqual(
    await parts(),
    upright.map((part) => ({ ...part, turned: '180deg' })),
  );
  // A finger meets what the dealer sees.
  await page
    .locator('.dealer-popover')
    .getByRole('button', { name: bi('pin.close') })
    .click();
  await page.locator('.dealer-popover').waitFor({ state: 'detached' });
});

test('H15, D2: the desk announces a drop of chosen boxes, says what is out, and opens an acceptor that waits', {
  skip,
}, async (t) => {
  const opened = await open(t, boxesAtDesk);
  const { page } = opened;
  const sign = async (): Promise<void> => {
    await page.keyboard.type('1234');
    await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  };
  const credential = { person: '2', pin: '1234' };
  let dialog = await atDesk(page, 'boxes');
  await dialog.getByRole('button', { name: bi('desk.dropAll') }).waitFor();
  for (const seat of [3, 1, 2, 3])
    await dialog.getByRole('button', { name: new RegExp(text('zh-Hant', 'seat.name', { seat })) }).click();
  await dialog.getByRole('button', { name: bi('desk.dropChosen') }).click();
  await sign();
  assert.deepEqual(await sent(opened, 1), [{ type: 'announce-drop', acceptors: [1, 2], credential }]);

  await show(opened, dropStands);
  const alerts = page.locator('.alerts');
  for (const language of ['zh-Hant', 'pt'] as const)
    await alerts.getByText(text(language, 'desk.dropStands', { due: '3', out: '2' })).waitFor();
  await alerts.getByText(text('pt', 'desk.shutAfterNote', { acceptors: '4' })).waitFor();
  dialog = await atDesk(page, 'boxes');
  assert.equal(
    await dialog.getByRole('button', { name: bi('desk.endDrop') }).isDisabled(),
    true,
    'one is out',
  );
  await dialog.getByRole('button', { name: bi('desk.openAcceptor') }).click();
  await sign();
  assert.deepEqual((await sent(opened, 2))[1], { type: 'open-acceptor', acceptor: 4, credential });
  assert.deepEqual(await problems(page), []);
});
