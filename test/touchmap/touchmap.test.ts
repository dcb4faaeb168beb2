/**
 * MO20, 4.5: no hidden touch points. Every screen of the running page lists its regions, each of
 * them is touched once to see what it does, and random touches outside of them do nothing. `npm run
 * test:touchmap` prints the list and makes a million of them (BANCA_TOUCHMAP=full; BANCA_SEED=N to
 * repeat a run).
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { TouchRegion } from '../../renderer/station/touch-regions.ts';
import type { EventPage } from '../../wire/pages.ts';
import type { AnswerOf, Query } from '../../wire/queries.ts';
import type { TableView } from '../../wire/view.ts';
import type { FakeHostOptions } from '../fixtures/fake-host.ts';
import { CREDENTIAL, TestTerminal } from '../host/test-terminal.ts';
import { noChromium } from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { NOTHING, PAGE, SCREENS, type Screen, TouchPage, Workshop } from './screens.ts';

const FULL = process.env['BANCA_TOUCHMAP'] === 'full';
const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000_000));
const skip = noChromium;
/** In the short run one screen of each kind. */
const SHORT = new Set([
  '2004-betting',
  'baccarat12-betting',
  'turn',
  'service',
  "desk (dealer's display)",
  "operator's page of the simulated devices",
]);
/** Touching every region of service mode takes a minute, so that is left to the full run. */
const explored = SCREENS.filter(({ name }) => FULL || name === 'turn' || name === '2004-betting');
const screens = FULL ? SCREENS : SCREENS.filter(({ name }) => SHORT.has(name));
const TOUCHES = FULL ? 1_000_000 : fullOr(4_000, 800);
const REAL_TOUCHES = FULL ? 5_000 : 200;
/** How far to go into what opens from a screen. */
const DEEPEST = FULL ? 4 : 0;

let workshop: Workshop;
before(
  async () => {
    if (skip === false) workshop = await Workshop.open();
  },
  { timeout: 600_000 },
);
after(() => workshop?.close());

/**
 * What a real host that has played a round answers to the pages of service mode and of the players.
 */
async function answers(t: TestContext): Promise<NonNullable<FakeHostOptions['data']>> {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 100_000);
  await kit.ready('TS 7H TD 9D');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  for (const end = performance.now() + 60_000; kit.step !== 'close-round' && performance.now() < end; )
    if (kit.step === 'read-results') kit.passDeadline();
    else await kit.draw();
  await kit.do({ type: 'close-round' });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const roundId = kit.entries('round-settled')[0]?.roundId ?? '';
  const queries: readonly Query[] = [
    { query: 'devices' },
    { query: 'meters', asOfMs: null, fromMs: null, by: null },
    { query: 'events', beforeSeq: null, limit: 12, kind: null },
    { query: 'rounds', beforeNo: null, limit: 12 },
    { query: 'round', roundId },
    { query: 'profile' },
    { query: 'tables' },
    { query: 'link' },
    { query: 'software' },
    { query: 'own-rounds', seat: 1 },
    { query: 'own-round', seat: 1, roundId },
  ];
  const known = new Map<string, AnswerOf<Query>>([['recording', { path: '/data/recording', why: null }]]);
  for (const query of queries) known.set(query.query, await kit.table.query(query));
  await kit.stop();
  return (query) => {
    const answer = known.get(query.query) ?? null;
    if (query.query !== 'events' || query.kind === null) return answer;
    const page = answer as EventPage;
    return { ...page, events: page.events.filter(({ kind }) => kind === query.kind) };
  };
}

/** One name for what is the same at every seat and with every amount. */
const kindOf = ({ place, kind, name }: TouchRegion): string =>
  `${place.replace(/\d+/, '')}|${kind}|${name.replace(/[\d.,\s\u00a0]+/g, '#')}`;
