/**
 * How each drill is brought about on its table, and what takes the cause away; what happens then is
 * only looked at.
 */
import type { Card } from '../../engine/core/cards.ts';
import { isSeatLocked } from '../../engine/table/stops.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { DRILLS, type DrillId, type DrillStep, type Reaction, type Shown } from '../../wire/drills.ts';
import { personsFor } from '../../wire/faults.ts';
import { DrillStopped, type DrillTable } from './drill-table.ts';

interface Scenario {
  /** A round with cards on the table, else none. */
  readonly isInRound?: true;
  readonly strike: (t: DrillTable) => Promise<void> | void;
  /** Null: what has gone cannot come back in a drill. */
  readonly heal: ((t: DrillTable) => Promise<void> | void) | null;
  readonly reaction: Reaction;
}

const acceptorFault = (t: DrillTable, fault: string): Promise<void> =>
  t.rack.do({ do: 'fault', device: 'acceptor-1', fault } as Parameters<DrillTable['rack']['do']>[0]);
const shoeFault = (t: DrillTable, fault: string): Promise<void> =>
  t.rack.do({ do: 'fault', device: 'shoe', fault } as Parameters<DrillTable['rack']['do']>[0]);

const SCENARIOS: Readonly<Record<DrillId, Scenario>> = {
  'note-jam': {
    strike: async (t) => {
      await t.insertNote();
      await acceptorFault(t, 'jam');
    },
    heal: (t) => acceptorFault(t, 'clear-jam'),
    reaction: 'no-notes',
  },
  'box-full': {
    strike: (t) => acceptorFault(t, 'full'),
    heal: (t) => t.rack.do({ do: 'empty-box', acceptor: 1 }),
    reaction: 'no-notes',
  },
  'box-removed': {
    strike: (t) => acceptorFault(t, 'cassette-out'),
    heal: (t) => acceptorFault(t, 'cassette-in'),
    reaction: 'no-notes',
  },
  'note-pulled': {
    strike: async (t) => {
      await t.insertNote();
      await acceptorFault(t, 'cheat');
    },
    heal: () => {},
    reaction: 'seat-locked',
  },
  'acceptor-failed': {
    strike: (t) => acceptorFault(t, 'failure'),
    heal: (t) => acceptorFault(t, 'repair'),
    reaction: 'no-notes',
  },
  'acceptor-unplugged': {
    strike: (t) => t.plugs.pull('acceptor-1'),
    heal: (t) => t.plugs.putBack('acceptor-1'),
    reaction: 'no-notes',
  },
  'card-misread': {
    isInRound: true,
    strike: async (t) => {
      await shoeFault(t, 'misread');
      await t.rack.do({ do: 'draw-card' });
    },
    heal: async (t) => {
      const card = (await t.rack.sight()).shoe.drawn.at(-1) as Card | undefined;
      if (card === undefined) throw new DrillStopped('no card has left the shoe');
      await t.do({
        type: 'confirm-card',
        card,
        reason: 'not-read',
        credential: t.credential(['supervisor']),
      });
    },
    reaction: 'held',
  },
  'card-jam': {
    isInRound: true,
    strike: (t) => shoeFault(t, 'jam'),
    heal: (t) => shoeFault(t, 'clear-jam'),
    reaction: 'held',
  },
  'cover-open': {
    isInRound: true,
    strike: (t) => shoeFault(t, 'cover-open'),
    heal: (t) => shoeFault(t, 'cover-close'),
    reaction: 'held',
  },
  'shoe-unplugged': {
    isInRound: true,
    strike: (t) => t.plugs.pull('shoe'),
    heal: (t) => t.plugs.putBack('shoe'),
    reaction: 'held',
  },
  'power-loss': {
    isInRound: true,
    strike: (t) => t.losePower(),
    heal: () => {},
    reaction: 'held',
  },
  'disk-full': {
    strike: (t) => {
      t.isDiskFull = true;
    },
    heal: (t) => {
      t.isDiskFull = false;
    },
    reaction: 'no-round',
  },
  'clock-back': {
    strike: (t) => {
      t.clockOffMs -= 20_000;
    },
    heal: (t) => {
      t.clockOffMs += 20_000;
    },
    reaction: 'plays-on',
  },
  'centre-lost': { strike: () => {}, heal: null, reaction: 'plays-on' },
};

