import { cardOf } from '../../engine/core/cards.ts';
import { isSame } from '../../engine/core/same.ts';
import { refuseReadAgain } from '../../engine/table/cards.ts';
import { dueCard } from '../../engine/table/due.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { CardShoe, DeviceClock, DeviceIdentity, ShoeEvent } from '../../hardware/ports.ts';
import type { CardTrial } from '../../wire/pages.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { personsAt } from '../watches/faults.ts';
import { LIMITS, type Limits } from '../watches/limits.ts';

const PLACE = 'card shoe';

/**
 * Over as soon as they are reported: a round in play is held until the dealer has compared the
 * cards, and then goes on.
 */
const PASSING: readonly string[] = ['shoe-restarted', 'shoe-crc', 'shoe-reverse', 'shoe-error'];

const commandId = (kind: 'shoe' | 'shoe-second', serial: string, seq: number): string =>
  `${kind}:${serial}:${String(seq).padStart(12, '0')}`;

/** What a numbered event of a shoe can become that has brought no card. */
const NO_CARDS: ReadonlySet<string> = new Set([
  'end-card-seen',
  'fault-reported',
  'fault-cleared',
  'shoe-event-refused',
  'device-tested',
]);

type Told = Exclude<ShoeEvent, { type: 'link' | 'identity' | 'status' | 'read-again' }>;
type Status = Extract<ShoeEvent, { type: 'status' }>;

/**
 * Between the shoe and the table. Every numbered event becomes an input under the shoe's own number
 * and is acknowledged only after the transaction is on disk; what keeps the shoe from serving the
 * round is a fault, and a fault holds the round.
 */
export class ShoeDesk {
  readonly #terminal: Terminal;
  readonly #shoe: CardShoe;
  readonly #log: (line: string) => void;
  readonly #passing: ReadonlySet<string>;
  readonly #clock: DeviceClock;
  readonly #noFeedMs: number;
  readonly #took: (ms: number) => void;
  /** Of the wait for a card; `drawn` = cards out when it began. */
  #wait: { readonly drawn: number; readonly cancel: () => void } | null = null;
  /**
   * The card before was burnt, and nobody has seen it: with the next one the driver forgets what
   * the shoe has said.
   */
  #wasUnseen: boolean;
  #identity: DeviceIdentity | null = null;
  #link: 'up' | 'down' = 'down';
  /** As the shoe said last; null = not since this life of the host began. */
  #isJammed: boolean | null = null;
  #changed: () => void = () => {};
  /** Cards that come now are tried by a technician, and are none of the table. */
  #isTrying = false;
  #tried: CardTrial['last'] = null;
  /** The dealer who has asked for a second reading that has not come. */
  #askedBy: Person | null = null;

  constructor(o: {
    terminal: Terminal;
    shoe: CardShoe;
    log: (line: string) => void;
    clock: DeviceClock;
    limits?: Limits;
    /** From the shoe's word of a card until it is on the disk. */
    cardTook?: (ms: number) => void;
  }) {
    this.#noFeedMs = (o.limits ?? LIMITS).noFeedMs;
    this.#took = o.cardTook ?? (() => {});
    this.#terminal = o.terminal;
    this.#clock = o.clock;
    this.#shoe = o.shoe;
    // What a shoe has not told it could tell later, or the dealer is the only one who knows whether
    // a card is missing.
    this.#passing = new Set(o.shoe.capabilities.replay ? PASSING : [...PASSING, 'shoe-gap']);
    this.#log = o.log;
    this.#wasUnseen = o.terminal.state.shoe.lastUnseen === true;
  }

  get link(): 'up' | 'down' {
    return this.#link;
  }

  get identity(): DeviceIdentity | null {
    return this.#identity;
  }

  /** `changed` is called when the shoe shows something new that is no ledger entry. */
  start(changed: () => void): void {
    this.#changed = changed;
    // Told by a life of the host that ended before it could say that they are over.
    for (const fault of this.#passing) this.#clear(fault);
    this.#shoe.start(
      (event) => this.#on(event),
      (serial) => this.#lastSeq(serial),
    );
  }

