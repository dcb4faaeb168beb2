/**
 * Says sentences at the seats, each seat for itself: its newest sentence takes the place of its own
 * last one and of nobody else's. The host makes the sound; where a seat has no output of its own it
 * is played here.
 */
import type { Language } from '../../engine/table/inputs.ts';
import type { Said } from '../../wire/pages.ts';
import type { Loudspeaker } from './loudspeaker.ts';

/**
 * `now`: in place of what is being said · `after`: when that is over · `idle`: not while something
 * is being said.
 */
export type When = 'now' | 'after' | 'idle';

export interface Speaker {
  say(seat: number, language: Language, text: string, when: When): void;
  stop(seat: number): void;
}

/** News that is older than this many sentences is about what is over. */
const MOST_WAITING = 3;

interface Voice {
  /** Of the sentence that is being said; another one has another number. */
  number: number;
  isSaying: boolean;
  waiting: { readonly language: Language; readonly text: string }[];
  source: AudioBufferSourceNode | null;
}

/** `ask` gets a sentence spoken; null where the host cannot be asked. */
export function createSpeaker(
  ask: (seat: number, language: Language, text: string) => Promise<Said | null>,
  loudspeaker: Loudspeaker,
): Speaker {
  const voices = new Map<number, Voice>();

  const voiceOf = (seat: number): Voice => {
    let voice = voices.get(seat);
    if (voice === undefined) {
      voice = { number: 0, isSaying: false, waiting: [], source: null };
      voices.set(seat, voice);
    }
    return voice;
  };

  async function play(voice: Voice, wav: string, number: number): Promise<void> {
    const bytes = Uint8Array.from(atob(wav), (character) => character.charCodeAt(0));
    const buffer = await loudspeaker.decode(bytes.buffer);
    const isAwake = await loudspeaker.wake();
    if (isAwake && voice.number === number) voice.source = loudspeaker.start(buffer, 1, 0);
  }

  async function begin(seat: number, voice: Voice, language: Language, text: string): Promise<void> {
    voice.number += 1;
    const { number } = voice;
    voice.isSaying = true;
    voice.source?.stop();
    voice.source = null;
    const said = await ask(seat, language, text);
    if (voice.number !== number) return;
    const seconds = said?.state === 'spoken' ? said.seconds : 0;
    if (said?.state === 'spoken' && said.wav !== null)
      await play(voice, said.wav, number).catch((error: unknown) => console.error('speech:', error));
    setTimeout(() => {
      if (voice.number !== number) return;
      voice.isSaying = false;
      const next = voice.waiting.shift();
      if (next) void begin(seat, voice, next.language, next.text);
    }, seconds * 1_000);
  }

  return {
    say(seat, language, text, when) {
      const voice = voiceOf(seat);
      if (text === '' || (when === 'idle' && voice.isSaying)) return;
      if (when === 'after' && voice.isSaying) {
        voice.waiting = [...voice.waiting, { language, text }].slice(-MOST_WAITING);
        return;
      }
      if (when === 'now') voice.waiting = [];
      void begin(seat, voice, language, text);
    },
    stop(seat) {
      const voice = voiceOf(seat);
      voice.waiting = [];
      void begin(seat, voice, 'en', '');
    },
  };
}
