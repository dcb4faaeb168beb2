/**
 * Makes the placeholders of the sounds: `node assets/make-sounds.ts`. Speech by eSpeak NG, effects
 * by SoX, both of Debian (`apt-get install espeak-ng sox libsox-fmt-all opus-tools`). Every clip is
 * one file, `sound/<voice>/<key>.opus`; a recording that takes its place is played instead of it,
 * without any code; until then the file itself says what it is.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { EFFECTS, SPOKEN } from '../renderer/sound/keys.ts';

argumentsOf({});

const folder = join(import.meta.dirname, 'sound');
/** Stands in every file made here (`opusinfo`). */
const MARK = 'synthesised placeholder';
const work = mkdtempSync(join(tmpdir(), 'banca-sounds-'));

function keep(key: string, wav: string): void {
  const file = join(folder, `${key}.opus`);
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('opusenc', ['--quiet', '--bitrate', '20', '--comment', `description=${MARK}`, wav, file]);
}

const VOICES = { yue: ['-v', 'yue', '-s', '165'], pt: ['-v', 'pt', '-s', '165'] } as const;
for (const [voice, options] of Object.entries(VOICES))
  for (const [key, words] of Object.entries(SPOKEN)) {
    const raw = join(work, 'raw.wav');
    const wav = join(work, 'clip.wav');
    execFileSync('espeak-ng', [...options, '-w', raw, words[voice as keyof typeof VOICES]]);
    // One loudness, and no silence where two clips meet.
    execFileSync('sox', [
      raw,
      wav,
      ...'gain -3 rate 24000 silence 1 0.01 0.2% reverse silence 1 0.01 0.2% reverse gain -n -4 pad 0.02 0.06'.split(
        ' ',
      ),
    ]);
    keep(`${voice}/${key}`, wav);
  }
for (const [key, synth] of Object.entries(EFFECTS)) {
  const wav = join(work, 'effect.wav');
  execFileSync('sox', ['-R', '-n', '-r', '24000', '-b', '16', '-c', '1', wav, ...synth.split(' ')]);
  keep(`effect/${key}`, wav);
}
rmSync(work, { recursive: true });
