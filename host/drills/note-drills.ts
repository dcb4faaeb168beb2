/** What goes wrong with banknotes, at acceptor 1. */
import type { DrillsOf } from '../../wire/drills.ts';
import { atRack, type Scenario, unplugged } from './drill-scenario.ts';
import type { DrillTable } from './drill-table.ts';

const ACCEPTOR = 'acceptor-1';
const act = (t: DrillTable, fault: string): Promise<void> => t.fault(ACCEPTOR, fault);
/** The terminal itself waits for ten. */
const MOST_REJECTS = 3;

export const NOTE_DRILLS: Readonly<Record<DrillsOf<'notes'>, Scenario>> = {
  'acceptor-jammed': {
    strike: async (t) => {
      await t.insertNote();
      await act(t, 'jam');
    },
    heal: (t) => act(t, 'clear-jam'),
  },
  'stacker-jammed': {
    strike: async (t) => {
      await t.insertBeyond();
      await act(t, 'jam');
    },
    heal: (t) => act(t, 'clear-jam'),
  },
  'cash-box-near-full': {
    // The first note of the drill is the last one that the box should hold.
    settings: { limits: { nearFullNotes: 1 } },
    strike: async (t) => {
      await exchangeBox(t);
      await t.insertNote();
    },
    heal: exchangeBox,
  },
  'cash-box-full': {
    strike: (t) => act(t, 'full'),
    heal: (t) => t.rack.do({ do: 'empty-box', acceptor: 1 }),
  },
  'cash-box-removed': atRack(ACCEPTOR, 'cassette-out', 'cassette-in'),
  'acceptor-paused': {
    strike: async (t) => {
      await t.insertNote();
      await act(t, 'pause');
    },
    heal: (t) => act(t, 'go-on'),
  },
  'acceptor-rejects': {
    settings: { limits: { mostRejects: MOST_REJECTS } },
    strike: async (t) => {
      for (let i = 1; i <= MOST_REJECTS; i += 1) {
        const { headSeq } = t;
        await act(t, 'reject');
        await t.insertNote();
        await t.until('the note to be refused', () => t.has('note-rejected-by-device', headSeq));
      }
    },
  },
  'acceptor-cheated': {
    strike: async (t) => {
      await t.insertNote();
      await act(t, 'cheat');
    },
  },
  'acceptor-sequence': {
    strike: async (t) => {
      await act(t, 'stacked-first');
      await t.insertNote();
    },
    // It lies in the box: an attendant has looked.
    heal: (t) => credited(t),
  },
  'note-in-doubt': {
    strike: async (t) => {
      await t.insertBeyond();
      await act(t, 'forget-credit');
      await t.rack.do({ do: 'power-cycle', device: ACCEPTOR });
    },
    heal: (t) => credited(t),
  },
  'acceptor-failed': atRack(ACCEPTOR, 'failure', 'repair'),
  'acceptor-offline': unplugged(ACCEPTOR),
  'acceptor-changed': {
    strike: async (t) => {
      await act(t, 'other-firmware');
      t.fate.plugs.pull(ACCEPTOR);
      await t.until('the acceptor to be missed', () => t.stands('acceptor-offline'));
      t.fate.plugs.putBack(ACCEPTOR);
    },
  },
  'notes-unconfirmed': {
    strike: async (t) => {
      await t.enterService();
      await t.do({ type: 'try-note', device: ACCEPTOR, valueMinor: t.view.table.notesMinor[0] ?? 0 });
    },
    heal: async (t) => {
      const { headSeq } = t;
      await t.insertNote();
      await t.until('the note to be tried', () => t.has('device-tested', headSeq));
    },
  },
};

/** Seen without a box, and with an empty one. */
async function exchangeBox(t: DrillTable): Promise<void> {
  await act(t, 'cassette-out');
  await t.until('the box to be missed', () => t.stands('cash-box-removed'));
  await t.rack.do({ do: 'empty-box', acceptor: 1 });
  await t.until('the empty box', () => !t.stands('cash-box-near-full') && !t.stands('cash-box-removed'));
}

async function credited(t: DrillTable): Promise<void> {
  await t.until('the case of the note', () => t.view.heldNotes.length > 0);
  await t.closeCases('credited');
}
