import { LANGUAGES, type Language } from '../../engine/table/inputs.ts';
import type { ChineseVoice } from '../../engine/table/profile.ts';
import type { Said, SpeechPage } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { Output } from './output.ts';
import type { SpeechSettings } from './settings.ts';
import { Synthesiser, voiceOf } from './synthesiser.ts';

/**
 * Says sentences at the seats. They are made one at a time, so that no display can start more than
 * one process; of each seat only the newest waits, and no seat's sentence ends another seat's.
 */
export class Speech {
  readonly #synthesiser: Synthesiser;
  readonly #outputs: ReadonlyMap<number, Output>;
  readonly #keys: NonNullable<SpeechSettings['keys']>;
  /** Of each seat the number of its newest sentence. */
  readonly #newest = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor({ outputs = {}, keys = {} }: SpeechSettings, synthesiser = new Synthesiser()) {
    this.#synthesiser = synthesiser;
    this.#outputs = new Map(
      Object.entries(outputs).map(([seat, output]) => [Number(seat), new Output(output)]),
    );
    this.#keys = keys;
  }

  /** For the picture; absent: nothing can be said. */
  view(): Pick<TableView, 'speech'> {
    return this.#synthesiser.isThere ? { speech: { keys: this.#keys } } : {};
  }

  /** An empty text ends what is being said. */
  async say(seat: number, language: Language, text: string, chinese?: ChineseVoice): Promise<Said> {
    const number = (this.#newest.get(seat) ?? 0) + 1;
    this.#newest.set(seat, number);
    const isNewest = (): boolean => this.#newest.get(seat) === number;
    const output = this.#outputs.get(seat);
    output?.stop();
    if (text.trim() === '') return { state: 'spoken', seconds: 0, wav: null };
    const made = this.#last.then(() =>
      isNewest() ? this.#synthesiser.speak(voiceOf(language, chinese), text) : null,
    );
    this.#last = made.catch(() => {});
    try {
      const sound = await made;
      if (sound === null || !isNewest()) return { state: 'replaced' };
      const { seconds, wav } = sound;
      output?.play(wav);
      return { state: 'spoken', seconds, wav: output ? null : wav.toString('base64') };
    } catch (error) {
      return { state: 'failed', why: (error as Error).message };
    }
  }

  async page(chinese?: ChineseVoice): Promise<SpeechPage> {
    const about = await this.#synthesiser.about().catch(() => null);
    return {
      synthesiser: about?.version ?? null,
      voices: LANGUAGES.map((language) => {
        const voice = voiceOf(language, chinese);
        return { language, voice, isThere: about?.voices.has(voice) ?? false };
      }),
      outputs: [...this.#outputs].map(([seat, { name, problem }]) => ({ seat, output: name, problem })),
    };
  }

  stop(): void {
    for (const output of this.#outputs.values()) output.stop();
  }
}
