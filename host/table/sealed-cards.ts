/**
 * Cards that the terminal knows and nobody else may know yet. In the ledger, and so in everything
 * that is made of it, such a card is null with a seal beside it: SHA-256 over 32 secret bytes and
 * the card. The shoe's confidence goes into the seal too: some faces are read worse than others.
 * When the card is shown an entry `cards-opened` gives card and secret of its seal, and anybody can
 * see that no card was exchanged. Before that only the terminal's key opens them, also after a
 * restart: the secret follows from the key and a number in the seal that is used once.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Card, isCard } from '../../engine/core/cards.ts';
import type { HidingPlace } from '../../engine/engine.ts';
import type { Entry, LedgerKey, LedgerReader, NewEntry } from '../../ledger/store/ledger.store.ts';
import type { Opening } from '../../wire/host-events.ts';

export const CARDS_OPENED = 'cards-opened';

interface Seal {
  readonly hash: string;
  readonly nonce: string;
}

type Members = Readonly<Record<string, unknown>>;
export type Mac = LedgerKey['mac'];

/** Kinds that can hold such a card. */
const HIDING: ReadonlySet<string> = new Set([
  'bank-card-dealt',
  'card-dealt',
  'cards-waiting',
  'card-read-again',
  'card-confirmed',
]);
const CARDS = ['card', 'read'] as const;

const sealOf = (opening: Uint8Array, card: Card, confidence: number | undefined): string =>
  createHash('sha256')
    .update(opening)
    .update(confidence === undefined ? String(card) : `${card} ${confidence}`)
    .digest('hex');

const openingOf = (mac: Mac, terminalId: string, nonce: string): Uint8Array =>
  mac(Buffer.from(`banca-card-v1\n${terminalId}\n${nonce}`));

/** What a body holds that can have a card: itself, or the cards that wait. */
function mapped(body: unknown, change: (part: Members) => Members): Members {
  const { waiting } = body as { readonly waiting?: readonly Members[] };
  return waiting === undefined
    ? change(body as Members)
    : { ...(body as Members), waiting: waiting.map(change) };
}

type Body = Pick<Entry, 'kind' | 'body'>;

/** Where the card of an entry lies; one that waits may lie anywhere later. */
function placeOf({ kind, body }: Body): HidingPlace {
  if (kind === 'bank-card-dealt') return 'bank';
  return kind === 'card-dealt' ? (body as { readonly seat: number }).seat : 'waiting';
}

/** What opens a seal, and where the card lies; null: everybody has seen it, and it is away. */
export interface Closed {
  readonly opening: Opening;
  readonly place: HidingPlace | null;
}

/** Cards that were given to whom they were due have changed their places. */
function afterSwap(closed: readonly Closed[], { kind, body }: Body): Closed[] {
  if (kind !== 'cards-swapped') return [...closed];
  const { fromSeat, toSeat } = body as { readonly fromSeat: number; readonly toSeat: number };
  return closed.map(({ opening, place }) => ({
    opening,
    place: place === fromSeat ? toSeat : place === toSeat ? fromSeat : place,
  }));
}

/** Art. 5.1.1: a card that came out face up is named by the entry that takes it away. */
function afterTakingBack(closed: readonly Closed[], { kind, body }: Body): readonly Closed[] {
  if (kind !== 'card-taken-back') return closed;
  const taken = body as { readonly card: Card; readonly seat: number | null };
  const place = taken.seat ?? 'bank';
  const at = closed.findLastIndex((each) => each.place === place && each.opening.card === taken.card);
  return at < 0 ? closed : closed.with(at, { ...closed[at]!, place: null });
}

/** Seals the cards of the entries of one transaction, and keeps what opens them. */
export class Sealer {
  readonly #mac: Mac;
  readonly #terminalId: string;
  /** Not published yet. */
  #closed: readonly Closed[];

  /** `closed`: cards that were hidden when this process began. */
  constructor(mac: Mac, terminalId: string, closed: readonly Closed[]) {
    this.#mac = mac;
    this.#terminalId = terminalId;
    this.#closed = closed;
  }

