/**
 * What happens in a night, and for how long each may keep the table from playing, in simulated
 * time: what people are given to do it, and what the terminal is given to notice.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Card } from '../../engine/core/cards.ts';
import { complaintWindow } from '../../engine/table/complaints.ts';
import { restoreState, stateHash } from '../../host/table/terminal.ts';
import { textHash } from '../../ledger/chain/roster.codec.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Credential } from '../../wire/fields.ts';
import type { TableView } from '../../wire/view.ts';
import { CREDENTIAL, people } from '../host/test-terminal.ts';
import { CardReader, NO_READER } from '../support/card-reader.ts';
import { type NightTable, OPEN, type When } from './table.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Of an incident. Null: it is over. `not-now`: what it needs is not there, it is tried again. */
export type Part = (t: NightTable) => Promise<Later | null | 'not-now'>;
export interface Later {
  readonly afterMs: number;
  readonly when: When;
  readonly run: Part;
}
export interface Incident {
  readonly when: When;
  /** In each of its parts; what comes after it stands on `because`. */
  readonly mayStandMs: number;
  readonly because: string;
  readonly run: Part;
  /** Only where the rulebook knows it. */
  readonly isRare?: true;
}

const later = (afterMs: number, when: When, run: Part): Later => ({ afterMs, when, run });
const { attendant, attendant2, supervisor, technician, auditor, dealer, dealer2 } = CREDENTIAL;

/** A seat whose player may do as they like. */
const seatsWhere = (t: NightTable, holds: (seat: number) => boolean): number[] =>
  t.state.seats.flatMap(({ seat }) => (!t.kept.has(seat) && holds(seat) ? [seat] : []));
const creditOf = (t: NightTable, seat: number): number => t.state.seats[seat - 1]!.creditMinor;
const rich = (t: NightTable): number[] =>
  seatsWhere(t, (seat) => creditOf(t, seat) > 0 && t.state.seats[seat - 1]!.cashOut == null);
const free = (t: NightTable): number[] => seatsWhere(t, (seat) => t.acceptorIsFree(seat));
const lastRoundNo = (t: NightTable): number => t.state.lastRound?.no ?? 0;

/** Somebody opens service mode for a while. */
async function inService(
  t: NightTable,
  [id, credential]: readonly [string, Credential],
  then: () => Promise<void>,
): Promise<void> {
  await t.do({ type: 'enter-service', credential });
  t.did(`service ${id}`);
  await t.clock.skip(20 * SECOND);
  await then();
  await t.do({ type: 'exit-service' });
}
const ATTENDANT = ['A-01', attendant] as const;
const TECHNICIAN = ['T-01', technician] as const;
const AUDITOR = ['U-01', auditor] as const;

/** The player goes with all that is theirs. */
async function leave(
  t: NightTable,
  seat: number,
  then: () => Promise<unknown> = async () => {},
): Promise<Later> {
  t.kept.add(seat);
  const pay: Part = async () => {
    if (!t.mayPay) return 'not-now';
    await t.payOut(seat);
    if (await t.cashOut(seat)) return later(MINUTE, 'any', pay);
    if (t.worth(seat) > 0) return later(MINUTE, 'any', pay);
    t.kept.delete(seat);
    await then();
    return null;
  };
  if (t.mayPay) await t.cashOut(seat);
  return later(t.between(60, 200) * SECOND, 'any', pay);
}

const call: Part = async (t) => {
  const seats = seatsWhere(t, (seat) => !t.state.seats[seat - 1]!.callsAttendant);
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  await t.do({ type: 'call-attendant', seat, on: true });
  t.did(`call ${seat} true`);
  return later(t.between(40, 240) * SECOND, 'any', async () => {
    await t.do({ type: 'call-attendant', seat, on: false });
    t.did(`call ${seat} false`);
    return null;
  });
};

const complaint: Part = async (t) => {
  const window = complaintWindow(t.state);
  if (window === null || (window.untilMs ?? Infinity) < t.clock.wallMs) return 'not-now';
  const seats = seatsWhere(t, (each) => t.state.complaints.every(({ seat }) => seat !== each));
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const from = t.pick(['player', 'dealer'] as const);
  await t.do({ type: 'raise-complaint', seat, ...(from === 'player' ? { from } : {}) });
  const { complaintNo } = t.state.complaints.at(-1)!;
  t.did(`complaint ${seat} ${window.roundNo} ${from}`);
  return later(t.between(120, 500) * SECOND, 'any', async () => {
    const upheld = t.below(2) === 0;
    if (upheld) {
      await t.do({
        type: 'adjust-credit',
        ...{ seat, amountMinor: 5_000, reason: 'complaint-upheld', complaintNo },
        ...{ roundNo: window.roundNo, credential: attendant, secondCredential: supervisor },
      });
      t.did(`adjusted ${seat} 5000`);
    }
    await t.refusedRole({ type: 'close-complaint', complaintNo, upheld, credential: attendant }, 'A-01');
    await t.do({ type: 'close-complaint', complaintNo, upheld, credential: supervisor });
    t.did(`complaint closed ${complaintNo} ${upheld}`);
    return null;
  });
};

