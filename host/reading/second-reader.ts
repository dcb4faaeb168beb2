import { READ_RULEBOOKS } from '../../reader/form.ts';
import type { ReadingPage } from '../../wire/pages.ts';
import { questionOf } from '../table/round-facts.ts';
import type { Terminal } from '../table/terminal.ts';
import type { MoneyToRead, SecondReader as Reads, Unagreed } from '../table/to-read.ts';
import type { OwnFaults } from '../watches/own-faults.ts';
import { differencesOf } from './compare.ts';
import { ReaderProcess, type ReaderProcessOptions } from './reader-process.ts';

/** Answers whose time is kept. */
const KEPT = 1_000;

/** What an absent reader means for a round: its money waits, or moves with a mark in the ledger. */
export type WhenAbsent = 'hold' | 'go-on';

export interface ReadingOptions extends Pick<ReaderProcessOptions, 'program' | 'longestMs'> {
  readonly whenAbsent: WhenAbsent;
}

/** Every payment of a round, read a second time before its money moves. */
export class SecondReader implements Reads {
  readonly #o: ReadingOptions;
  readonly #process: ReaderProcess;
  #terminal: Terminal | null = null;
  #faults: OwnFaults | null = null;
  #isThere = false;
  #isStopped = false;
  #count = 0;
  /** Ms of the newest answers. */
  readonly #took: number[] = [];

  constructor(o: ReadingOptions, log: (line: string) => void) {
    this.#o = o;
    this.#process = new ReaderProcess({ ...o, log, is: (gone) => this.#is(gone) });
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  /** It has answered since it was started last. */
  get isThere(): boolean {
    return this.#isThere;
  }

  start(terminal: Terminal, faults: OwnFaults): void {
    this.#terminal = terminal;
    this.#faults = faults;
    terminal.onCommit(() => setImmediate(() => this.#goOn()));
    this.#process.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#process.stop();
  }

  page(): ReadingPage {
    const sorted = this.#took.toSorted((a, b) => a - b);
    const at = (part: number): number | null => sorted[Math.floor(part * sorted.length)] ?? null;
    const { whenAbsent } = this.#o;
    return { whenAbsent, isThere: this.#isThere, count: this.#count, medianMs: at(0.5), p95Ms: at(0.95) };
  }

  read({ round, state, ask }: MoneyToRead): Unagreed | null {
    const { rulebook } = state.profile!;
    // A game that a test has handed in: a start for money refuses it by its name.
    if (!READ_RULEBOOKS.includes(rulebook)) return this.#unread(ask, `${rulebook} is not read`, false);
    const began = performance.now();
    const reply = this.#process.read(questionOf(round, state, ask));
    if (typeof reply === 'string') return this.#unread(ask, reply, this.#o.whenAbsent === 'hold');
    this.#took[this.#count % KEPT] = performance.now() - began;
    this.#count += 1;
    const account = differencesOf(round.events, state, ask, reply);
    if (account === null) return null;
    return { holds: true, why: 'differs', record: { type: 'reading-differed', ...account } };
  }

  #unread(ask: MoneyToRead['ask'], why: string, holds: boolean): Unagreed {
    return { holds, why: 'absent', record: holds ? null : { type: 'round-unread', ask, why } };
  }

  #is(gone: string | null): void {
    const fault = this.#o.whenAbsent === 'hold' ? 'reader-gone' : 'reader-missed';
    this.#faults!.set('reader', fault, gone !== null, gone === null ? {} : { place: gone });
    this.#isThere = gone === null;
    this.#goOn();
  }

  /** What waited for the reader alone goes on by itself. */
  #goOn(): void {
    const terminal = this.#terminal!;
    if (!this.#isThere || this.#isStopped) return;
    const { unread, hold, service } = terminal.state;
    if (unread?.why === 'absent' && hold?.code === 'unread' && service === null)
      terminal.submit({ type: 'read-again', person: null });
  }
}
