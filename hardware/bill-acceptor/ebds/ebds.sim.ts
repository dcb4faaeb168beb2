/**
 * An EBDS acceptor without the metal, or its small brother with Pyramid RS-232: the same bytes over
 * a line that may be bad. What it would move is in ebds-mechanics.sim.ts.
 */

import type { AcceptorState, ByteTransport, Note } from '../../ports.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import { type Frame, type Poll, parse, type Status, type Toggle } from './ebds.codec.ts';
import { answerOf } from './ebds-answers.ts';
import type { EbdsFault } from './ebds-faults.ts';
import { EbdsMechanics, type EbdsMechanicsOptions } from './ebds-mechanics.sim.ts';
import {
  decodeHost,
  encodeUnit,
  type HostMessage,
  type NoteSpec,
  type UnitMessage,
} from './ebds-messages.codec.ts';
import { indexOfNote, specsOf } from './ebds-notes.ts';
import { stateOf } from './ebds-state.machine.ts';

/** Without a poll for so long it takes nothing more. */
const UNPOLLED_MS = 5000;

export interface EbdsSimOptions extends EbdsMechanicsOptions {
  readonly seed?: number;
  /** Default an EBDS unit; `pyramid` knows neither extended messages nor a note table. */
  readonly model?: 'ebds' | 'pyramid';
  /** Currencies in the unit's note software. */
  readonly currencies?: readonly string[];
  /** An EBDS unit of before extended notes: it reports value indexes and refuses the note table. */
  readonly plainOnly?: boolean;
  /** Messages it leaves unanswered. */
  readonly silentTo?: readonly HostMessage['type'][];
  /** It takes the toggle of a message that it does not answer; default: that message never was. */
  readonly silentTakesToggle?: boolean;
  /**
   * What it says behind the last row of its table: a blank row of that index (default), or one with
   * the index 0.
   */
  readonly tableEnd?: 'blank-row' | 'index-0';
  /** It keeps its idling bit while the cassette is out. */
  readonly idlesWithoutCassette?: boolean;
  /** It reports a note stacked without a value in a plain status, not as a blank note. */
  readonly plainValueless?: boolean;
}

/** The event a reply has told. */
type Said = 'stacked' | 'returned' | 'rejected' | null;

export class EbdsSim extends EbdsMechanics {
  readonly simulated = true;
  readonly model: string;
  line: LineFaults = CLEAN_LINE;
  /** Per thousand messages: the unit falls silent for `silenceMs`. */
  silencePerMille = 0;
  silenceMs = 700;

  readonly #chance: ReturnType<typeof seededChance>;
  readonly #pyramid: boolean;
  readonly #plain: boolean;
  readonly #table: readonly NoteSpec[];
  readonly #o: EbdsSimOptions;
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #parser = EMPTY_PARSER;
  #mutedUntilMs = 0;
  #polledAtMs = Number.NEGATIVE_INFINITY;
  #last: { readonly toggle: Toggle; readonly reply: Uint8Array; readonly said: Said } | null = null;
  #poll: Poll | null = null;
  #inhibits: Uint8Array | null = null;
  /** A blank extended note goes out once after each start. */
  #blank = true;

