import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  GONE_LIMIT_MS,
  IDLE_WATCH,
  LOAD_LIMIT_MS,
  RECONNECT_LIMIT_MS,
  type WatchAction,
  type WatchEvent,
  watchStep,
} from './page-watch.ts';

/** Actions of a run of events, each `[time, event]`. */
function play(...events: readonly (readonly [number, WatchEvent])[]): WatchAction[] {
  let watch = IDLE_WATCH;
  return events.map(([nowMs, event]) => {
    const step = watchStep(watch, event, nowMs);
    watch = step.watch;
    return step.action;
  });
}

const UP = [
  [0, 'shell-started'],
  [900, 'display-up'],
] as const;

test('a page that is up is left alone', () => {
  assert.deepEqual(play(...UP, [100_000, 'deadline']), ['none', 'none', 'none']);
});

test('a page that went without loading again is renewed after its limit, not before', () => {
  const gone = [10_000, 'display-gone'] as const;
  assert.equal(play(...UP, gone, [10_000 + GONE_LIMIT_MS - 1, 'deadline']).at(-1), 'none');
  assert.equal(play(...UP, gone, [10_000 + GONE_LIMIT_MS, 'deadline']).at(-1), 'renew-page');
});

test('a page that comes back in time is left alone', () => {
  assert.equal(
    play(...UP, [10_000, 'display-gone'], [11_000, 'display-up'], [14_000, 'deadline']).at(-1),
    'none',
  );
});

test('a page that loads is not killed for being gone, whichever is seen first', () => {
  const orders: (readonly [number, WatchEvent])[][] = [
    [
      [10_000, 'display-gone'],
      [10_001, 'page-loads'],
    ],
    [
      [10_000, 'page-loads'],
      [10_001, 'display-gone'],
    ],
  ];
  for (const order of orders) {
    assert.equal(play(...UP, ...order, [20_000, 'deadline']).at(-1), 'none');
    assert.equal(play(...UP, ...order, [10_001 + LOAD_LIMIT_MS, 'deadline']).at(-1), 'renew-page');
  }
});

test('a page that does not answer is renewed at once', () => {
  assert.equal(play(...UP, [10_000, 'display-stalled']).at(-1), 'renew-page');
});

test('when renewing the page did not help the whole window is restarted', () => {
  assert.deepEqual(
    play(
      ...UP,
      [10_000, 'display-stalled'],
      [10_100, 'page-loads'],
      [10_100 + LOAD_LIMIT_MS, 'deadline'],
      [60_000, 'shell-ended'],
      [60_300, 'shell-started'],
      [60_300 + LOAD_LIMIT_MS, 'deadline'],
    ),
    ['none', 'none', 'renew-page', 'none', 'kill-shell', 'none', 'none', 'renew-page'],
  );
});

test('the renewed page that was up counts as healthy again', () => {
  assert.equal(
    play(...UP, [10_000, 'display-stalled'], [11_000, 'display-up'], [50_000, 'display-stalled']).at(-1),
    'renew-page',
  );
});

test('while the host is away nothing is awaited; after its return the page has time to connect again', () => {
  const away = [
    [10_000, 'display-gone'],
    [10_001, 'host-ended'],
  ] as const;
  assert.equal(play(...UP, ...away, [100_000, 'deadline']).at(-1), 'none');
  const back = [20_000, 'host-started'] as const;
  assert.equal(play(...UP, ...away, back, [20_000 + RECONNECT_LIMIT_MS - 1, 'deadline']).at(-1), 'none');
  assert.equal(play(...UP, ...away, back, [20_000 + RECONNECT_LIMIT_MS, 'deadline']).at(-1), 'renew-page');
  assert.equal(play(...UP, ...away, back, [21_000, 'display-up'], [90_000, 'deadline']).at(-1), 'none');
});
