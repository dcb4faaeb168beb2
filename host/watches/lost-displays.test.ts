import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LostDisplays } from './lost-displays.ts';
import type { OwnFaults } from './own-faults.ts';

/** Faults as they stand in the ledger; those of a seat stay until a person has ended them. */
function faults(standing: readonly string[] = []) {
  const stand = new Set(standing);
  const own = {
    stands: (part: string) => stand.has(part),
    set: (part: string, fault: string, isThere: boolean) => {
      if (isThere) stand.add(part);
      else if (fault !== 'seat-display-lost') stand.delete(part);
    },
  } as unknown as OwnFaults;
  return { stand, own };
}

const BOTH = { dealer: true, seats: [2] };
const NONE = { dealer: false, seats: [] };

test('a display that is named takes its part from the table from the start on, and gives it back while it is lost', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { stand, own } = faults();
  const displays = new LostDisplays(own, 10_000, ['table', 'dealer', 'seat:2', 'spectator']);
  displays.start();
  assert.deepEqual(displays.handedOver(), BOTH);
  displays.there('table');
  displays.there('dealer');
  mock.timers.tick(59_999);
  assert.deepEqual(displays.handedOver(), BOTH, 'a page may take its time');
  mock.timers.tick(1);
  assert.deepEqual([...stand], ['display:seat:2'], 'it never came; the sign is no fault');
  assert.deepEqual(displays.handedOver(), { dealer: true, seats: [] });
  displays.there('seat:2');
  assert.deepEqual(displays.handedOver(), BOTH, 'it is there, whoever has yet to look');
  displays.gone('dealer');
  mock.timers.tick(9_999);
  displays.there('dealer');
  mock.timers.tick(60_000);
  assert.deepEqual(displays.handedOver(), BOTH, 'a page that loads again is not lost');
  displays.gone('seat:2');
  assert.deepEqual(displays.handedOver(), { dealer: true, seats: [] }, 'its fault stands still');
  for (const gone of [1, 2]) {
    displays.gone('dealer');
    mock.timers.tick(10_000);
    assert.deepEqual(displays.handedOver(), NONE, `lost for time ${gone}`);
    displays.there('dealer');
    assert.equal(displays.handedOver().dealer, true);
  }
});

test('after a restart a lost display has given its part back until it comes; without names nothing is handed over', () => {
  const { own } = faults(['display:seat:2']);
  const displays = new LostDisplays(own, 10_000, ['table', 'dealer', 'seat:2']);
  assert.deepEqual(displays.handedOver(), { dealer: true, seats: [] });
  displays.there('seat:2');
  assert.deepEqual(displays.handedOver(), BOTH);
  const alone = new LostDisplays(own, 10_000);
  alone.there('dealer');
  alone.there('seat:2');
  assert.deepEqual(alone.handedOver(), NONE);
  displays.stop();
});