  /**
   * A shoe that cannot tell it has been filled, says the dealer, with the packs the table is
   * authorised for.
   */
  load(id: string): Outcome {
    if (this.#shoe.capabilities.loading)
      return { status: 'rejected', code: 'not-due', cites: [], detail: 'the shoe tells it by itself' };
    const { ledger, state } = this.#terminal;
    const shoeId = `${this.#identity?.serial ?? this.#shoe.id}/${ledger.head().seq}`;
    return this.#terminal.submit({ type: 'load-shoe', shoeId, decks: state.rules?.decks ?? 0 }, id);
  }

  /** Begins or ends the trial of cards. */
  tryCards(on: boolean): Outcome {
    const { state, ledger } = this.#terminal;
    const refuse = (code: 'service' | 'not-allowed' | 'nothing-to-do', detail: string): Outcome => ({
      ...{ status: 'rejected', code, cites: [], detail },
    });
    if (!state.service) return refuse('service', 'cards are tried in service mode');
    if (on && state.shoe.stage !== 'none')
      return refuse('not-allowed', 'the cards in the shoe are made ready for play');
    if (!on && !this.#isTrying) return refuse('nothing-to-do', 'no cards are tried');
    this.#isTrying = on;
    this.#tried = null;
    this.#changed();
    return { status: 'done', seq: ledger.head().seq };
  }

  get trial(): CardTrial {
    const { isTrying, last } = { isTrying: this.#isTrying, last: this.#tried };
    return { isTrying, mayTry: this.#terminal.state.shoe.stage === 'none', last };
  }

  /** What a shoe says of cards that are tried: on record under its own number, and acknowledged. */
  #try(event: Told, id: string | null): void {
    const { service } = this.#terminal.state;
    const isRead = event.type === 'card' && event.suit !== null && event.rank !== null;
    if ((event.type !== 'card' && event.type !== 'fault') || service === null) {
      if (id !== null)
        this.#terminal.record({ type: 'shoe-event-refused', event: event.type, code: 'service' }, id);
      return;
    }
    const card = isRead ? cardOf(event.suit, event.rank) : null;
    const confidence = isRead ? event.confidence : 0;
    this.#tried = { card, confidence };
    this.#terminal.record(
      {
        ...{ type: 'device-tested', device: this.#shoe.id, part: 'card', person: service.person },
        ...{ test: 'TEST', read: card, confidence },
      },
      id,
    );
    this.#changed();
  }

  /** The card that left the shoe last is read once more; the dealer holds it before the reader. */
  readAgain(person: Person): Outcome {
    const { state, ledger } = this.#terminal;
    const refused = refuseReadAgain(state);
    if (refused) return { status: 'rejected', ...refused, detail: refused.detail ?? null };
    const of = this.#lastCardSeq();
    if (!this.#shoe.rereads || of === null)
      return { status: 'rejected', code: 'off', cites: [], detail: 'this shoe reads no card twice' };
    this.#askedBy = person;
    this.#shoe.readAgain(of);
    return { status: 'done', seq: ledger.head().seq };
  }

  /** The shoe's number of the card that left it last; null = nobody knows it here. */
  #lastCardSeq(): number | null {
    const { ledger } = this.#terminal;
    const serial = this.#identity?.serial ?? '';
    for (let seq = this.#lastSeq(serial); seq > 0; seq -= 1) {
      const known = ledger.findCommand(commandId('shoe', serial, seq));
      const kind = known === null ? null : ledger.read(known.firstSeq, 1)[0]?.kind;
      if (kind === undefined || kind === null || kind === 'shoe-loaded') return null;
      if (!NO_CARDS.has(kind)) return seq;
    }
    return null;
  }

  #onReadAgain(event: Extract<ShoeEvent, { type: 'read-again' }>): void {
    const person = this.#askedBy;
    this.#askedBy = null;
    if (person === null || event.of !== this.#lastCardSeq()) return;
    const { suit, rank, confidence, of: shoeSeq } = event;
    const card = suit === null || rank === null ? null : cardOf(suit, rank);
    const outcome = this.#terminal.submit({ type: 'read-card-again', card, confidence, shoeSeq, person });
    if (outcome.status === 'rejected')
      this.#log(`a card read again came too late: ${outcome.code} ${outcome.detail ?? ''}`);
  }

  /** No shoe has answered since the start. */
  reportAbsence(): void {
    if (this.#link === 'down') this.#report('shoe-offline');
  }

  stop(): void {
    this.#wait?.cancel();
    this.#wait = null;
  }

  /** Something was stored: a card may be due now, or another one than before. */
  committed(): void {
    const { state } = this.#terminal;
    if (state.service === null) this.#isTrying = false;
    const isUnseen = state.shoe.lastUnseen === true;
    if (this.#wasUnseen && !isUnseen) this.#shoe.forget();
    this.#wasUnseen = isUnseen;
    const isDue = dueCard(state) !== null && state.hold === null && state.service === null;
    if (isDue && this.#wait?.drawn === state.shoe.drawn) return;
    this.stop();
    if (!isDue) return;
    const cancel = this.#clock.after(this.#noFeedMs, () => {
      this.#wait = null;
      this.#report('shoe-no-feed');
      this.#changed();
    });
    this.#wait = { drawn: state.shoe.drawn, cancel };
  }

  // ---- faults ----

  #stands(fault: string): boolean {
    const device = this.#shoe.id;
    return this.#terminal.state.faults.some((known) => known.device === device && known.fault === fault);
  }

  #report(fault: string, id: string | null = null): Outcome | null {
    // Without a number there is nothing to acknowledge: what stands already is not told again.
    if (id === null && this.#stands(fault)) return null;
    const outcome = this.#terminal.submit(
      { type: 'report-fault', device: this.#shoe.id, fault, place: PLACE },
      id,
    );
    if (this.#passing.has(fault)) this.#clear(fault);
    return outcome;
  }

  #clear(fault: string): void {
    if (this.#stands(fault) && personsAt(this.#terminal.state, fault).length === 0)
      this.#terminal.submit({ type: 'clear-fault', device: this.#shoe.id, fault });
  }

  #set(fault: string, stands: boolean): void {
    if (stands) this.#report(fault);
    else this.#clear(fault);
  }

  // ---- what the shoe tells ----

  #lastSeq(serial: string): number {
    const id = this.#terminal.ledger.lastCommandId(`shoe:${serial}:`);
    return id === null ? 0 : Number(id.slice(id.lastIndexOf(':') + 1));
  }

  #on(event: ShoeEvent): void {
    if (event.type === 'link') {
      this.#link = event.link;
      this.#set('shoe-offline', event.link === 'down');
      return this.#changed();
    }
    if (event.type === 'identity') {
      this.#identity = event.identity;
      this.#compareUnit(event.identity);
      this.#set('shoe-swapped', this.#isSwapped(event.identity.serial));
      return this.#changed();
    }
    if (event.type === 'status') return this.#onStatus(event);
    if (event.type === 'read-again') return this.#onReadAgain(event);
    const heardAt = performance.now();
    if (event.type === 'card') this.#clear('shoe-no-feed');
    const { seq } = event;
    const serial = this.#identity?.serial ?? '';
    const id = seq === null ? null : commandId('shoe', serial, seq);
    if (this.#isTrying && event.type !== 'cover') {
      this.#try(event, id);
      if (seq !== null && this.#terminal.locked === null) this.#shoe.acknowledge(seq);
      return;
    }
    const outcome = this.#submit(event, serial, id);
    if (event.type === 'card' && outcome?.status === 'done') this.#took(performance.now() - heardAt);
    if (outcome?.status === 'rejected') {
      this.#log(`shoe event ${event.type} refused: ${outcome.code} ${outcome.detail ?? ''}`);
      // Still on the record, once, so that the shoe can be told to go on.
      if (id !== null)
        this.#terminal.record({ type: 'shoe-event-refused', event: event.type, code: outcome.code }, id);
    }
    if (seq !== null && this.#terminal.locked === null) this.#shoe.acknowledge(seq);
  }

  // ---- which unit this is ----

  /** What was accepted of the shoe with this serial number; another shoe is no other firmware. */
  #lastAccepted({ serial }: DeviceIdentity): { readonly unit: DeviceIdentity; readonly no: number } | null {
    const { ledger } = this.#terminal;
    const commandId = ledger.lastCommandId(`unit:${this.#shoe.id}:${serial}:`);
    const known = commandId === null ? null : ledger.findCommand(commandId);
    const entry = known && ledger.read(known.lastSeq, 1)[0];
    if (commandId === null || !entry) return null;
    const { identity: unit } = entry.body as { identity: DeviceIdentity };
    return { unit, no: Number(commandId.slice(commandId.lastIndexOf(':') + 1)) };
  }

  /** The first time it is seen there is nothing to compare it with. */
  #compareUnit(identity: DeviceIdentity): void {
    const accepted = this.#lastAccepted(identity);
    if (accepted === null) this.#accept(identity, []);
    else if (!isSame(accepted.unit, identity)) this.#report('shoe-changed');
  }

  #accept(identity: DeviceIdentity, persons: readonly Person[]): void {
    const { serial } = identity;
    const no = (this.#lastAccepted(identity)?.no ?? 0) + 1;
    this.#terminal.record(
      { type: 'unit-accepted', device: this.#shoe.id, identity, notes: null, persons },
      `unit:${this.#shoe.id}:${serial}:${String(no).padStart(6, '0')}`,
    );
  }

  /** Persons end only what no word of the shoe does, and they have seen which shoe it is now. */
  isCauseGone(fault: string): boolean {
    if (fault === 'shoe-jam') return this.#isJammed === false;
    return fault === 'shoe-changed' && this.#identity !== null;
  }

  release(fault: string, persons: readonly Person[], commandId: string): Outcome {
    if (this.#identity === null || !this.isCauseGone(fault))
      return { status: 'rejected', code: 'held', cites: [], detail: 'the cause is still there' };
    if (fault === 'shoe-changed') this.#accept(this.#identity, persons);
    return this.#terminal.submit({ type: 'clear-fault', device: this.#shoe.id, fault, persons }, commandId);
  }

  /** The cards in play were loaded into another shoe than this one. */
  #isSwapped(serial: string): boolean {
    const { ledger, state } = this.#terminal;
    if (state.shoe.stage === 'none') return false;
    const [loaded] = ledger.newest({ beforeSeq: null, limit: 1, kind: 'shoe-loaded' });
    const { shoeId = '' } = (loaded?.body ?? {}) as { shoeId?: string };
    const from = (/^shoe:(.*):\d+$/.exec(loaded?.commandId ?? '') ?? /^(.*)\/\d+$/.exec(shoeId))?.[1];
    return from !== undefined && from !== serial;
  }

  #onStatus(status: Status): void {
    this.#isJammed = status.jammed;
    this.#set('shoe-jam', status.jammed);
    this.#set('shoe-cover-open', status.coverOpen);
    // Cards that appear in an empty shoe without having been loaded are none: only a new shoe ends
    // this fault.
    if (status.empty && this.#terminal.state.shoe.stage !== 'none') this.#report('shoe-empty');
  }

  #submit(event: Told, serial: string, id: string | null): Outcome | null {
    const terminal = this.#terminal;
    const draw = (
      card: Extract<Told, { type: 'card' }> | null,
      drawId: string | null,
    ): ReturnType<Terminal['submit']> => {
      if (this.#stands('shoe-swapped'))
        return { status: 'rejected', code: 'held', cites: [], detail: 'a card of a shoe not loaded here' };
      const read = card !== null && card.suit !== null && card.rank !== null;
      return terminal.submit(
        {
          type: 'draw-card',
          drawNo: null,
          card: read ? cardOf(card.suit, card.rank) : null,
          confidence: read ? card.confidence : 0,
        },
        drawId,
      );
    };
    switch (event.type) {
      case 'card':
        return draw(event, id);
      case 'cut-card':
        return terminal.submit({ type: 'end-card-out' }, id);
      case 'loaded':
        return terminal.submit({ type: 'load-shoe', shoeId: event.shoeId, decks: event.decks }, id);
      case 'empty':
        return this.#report('shoe-empty', id);
      case 'cover':
        return event.open
          ? this.#report('shoe-cover-open', id)
          : terminal.submit({ type: 'clear-fault', device: this.#shoe.id, fault: 'shoe-cover-open' }, id);
      case 'fault':
        switch (event.fault) {
          case 'misread':
            return draw(null, id);
          case 'double-feed':
            // Two cards, one number: the second has an id of its own and goes first, so that
            // whatever dies in between the event comes again and each of them is taken once.
            if (event.seq !== null) draw(null, commandId('shoe-second', serial, event.seq));
            return draw(null, id);
          case 'jam':
            // The status that says so comes later: until one says it is out, the card is stuck.
            this.#isJammed = true;
            return this.#report('shoe-jam', id);
          default:
            return this.#report(`shoe-${event.fault}`, id);
        }
    }
  }
}
