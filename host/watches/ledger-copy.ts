import type { Person } from '../../engine/table/inputs.ts';
import { type CopyStatus, type Follower, followLedger } from '../../ledger/copy/follow-worker.ts';
import { askForWholeCheck, type CopyState, markCopyBehind } from '../../ledger/copy/mend.store.ts';
import { evidenceName } from '../../ledger/copy/rebuild.store.ts';
import type { LedgerKey } from '../../ledger/store/ledger.store.ts';
import { personsFor } from '../../wire/faults.ts';
import type { CopyPage } from '../../wire/pages.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { describeFault } from './faults.ts';
import type { Verification } from './verification.ts';

/** Entries that the copy may lack before it is a fault: a few seconds of the fullest table. */
const MOST_BEHIND = 2_000;
const LOOK_EVERY_MS = 500;

/** Both files are read whole once a day; the first time when the start is over. */
const FIRST_CHECK_MS = 60_000;
const CHECK_EVERY_MS = 24 * 3_600_000;

export interface LedgerCopyOptions {
  readonly terminal: Terminal;
  readonly verification: Pick<Verification, 'run'>;
  readonly ledgerPath: string;
  readonly copyPath: string;
  readonly key: LedgerKey;
  /** What the start has found. */
  readonly found: CopyState;
  readonly log: (line: string) => void;
  /** Ends this process, whose successor mends the ledger. */
  readonly end: (why: string) => void;
}

const LEDGER = 'ledger';
const COPY = 'ledger-copy';

/**
 * The second file of the ledger beside the terminal: followed, watched, and told of in the ledger
 * and in service mode.
 */
export class LedgerCopy {
  readonly #o: LedgerCopyOptions;
  #status: CopyStatus = { state: 'starting' };
  #follower: Follower | null = null;
  #changed: () => void = () => {};
  #check: NodeJS.Timeout | null = null;
  #look: NodeJS.Timeout | null = null;
  #nextCheckAtMs: number | null = null;
  #isLate = false;
  #stopping = false;

  constructor(options: LedgerCopyOptions) {
    this.#o = options;
  }

  start(changed: () => void): void {
    const { terminal, found } = this.#o;
    this.#changed = changed;
    this.#announceRepair();
    if (found.state === 'foreign') this.#take({ state: 'failing', why: found.why });
    else if (found.state === 'rebuild') this.#makeAnew(found.why);
    else this.#follow(false);
    terminal.onCommit(() => this.#follower?.wake());
    this.#look = setInterval(() => this.#lookBehind(), LOOK_EVERY_MS);
    this.#look.unref();
    this.#checkIn(FIRST_CHECK_MS);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#check) clearTimeout(this.#check);
    if (this.#look) clearInterval(this.#look);
    await this.#follower?.stop();
  }

  page(): CopyPage {
    const headSeq = this.#o.terminal.ledger.head().seq;
    const copiedSeq = this.#follower?.copiedSeq() ?? 0;
    return {
      path: this.#o.copyPath,
      state: this.#status.state,
      why: 'why' in this.#status ? this.#status.why : null,
      copiedSeq,
      behind: headSeq - copiedSeq,
      // What stands was mended already, or ends by itself.
      faults: this.#standing().map((fault) => ({
        device: fault.device,
        ...describeFault(this.#o.terminal.state, fault, true),
      })),
    };
  }

  /** Whether faults of `device` are ended here. */
  isMine(device: string): boolean {
    return device === LEDGER || device === COPY;
  }

  /** Ends a fault that needs persons; the caller has checked who they are. */
  release(device: string, fault: string, persons: readonly Person[], commandId: string): Outcome {
    const stands = this.#standing().some((known) => known.device === device && known.fault === fault);
    if (!stands || personsFor(fault).length === 0)
      return { status: 'rejected', code: 'nothing-to-do', cites: [], detail: `${device} ${fault}` };
    return this.#o.terminal.submit({ type: 'clear-fault', device, fault, persons }, commandId);
  }