const handPay: Part = async (t) => {
  const seats = rich(t);
  if (seats.length === 0 || !t.mayPay) return 'not-now';
  return await leave(t, t.pick(seats));
};

const thinkAgain: Part = async (t) => {
  const seats = rich(t);
  if (seats.length === 0 || !t.mayPay) return 'not-now';
  const seat = t.pick(seats);
  const before = t.worth(seat);
  await t.cashOut(seat);
  await t.clock.skip(10 * SECOND);
  const { requestId } = t.state.seats[seat - 1]!.cashOut!;
  await t.do({ type: 'cancel-cash-out', seat, requestId });
  t.did(`cancelled ${seat}`);
  assert.equal(t.worth(seat), before);
  return null;
};

const credit: Part = async (t) => {
  const seats = seatsWhere(t, (seat) => creditOf(t, seat) >= 5_000);
  if (seats.length === 0 || lastRoundNo(t) === 0) return 'not-now';
  const seat = t.pick(seats);
  const amountMinor = t.pick([5_000, -5_000, 100]);
  const before = t.worth(seat);
  const command = {
    type: 'adjust-credit' as const,
    ...{ seat, amountMinor, roundNo: lastRoundNo(t), reason: 'settlement-wrong' as const },
  };
  await t.refusedRole({ ...command, credential: attendant, secondCredential: attendant2 }, 'A-02');
  // What was asked for twice is done once.
  const id = randomUUID();
  for (const status of ['done', 'exists'] as const) {
    const both = { ...command, credential: attendant, secondCredential: supervisor };
    const answer = await t.clock.during(t.kit.send(both, t.kit.table, id));
    assert.equal(answer.status, status);
  }
  t.did(`adjusted ${seat} ${amountMinor}`);
  assert.equal(t.worth(seat), before + amountMinor);
  return null;
};

const wrongCard: Part = async (t) => {
  if (!t.hasOption('doubt-card')) return 'not-now';
  await t.do({ type: 'doubt-card' });
  t.did('doubted');
  const card = t.state.hold!.card!;
  await t.clock.skip(8 * SECOND);
  if (t.below(2) === 0) await t.do({ type: 'confirm-card', card });
  else {
    const other = t.otherThan(card);
    t.isMisnamed = true;
    await t.refusedRole(
      { type: 'confirm-card', card: other, reason: 'read-wrong', credential: attendant },
      'A-01',
    );
    await t.do({ type: 'confirm-card', card: other, reason: 'read-wrong', credential: supervisor });
  }
  t.did('confirmed');
  return null;
};

const takenBack: Part = async (t) => {
  if (!t.hasOption('take-back-card')) return 'not-now';
  await t.do({ type: 'take-back-card' });
  t.did('taken back');
  return null;
};

const unread: Part = async (t) => {
  if (!t.step.step.startsWith('draw-for')) return 'not-now';
  await t.device('shoe', 'misread');
  await t.draw();
  await t.until('the hold', () => t.state.hold?.code === 'card-gap');
  await t.clock.skip(10 * SECOND);
  const card = t.kit.rack.shoe.drawn().at(-1)! as Card;
  if (t.canCome(card)) {
    await t.do({ type: 'confirm-card', card, reason: 'not-read', credential: supervisor });
    t.did('confirmed');
  } else await t.oneTooMany();
  await t.confirmLayout();
  return null;
};

const extended: Part = async (t) => {
  await t.do({ type: 'extend-betting' });
  t.did('extended');
  const { atMs, totalMs } = t.state.deadline!;
  assert.equal(atMs - t.clock.wallMs, totalMs);
  return null;
};

const pulledNote: Part = async (t) => {
  const seats = free(t);
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const device = `acceptor-${seat}`;
  t.kept.add(seat);
  await t.hands({ do: 'insert-note', acceptor: seat, valueMinor: 50_000, currency: 'MOP' });
  await t.device(device, 'cheat');
  await t.fault(device, 'acceptor-cheated');
  return later(0, 'betting', async () => {
    await t.refused(t.betOf(seat, 'main', 5_000), 'seat-locked');
    return later(t.between(60, 240) * SECOND, 'idle', async () => {
      await inService(t, ATTENDANT, async () => {
        const isWell = ({ devices }: TableView): boolean =>
          devices.some(({ id, state }) => id === device && state === 'disabled');
        await t.shown('the unit is well', isWell, 5_000);
        await t.do({
          type: 'end-fault',
          ...{ device, fault: 'acceptor-cheated', credential: attendant, secondCredential: supervisor },
        });
      });
      t.kept.delete(seat);
      return null;
    });
  });
};

const returned: Part = async (t) => {
  const seats = free(t);
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const unit = t.kit.rack.acceptor(seat);
  const before = unit.givenBack().length;
  await t.hands({ do: 'insert-note', acceptor: seat, valueMinor: 50_000, currency: 'HKD' });
  const tookMs = await t.until('it comes back', () => unit.givenBack().length > before, 20_000);
  assert.ok(tookMs < 10 * SECOND, `${tookMs}`);
  await t.shown('why', ({ seats: all }) => all[seat - 1]!.note?.state === 'returned', 5_000);
  assert.equal(t.kit.view.seats[seat - 1]!.note?.why, 'currency');
  t.did('note refused currency');
  await t.until('the unit is free', () => t.acceptorIsFree(seat), 20_000);
  return null;
};

