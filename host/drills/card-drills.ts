/** What goes wrong with cards and their shoe. */
import type { Card } from '../../engine/core/cards.ts';
import type { DrillsOf } from '../../wire/drills.ts';
import { CREDENTIALS, DrillStopped } from './drill-life.ts';
import { atRack, type Scenario, unplugged } from './drill-scenario.ts';
import type { DrillTable } from './drill-table.ts';

/** The terminal itself waits for ninety. */
const NO_FEED_MS = 3_000;

/** The next card leaves the shoe in this way. */
const drawn = (fault: 'misread' | 'doubtful' | 'double-feed'): Scenario['strike'] => {
  return async (t) => {
    await t.fault('shoe', fault);
    await t.rack.do({ do: 'draw-card' });
  };
};

/** Dealer and supervisor name the card that lies there. */
async function name(t: DrillTable, fromEnd = 1): Promise<void> {
  const card = (await t.rack.sight()).shoe.drawn.at(-fromEnd) as Card | undefined;
  if (card === undefined) throw new DrillStopped('no card has left the shoe');
  await t.do({ type: 'confirm-card', card, reason: 'not-read', credential: CREDENTIALS.supervisor });
}

export const CARD_DRILLS: Readonly<Record<DrillsOf<'cards' | 'shoe'>, Scenario>> = {
  'card-misread': { strike: drawn('misread'), heal: (t) => name(t) },
  'card-doubtful': { strike: drawn('doubtful'), heal: (t) => name(t) },
  'double-feed': {
    strike: drawn('double-feed'),
    heal: async (t) => {
      await name(t, 2);
      await name(t, 1);
      // The second of the two may have been due to nobody.
      if (t.step === 'resolve-card') await t.do({ type: 'set-card-aside' });
    },
  },
  'unexpected-card': {
    isBetweenRounds: true,
    strike: (t) => t.rack.do({ do: 'draw-card' }),
    heal: (t) => t.do({ type: 'set-card-aside' }),
  },
  'shoe-jam': atRack('shoe', 'jam', 'clear-jam'),
  'shoe-no-feed': {
    settings: { limits: { noFeedMs: NO_FEED_MS } },
    strike: () => {},
    heal: (t) => t.rack.do({ do: 'draw-card' }),
  },
  'shoe-reverse': { strike: (t) => t.fault('shoe', 'reverse') },
  'shoe-empty': { strike: (t) => t.fault('shoe', 'emptied') },
  'shoe-cover-open': atRack('shoe', 'cover-open', 'cover-close'),
  'shoe-offline': unplugged('shoe'),
  'shoe-restarted': { strike: (t) => t.rack.do({ do: 'power-cycle', device: 'shoe' }) },
  'shoe-crc': {
    strike: (t) => t.rack.do({ do: 'line', device: 'shoe', flipPerMille: 1_000 }),
    heal: (t) => t.rack.do({ do: 'line', device: 'shoe' }),
  },
  // It counts from the beginning, as one that has lost its memory.
  'shoe-gap': {
    strike: async (t) => {
      const { serial } = (await t.rack.sight()).shoe;
      await t.rack.do({ do: 'swap-shoe', serial: 'DRILL-SHOE-A' });
      await t.rack.do({ do: 'swap-shoe', serial });
    },
  },
  'shoe-swapped': { strike: (t) => t.rack.do({ do: 'swap-shoe', serial: 'DRILL-SHOE-B' }) },
  'shoe-not-authentic': {
    strike: async (t) => {
      await t.fault('shoe', 'lose-key');
      await t.rack.do({ do: 'power-cycle', device: 'shoe' });
    },
  },
  'shoe-changed': {
    strike: async (t) => {
      await t.fault('shoe', 'other-firmware');
      await t.rack.do({ do: 'power-cycle', device: 'shoe' });
    },
  },
};
