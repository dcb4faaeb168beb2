/**
 * A hand of every game by sound and position alone, at the host as it is built, with Debian's
 * espeak-ng: nothing of the page is read. What was heard is compared with the ledger afterwards.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import type { Home } from '../../engine/rules/home.ts';
import type { Act, Language } from '../../engine/table/inputs.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { columnOf } from '../../renderer/table/seating.ts';
import { amountAloud } from '../../renderer/texts/amount-in-words.ts';
import { ROOT } from '../shell/paths.ts';
import { BUILT_HOST } from '../support/built.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { LONG } from '../support/long.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { BlindPlayer, listenTo, loudest } from './blind.ts';

const skip = noChromium || (existsSync('/usr/bin/espeak-ng') ? false : 'no espeak-ng on this machine');
const chromium = useChromium();
const SEATS = 7;
const SEAT = 2;
const NOTE_MINOR = 100_000;
const JACK = existsSync('/usr/bin/aplay');
const KEYS = ['F13', 'F14', 'F15', 'F16'];

interface Game {
  readonly table: string;
  readonly home: Home;
  readonly language: Language;
  /** The bet that is touched after the chip; null: the chip itself lays the main bet. */
  readonly spot: string | null;
  /** With four raised keys, and headphones of the seat's own. */
  readonly byKeys: boolean;
}

const GAMES: readonly Game[] = [
  { table: 'macau-2009', home: 'macau', language: 'zh-Hant', spot: null, byKeys: false },
  { table: 'portugal-jackpot', home: 'portugal', language: 'pt', spot: null, byKeys: true },
  { table: 'baccarat-no-commission', home: 'macau', language: 'zh-Hant', spot: 'player', byKeys: false },
  { table: 'casino-war', home: 'macau', language: 'en', spot: null, byKeys: false },
];

/** What is chosen, the first that is offered. */
const ACTS: readonly Act[] = ['declineInsurance', 'playOn', 'stand', 'hit', 'goToWar', 'surrenderWar'];
/** Stands before each answer of a question. */
const ANSWER = /(?:^|[.?!。？！] ?)(?:\d|[一二三四五六七八九]): /;

const escaped = (words: string): string => words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The host, with its dealer playing by itself and seat 2 with a headphone jack that is a file. */
async function startHost(t: TestContext, { table, byKeys }: Game) {
  const folder = mkdtempSync(join(tmpdir(), 'banca-blind-'));
  const jack = join(folder, 'jack.raw');
  const demo = JSON.parse(readFileSync(join(ROOT, 'host/profiles/demo.json'), 'utf8')) as {
    readonly profile: { readonly timing: object };
  };
  const speech = byKeys ? { keys: { [SEAT]: KEYS }, ...(JACK ? { outputs: { [SEAT]: 'jack' } } : {}) } : {};
  const timing = { ...demo.profile.timing, bettingMs: 120_000, offersMs: 60_000, decisionMs: 120_000 };
  const profile = { ...demo.profile, timing };
  writeFileSync(join(folder, 'terminal.json'), JSON.stringify({ ...demo, profile, speech }));
  writeFileSync(
    join(folder, 'alsa.conf'),
    `pcm.nothing { type null }\npcm.jack { type plug slave.pcm { type file slave.pcm nothing file "${jack}" format raw } }\n`,
  );
  const data = join(folder, 'data');
  const child = spawn(
    process.execPath,
    [
      ...['--disable-sigusr1', BUILT_HOST, '--data', data, '--pace', '0.1'],
      ...['--profile', join(folder, 'terminal.json')],
      ...['--tables', join(ROOT, 'host/profiles/tables'), '--table', table],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ALSA_CONFIG_PATH: join(folder, 'alsa.conf') } },
  );
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const urls: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { url } = JSON.parse(line) as { url?: string };
    if (url) urls.push(url);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  let taken = 0;
  const ticket = async (): Promise<string> => {
    const index = taken++;
    if (index > 0) child.stdin.write('{"mint":"table"}\n');
    return until('a ticket', () => urls[index], { said: () => log.join('\n') });
  };
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { data, jack, ticket, stop };
}