const lostNote: Part = async (t) => {
  const seats = free(t);
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const unit = t.kit.rack.acceptor(seat);
  const device = `acceptor-${seat}`;
  t.kept.add(seat);
  await t.hands({ do: 'insert-note', acceptor: seat, valueMinor: 50_000, currency: 'MOP' });
  await t.until('beyond return', () => unit.inPath()?.beyond === true || unit.owesCredit());
  await t.device(device, 'forget-credit');
  await t.hands({ do: 'power-cycle', device: device as never, offMs: 100 });
  await t.until('the case', () => t.state.heldNotes.length > 0, 60_000);
  t.did(`fault ${device} note-in-doubt`);
  const { caseNo } = t.state.heldNotes[0]!;
  return later(t.between(60, 300) * SECOND, 'any', async () => {
    await t.do({
      type: 'resolve-held-note',
      ...{ caseNo, outcome: 'credited', reason: 'seen-in-box', credential: attendant },
    });
    t.did(`held note ${seat} 50000`);
    t.kept.delete(seat);
    return null;
  });
};

const voided: Part = async (t) => {
  const before = t.state.seats.map(({ seat }) => t.worth(seat));
  const command = { type: 'void-round', reason: 'misdeal' } as const;
  await t.refusedRole({ ...command, credential: attendant }, 'A-01');
  await t.do({ ...command, credential: supervisor });
  t.did('void misdeal');
  assert.deepEqual(
    t.state.seats.map(({ seat }) => t.worth(seat)),
    before,
    'every stake is back',
  );
  return null;
};

const wrongPins: Part = async (t) => {
  const [other, id] = t.dealer === dealer ? ([dealer2, 'D-02'] as const) : ([dealer, 'D-01'] as const);
  const enter = (pin: string) =>
    ({ type: 'sign-in-dealer', credential: { person: other.person, pin } }) as const;
  if (t.failed(id) > 0 || t.isRosterShort) return 'not-now';
  for (let i = 0; i < 4; i += 1) {
    await t.refused(enter('9999'), 'person');
    t.did(`refused wrong-pin ${id}`);
    t.fails(id);
  }
  await t.refused(enter(other.pin), 'person');
  t.did(`refused locked-out ${id}`);
  // It is theirs alone.
  await t.do({ type: 'hand-over-shift', credential: attendant, secondCredential: attendant2 });
  t.did('shift A-01 A-02');
  await t.clock.skip(31 * SECOND);
  await t.signIn(other);
  return null;
};

const shift: Part = async (t) => {
  await t.refused({ type: 'hand-over-shift', credential: attendant, secondCredential: attendant }, 'person');
  await t.do({ type: 'hand-over-shift', credential: attendant2, secondCredential: attendant });
  t.did('shift A-02 A-01');
  return null;
};

const relief: Part = async (t) => {
  if (t.isRosterShort) return 'not-now';
  await t.signIn(t.dealer === dealer ? dealer2 : dealer);
  return null;
};

/** The seat's own glass, which is there from the first time on. */
const GLASS = 2;

const unplugged: Part = async (t) => {
  if (t.kept.has(GLASS) || t.state.hold !== null) return 'not-now';
  if (creditOf(t, GLASS) < 5_000 && !(await t.fund(GLASS))) return 'not-now';
  if (!t.is('betting')) return 'not-now';
  const glass = await t.seatDisplay(GLASS);
  const open = t.kit.view.seats[GLASS - 1]!.betting.find(
    ({ act, allowed }) => act === 'place-bet' && allowed,
  );
  if (open === undefined) return 'not-now';
  const laid = (): number =>
    (t.state.round?.bets ?? []).reduce(
      (sum, { by, bet, amountMinor }) => sum + (by === GLASS && bet === open.bet ? amountMinor : 0),
      0,
    );
  const before = laid();
  const amountMinor = Math.min(5_000, open.amountMinor ?? 5_000);
  const command = t.betOf(GLASS, open.bet!, amountMinor);
  const id = randomUUID();
  // The plug is out before the answer is there; nobody knows whether the touch has come.
  void glass.command(command, id);
  glass.close();
  await t.clock.pass(t.between(500, 6_000));
  const again = await t.seatDisplay(GLASS);
  const answer = await t.clock.during(t.kit.send(command, again, id));
  assert.ok(answer.status === 'done' || answer.status === 'exists', JSON.stringify(answer));
  assert.equal(laid(), before + amountMinor, 'one touch, one chip');
  return null;
};

const glassLost: Part = async (t) => {
  if (t.kept.has(GLASS)) return 'not-now';
  const glass = await t.seatDisplay(GLASS);
  glass.close();
  t.kept.add(GLASS);
  const device = `display:seat:${GLASS}`;
  const tookMs = await t.fault(device, 'seat-display-lost', 15_000);
  assert.ok(tookMs > 9_000 && tookMs < 12_000, `${tookMs}`);
  return later(t.between(60, 200) * SECOND, 'idle', async () => {
    await t.seatDisplay(GLASS);
    await inService(t, ATTENDANT, () =>
      t.do({ type: 'end-fault', device, fault: 'seat-display-lost', credential: attendant }),
    );
    t.kept.delete(GLASS);
    return null;
  });
};