  /**
   * Reads both files whole. A damaged copy is rebuilt; with a damaged ledger the process ends
   * between two rounds.
   */
  async checkAll(): Promise<void> {
    const { verification, log } = this.#o;
    const ledger = await verification.run('ledger');
    if (this.#stopping) return;
    if (!ledger.ok) return this.#ledgerIsDamaged(ledger.problem);
    if (this.#status.state !== 'following') return;
    const copy = await verification.run('copy');
    if (this.#stopping || copy.ok) return;
    log(`copy of the ledger: ${copy.problem}`);
    await this.#follower?.stop();
    this.#makeAnew(copy.problem);
  }

  /** Of both files, wall clock; null when none is due. */
  get nextCheckAtMs(): number | null {
    return this.#nextCheckAtMs;
  }

  #checkIn(ms: number): void {
    this.#nextCheckAtMs = this.#o.terminal.now() + ms;
    this.#check = setTimeout(() => {
      this.checkAll().catch((error: Error) => this.#o.log(`check of the ledger: ${error.message}`));
      this.#checkIn(CHECK_EVERY_MS);
    }, ms);
    this.#check.unref();
  }

  #follow(again: boolean): void {
    const { ledgerPath, copyPath, key, terminal } = this.#o;
    this.#take({ state: 'starting' });
    const follower = followLedger(ledgerPath, copyPath, {
      terminalId: terminal.ledger.terminalId,
      key,
      again,
      onStatus: (status) => {
        if (this.#follower === follower && !this.#stopping) this.#take(status);
      },
    });
    this.#follower = follower;
  }

  /** @param why null where there has never been a copy */
  #makeAnew(why: string | null): void {
    const { terminal, ledgerPath, copyPath, log } = this.#o;
    // Until it is level again it is not to be relied on.
    markCopyBehind(ledgerPath, true);
    if (why !== null) {
      log(`copy of the ledger: rebuilt from the ledger: ${why}`);
      terminal.record({
        type: 'ledger-repaired',
        file: 'copy',
        why,
        fromSeq: 1,
        toSeq: terminal.ledger.head().seq,
        isComplete: true,
        evidence: evidenceName(copyPath),
      });
      this.#report(COPY, 'ledger-repaired', why);
    }
    this.#follow(true);
  }

  #take(status: CopyStatus): void {
    const { ledgerPath, copyPath, log } = this.#o;
    this.#status = status;
    switch (status.state) {
      case 'starting':
        break;
      case 'following':
        markCopyBehind(ledgerPath, false);
        this.#clear(COPY, 'ledger-copy-failed');
        break;
      case 'failing':
        log(`copy of the ledger ${copyPath}: ${status.why}`);
        markCopyBehind(ledgerPath, true);
        this.#report(COPY, 'ledger-copy-failed', status.why);
        break;
      case 'damaged':
        if (status.file === 'copy') this.#makeAnew(status.why);
        else this.#ledgerIsDamaged(status.why);
        break;
    }
    this.#changed();
  }

  /** A copy that is written, but too slowly. */
  #lookBehind(): void {
    const { behind } = this.page();
    const isLate = this.#isLate ? behind > 0 : this.#status.state === 'following' && behind > MOST_BEHIND;
    if (isLate === this.#isLate) return;
    this.#isLate = isLate;
    if (isLate) this.#take({ state: 'failing', why: `it is ${behind} entries behind` });
    else this.#take({ state: 'following' });
  }

  #ledgerIsDamaged(why: string): void {
    const { terminal, ledgerPath, log, end } = this.#o;
    log(`LEDGER DAMAGED: ${why}; it is mended by the next start`);
    askForWholeCheck(ledgerPath);
    this.#report(LEDGER, 'ledger-damaged', why);
    const endBetweenRounds = (): void => {
      if (terminal.state.round === null && !this.#stopping) end(`the ledger is damaged: ${why}`);
    };
    terminal.onCommit(endBetweenRounds);
    endBetweenRounds();
  }

  /** A repair of the start is in the ledger before anybody could be told of it. */
  #announceRepair(): void {
    const { terminal, log } = this.#o;
    const { ledger } = terminal;
    this.#clear(LEDGER, 'ledger-damaged');
    const downToSeq = Math.max(1, ledger.head().seq - NEWEST);
    const [repair] = ledger.newest({ beforeSeq: null, downToSeq, limit: 1, kind: 'ledger-repaired' });
    if (repair === undefined || (repair.body as { file: string }).file !== 'ledger') return;
    const told = ledger
      .newest({ beforeSeq: null, downToSeq: repair.seq, limit: NEWEST, kind: 'fault-reported' })
      .some(({ body }) => (body as { device: string; fault: string }).device === LEDGER);
    if (told) return;
    const { why } = repair.body as { why: string };
    log(`the ledger was repaired from its copy: ${why}`);
    this.#report(LEDGER, 'ledger-repaired', why);
  }

  #standing(): Terminal['state']['faults'] {
    return this.#o.terminal.state.faults.filter(({ device }) => this.isMine(device));
  }

  #report(device: string, fault: string, place: string): void {
    if (this.#standing().some((known) => known.device === device && known.fault === fault)) return;
    this.#o.terminal.submit({ type: 'report-fault', device, fault, place });
  }

  #clear(device: string, fault: string): void {
    if (this.#standing().some((known) => known.device === device && known.fault === fault))
      this.#o.terminal.submit({ type: 'clear-fault', device, fault });
  }
}

/**
 * Entries in which a repair that nobody was told of can stand: it is the newest entry of its start.
 */
const NEWEST = 1_000;