  /**
   * The entries as they may be stored; the first one gets the number `firstSeq`.
   * @param hid a card was hidden before this transaction
   * @param hiddenAt where one is hidden after it
   */
  seal(
    entries: readonly NewEntry[],
    firstSeq: number,
    hid: boolean,
    hiddenAt: ReadonlySet<HidingPlace>,
  ): NewEntry[] {
    const sealed = entries.map((entry, i) => {
      const { unseen } = entry.body as { readonly unseen?: boolean };
      if (unseen) return { ...entry, body: { ...(entry.body as Members), card: null, confidence: null } };
      this.#closed = afterTakingBack(afterSwap(this.#closed, entry), entry);
      const place = placeOf(entry);
      const isHidden =
        place === 'waiting'
          ? (hid || hiddenAt.size > 0) && HIDING.has(entry.kind)
          : (entry.body as { readonly faceDown?: boolean }).faceDown === true;
      return isHidden
        ? { ...entry, body: mapped(entry.body, (part) => this.#sealed(part, firstSeq + i, place)) }
        : entry;
    });
    const isHidden = ({ place }: Closed): boolean =>
      place === 'waiting' ? hiddenAt.size > 0 : place !== null && hiddenAt.has(place);
    const cards = this.#closed.filter((each) => !isHidden(each)).map(({ opening }) => opening);
    if (cards.length === 0) return sealed;
    this.#closed = this.#closed.filter(isHidden);
    return [
      ...sealed,
      { kind: CARDS_OPENED, roundId: entries[0]?.roundId ?? null, body: { cards }, postings: [] },
    ];
  }

  #sealed(part: Members, seq: number, place: HidingPlace): Members {
    const seals: Record<string, Seal> = {};
    const without: Record<string, unknown> = { ...part };
    const closed: Closed[] = [];
    for (const name of CARDS) {
      const card = part[name];
      if (!isCard(card)) continue;
      const nonce = randomBytes(16).toString('hex');
      const opening = openingOf(this.#mac, this.#terminalId, nonce);
      const confidence = name === 'card' ? (part['confidence'] as number | undefined) : undefined;
      seals[name] = { hash: sealOf(opening, card, confidence), nonce };
      without[name] = null;
      if (confidence !== undefined) without['confidence'] = null;
      const hex = Buffer.from(opening).toString('hex');
      const opens = { seq, card, ...(confidence === undefined ? {} : { confidence }), opening: hex };
      closed.push({ opening: opens, place });
    }
    this.#closed = [...this.#closed, ...closed];
    if (Object.keys(seals).length === 0) return part;
    // Whoever has confirmed the card knows it, and it is an event of its own.
    const same = seals['read'] === undefined ? {} : { same: part['card'] === part['read'] };
    return { ...without, sealed: { ...seals, ...same } };
  }
}

const sealsOf = (part: Members): [string, Seal][] =>
  Object.entries((part['sealed'] ?? {}) as Record<string, Seal>).filter(([name]) => name !== 'same');

/**
 * Stands for a sealed card where some card must be: nothing is decided by it, and nobody is shown
 * it.
 */
const [SOME_CARD, ANOTHER] = [0, 1];

/**
 * The facts of a body as far as they are known: with a card that stands for each one that is not.
 */
export function standIn({ kind, body }: Pick<Entry, 'kind' | 'body'>): object {
  const { card, sealed } = body as { readonly card?: Card | null; readonly sealed?: Members };
  const facts = body as object;
  if ((kind === 'bank-card-dealt' || kind === 'card-dealt' || kind === 'card-burned') && card === null)
    return { ...facts, card: SOME_CARD, confidence: 0 };
  if (kind !== 'card-confirmed' || card !== null) return facts;
  const read = sealed?.['read'] === undefined ? null : sealed['same'] === true ? SOME_CARD : ANOTHER;
  return { ...facts, card: SOME_CARD, read };
}

/** Every seal of an entry. */
function sealsIn({ kind, body }: Pick<Entry, 'kind' | 'body'>): Seal[] {
  const found: Seal[] = [];
  if (HIDING.has(kind))
    mapped(body, (part) => {
      found.push(...sealsOf(part).map(([, seal]) => seal));
      return part;
    });
  return found;
}

const openingsIn = ({ kind, body }: Pick<Entry, 'kind' | 'body'>): readonly Opening[] =>
  kind === CARDS_OPENED ? (body as { readonly cards: readonly Opening[] }).cards : [];

const hashOf = ({ opening, card, confidence }: Opening): string =>
  sealOf(Buffer.from(opening, 'hex'), card, confidence);

/** Entries read at a time. */
const PAGE = 250;

/**
 * Entries with the cards that are open by now, as if they had never been sealed; a card that is not
 * open stays null. With the terminal's `mac` every seal is opened, and one that cannot be throws.
 * For one reading: it does not see what comes later.
 */
export class OpenedCards {
  readonly #ledger: LedgerReader;
  readonly #mac: Mac | null;
  /** What opens seals, by their hashes: out of the entries from the one to the other. */
  #read = { from: 1, to: 0 };
  readonly #openings = new Map<string, Opening>();

  constructor(ledger: LedgerReader, mac: Mac | null = null) {
    this.#ledger = ledger;
    this.#mac = mac;
  }

  readonly in = (entry: Entry): Entry => {
    if (sealsIn(entry).length === 0) return entry;
    const body = mapped(entry.body, (part) => {
      const { sealed: _sealed, ...rest } = part;
      const cards = sealsOf(part).flatMap(([name, seal]) => {
        const opening = this.#opening(entry, seal) ?? (this.#mac === null ? null : this.#byKey(entry, seal));
        const confidence = opening?.confidence === undefined ? {} : { confidence: opening.confidence };
        return Object.entries({ [name]: opening?.card ?? null, ...confidence });
      });
      return { ...rest, ...Object.fromEntries(cards) };
    });
    return { ...entry, body };
  };

  /** What opens the seals after entry `afterSeq` that the ledger does not open yet. */
  unopened(afterSeq: number): Closed[] {
    let left: Closed[] = [];
    for (let from = afterSeq + 1; ; ) {
      const entries = this.#ledger.read(from, PAGE);
      for (const entry of entries) {
        left = afterSwap(left, entry);
        for (const seal of sealsIn(entry))
          if (this.#opening(entry, seal) === null)
            left.push({ opening: this.#byKey(entry, seal), place: placeOf(entry) });
      }
      if (entries.length < PAGE) return left;
      from = entries.at(-1)!.seq + 1;
    }
  }

  /** Where the ledger opens it: after the seal, and a few entries later as a rule. */
  #opening({ seq }: Entry, { hash }: Seal): Opening | null {
    if (seq < this.#read.from || seq > this.#read.to) {
      this.#read = { from: seq, to: seq };
      this.#openings.clear();
    }
    while (!this.#openings.has(hash)) {
      const entries = this.#ledger.read(this.#read.to + 1, PAGE);
      if (entries.length === 0) return null;
      for (const opening of entries.flatMap(openingsIn)) this.#openings.set(hashOf(opening), opening);
      this.#read.to = entries.at(-1)!.seq;
    }
    return this.#openings.get(hash)!;
  }

  #byKey({ seq }: Entry, { hash, nonce }: Seal): Opening {
    if (this.#mac === null) throw new TypeError('no key');
    const opening = openingOf(this.#mac, this.#ledger.terminalId, nonce);
    for (const confidence of CONFIDENCES)
      for (let card = 0; isCard(card); card++)
        if (sealOf(opening, card, confidence) === hash)
          return {
            seq,
            card,
            ...(confidence === undefined ? {} : { confidence }),
            opening: Buffer.from(opening).toString('hex'),
          };
    throw new Error(
      `entry ${seq}: its sealed card opens with the key that sealed it, and this is another key`,
    );
  }
}

/** Likeliest first. */
const CONFIDENCES: readonly (number | undefined)[] = [
  undefined,
  ...Array.from({ length: 256 }, (_, i) => 255 - i),
];

/** A card of this list is kept for the next hand, whenever that comes. */
const isKept = ({ body }: Pick<Entry, 'body'>): boolean =>
  (body as { readonly waiting?: readonly Members[] }).waiting?.some(
    (each) => each['why'] === 'kept' && each['sealed'] !== undefined,
  ) ?? false;

/**
 * Entry by entry, whether every seal of a round is opened by its end, each once and with the card
 * that was sealed. They may stay closed longer only while a card is kept that was drawn by mistake.
 */
export class SealCheck {
  /** By the hash of a seal that is not open yet. */
  readonly #closed = new Map<string, { readonly seq: number; readonly kept: boolean }>();

  /** Why the entry does not hold; null = it does. */
  take(entry: Pick<Entry, 'seq' | 'kind' | 'body'>): string | null {
    const kept = isKept(entry);
    for (const { hash } of sealsIn(entry)) this.#closed.set(hash, { seq: entry.seq, kept });
    for (const opening of openingsIn(entry)) {
      const hash = hashOf(opening);
      if (this.#closed.get(hash)?.seq !== opening.seq)
        return `it opens a card of entry ${opening.seq} that was not sealed there`;
      this.#closed.delete(hash);
    }
    if (entry.kind !== 'round-closed') return null;
    const closed = [...this.#closed.values()];
    return closed.length === 0 || closed.some((each) => each.kept)
      ? null
      : `the round is over and the card sealed in entry ${closed[0]!.seq} is not open`;
  }
}