const tableLost: Part = async (t) => {
  t.kit.table.close();
  await t.fault('display:table', 'display-lost', 15_000);
  assert.equal(t.state.deadline, null, 'no time runs');
  await t.clock.pass(3_000);
  t.kit.table = await t.clock.during(t.kit.display('table'), true);
  await t.over('display-lost');
  await t.clock.skip(4 * SECOND);
  await t.confirmLayout();
  return null;
};

/** What the board does not say nobody can know. */
const isBoardHeard = (t: NightTable): boolean => !t.stands('cabinet-offline');

const mainDoor: Part = async (t) => {
  if (!isBoardHeard(t)) return 'not-now';
  const seats = free(t).filter((seat) => creditOf(t, seat) > 0);
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const before = t.worth(seat);
  const { cabinet } = t.kit.rack;
  await t.hands({ do: 'insert-note', acceptor: seat, valueMinor: 50_000, currency: 'MOP' });
  await t.until('on its way', () =>
    t.state.notes.some((note) => note.acceptor === seat && note.state === 'stack-requested'),
  );
  await t.device('cabinet', 'main-open');
  const tookMs = await t.fault('cabinet', 'main-door-open', 5_000);
  assert.ok(tookMs < 2_000, `${tookMs}`);
  t.did('doors main');
  await t.until('the note is credited once', () => t.worth(seat) === before + 50_000, 20_000);
  await t.refused({ type: 'request-cash-out', seat }, 'held');
  await t.until('every gate is shut', () =>
    t.state.seats.every(({ seat: each }) => t.kit.rack.acceptor(each).status() !== OPEN),
  );
  await t.clock.pass(9_500 - tookMs - 1_500);
  assert.ok(cabinet.sight().sirenMs > 0, 'ten seconds at least');
  await t.clock.pass(3_000);
  await t.device('cabinet', 'main-close');
  await t.over('main-door-open');
  await t.clock.skip(5 * SECOND);
  await t.confirmLayout();
  assert.equal(t.worth(seat), before + 50_000);
  return null;
};

const otherDoor: Part = async (t) => {
  const door = t.pick(['drop', 'acceptor', 'cabinet'] as const);
  if (!isBoardHeard(t)) return 'not-now';
  await t.device('cabinet', `${door}-open`);
  await t.fault('cabinet', `${door}-door-open`, 5_000);
  t.did(`doors ${door}`);
  const seats = rich(t);
  if (door !== 'drop' && seats.length > 0)
    await t.refused({ type: 'request-cash-out', seat: seats[0]! }, 'held');
  return later(t.between(20, 180) * SECOND, 'any', async () => {
    if (!isBoardHeard(t)) return 'not-now';
    await t.device('cabinet', `${door}-close`);
    await t.over(`${door}-door-open`, 5_000);
    return null;
  });
};

const logicDoor: Part = async (t) => {
  if (!isBoardHeard(t)) return 'not-now';
  await t.device('cabinet', 'logic-open');
  await t.fault('cabinet', 'logic-door-open', 5_000);
  t.did('doors logic');
  await t.clock.pass(3_000);
  await t.device('cabinet', 'logic-close');
  await t.clock.pass(2_000);
  await inService(t, TECHNICIAN, () =>
    t.do({
      type: 'end-fault',
      ...{ device: 'cabinet', fault: 'logic-door-open' },
      ...{ credential: technician, secondCredential: supervisor },
    }),
  );
  await t.confirmLayout();
  return null;
};

const onBattery: Part = async (t) => {
  if (t.stands('ups-offline')) return 'not-now';
  await t.device('ups', 'mains-off');
  await t.fault('ups', 'ups-on-battery', 10_000);
  assert.equal(t.state.hold, null, 'the round goes on');
  const settled = t.state.roundNo;
  return later(0, 'no-round', async () => {
    assert.equal(t.state.roundNo, settled, 'no other round has begun');
    assert.equal(t.state.lastRound?.no, settled, 'it was played to its end');
    await t.refused({ type: 'open-betting' }, 'held');
    await t.clock.skip(3 * MINUTE);
    await t.device('ups', 'mains-on');
    await t.over('ups-on-battery', 10_000);
    return null;
  });
};

const upsGone: Part = async (t) => {
  if (t.stands('ups-on-battery')) return 'not-now';
  await t.device('ups', 'stale');
  await t.fault('ups', 'ups-offline', 20_000);
  return later(t.between(60, 300) * SECOND, 'any', async () => {
    await t.device('ups', 'fresh');
    await t.over('ups-offline', 20_000);
    return null;
  });
};

const boardGone: Part = async (t) => {
  if (t.state.faults.some(({ device }) => device === 'cabinet')) return 'not-now';
  t.kit.rack.cabinet.powerOff();
  await t.fault('cabinet', 'cabinet-offline', 10_000);
  assert.equal(t.state.hold, null, 'the round goes on');
  return later(0, 'no-round', async () => {
    await t.clock.skip(20 * SECOND);
    t.kit.rack.cabinet.powerOn();
    await t.over('cabinet-offline', 10_000);
    return null;
  });
};