const inEnglish = (view: TableView): TableView => ({
  ...view,
  seats: view.seats.map((seat) => ({ ...seat, language: 'en' })),
});
const say = (line: string): void => {
  if (FULL) console.log(line);
};
const boxOf = ({ outline }: TouchRegion): string => {
  const xs = outline.map(({ x }) => x);
  const ys = outline.map(({ y }) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(Math.round).join(' ');
};

/** What one touch of each kind of region has done, wherever it was met first. */
const actions = new Map<string, string>();

interface Reached {
  readonly name: string;
  readonly regions: readonly TouchRegion[];
}

/** Touches everything not yet met on this screen, and on whatever opens from it. */
async function explore(page: TouchPage, screen: Screen): Promise<Reached[]> {
  const reached: Reached[] = [];
  let outside = 0;
  const goTo = async (path: readonly TouchRegion[]): Promise<readonly TouchRegion[]> => {
    await page.reset();
    for (const { place, name } of path) {
      const regions = await page.regions();
      const index = regions.findIndex((each) => each.place === place && each.name === name);
      if (index < 0) return [];
      await page.press(index);
    }
    return page.regions();
  };
  const paths: (readonly TouchRegion[])[] = [[]];
  for (let path = paths.shift(); path; path = paths.shift()) {
    let regions = await goTo(path);
    const name = [screen.name, ...path.map((each) => `${each.place}: ${each.name}`)].join(' > ');
    const fresh = regions.filter((region) => !actions.has(kindOf(region)));
    if (path.length > 0 && fresh.length > 0) {
      reached.push({ name, regions });
      const { found, touched } = await page.touchOutside(SEED + outside, 300);
      outside += touched;
      assert.deepEqual(found, [], name);
    }
    for (const region of fresh) {
      if (actions.has(kindOf(region))) continue;
      if (region.kind === 'field') {
        actions.set(kindOf(region), 'choice or text');
        continue;
      }
      const index = regions.findIndex((each) => each.place === region.place && each.name === region.name);
      // a page that is still being fetched
      if (index < 0) continue;
      const action = await page.press(index);
      actions.set(kindOf(region), action);
      if (action === NOTHING) continue;
      if (action.endsWith(PAGE)) {
        if (path.length < DEEPEST) paths.push([...path, region]);
        regions = await goTo(path);
      }
    }
  }
  return reached;
}

test(`every region of ${explored.length} screens does something (seed ${SEED})`, {
  skip,
  timeout: 3_600_000,
}, async (t) => {
  const data = await answers(t);
  let sub = 0;
  for (const screen of explored) {
    const plain = { ...screen, view: inEnglish(screen.view) };
    await using page = await TouchPage.open(workshop, plain, { felt: false, data });
    const reached = await explore(page, plain);
    sub += reached.length;
    for (const { name, regions } of reached) {
      say(`\n## ${name}`);
      for (const region of regions)
        say(
          `${region.place} · ${region.kind} · ${region.name} · ${boxOf(region)} -> ${actions.get(kindOf(region))}`,
        );
    }
    assert.deepEqual(page.troubles, [], screen.name);
  }
  const dead = [...actions].filter(([, action]) => action === NOTHING).map(([kind]) => kind);
  t.diagnostic(`${actions.size} kinds of regions, ${sub} screens that open from others`);
  // Keys that wait for something: there is no digit to take away, and no moment after now.
  const WAITS = /\|(刪除.*|Apagar|Erase|\+#.*)$/;
  assert.deepEqual(
    dead.filter((kind) => !WAITS.test(kind)),
    [],
  );
});

test(`${TOUCHES} touches outside of every region do nothing, ${REAL_TOUCHES} of them the browser's own (seed ${SEED})`, {
  skip,
  timeout: 3_600_000,
}, async (t) => {
  const data = await answers(t);
  const random = xoroshiro128plus(SEED);
  const each = Math.ceil(TOUCHES / screens.length);
  let [touched, forReal, listed] = [0, 0, 0];
  for (const role of new Set(screens.map((screen) => screen.role))) {
    const own = screens.filter((screen) => screen.role === role);
    await using page = await TouchPage.open(workshop, own[0]!, { felt: true, data });
    for (const screen of own) {
      await page.show(inEnglish(screen.view));
      const regions = await page.regions();
      assert.ok(regions.length > 0, `${screen.name}: no region`);
      listed += regions.length;
      say(`\n## ${screen.name}, phase ${screen.view.phase}: ${regions.length} regions`);
      for (const region of regions) {
        const does = region.kind === 'spot' ? 'place-bet' : (actions.get(kindOf(region)) ?? '');
        say(`${region.place} · ${region.kind} · ${region.name} · ${boxOf(region)} -> ${does}`);
      }
      const result = await page.touchOutside(SEED + touched, each);
      assert.deepEqual(result.found, [], screen.name);
      touched += result.touched;
      const points = [];
      while (points.length < REAL_TOUCHES / screens.length) {
        const x = uniformInt(random, 0, 1919);
        const y = uniformInt(random, 0, 1079);
        const isIn = regions.some(({ outline }) => {
          const xs = outline.map((corner) => corner.x);
          const ys = outline.map((corner) => corner.y);
          return (
            x > Math.min(...xs) - 2 &&
            x < Math.max(...xs) + 2 &&
            y > Math.min(...ys) - 2 &&
            y < Math.max(...ys) + 2
          );
        });
        if (!isIn) points.push({ x, y });
      }
      assert.deepEqual(await page.touchOutsideForReal(points), [], screen.name);
      forReal += points.length;
    }
    assert.deepEqual(page.troubles, [], role);
  }
  t.diagnostic(
    `${touched} dispatched in the page and ${forReal} of the browser on ${screens.length} screens, ${listed} regions`,
  );
});
