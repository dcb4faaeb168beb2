/**
 * Sentences become sound: espeak-ng, a program of Debian beside the host. It gets fixed arguments
 * and the text on its standard input, and no shell sees either.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Language } from '../../engine/table/inputs.ts';
import type { ChineseVoice } from '../../engine/table/profile.ts';

const CHINESE: Readonly<Record<ChineseVoice, string>> = { cantonese: 'yue', mandarin: 'cmn-latn-pinyin' };

/** Cantonese or Mandarin, Portuguese of Portugal, English of Britain. */
export const voiceOf = (language: Language, chinese: ChineseVoice = 'cantonese'): string =>
  language === 'zh-Hant' ? CHINESE[chinese] : language === 'pt' ? 'pt' : 'en-gb';

const PROGRAM = '/usr/bin/espeak-ng';
const WORDS_A_MINUTE = 165;
/** It makes a minute of sound in a quarter of a second. */
const MADE_WITHIN_MS = 8_000;
/** Two minutes. The longest sentence the wire takes is one, and a line of noise may be more. */
const MOST_BYTES = 6 * 2 ** 20;
/** Buttons and amounts come again and again. */
const MOST_KEPT_BYTES = 16 * 2 ** 20;

export interface Sound {
  /** RIFF, 16 bit, mono. */
  readonly wav: Buffer;
  readonly seconds: number;
}

const HEADER_BYTES = 44;

/** What is written to a pipe does not know its own length: both places of it are filled in. */
function measured(wav: Buffer): Sound {
  if (wav.length <= HEADER_BYTES || wav.toString('latin1', 0, 4) !== 'RIFF')
    throw new Error('espeak-ng made no sound');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - HEADER_BYTES, 40);
  return { wav, seconds: (wav.length - HEADER_BYTES) / wav.readUInt32LE(28) };
}

export class Synthesiser {
  readonly #program: string;
  /** By voice and text, the one that was asked for longest ago first. */
  readonly #kept = new Map<string, Sound>();
  #keptBytes = 0;

  /** When the host began: every picture says it, and none may wait for a disk. */
  readonly isThere: boolean;

  /** `program`: another espeak-ng. */
  constructor(program = PROGRAM) {
    this.#program = program;
    this.isThere = existsSync(program);
  }

  /** Its first line, and the voices it has. Null = there is none. */
  async about(): Promise<{ readonly version: string; readonly voices: ReadonlySet<string> } | null> {
    if (!this.isThere) return null;
    const [version, list] = await Promise.all([this.#run(['--version']), this.#run(['--voices'])]);
    // Pty Language Age/Gender VoiceName File …
    const voices = list
      .toString()
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[1] ?? '');
    return { version: version.toString().split('\n')[0]!.slice(0, 120), voices: new Set(voices) };
  }

  /** Rejects with a sentence. */
  async speak(voice: string, text: string): Promise<Sound> {
    const name = `${voice} ${text}`;
    const known = this.#kept.get(name);
    this.#kept.delete(name);
    const sound =
      known ??
      measured(
        await this.#run(['-v', voice, '-s', String(WORDS_A_MINUTE), '-b', '1', '--stdin', '--stdout'], text),
      );
    this.#keep(name, sound, known === undefined);
    return sound;
  }

  #keep(name: string, sound: Sound, isNew: boolean): void {
    this.#kept.set(name, sound);
    if (isNew) this.#keptBytes += sound.wav.length;
    for (const [oldest, { wav }] of this.#kept) {
      if (this.#keptBytes <= MOST_KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= wav.length;
    }
  }

  #run(args: readonly string[], text = ''): Promise<Buffer> {
    return new Promise((resolve, fail) => {
      const child = spawn(this.#program, args, {
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
        stdio: ['pipe', 'pipe', 'pipe'],
        timeout: MADE_WITHIN_MS,
        killSignal: 'SIGKILL',
      });
      const parts: Buffer[] = [];
      let bytes = 0;
      let said = '';
      child.stdout.on('data', (data: Buffer) => {
        bytes += data.length;
        if (bytes > MOST_BYTES) child.kill('SIGKILL');
        else parts.push(data);
      });
      child.stderr.on('data', (data: Buffer) => {
        said = (said + data.toString()).slice(0, 200);
      });
      child.stdin.on('error', () => {});
      child.on('error', (error) => fail(new Error(`espeak-ng: ${error.message}`)));
      child.on('close', (code, signal) => {
        if (code === 0 && bytes <= MOST_BYTES) resolve(Buffer.concat(parts));
        else fail(new Error(`espeak-ng: ${said.trim() || `ended with ${signal ?? code}`}`));
      });
      child.stdin.end(text);
    });
  }
}