const jam: Part = async (t) => {
  await t.device('shoe', 'jam');
  await t.fault('shoe', 'shoe-jam', 5_000);
  await t.clock.skip(40 * SECOND);
  await t.device('shoe', 'clear-jam');
  await t.over('shoe-jam', 10_000);
  await t.confirmLayout();
  return null;
};

const cover: Part = async (t) => {
  await t.device('shoe', 'cover-open');
  await t.fault('shoe', 'shoe-cover-open', 5_000);
  await t.clock.skip(15 * SECOND);
  await t.device('shoe', 'cover-close');
  await t.over('shoe-cover-open', 10_000);
  await t.confirmLayout();
  return null;
};

const shoeRestarts: Part = async (t) => {
  await t.hands({ do: 'power-cycle', device: 'shoe', offMs: 0 });
  await t.until('it is held', () => t.step.step === 'confirm-layout', 10_000);
  t.did('fault shoe shoe-restarted');
  await t.clock.skip(5 * SECOND);
  await t.confirmLayout();
  return null;
};

export const OF_ROSTER = 'a person taken off the roster';
export const OF_CARDS = 'a staff card lost, and the reader pulled out';

/** A life with a reader of cards, and one without it again. */
const lostCard: Part = async (t) => {
  // Without Debian's reader of software, or as another account than root, there is none tonight.
  if (NO_READER !== false || t.isRosterShort || t.hasRoster) return 'not-now';
  const { kit, clock } = t;
  const isLinked = kit.view.link.state === 'up';
  const again = async (): Promise<void> => {
    t.goes();
    await clock.during(kit.restart(), true);
    t.did('started shutdown');
    t.heed();
    await t.devicesThere();
    if (isLinked) await t.shown('the link', ({ link }) => link.state === 'up', 5_000);
    await t.confirmLayout();
  };
  const ends: (() => Promise<void>)[] = [];
  const reader = await clock.during(
    CardReader.open({ after: (end) => void ends.push(end as () => Promise<void>) }),
    true,
  );
  try {
    const [other, id] = t.dealer === dealer ? ([dealer2, 'D-02'] as const) : ([dealer, 'D-01'] as const);
    const [lost, own] = [reader.newCard(), reader.newCard()];
    const staff = (await people).map((person) =>
      person.id === id
        ? { ...person, card: lost.id }
        : person.id === 'S-01'
          ? { ...person, card: own.id }
          : person,
    );
    const pinAlone = ['technician', 'attendant'] as const;
    Object.assign(t.file, { people: staff, staffCards: { pinAlone }, socket: reader.socket });
    await again();
    const isCard = (wanted: string, person: string | null = null): Promise<void> =>
      clock.during(
        kit.until(`card ${wanted}`, () => {
          const { card } = kit.view.pinPad;
          return card?.state === wanted && card.person === person;
        }),
        true,
      );
    await isCard('empty');
    // Whose card is lost is not let in by the PIN alone; whoever needs none, or has theirs, is.
    await t.refused({ type: 'sign-in-dealer', credential: other }, 'person');
    t.did(`refused no-card ${id}`);
    t.fails(id);
    await t.do({ type: 'hand-over-shift', credential: attendant, secondCredential: attendant2 });
    t.did('shift A-01 A-02');
    await clock.during(reader.lay(own));
    await isCard('read', supervisor.person);
    // The reader goes, and the table plays on.
    await clock.during(reader.pullOut());
    await isCard('no-reader');
    assert.equal(t.step.step, 'open-betting');
    await clock.during(reader.plugIn(), true);
    await clock.during(reader.lay(lost));
    await isCard('read', other.person);
    await t.signIn(other);
  } finally {
    Object.assign(t.file, { people: await people, staffCards: undefined, socket: undefined });
    for (const end of ends) await clock.during(end(), true);
  }
  await again();
  return null;
};

const linkLost: Part = async (t) => {
  if (t.kit.view.link.state !== 'up') return 'not-now';
  await t.centre.cut();
  const tookMs = await t.fault('centre', 'link-down', 20_000);
  assert.ok(tookMs < 8_000, `${tookMs}`);
  return later(t.between(5, 30) * MINUTE, 'any', async () => {
    await t.centre.up();
    await t.over('link-down', 20_000);
    await t.uploaded();
    return null;
  });
};

/** As in the list that the night is given. */
export const LISTED = 'M1234567';

const excluded: Part = async (t) => {
  const seats = rich(t);
  if (seats.length < 2 || !t.mayPay) return 'not-now';
  const [seat, other] = t.shuffled(seats) as [number, number];
  const check = (document: string, of: number) =>
    ({ type: 'check-exclusion', document, seat: of, credential: attendant }) as const;
  await t.do(check('M7654321', other));
  t.did('exclusion A-01 false');
  await t.refused(check('m 123.456(7)', seat), 'excluded');
  t.did('exclusion A-01 true');
  t.did(`fault seat:${seat} excluded-person`);
  t.kept.add(seat);
  return later(0, 'betting', async () => {
    await t.refused(t.betOf(seat, 'main', 5_000), 'seat-locked');
    return await leave(t, seat, () => t.over('excluded-person'));
  });
};

