/**
 * Plays sounds and says in words what is heard. Announcements follow one another, effects sound at
 * once. A machine without a loudspeaker shows the captions all the same: their time is that of the
 * clips, not of the loudspeaker.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { TableView } from '../../wire/view.ts';
import { heardAt, type Level, type Sound } from './announce.ts';
import type { EffectKey, Voice } from './keys.ts';
import type { Loudspeaker } from './loudspeaker.ts';
import { voicesOf } from './voices.ts';

/** A recording that replaces a placeholder is found by its name alone. */
const FILES = import.meta.glob<string>('../../assets/sound/**/*.opus', {
  eager: true,
  query: '?url',
  import: 'default',
});
const urlOf = (key: string): string | undefined => FILES[`../../assets/sound/${key}.opus`];

const GAINS: Readonly<Record<Level, number>> = { 0: 0, 1: 0.45, 2: 1 };
const DEFAULT_LEVEL: Level = 1;

/** spoken: keys of the clips, shown in the words of `SPOKEN`. */
export type Caption =
  | { readonly kind: 'voice'; readonly clips: readonly string[] }
  | { readonly kind: 'effect'; readonly effect: EffectKey };

/** How long a caption stands at least, and stays after its sound. */
const READ_MS = 1_200;
/** Announcements that come later than this are about what is over. */
const BACKLOG_MS = 7_000;

export interface SoundPlayer {
  readonly caption: ReadonlySignal<Caption | null>;
  level(seat: number): Level;
  setLevel(seat: number, level: Level): void;
  play(sounds: readonly Sound[], view: TableView): void;
  /** For the technician: one clip as it is, `yue/tie` or `effect/chip`, at this level. */
  test(key: string, level: Level): Promise<void>;
  /** What is in the file of a clip; null where there is none that plays. */
  probe(key: string): Promise<Clip | null>;
}

export interface Clip {
  readonly seconds: number;
  /** Mean over the whole clip, dB below full scale. */
  readonly loudnessDb: number;
  /** Made by assets/make-sounds.ts: nobody has recorded it. */
  readonly isPlaceholder: boolean;
}
/** What assets/make-sounds.ts writes into its files. */
const PLACEHOLDER = 'synthesised placeholder';

export function createSoundPlayer(loudspeaker: Loudspeaker): SoundPlayer {
  const levels = signal<ReadonlyMap<number, Level>>(new Map());
  const caption = signal<Caption | null>(null);
  const buffers = new Map<string, Promise<AudioBuffer | null>>();
  const placeholders = new Set<string>();
  let takenBefore: ReadonlySet<number> = new Set();
  let freeAtMs = 0;
  let hideTimer = 0;

  const load = (key: string): Promise<AudioBuffer | null> => {
    let buffer = buffers.get(key);
    if (buffer === undefined) {
      const url = urlOf(key);
      buffer =
        url === undefined
          ? Promise.resolve(null)
          : fetch(url)
              .then((response) => response.arrayBuffer())
              .then((bytes) => {
                if (new TextDecoder('latin1').decode(bytes).includes(PLACEHOLDER)) placeholders.add(key);
                return loudspeaker.decode(bytes);
              })
              // A clip that cannot be had is a caption without a sound.
              .catch((error: unknown) => {
                console.error(`sound ${key}:`, error);
                return null;
              });
      buffers.set(key, buffer);
    }
    return buffer;
  };

  const playClip = async (key: string, gain: number): Promise<void> => {
    const buffer = await load(key);
    if (buffer !== null && gain > 0 && (await loudspeaker.wake())) loudspeaker.start(buffer, gain, 0);
  };

  const show = (shown: Caption, lengthMs: number): void => {
    caption.value = shown;
    clearTimeout(hideTimer);
    hideTimer = window.setTimeout(() => {
      caption.value = null;
    }, Math.max(lengthMs, READ_MS) + 400);
  };

  const level = (seat: number): Level => levels.value.get(seat) ?? DEFAULT_LEVEL;
  const tableLevel = (view: TableView): Level => {
    const taken = view.seats.filter(({ free }) => !free);
    return taken.length === 0 ? DEFAULT_LEVEL : (Math.max(...taken.map(({ seat }) => level(seat))) as Level);
  };

  async function speak(clips: readonly string[], voices: readonly Voice[], gain: number): Promise<void> {
    const loaded = await Promise.all(
      voices.flatMap((voice) => clips.map((clip) => load(`${voice}/${clip}`))),
    );
    const lengths = loaded.map((buffer) => (buffer?.duration ?? READ_MS / 2_000) * 1_000);
    const lengthMs = lengths.reduce((sum, each) => sum + each, 0);
    if (gain > 0) await loudspeaker.wake();
    const waitMs = Math.max(0, freeAtMs - performance.now());
    if (waitMs > BACKLOG_MS) return;
    freeAtMs = performance.now() + waitMs + lengthMs;
    let atMs = waitMs;
    loaded.forEach((buffer, i) => {
      if (buffer !== null) loudspeaker.start(buffer, gain, atMs);
      atMs += lengths[i]!;
    });
    setTimeout(() => show({ kind: 'voice', clips }, lengthMs), waitMs);
  }

  return {
    caption,
    level,
    setLevel: (seat, wanted) => {
      levels.value = new Map(levels.value).set(seat, wanted);
    },
    test: (key, at) => playClip(key, GAINS[at]),
    probe: async (key) => {
      const buffer = await load(key);
      if (buffer === null) return null;
      const samples = buffer.getChannelData(0);
      const power = samples.reduce((sum, each) => sum + each * each, 0) / Math.max(1, samples.length);
      return {
        seconds: buffer.duration,
        loudnessDb: 10 * Math.log10(Math.max(power, 1e-10)),
        isPlaceholder: placeholders.has(key),
      };
    },
    play: (sounds, view) => {
      const taken = new Set(view.seats.filter(({ free }) => !free).map(({ seat }) => seat));
      const left = [...takenBefore].filter((seat) => !taken.has(seat));
      takenBefore = taken;
      // Whoever comes next finds the level as it was made.
      if (left.length > 0) levels.value = new Map([...levels.value].filter(([seat]) => !left.includes(seat)));
      for (const sound of sounds) {
        const wanted = sound.seat === null ? tableLevel(view) : level(sound.seat);
        const effect = sound.kind === 'effect' ? sound.effect : null;
        const gain = GAINS[heardAt(wanted, view.sound, effect)];
        if (sound.kind === 'voice') void speak(sound.clips, voicesOf(view, sound.seat), gain);
        else {
          void playClip(`effect/${sound.effect}`, gain);
          if (caption.peek()?.kind !== 'voice') show({ kind: 'effect', effect: sound.effect }, READ_MS);
        }
      }
    },
  };
}
