/**
 * How each drill is played on its table: brought about, told, reacted to, put right. What the
 * terminal does is only looked at; what it should do follows from the row of the fault.
 */
import { isSeatLocked } from '../../engine/table/stops.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { AFTER_ROUND } from '../../wire/after-round.ts';
import { type DrillId, type DrillStep, type Reaction, type Shown, shownBy } from '../../wire/drills.ts';
import { FAULTS, type FaultId, personsFor } from '../../wire/faults.ts';
import { CARD_DRILLS } from './card-drills.ts';
import { DrillStopped, ledgerIn } from './drill-life.ts';
import type { Scenario } from './drill-scenario.ts';
import type { DrillTable } from './drill-table.ts';
import { MACHINE_DRILLS } from './machine-drills.ts';
import { NOTE_DRILLS } from './note-drills.ts';
import { PART_DRILLS } from './part-drills.ts';
import { isStandingStill, playStandingStill, type StillDrillId } from './still-drills.ts';

const SCENARIOS: Readonly<Record<Exclude<DrillId, StillDrillId>, Scenario>> = {
  ...NOTE_DRILLS,
  ...CARD_DRILLS,
  ...PART_DRILLS,
  ...MACHINE_DRILLS,
};

type Say = (step: DrillStep) => void;

/**
 * Throws DrillStopped where the terminal does otherwise than it should; `say` gets every step as it
 * happens.
 */
export async function playDrill(id: DrillId, t: DrillTable, say: Say): Promise<void> {
  if (isStandingStill(id)) await playStandingStill(id, t, say);
  else await play(SCENARIOS[id], shownBy(id), t, say);
  await t.close();
  const report = verifyLedger(ledgerIn(t.dir));
  if (!report.ok) throw new DrillStopped(`the copy does not hold: ${report.problem}`);
  say({ at: 'verified', entries: report.entries });
}

/** What holds a round is practised in one. */
const isInRound = (shown: Shown, { isBetweenRounds }: Scenario): boolean =>
  isBetweenRounds !== true &&
  ('hold' in shown || (/[PHX]/.test(FAULTS[shown.fault].level) && !AFTER_ROUND.has(shown.fault)));

async function play(scenario: Scenario, shown: Shown, t: DrillTable, say: Say): Promise<void> {
  await t.start(scenario.settings ?? {});
  await t.beReady();
  if (isInRound(shown, scenario)) await t.dealRound();
  say({ at: 'ready' });

  const { headSeq } = t;
  const before = standing(t);
  let since = performance.now();
  const lasted = (): number => Math.round(performance.now() - since);
  // Some are over as soon as they are reported.
  const isTold = (): boolean =>
    'fault' in shown
      ? t.has('fault-reported', headSeq, (body) => (body as { fault: string }).fault === shown.fault)
      : t.view.hold?.code === shown.hold;
  await scenario.strike(t);
  say({ at: 'struck' });
  await t.until('the terminal to notice', isTold);
  const hold = t.view.hold?.code ?? null;
  say({ at: 'told', fault: 'fault' in shown ? shown.fault : null, hold, afterMs: lasted() });
  const reaction = scenario.reaction ?? reactionTo(shown);
  await t.until(`the reaction ${reaction}`, () => hasReacted(t, reaction, shown));
  say({ at: 'reacted', reaction });
  since = performance.now();
  await scenario.heal?.(t);
  say({ at: 'healed' });
  await recover(t, shown, say);
  await t.until('what came of it to be over', () => [...standing(t)].every((known) => before.has(known)));
  say({ at: 'over', afterMs: lasted() });
}

const standing = ({ host }: DrillTable): Set<string> =>
  new Set(host.terminal.state.faults.map(({ device, fault }) => `${device} ${fault}`));

/** The table plays on: what the fault needs of persons, then what the dealer has to compare. */
async function recover(t: DrillTable, shown: Shown, say: Say): Promise<void> {
  if ('fault' in shown) {
    const { fault } = shown;
    if (FAULTS[fault].device === 'bill-acceptor') {
      await t.until('the note to come to rest', () => t.host.terminal.state.notes.length === 0);
      if (await t.closeCases('returned')) say({ at: 'note-settled' });
    }
    if (FAULTS[fault].ends === 'new-shoe') await takeNewShoe(t, say);
    const persons = personsFor(fault);
    if (persons.length > 0) {
      const { device } = t.host.terminal.state.faults.find((known) => known.fault === fault)!;
      await t.endFault(device, fault, persons);
      say({ at: 'persons-confirmed', roles: persons.map(([role]) => role!) });
    }
    await t.until('the fault to be over', () => !t.stands(fault));
    // What else came of it, as a copy that was rebuilt from.
    await t.endFaults();
  }
  await t.until('a hold that the dealer can end', () => t.view.hold === null || t.step === 'confirm-layout');
  if (t.view.hold !== null) {
    await t.do({ type: 'confirm-layout' });
    say({ at: 'layout-confirmed' });
  }
  await t.playsOn();
}

/** The round cannot be dealt to its end; then cards are made ready as at any other time. */
async function takeNewShoe(t: DrillTable, say: Say): Promise<void> {
  await t.voidRound();
  say({ at: 'round-voided' });
  await t.readyTable();
  say({ at: 'shoe-loaded' });
}

function reactionTo(shown: Shown): Reaction {
  if ('hold' in shown) return 'held';
  const { level } = FAULTS[shown.fault];
  if (AFTER_ROUND.has(shown.fault)) return 'no-round';
  const of = { N: 'plays-on', M: 'no-notes', P: 'held', H: 'held', L: 'seat-locked', X: 'nothing' } as const;
  return of[level];
}

function hasReacted(t: DrillTable, reaction: Reaction, shown: Shown): boolean {
  const { state } = t.host.terminal;
  const isShut = t.whyShut(1) !== null;
  const isHeld = t.view.hold !== null;
  switch (reaction) {
    case 'no-notes':
      return isShut && !isHeld;
    case 'seat-locked':
      return isSeatLocked(state, 1) && (isShut || !isOfAcceptor(shown));
    case 'held':
      return isHeld && t.view.deadline === null;
    case 'no-round':
      return isShut && refusesRound(t);
    case 'nothing':
      return isShut && (isHeld || refusesRound(t));
    case 'restarts':
      return t.fate.ended !== null;
    case 'plays-on':
      return !isHeld && !refusesRound(t);
  }
}

const isOfAcceptor = (shown: Shown): boolean =>
  'fault' in shown && FAULTS[shown.fault as FaultId].device === 'bill-acceptor';

/**
 * Asked of the table itself; a window that is open, as who made the table ready may have left it,
 * is closed: without a bet there is no round.
 */
function refusesRound({ host: { terminal } }: DrillTable): boolean {
  const close = (): void => {
    if (terminal.state.round?.bets.length === 0) terminal.submit({ type: 'close-betting' });
  };
  close();
  if (terminal.state.phase === 'betting') return false;
  const opened = terminal.submit({ type: 'open-betting', roundId: terminal.nextRoundId() });
  close();
  return opened.status === 'rejected';
}