const reality: Part = async (t) => {
  const seats = seatsWhere(
    t,
    (each) => creditOf(t, each) > 5_000 && t.state.seats[each - 1]!.session?.hasReached === false,
  );
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const session = () => t.state.seats[seat - 1]!.session;
  const goneMs = t.clock.wallMs - session()!.timeFromMs;
  const timeMs = (Math.ceil(goneMs / MINUTE) + 2) * MINUTE;
  await t.do({ type: 'set-own-limits', seat, timeMs, lossMinor: null });
  t.did(`limits ${seat}`);
  t.kept.add(seat);
  return later(3 * MINUTE, 'betting', async () => {
    assert.equal(session()?.reached, 'time', 'it is said without a touch');
    t.did(`reached ${seat} time`);
    await t.refused(t.betOf(seat, 'main', 5_000), 'own-limit');
    await t.refused({ type: 'set-own-limits', seat, timeMs: null, lossMinor: null }, 'limit-stands');
    await t.do({ type: 'confirm-own-limit', seat });
    t.did(`confirmed ${seat} time`);
    return await leave(t, seat);
  });
};

const pause: Part = async (t) => {
  const seats = seatsWhere(
    t,
    (each) => creditOf(t, each) > 5_000 && t.state.seats[each - 1]!.session?.reached === null,
  );
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  await t.do({ type: 'take-break', seat, forMs: 5 * MINUTE });
  t.did(`break ${seat}`);
  t.kept.add(seat);
  return later(2 * MINUTE, 'betting', async () => {
    if (t.clock.wallMs < t.state.seats[seat - 1]!.session!.breakUntilMs!) {
      await t.refused(t.betOf(seat, 'main', 5_000), 'own-limit');
      await t.refused({ type: 'confirm-own-limit', seat }, 'limit-stands');
    }
    return later(5 * MINUTE, 'any', async () => {
      await t.do({ type: 'confirm-own-limit', seat });
      t.did(`confirmed ${seat} break`);
      t.kept.delete(seat);
      return null;
    });
  });
};

const restart =
  (how: 'shutdown' | 'crash'): Part =>
  async (t) => {
    const { kit } = t;
    const isLinked = kit.view.link.state === 'up';
    t.goes();
    if (how === 'crash') {
      // What the dying process would still have sent is not to be at the centre.
      if (isLinked) await t.centre.cut();
      await t.clock.during(kit.die(), true);
      if (isLinked) await t.centre.up();
    } else await t.clock.during(kit.restart(), true);
    t.did(`started ${how}`);
    t.heed();
    await t.devicesThere();
    if (isLinked) await t.shown('the link', ({ link }) => link.state === 'up', 5_000);
    await t.clock.skip(5 * SECOND);
    await t.confirmLayout();
    return null;
  };

const drop: Part = async (t) => {
  const seats = free(t).filter((seat) => t.kit.rack.acceptor(seat).cashBox().length > 0);
  if (seats.length === 0 || t.state.faults.some(({ device }) => device === 'printer')) return 'not-now';
  const acceptor = t.pick(seats);
  const device = `acceptor-${acceptor}`;
  const unit = t.kit.rack.acceptor(acceptor);
  t.kept.add(acceptor);
  const before = t.stored('slip-ended drop');
  await t.device(device, 'cassette-out');
  await t.fault(device, 'cash-box-removed', 10_000);
  await t.until('the ticket', () => t.stored('slip-ended drop') > before, 30_000);
  const signed = t.kit.host.terminal.ledger.checkpoints().at(-1);
  assert.equal(signed?.reason, 'drop');
  const paper = t.kit.rack
    .sight()
    .printer.pieces.map((piece) => piece.join('\n'))
    .findLast((piece) => piece.includes('DROP'))!;
  const box = unit.cashBox();
  const total = box.reduce((sum, { valueMinor }) => sum + valueMinor, 0);
  const text = `MOP ${String(total / 100).replaceAll(/\B(?=(\d{3})+$)/g, ' ')},00`;
  assert.match(paper, new RegExp(`^Notas / Notes +${box.length}$`, 'm'), paper);
  assert.match(paper, new RegExp(`^${text}$`, 'm'), paper);
  t.did(`slip drop`);
  t.countedMinor += total;
  return later(t.between(60, 200) * SECOND, 'any', async () => {
    await t.hands({ do: 'empty-box', acceptor });
    await t.over('cash-box-removed', 20_000);
    t.kept.delete(acceptor);
    return null;
  });
};

