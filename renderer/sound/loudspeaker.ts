/**
 * The way to the loudspeaker. While nothing is to be heard it rests: a running one keeps a thread
 * and the output of the machine awake, hundreds of times a second, for silence.
 */

/** So long after the last sound. */
const REST_MS = 5_000;
/** An output that takes longer is none: nothing waits for it, and what was to be heard is past. */
const WAKES_WITHIN_MS = 1_000;

export class Loudspeaker {
  #context: AudioContext | null = null;
  #isAsleep = true;
  /** Since when it is being woken. */
  #wakingSinceMs: number | null = null;
  #silentFromMs = 0;
  #restTimer = 0;

  get context(): AudioContext {
    this.#context ??= new AudioContext();
    return this.#context;
  }

  decode(bytes: ArrayBuffer): Promise<AudioBuffer> {
    // Reading a clip wakes nothing.
    if (this.#context === null) void this.context.suspend();
    return this.context.decodeAudioData(bytes);
  }

  /**
   * Resolves once what is started is heard from its first moment on; false where it will not be.
   */
  async wake(): Promise<boolean> {
    if (!this.#isAsleep) {
      this.#restAfter(0);
      return true;
    }
    const nowMs = performance.now();
    if (this.#wakingSinceMs !== null && nowMs - this.#wakingSinceMs > WAKES_WITHIN_MS) return false;
    this.#wakingSinceMs ??= nowMs;
    const awake = this.context.resume().then(() => {
      this.#isAsleep = false;
      this.#wakingSinceMs = null;
      this.#restAfter(0);
      return true;
    });
    const tooLate = new Promise<false>((resolve) => setTimeout(() => resolve(false), WAKES_WITHIN_MS));
    return Promise.race([awake, tooLate]);
  }

  /** Where it is awake. */
  start(buffer: AudioBuffer, gain: number, inMs: number): AudioBufferSourceNode | null {
    if (this.#isAsleep || gain === 0) return null;
    const { context } = this;
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(new GainNode(context, { gain })).connect(context.destination);
    source.start(context.currentTime + inMs / 1_000);
    this.#restAfter(inMs + buffer.duration * 1_000);
    return source;
  }

  #restAfter(ms: number): void {
    const nowMs = performance.now();
    this.#silentFromMs = Math.max(this.#silentFromMs, nowMs + ms);
    clearTimeout(this.#restTimer);
    this.#restTimer = window.setTimeout(
      () => {
        // At once: what comes before it is done wakes it behind it.
        this.#isAsleep = true;
        void this.context.suspend();
      },
      this.#silentFromMs - nowMs + REST_MS,
    );
  }
}
