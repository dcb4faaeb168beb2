/**
 * Makes the placeholders of the sounds: `node assets/make-sounds.ts`. Speech by eSpeak NG, effects
 * by SoX, both of Debian (`apt-get install espeak-ng sox libsox-fmt-all opus-tools`). Every clip is
 * one file, `sound/<voice>/<key>.opus`; a recording that takes its place is played instead of it,
 * without any code; until then the file itself says what it is and of which words. The same words
 * give the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { EFFECTS, SPOKEN, type Voice } from '../renderer/sound/keys.ts';

argumentsOf({});

const folder = join(import.meta.dirname, 'sound');
/** Stands in every file made here (`opusinfo`). */
const MARK = 'synthesised placeholder';
const work = mkdtempSync(join(tmpdir(), 'banca-sounds-'));

function keep(key: string, of: string, wav: string): void {
  const file = join(folder, `${key}.opus`);
  mkdirSync(dirname(file), { recursive: true });
  const says = ['--comment', `description=${MARK}`, '--comment', `title=${of}`];
  execFileSync('opusenc', ['--quiet', '--bitrate', '20', '--serial', '1', ...says, wav, file]);
}

/** Names of eSpeak NG; that of Mandarin reads the Pinyin that its dictionary gives. */
const VOICES = { yue: 'yue', cmn: 'cmn-latn-pinyin', pt: 'pt' } as const satisfies Record<Voice, string>;
for (const voice of Object.keys(VOICES) as Voice[])
  for (const [key, words] of Object.entries(SPOKEN)) {
    const raw = join(work, 'raw.wav');
    const wav = join(work, 'clip.wav');
    execFileSync('espeak-ng', ['-v', VOICES[voice], '-s', '165', '-w', raw, words[voice]]);
    // One loudness, and no silence where two clips meet.
    execFileSync('sox', [
      raw,
      wav,
      ...'gain -3 rate 24000 silence 1 0.01 0.2% reverse silence 1 0.01 0.2% reverse gain -n -4 pad 0.02 0.06'.split(
        ' ',
      ),
    ]);
    keep(`${voice}/${key}`, words[voice], wav);
  }
for (const [key, synth] of Object.entries(EFFECTS)) {
  const wav = join(work, 'effect.wav');
  execFileSync('sox', ['-R', '-n', '-r', '24000', '-b', '16', '-c', '1', wav, ...synth.split(' ')]);
  keep(`effect/${key}`, synth, wav);
}
rmSync(work, { recursive: true });