const revoked: Part = async (t) => {
  if (t.kit.view.link.state !== 'up') return 'not-now';
  const listed = await people;
  const order = (all: readonly object[]): void => {
    const roster = JSON.stringify(all);
    const untilMs = t.clock.wallMs + 24 * 60 * MINUTE;
    t.centre.order({ type: 'roster', sha256: textHash(roster), untilMs }, { roster });
    t.did('people changed');
  };
  const changes = (): number => t.stored('people-changed');
  const [gone, id, other] =
    t.dealer === dealer ? ([dealer, 'D-01', dealer2] as const) : ([dealer2, 'D-02', dealer] as const);
  const before = changes();
  order(listed.filter((person) => person.id !== id));
  t.isRosterShort = true;
  t.hasRoster = true;
  await t.until('the order', () => changes() > before, 20_000);
  return later(0, 'no-round', async () => {
    await t.until('they are shown out', () => t.state.dealer === null, 3_000);
    t.did(`dealer out ${id}`);
    await t.refused({ type: 'sign-in-dealer', credential: gone }, 'person');
    t.did('refused nobody null');
    await t.clock.skip(5 * SECOND);
    await t.signIn(other);
    return later(10 * MINUTE, 'idle', async () => {
      if (t.kit.view.link.state !== 'up') return 'not-now';
      const now = changes();
      order(listed);
      await t.until('the order', () => changes() > now, 20_000);
      t.isRosterShort = false;
      return null;
    });
  });
};

const looksBack: Part = async (t) => {
  const seats = seatsWhere(t, (seat) => creditOf(t, seat) > 0);
  const seat = seats.length === 0 ? 1 : t.pick(seats);
  const { clock, kit } = t;
  const { rounds } = await clock.during(kit.table.query({ query: 'own-rounds', seat }));
  for (const { roundId, netMinor } of rounds.slice(0, 2)) {
    const own = await clock.during(kit.table.found({ query: 'own-round', seat, roundId }));
    assert.equal(own.netMinor, netMinor);
    assert.equal(
      own.lines.reduce((sum, line) => sum + line.netMinor, 0),
      netMinor,
    );
  }
  // And the whole table, out of its ledger, while it plays.
  const reader = openLedgerReader(kit.ledgerPath);
  try {
    const again = restoreState(reader, kit.headSeq);
    assert.deepEqual(stateHash(again), stateHash(t.state), 'the replay is the live table');
  } finally {
    reader.close();
  }
  return null;
};

const shownAgain: Part = async (t) => {
  const { lastRound } = t.state;
  if (lastRound == null || t.state.notes.length > 0) return 'not-now';
  await t.do({ type: 'show-recall', roundId: lastRound.id });
  t.did(`recall table`);
  assert.equal(t.kit.view.recall?.roundId, lastRound.id);
  await t.clock.skip(20 * SECOND);
  return later(0, 'betting', async () => {
    assert.equal(t.kit.view.recall, undefined, 'the table has its screen back');
    return null;
  });
};

const audit: Part = async (t) => {
  await inService(t, AUDITOR, async () => {
    const { table } = t.kit;
    const { rounds } = await t.clock.during(table.query({ query: 'rounds', beforeNo: null, limit: 10 }));
    assert.ok(rounds.length > 0);
    await t.clock.during(table.query({ query: 'meters', asOfMs: null, fromMs: null, by: null }));
    await t.clock.skip(30 * SECOND);
  });
  await t.confirmLayout();
  return null;
};

const forgotten: Part = async (t) => {
  await t.do({ type: 'enter-service', credential: technician });
  t.did('service T-01');
  await t.clock.skip(5 * MINUTE);
  await t.until('nobody has touched it', () => t.state.service === null, 5_000);
  await t.confirmLayout();
  return null;
};

const noPaper: Part = async (t) => {
  if (t.state.faults.some(({ device }) => device === 'printer')) return 'not-now';
  await t.device('printer', 'out');
  await t.fault('printer', 'printer-paper-out', 10_000);
  return later(t.between(60, 400) * SECOND, 'any', async () => {
    await t.device('printer', 'load-paper');
    await t.over('printer-paper-out', 10_000);
    return null;
  });
};

const noteJam: Part = async (t) => {
  const seats = free(t);
  if (seats.length === 0) return 'not-now';
  const seat = t.pick(seats);
  const device = `acceptor-${seat}`;
  t.kept.add(seat);
  await t.device(device, 'jam');
  await t.fault(device, 'acceptor-jammed', 10_000);
  return later(t.between(60, 400) * SECOND, 'any', async () => {
    await t.device(device, 'clear-jam');
    await t.over('acceptor-jammed', 20_000);
    t.kept.delete(seat);
    return null;
  });
};

const key: Part = async (t) => {
  if (!isBoardHeard(t)) return 'not-now';
  await t.device('cabinet', 'key-on');
  await t.clock.pass(1_500);
  await t.device('cabinet', 'key-off');
  await t.clock.pass(1_500);
  t.did('key true');
  t.did('key false');
  return null;
};

const weakBattery: Part = async (t) => {
  if (!isBoardHeard(t)) return 'not-now';
  await t.device('cabinet', 'battery-low');
  await t.fault('cabinet', 'cabinet-battery-low', 5_000);
  return later(t.between(60, 400) * SECOND, 'any', async () => {
    if (!isBoardHeard(t)) return 'not-now';
    await t.device('cabinet', 'battery-new');
    await t.over('cabinet-battery-low', 5_000);
    return null;
  });
};