/** Nothing listens at port 9. */
const NO_CENTRE = 'http://127.0.0.1:9';

/**
 * Throws DrillStopped where the terminal does otherwise than it should; `say` gets every step as it
 * happens.
 */
export async function playDrill(id: DrillId, t: DrillTable, say: (step: DrillStep) => void): Promise<void> {
  const { isInRound, strike, heal, reaction } = SCENARIOS[id];
  const shown: Shown = DRILLS[id];
  await t.start(id === 'centre-lost' ? { upstreamUrl: NO_CENTRE } : {});
  await t.greetDevices();
  // What the copy has on its table was dealt from another shoe: it is cancelled there, as a dealer
  // would have to.
  await t.readyTable();
  if (isInRound) await t.dealRound();
  say({ at: 'ready' });

  let since = performance.now();
  const lasted = (): number => Math.round(performance.now() - since);
  const isShown = (): boolean =>
    'fault' in shown ? t.stands(shown.fault) : t.view.hold?.code === shown.hold;
  await strike(t);
  say({ at: 'struck' });
  await t.until('the terminal to notice', isShown);
  say({
    at: 'told',
    fault: 'fault' in shown ? shown.fault : null,
    hold: t.view.hold?.code ?? null,
    afterMs: lasted(),
  });
  await t.until(`the reaction ${reaction}`, () => hasReacted(t, reaction));
  say({ at: 'reacted', reaction });
  if (heal === null) say({ at: 'no-recovery' });
  else {
    since = performance.now();
    await heal(t);
    say({ at: 'healed' });
    await recover(t, shown, say);
    say({ at: 'over', afterMs: lasted() });
  }
  await t.stop();
  const report = verifyLedger(t.ledgerPath);
  if (!report.ok) throw new DrillStopped(`the copy does not hold: ${report.problem}`);
  say({ at: 'verified', entries: report.entries });
}

/** The table plays on: what the fault needs of persons, then what the dealer has to compare. */
async function recover(t: DrillTable, shown: Shown, say: (step: DrillStep) => void): Promise<void> {
  if ('fault' in shown) {
    const { fault } = shown;
    const persons = personsFor(fault);
    if (persons.length > 0) {
      await t.until('the note to come to rest', () => t.host.terminal.state.notes.length === 0);
      await t.closeCases();
      await t.endFault('acceptor-1', fault, persons);
      say({ at: 'persons-confirmed', roles: persons.map(([role]) => role!) });
    }
    await t.until('the fault to be over', () => !t.stands(fault));
  }
  await t.until('a hold that the dealer can end', () => t.view.hold === null || t.step === 'confirm-layout');
  if (t.view.hold !== null) {
    await t.do({ type: 'confirm-layout' });
    say({ at: 'layout-confirmed' });
  }
  await t.until('play to go on', () => t.view.hold === null && t.whyShut(1) === null);
}

function hasReacted(t: DrillTable, reaction: Reaction): boolean {
  const { state } = t.host.terminal;
  switch (reaction) {
    case 'no-notes':
      return t.whyShut(1) !== null && t.view.hold === null;
    case 'seat-locked':
      return t.whyShut(1) !== null && isSeatLocked(state, 1);
    case 'held':
      return t.view.hold !== null && t.view.deadline === null;
    case 'no-round':
      return t.whyShut(1) !== null && refusesRound(t);
    case 'plays-on':
      return t.view.hold === null && !refusesRound(t);
  }
}

/**
 * Asked of the table itself; a window that opened is closed again, without a bet there is no round.
 */
function refusesRound({ host: { terminal } }: DrillTable): boolean {
  if (terminal.state.phase === 'betting') return false;
  const opened = terminal.submit({ type: 'open-betting', roundId: terminal.nextRoundId() });
  if (opened.status === 'rejected') return true;
  terminal.submit({ type: 'close-betting' });
  return false;
}
