/** What goes wrong at the doors, at the UPS and at the printer. */
import type { CabinetDoor } from '../../hardware/ports.ts';
import type { DrillsOf } from '../../wire/drills.ts';
import { atRack, type Scenario, unplugged } from './drill-scenario.ts';

const opened = (door: CabinetDoor): Scenario => atRack('cabinet', `${door}-open`, `${door}-close`);

/** And closed again before the power is back: the board has counted it on its battery. */
const openedWithoutPower = (door: CabinetDoor): Scenario => ({
  strike: async (t) => {
    await t.rack.do({ do: 'power-cycle', device: 'cabinet', offMs: 1_000 });
    await t.fault('cabinet', `${door}-open`);
    await t.fault('cabinet', `${door}-close`);
  },
});

export const PART_DRILLS: Readonly<Record<DrillsOf<'doors' | 'power' | 'printer'>, Scenario>> = {
  'main-door-open': opened('main'),
  'logic-door-open': opened('logic'),
  'drop-door-open': opened('drop'),
  'acceptor-door-open': opened('acceptor'),
  'cabinet-door-open': opened('cabinet'),
  'main-door-opened-off': openedWithoutPower('main'),
  'logic-door-opened-off': openedWithoutPower('logic'),
  'drop-door-opened-off': openedWithoutPower('drop'),
  'acceptor-door-opened-off': openedWithoutPower('acceptor'),
  'cabinet-offline': unplugged('cabinet'),
  'cabinet-changed': { strike: (t) => t.fault('cabinet', 'other-board') },
  'cabinet-battery-low': atRack('cabinet', 'battery-low', 'battery-new'),

  'power-loss': { strike: (t) => t.losePower() },
  'ups-on-battery': atRack('ups', 'mains-off', 'mains-on'),
  'ups-battery-low': {
    strike: async (t) => {
      await t.fault('ups', 'mains-off');
      await t.fault('ups', 'low');
      await t.until('the program to be ended in order', () => t.fate.ended !== null);
      // The next start finds it so, and stands still.
      await t.restart();
    },
    heal: async (t) => {
      await t.fault('ups', 'charged');
      await t.fault('ups', 'mains-on');
    },
  },
  'ups-battery-old': atRack('ups', 'battery-old', 'battery-new'),
  'ups-offline': atRack('ups', 'stale', 'fresh'),

  'printer-paper-low': atRack('printer', 'near-end', 'load-paper'),
  'printer-paper-out': atRack('printer', 'out', 'load-paper'),
  'printer-cover-open': atRack('printer', 'cover-open', 'cover-close'),
  'printer-cutter': {
    // It jams at its next slip: that of a payment by hand.
    strike: async (t) => {
      await t.fault('printer', 'cutter');
      await t.fund(1);
      await t.payOut(1);
    },
    heal: async (t) => {
      await t.fault('printer', 'mend');
      // Somebody has opened it and closed it: it goes on.
      const is = (state: string) =>
        t.view.devices.some(({ id, state: now }) => id === 'printer' && now === state);
      await t.fault('printer', 'cover-open');
      await t.until('the cover to be seen open', () => is('cover-open'));
      await t.fault('printer', 'cover-close');
    },
  },
  'printer-failed': {
    strike: (t) => t.fault('printer', 'failure'),
    heal: (t) => t.fault('printer', 'repair'),
  },
  'printer-offline': unplugged('printer'),
};