  constructor(options: EbdsSimOptions) {
    super(options);
    this.#o = options;
    this.#chance = seededChance(options.seed ?? 1);
    this.#pyramid = options.model === 'pyramid';
    this.#plain = this.#pyramid || options.plainOnly === true;
    this.model = this.#pyramid ? 'Pyramid acceptor (simulated)' : 'EBDS acceptor (simulated)';
    this.#table = specsOf(options.currencies ?? (this.#plain ? ['HKD'] : ['MOP', 'HKD']));
    if (this.#plain && this.#table.length > 7)
      throw new RangeError(`${this.#table.length} notes; value indexes tell 7 apart`);
  }

  /** Puts the host's line into the unit's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#parser = EMPTY_PARSER;
    this.#plug.put(transport);
  }

  /** Pulls the line out of the plug; the host's end closes too. */
  unplug(): void {
    this.#plug.pull();
  }

  /** The port's word for what it does now; null without power. */
  state(): AcceptorState | null {
    this.settle();
    if (!this.powered) return null;
    if (this.mode === 'silent') return 'initializing';
    if (this.kept.owed !== null) return 'credited';
    return stateOf(this.#status(null, false), this.mode === 'held', (this.#poll?.notes ?? 0) === 0)[0];
  }

  override fault(fault: EbdsFault): void {
    if (fault === 'silence') this.#mutedUntilMs = this.clock.now() + this.silenceMs;
    else super.fault(fault);
  }

  protected shut(): string | null {
    if ((this.#poll?.notes ?? 0) === 0) return 'inhibited';
    return this.clock.now() - this.#polledAtMs > UNPOLLED_MS ? 'nobody asks' : null;
  }

  protected takes(note: Note): boolean {
    const at = indexOfNote(this.#table, note);
    const poll = this.#poll;
    if (at < 0 || poll === null || poll.notes === 0) return false;
    if (!this.#extended()) return (poll.notes & (1 << at)) !== 0;
    const inhibits = this.#inhibits;
    return inhibits === null || ((inhibits[Math.floor(at / 7)] ?? 0) & (1 << (at % 7))) !== 0;
  }

  protected forget(): void {
    this.#parser = EMPTY_PARSER;
    this.#mutedUntilMs = 0;
    this.#last = null;
    this.#poll = null;
    this.#inhibits = null;
    this.#blank = true;
  }

  #extended(): boolean {
    return !this.#plain && this.#poll?.extendedNotes === true;
  }

  // ---- the line ----

  #receive(bytes: Uint8Array): void {
    this.settle();
    if (!this.powered || this.mode === 'silent' || this.clock.now() < this.#mutedUntilMs) return;
    const parsed = parse(this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = parsed.state;
    for (const { frame } of parsed.frames) {
      if (this.#chance.happens(this.silencePerMille)) {
        this.#mutedUntilMs = this.clock.now() + this.silenceMs;
        return;
      }
      const reply = this.#reply(frame);
      if (reply === null) return;
      this.#plug.write(disturb(reply, this.line, this.#chance));
    }
  }

  #reply(frame: Frame): Uint8Array | null {
    this.#polledAtMs = this.clock.now();
    if (this.#last?.toggle === frame.toggle) return this.#last.reply;
    // The turned toggle: the last reply was heard, and what it told need not be reported again.
    const heard = this.#last?.said;
    if (heard === 'stacked') this.keep({ owed: null });
    else if (heard === 'returned') this.returned = false;
    else if (heard === 'rejected') this.rejected = false;
    const decoded = decodeHost(frame);
    const message = decoded.ok && this.#knows(decoded.value) ? decoded.value : null;
    if (message !== null && this.#o.silentTo?.includes(message.type)) {
      if (this.#o.silentTakesToggle && this.#last !== null)
        this.#last = { ...this.#last, toggle: frame.toggle };
      return null;
    }
    if (message?.type === 'soft-reset') {
      this.restart();
      return null;
    }
    if (message !== null && 'poll' in message) this.#obey(message.poll);
    if (message?.type === 'set-inhibits') this.#inhibits = message.enabled;
    if (message?.type === 'set-escrow-timeout') this.waitInEscrow(message.notesS);
    const said = this.#toSay(message);
    const reply = encodeUnit(this.#answer(message, said), frame.toggle);
    this.#last = { toggle: frame.toggle, reply, said };
    return reply;
  }

  #knows(message: HostMessage): boolean {
    if (message.type === 'poll' || message.type === 'soft-reset') return true;
    if (message.type === 'telemetry' || this.#pyramid) return message.type === 'telemetry' && this.#pyramid;
    const needsExtended = message.type === 'query-note' || message.type === 'set-inhibits';
    return !(this.#plain && needsExtended);
  }

  #obey(poll: Poll): void {
    const powerUp = this.#pyramid ? 'B' : poll.powerUp; // Pyramid has no such choice
    if (powerUp !== this.kept.powerUp) this.keep({ powerUp });
    this.#poll = poll;
    if (poll.move !== null) this.move(poll.move);
  }

  /** The one event that this reply tells; an answer without a status tells none. */
  #toSay(message: HostMessage | null): Said {
    if (message?.type === 'auxiliary' || message?.type === 'telemetry') return null;
    return this.kept.owed !== null
      ? 'stacked'
      : this.returned
        ? 'returned'
        : this.rejected
          ? 'rejected'
          : null;
  }

  #answer(message: HostMessage | null, said: Said): UnitMessage {
    const { owed, path } = this.kept;
    const status = this.#status(said, message === null);
    if (message !== null && message.type !== 'poll' && message.type !== 'soft-reset')
      return answerOf(message, status, this.#table, this.#o.tableEnd === 'index-0');
    if (message === null || !this.#extended()) return { type: 'status', status };
    const note =
      said === 'stacked' ? (owed?.note ?? null) : this.mode === 'escrow' ? (path?.note ?? null) : null;
    if (note !== null)
      return { type: 'note', status, index: 0, spec: this.#table[indexOfNote(this.#table, note)] ?? null };
    const isPlain = said === 'stacked' ? this.#o.plainValueless === true : !this.#blank || status.poweringUp;
    if (isPlain) return { type: 'status', status };
    this.#blank = false;
    return { type: 'note', status, index: 0, spec: null };
  }

  #status(said: Said, invalidCommand: boolean): Status {
    const { mode } = this;
    const { owed, path, cassette } = this.kept;
    const note = said === 'stacked' ? owed?.note : mode === 'escrow' ? path?.note : null;
    return {
      idling: mode === 'idle' && !this.stopped(this.#o.idlesWithoutCassette),
      accepting: mode === 'accepting',
      escrowed: mode === 'escrow',
      stacking: mode === 'stacking',
      stacked: said === 'stacked',
      returning: mode === 'returning' || mode === 'rejecting',
      returned: said === 'returned',
      cheated: mode === 'cheated',
      rejected: said === 'rejected',
      jammed: this.jammed,
      full: this.full(),
      cassette,
      paused: this.paused,
      calibration: this.calibrating,
      poweringUp:
        mode === 'power-up' || (said === 'stacked' && owed?.note === null && this.#o.plainValueless === true),
      invalidCommand,
      failure: this.broken,
      transportOpen: this.pathOpen,
      stalled: this.stalled,
      flashDownload: false,
      preStack: path?.at === 'beyond',
      rawBarcode: false,
      capabilities: !this.#plain,
      disabled: false,
      value: !note || this.#extended() ? 0 : indexOfNote(this.#table, note) + 1,
      model: 0x54,
      revision: 0x10,
    };
  }
}