const incident = (when: When, mayStandMs: number, because: string, run: Part): Incident => ({
  ...{ when, mayStandMs, because, run },
});
/** Play goes on. */
const beside = (when: When, because: string, run: Part): Incident => incident(when, 0, because, run);

// biome-ignore format: a list is read by its rows
export const INCIDENTS: Readonly<Record<string, Incident>> = {
  'recall at a seat and replay': beside('betting', 'who looks at the past keeps nobody from playing', looksBack),
  'recall on the big table': beside('idle', 'it ends by itself when the table needs its screen', shownAgain),
  'complaint': beside('any', 'no article stops the table for one; the ledger has the cards (r.61 stops the shuffler alone)', complaint),
  'call of an attendant': beside('any', 'nobody waits but who has called', call),
  'hand-pay': beside('any', 'money is paid beside the game', handPay),
  'cash-out taken back': beside('any', 'likewise', thinkAgain),
  'credit put right': beside('any', 'likewise, by two persons', credit),
  'that card is wrong': incident('cards', 15 * SECOND, 'art. 5.1.2: the card is named before anything follows; eight seconds to look', wrongCard),
  'a card lay face up': { ...beside('cards', 'art. 5.1.1: the next one takes its place', takenBack), isRare: true },
  'a card not read': incident('cards', 20 * SECOND, 'art. 5.1.2: a supervisor names it; ten seconds to come', unread),
  'betting extended': beside('betting', 'the dealer’s own word', extended),
  'round cancelled by the supervisor': beside('cards', 'art. 5.1.2: nobody else may, and the next round follows', voided),
  'a pulled note locks one seat': incident('idle', 40 * SECOND, 'the others play on; service mode for as long as the two are there', pulledNote),
  'a note comes back with its reason': beside('any', 'a note stops nobody', returned),
  'a note of unknown fate': beside('any', 'a case of one seat', lostNote),
  'a jam of notes': beside('any', 'a fault of one seat', noteJam),
  'wrong PINs of one person': beside('idle', 'the wait is theirs alone', wrongPins),
  [OF_CARDS]: { ...incident('idle', 20 * SECOND, 'the wait is theirs alone, and who deals goes on; what stands is a start with a reader and one without', lostCard), isRare: true },
  'shift handed over': beside('any', 'two attendants beside the game', shift),
  'relief of the dealer': beside('idle', 'one touch between two rounds', relief),
  [OF_ROSTER]: incident('any', 15 * SECOND, 'no round without a dealer: as long as the next one takes to sign in', revoked),
  'a glass unplugged in mid-touch': beside('betting', 'a display away for less than 10 s is no fault', unplugged),
  'a glass gone': incident('any', 40 * SECOND, 'the others play on; service mode for as long as the attendant is there', glassLost),
  'the big table’s glass gone': incident('betting', 15 * SECOND, 'nobody can touch: from 10 s on until it is back and compared', tableLost),
  'main door in mid-note': incident('betting', 30 * SECOND, 'X: as long as it stands open, twelve seconds here, and five to compare', mainDoor),
  'another door': beside('any', 'N and M: play goes on', otherDoor),
  'logic door': incident('idle', 60 * SECOND, 'X: until two persons have looked', logicDoor),
  'the mains fail in a round': incident('cards', 3 * MINUTE + 10 * SECOND, 'P after the round: as long as the mains are away, and what the UPS takes to say so', onBattery),
  'the UPS is not heard': beside('any', 'N', upsGone),
  'the cabinet board is not heard': incident('cards', 35 * SECOND, 'P after the round: as long as nobody knows of the doors', boardGone),
  'the board’s battery is weak': beside('any', 'N', weakBattery),
  'the service key': beside('any', 'it is written down', key),
  'jam of the shoe': incident('cards', 55 * SECOND, 'P: forty seconds to take the card out, and what the shoe takes to say so', jam),
  'cover of the shoe': incident('cards', 25 * SECOND, 'P: as long as it is open', cover),
  'the shoe restarts': incident('cards', 15 * SECOND, 'H: until the dealer has compared the cards', shoeRestarts),
  'the centre’s link lost and back': beside('any', 'N: it plays without its centre', linkLost),
  'exclusion list': beside('any', 'one seat alone lays no bet', excluded),
  'reality check': beside('any', 'one seat alone, until its player has read it', reality),
  'a player’s break': beside('any', 'likewise', pause),
  'restart between rounds': incident('idle', 20 * SECOND, 'the start, the devices’ first words, and five seconds to compare', restart('shutdown')),
  'restart in a round': incident('cards', 20 * SECOND, 'likewise', restart('shutdown')),
  'crash in a round': incident('cards', 20 * SECOND, 'likewise', restart('crash')),
  'crash in the betting': incident('betting', 20 * SECOND, 'likewise', restart('crash')),
  'drop of a cash box with its count': beside('any', 'M at one seat: play goes on', drop),
  'an auditor’s visit': incident('idle', MINUTE, 'service mode for as long as they read', audit),
  'a forgotten service session': incident('idle', 5 * MINUTE + 5 * SECOND, 'it ends by itself after five minutes', forgotten),
  'no paper': beside('any', 'paper decides nothing', noPaper),
};
