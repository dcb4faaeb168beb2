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
  assert.deepEqual([...stand].sort(), ['display:seat:2', 'display:spectator'], 'they never came');
  assert.deepEqual(
    displays.handedOver(),
    { dealer: true, seats: [], lost: [2] },
    'the sign has taken nothing',
  );
  displays.there('spectator');
  assert.deepEqual([...stand], ['display:seat:2'], 'the sign is back, and its fault over');
  displays.there('seat:2');
  assert.deepEqual(displays.handedOver(), BOTH, 'it is there, whoever has yet to look');
  displays.gone('dealer');
  mock.timers.tick(9_999);
  displays.there('dealer');
  mock.timers.tick(60_000);
  assert.deepEqual(displays.handedOver(), BOTH, 'a page that loads again is not lost');
  displays.gone('seat:2');
  assert.deepEqual(displays.handedOver(), { dealer: true, seats: [], lost: [2] }, 'its fault stands still');
  for (const gone of [1, 2]) {
    displays.gone('dealer');
    mock.timers.tick(10_000);
    assert.deepEqual(displays.handedOver(), { ...NONE, lost: [2] }, `lost for time ${gone}`);
    displays.there('dealer');
    assert.equal(displays.handedOver().dealer, true);
  }
});

test('a sign that the terminal file names is a fault once it is gone; one that it does not name is nobody’s loss', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  for (const [named, found] of [
    [['table', 'spectator'], ['display:spectator']],
    [['table'], []],
  ] as const) {
    const { stand, own } = faults();
    const displays = new LostDisplays(own, 10_000, named);
    displays.there('table');
    displays.there('spectator');
    displays.gone('spectator');
    mock.timers.tick(9_999);
    assert.deepEqual([...stand], [], 'a page that loads again is not lost');
    mock.timers.tick(1);
    assert.deepEqual([...stand], found);
    displays.there('spectator');
    assert.deepEqual([...stand], []);
  }
});

test('after a restart a lost display has given its part back until it comes; without names nothing is handed over', () => {
  const { own } = faults(['display:seat:2']);
  const displays = new LostDisplays(own, 10_000, ['table', 'dealer', 'seat:2']);
  assert.deepEqual(displays.handedOver(), { dealer: true, seats: [], lost: [2] });
  displays.there('seat:2');
  assert.deepEqual(displays.handedOver(), BOTH);
  const alone = new LostDisplays(own, 10_000);
  alone.there('dealer');
  alone.there('seat:2');
  assert.deepEqual(alone.handedOver(), NONE);
  displays.stop();
});
