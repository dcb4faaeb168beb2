import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { Output } from './output.ts';
import { Speech } from './speech.ts';
import { Synthesiser } from './synthesiser.ts';

const skip = existsSync('/usr/bin/espeak-ng') ? false : 'no espeak-ng on this machine';

/** A program in place of espeak-ng or aplay. */
function program(t: TestContext, script: string): { readonly path: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'banca-speech-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'program');
  writeFileSync(path, `#!/bin/sh\ncd ${folder}\n${script}\n`);
  chmodSync(path, 0o755);
  return { path, folder };
}

const loudest = (wav: Buffer): number => {
  let most = 0;
  for (let at = 44; at + 1 < wav.length; at += 2) most = Math.max(most, Math.abs(wav.readInt16LE(at)));
  return most;
};

test('every language is spoken by Debian’s espeak-ng: a WAV of its true length with sound in it', {
  skip,
}, async () => {
  const speech = new Speech({});
  assert.deepEqual(speech.view(), { speech: { keys: {} } });
  for (const [language, text, chinese] of [
    ['zh-Hant', '莊家 十七 點，博牌定唔博？'],
    ['zh-Hant', '莊家 十七 點，請決定。', 'mandarin'],
    ['pt', 'A banca tem 17. Que decide?'],
    ['en', 'The bank has 17. Your decision?'],
  ] as const) {
    const said = await speech.say(1, language, text, chinese);
    assert.ok(said.state === 'spoken' && said.wav !== null, JSON.stringify(said));
    const wav = Buffer.from(said.wav, 'base64');
    assert.equal(wav.toString('latin1', 0, 4), 'RIFF');
    assert.equal(wav.readUInt32LE(4), wav.length - 8);
    assert.equal(wav.readUInt32LE(40), wav.length - 44);
    assert.ok(loudest(wav) > 3_000, `${language}: ${loudest(wav)}`);
    assert.ok(said.seconds > 1 && said.seconds < 10, `${language}: ${said.seconds} s`);
  }
  for (const chinese of ['cantonese', 'mandarin'] as const) {
    const { synthesiser, voices } = await speech.page(chinese);
    assert.match(synthesiser!, /eSpeak NG/);
    assert.deepEqual(
      voices.filter(({ isThere }) => !isThere),
      [],
    );
  }
  const inCantonese = await speech.say(1, 'zh-Hant', '十七點');
  const inMandarin = await speech.say(1, 'zh-Hant', '十七點', 'mandarin');
  assert.ok(inCantonese.state === 'spoken' && inMandarin.state === 'spoken');
  assert.notEqual(inCantonese.wav, inMandarin.wav);
});

test('the text is no part of the command line, and no shell sees it', async (t) => {
  const { path, folder } = program(t, 'echo "$@" > arguments; cat > text; exit 1');
  const text = '--help; touch /tmp/$(id) `x` <mark name="y"/>';
  await assert.rejects(new Synthesiser(path).speak('en-gb', text), /^Error: espeak-ng: ended with 1$/);
  assert.equal(readFileSync(join(folder, 'text'), 'utf8'), text);
  assert.equal(readFileSync(join(folder, 'arguments'), 'utf8'), '-v en-gb -s 165 -b 1 --stdin --stdout\n');
});

test('without a synthesiser nothing is offered, and a request is refused with a reason', async () => {
  const speech = new Speech({}, new Synthesiser('/nowhere/espeak-ng'));
  assert.deepEqual(speech.view(), {});
  assert.equal((await speech.page()).synthesiser, null);
  const said = await speech.say(1, 'en', 'Hit');
  assert.match(said.state === 'failed' ? said.why : '', /^espeak-ng: spawn .* ENOENT$/);
});

test('one that says nothing, says noise without end or makes no sound ends with a sentence', async (t) => {
  const noise = program(t, 'exec head -c 9000000 /dev/zero');
  await assert.rejects(new Synthesiser(noise.path).speak('en-gb', 'Hit'), /ended with SIGKILL|ended with/);
  const silent = program(t, 'exit 0');
  await assert.rejects(new Synthesiser(silent.path).speak('en-gb', 'Hit'), /made no sound/);
});

test('a seat’s newest sentence takes the place of its own, and of nobody else’s', async (t) => {
  // A header of 44 bytes, then what was to be said: as much sound as there are letters.
  const { path, folder } = program(
    t,
    'sleep 0.05; printf "RIFF%040d" 0; cat | tee -a spoken; echo >> spoken',
  );
  const speech = new Speech({}, new Synthesiser(path));
  const [one, other, newer] = await Promise.all([
    speech.say(1, 'en', 'first'),
    speech.say(2, 'en', 'of seat 2'),
    speech.say(1, 'en', 'second'),
  ]);
  assert.deepEqual([one.state, other.state, newer.state], ['replaced', 'spoken', 'spoken']);
  assert.equal(readFileSync(join(folder, 'spoken'), 'utf8'), 'of seat 2\nsecond\n');
  await speech.say(2, 'en', 'second');
  assert.equal(readFileSync(join(folder, 'spoken'), 'utf8'), 'of seat 2\nsecond\n', 'it is kept');
  const silence = await speech.say(1, 'en', ' ');
  assert.deepEqual(silence, { state: 'spoken', seconds: 0, wav: null });
});

test('a seat’s own output plays what is its alone, and says why when it cannot', async (t) => {
  const player = program(t, 'echo "$@" >> played; cat >> sound; sleep 30');
  const output = new Output('plughw:CARD=Seat3', player.path);
  t.after(() => output.stop());
  output.play(Buffer.from('one'));
  const sound = join(player.folder, 'sound');
  await until('it plays', () => existsSync(sound) && readFileSync(sound, 'utf8') === 'one');
  output.play(Buffer.from('two'));
  await until('the next one in its place', () => readFileSync(sound, 'utf8') === 'onetwo');
  assert.equal(readFileSync(join(player.folder, 'played'), 'utf8'), '-q -D plughw:CARD=Seat3 -\n'.repeat(2));
  assert.equal(output.problem, null);
  const broken = new Output('nowhere', program(t, 'cat > /dev/null; echo "no such card" >&2; exit 1').path);
  broken.play(Buffer.from('one'));
  assert.equal(await until('its problem', () => broken.problem), 'no such card');
});