for (const game of GAMES) {
  test(`${game.table}: a hand is played by ear${game.byKeys ? ' and by four keys' : ''}`, {
    // The black jack of Portugal is heard as well, and a round of Bacará in Macau.
    skip: skip || (['macau-2009', 'casino-war'].includes(game.table) && LONG),
  }, async (t) => {
    const { language, home, spot } = game;
    const host = await startHost(t, game);
    const url = await host.ticket();
    const dealer = await TestDisplay.connect(await host.ticket());
    t.after(() => dealer.close());
    let heard: ReturnType<typeof listenTo> = [];
    const size = SIZES[0]!;
    const { page, troubles } = await openDisplay(chromium.browser, url, {
      size,
      painted: false,
      before: (opened) => {
        heard = listenTo(opened);
      },
    });
    t.after(() => page.close());
    const width = size.width / SEATS;
    const left = columnOf(SEAT, SEATS, 'far') * width;
    const area = { left, right: left + width, top: size.height * 0.66, bottom: size.height };
    const hands = await page.context().newCDPSession(page);
    const player = new BlindPlayer(page, hands, heard, SEAT, area);
    const words = (key: string): string => escaped(text(language, key, {}, 'table', home));
    const named = (key: string, in_ = language): RegExp =>
      new RegExp(`^${escaped(text(in_, key, { amount: '\0' }, 'table', home).split('\0')[0]!.trim())}`, 'i');

    await player.holdTwoFingers();
    const first = home === 'portugal' ? 'pt' : 'zh-Hant';
    await player.hear(named('speech.begun', first));
    if (language !== first) {
      await player.use(new RegExp(escaped(text(first, `language.${language}`))));
      await player.hear(named(`language.${language}`));
    }
    await dealer.command({ type: 'sim-insert-note', acceptor: SEAT, valueMinor: NOTE_MINOR });
    await player.hear(new RegExp(amountAloud(NOTE_MINOR, 'MOP', language)));
    const silent = player.said;
    await dealer.command({ type: 'sim-auto', dealer: true, players: false });
    await player.hear(new RegExp(words('speech.betsOpen')), silent);

    const before = player.said;
    const chip = new RegExp(`${named('bet.chip').source}(?!.*${words('speech.closed')})`);
    if (game.byKeys) await player.seekByKeys(KEYS, chip);
    else await player.use(chip);
    if (spot !== null) await player.use(named(`bet.name.${spot}`));
    await player.hear(new RegExp(`^${words('bet.yours')}: `), before);
    await dealer.command({ type: 'close-betting' });

    const balance = words('seat.balance');
    const sums = ['win', 'lose', 'even'].map((sum) => words(`result.${sum}`));
    const isOver = new RegExp(
      `(?:${[...sums, words('outcome.blackjack')].join('|')})[^.。]*[.。] ?${balance}`,
    );
    const answers: string[] = [];
    for (let from = before; ; ) {
      const next = await player.hear(new RegExp(`${isOver.source}|${ANSWER.source}`), from);
      from = player.placeOf(next) + 1;
      if (isOver.test(next.text)) break;
      const offered = next.text.split(ANSWER).slice(1);
      const names = ACTS.map((act) => text(language, `act.${act}`, {}, 'table', home));
      const wish = names.find((name) => offered.some((each) => each.startsWith(name)));
      assert.ok(wish, `an answer to «${next.text}»`);
      answers.push(wish);
      // Not the question that begins with the same word.
      const name = new RegExp(`^${escaped(wish)}[,，.。]`);
      // Position alone: the answers lie in the order in which they were numbered.
      const index = offered.findIndex((each) => each.startsWith(wish));
      if (game.byKeys) await player.useKey(KEYS[index]!, name);
      else await player.use(name);
    }
    const [settled] = entriesOf(host.data, 'round-settled');
    const { lines } = settled!.body as { lines: readonly { by: number; netMinor: number }[] };
    const netMinor = lines.reduce((sum, line) => sum + (line.by === SEAT ? line.netMinor : 0), 0);
    const [win, lose, even] = sums;
    const word = netMinor > 0 ? win : netMinor < 0 ? lose : even;
    const sum = netMinor === 0 ? '' : amountAloud(Math.abs(netMinor), 'MOP', language);
    const now = amountAloud(NOTE_MINOR + netMinor, 'MOP', language);
    const result = await player.hear(
      new RegExp(`(?:${word}|${words('outcome.blackjack')}) ?${sum}[.。] ?${balance} ?${now}`),
      before,
    );
    t.diagnostic(`answers ${answers.join(', ') || 'none'}; «${result.text}»`);
    // Where the seat has headphones they were played there and not sent to the page.
    if (game.byKeys && JACK) {
      assert.equal(result.answer?.sound, null);
      await until('the jack sounds', () => existsSync(host.jack) && readFileSync(host.jack).length > 50_000);
      assert.ok(loudest(Buffer.concat([Buffer.from('data\0\0\0\0'), readFileSync(host.jack)])) > 0.1);
    } else assert.ok((result.answer?.sound ?? 0) > 0.1, 'it sounds');
    assert.deepEqual(new Set(heard.map(({ seat }) => seat)), new Set([SEAT]), 'nobody else is spoken to');
    await player.holdTwoFingers();
    await player.hear(named('speech.ended'));
    assert.deepEqual(troubles, []);
    assert.equal(await host.stop(), 0);
    assert.equal(verifyLedger(join(host.data, 'ledger.db')).problem, '');
  });
}
