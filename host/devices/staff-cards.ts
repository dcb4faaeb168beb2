import { type OpenCard, Pcscd, type ReaderState } from '../../hardware/card-reader/pcscd.transport.ts';
import { CardRefused, proveCard } from '../../hardware/card-reader/piv.machine.ts';

/** How often readers are asked. */
const LOOK_MS = 250;
/** A card that was taken away in the middle, or is broken, is read again after so long. */
const REREAD_MS = 1_000;
/** A daemon that is not there is asked for so often. */
const AGAIN_MS = 2_000;
/**
 * A card counts for so long after it was proved or has left: two persons use one reader, one after
 * the other, before their PINs are sent together.
 */
const HOLD_MS = 60_000;

/** What went wrong is shown for so long, or until the next card. */
const TOLD_MS = 10_000;

/**
 * `no-reader`: none is there, or pcscd is not · `empty`: no card lies on it · `unreadable`: it
 * could not be read to its end, or is none of ours.
 */
type CardState = 'no-reader' | 'empty' | 'reading' | 'read' | 'unreadable';

interface StaffCardsOptions {
  readonly socket?: string;
  /** Ms since anything, never going back and moved by nobody's clock. */
  readonly monotonic: () => number;
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** The cards that staff lay on the reader: which lie there, and which have proved who they are. */
export class StaffCards {
  readonly #o: StaffCardsOptions;
  #state: CardState = 'no-reader';
  /** Which card lies there, once it has proved it. */
  #lying: string | null = null;
  /** When a card was last known to be there. */
  readonly #seenMs = new Map<string, number>();
  /** Since when it is so. */
  #sinceMs = 0;
  #pcscd: Pcscd | null = null;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  /** The card that was looked at last, as its reader counts. */
  #looked = '';

  constructor(o: StaffCardsOptions) {
    this.#o = o;
  }

  start(): void {
    this.#again(0);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#pcscd?.close();
  }

  get state(): CardState {
    return this.#state;
  }

  /** Null: none, or one that has not proved which it is. */
  get lying(): string | null {
    return this.#lying;
  }

  isProven(card: string): boolean {
    const seenMs = this.#seenMs.get(card);
    return card === this.#lying || (seenMs !== undefined && this.#o.monotonic() - seenMs < HOLD_MS);
  }

  #again(ms: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    try {
      this.#pcscd ??= await Pcscd.open(this.#o.socket);
      await this.#read(await this.#pcscd.readers());
      this.#again(this.#state === 'unreadable' && this.#looked === '' ? REREAD_MS : LOOK_MS);
    } catch (error) {
      // The daemon, the reader or the card has gone in the middle: nothing of it counts.
      if (this.#state !== 'no-reader') this.#o.log(`card reader: ${(error as Error).message}`);
      this.#pcscd?.close();
      this.#pcscd = null;
      this.#looked = '';
      this.#is('no-reader', null);
      this.#again(AGAIN_MS);
    }
  }

  async #read(readers: readonly ReaderState[]): Promise<void> {
    const at = readers.find(({ hasCard }) => hasCard);
    if (at === undefined) {
      this.#looked = '';
      if (readers.length === 0) return this.#is('no-reader', null);
      const isNews = this.#o.monotonic() - this.#sinceMs < TOLD_MS;
      return this.#state === 'unreadable' && isNews ? undefined : this.#is('empty', null);
    }
    const looked = `${at.name} ${at.events}`;
    if (looked === this.#looked) return;
    this.#looked = looked;
    this.#is('reading', null);
    let card: OpenCard | null = null;
    try {
      card = await this.#pcscd!.card(at.name);
      const which = await proveCard((apdu) => card!.transmit(apdu));
      this.#is('read', which);
    } catch (error) {
      this.#o.log(`card reader ${at.name}: ${(error as Error).message}`);
      this.#is('unreadable', null);
      // Nothing of it counts; where it went in the middle it is read from the beginning.
      if (!(error instanceof CardRefused)) this.#looked = '';
    } finally {
      await card?.close().catch(() => undefined);
    }
  }

  #is(state: CardState, lying: string | null): void {
    if (state === this.#state && lying === this.#lying) return;
    const now = this.#o.monotonic();
    if (this.#lying !== null) this.#seenMs.set(this.#lying, now);
    for (const [card, seenMs] of this.#seenMs) if (now - seenMs >= HOLD_MS) this.#seenMs.delete(card);
    this.#sinceMs = now;
    this.#state = state;
    this.#lying = lying;
    this.#o.changed();
  }
}
