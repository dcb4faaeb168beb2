/**
 * What was so when something went wrong: for every fault that pauses, holds, locks or stops, a file
 * with what all devices have said in the minute before, the state of the table, and where the
 * ledger stood, signed with the terminal's key. It lies among the recordings and goes into every
 * export.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownState } from '../../engine/engine.ts';
import type { TableState } from '../../engine/table/state.ts';
import { canonicalText } from '../../ledger/chain/canonical.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import type { Entry, LedgerKey } from '../../ledger/store/ledger.store.ts';
import { type FaultLevel, faultRow } from '../../wire/faults.ts';
import type { Terminal } from '../table/terminal.ts';
import type { Drivers } from './drivers.ts';
import { repeated } from './note-traces.ts';

const BEFORE_MS = 60_000;
/** Polls that are the same count once. */
const MOST_FRAMES = 2_000;
/** The newest; some 50 kB each. */
const KEPT = 100;
const NAME = /^evidence-\d{12}-[a-z-]+\.jsonl$/;
/** A notice and a mouth that is shut are no matter of evidence. */
const FROM: ReadonlySet<FaultLevel> = new Set<FaultLevel>(['P', 'H', 'L', 'X']);

interface EvidenceOptions {
  readonly terminal: Terminal;
  readonly key: Pick<LedgerKey, 'publicKey' | 'sign'>;
  readonly folder: string;
  readonly drivers: Pick<Drivers, 'frames'>;
  readonly devices: () => readonly { readonly id: string }[];
  readonly log: (line: string) => void;
}

/** What is signed, after the line `banca-evidence-v1`. */
export const evidenceBytes = (evidence: unknown): Uint8Array =>
  Buffer.from(`banca-evidence-v1\n${canonicalText(evidence)}`);

/** Without the cards that nobody may know, and what is left in the shoe, which tells them. */
function stateShown(state: TableState): unknown {
  const { shoe, ...known } = knownState(state) as TableState;
  const { counts: _, ...shown } = shoe;
  return { ...known, shoe: shown };
}

export class Evidence {
  readonly #o: EvidenceOptions;
  #hasFailed = false;

  constructor(o: EvidenceOptions) {
    this.#o = o;
  }

  /** Entries of a commit that is on the disk. */
  take(entries: readonly Entry[]): void {
    for (const { kind, seq, atMs, body } of entries) {
      if (kind !== 'fault-reported') continue;
      const { device, fault, place } = body as { device: string; fault: string; place: string };
      const level = faultRow(fault)?.level;
      if (level !== undefined && FROM.has(level)) void this.#keep({ seq, atMs, device, fault, place, level });
    }
  }

  async #keep(about: {
    readonly seq: number;
    readonly atMs: number;
    readonly device: string;
    readonly fault: string;
    readonly place: string;
    readonly level: FaultLevel;
  }): Promise<void> {
    const { terminal, key, folder, drivers, devices, log } = this.#o;
    try {
      const head = terminal.ledger.head();
      const evidence = {
        ...about,
        terminal: terminal.ledger.terminalId,
        ledger: { seq: head.seq, hash: toHex(head.hash) },
        state: stateShown(terminal.state),
        frames: Object.fromEntries(
          devices().map(({ id }) => [
            id,
            repeated(drivers.frames(id, about.atMs - BEFORE_MS, terminal.now())).slice(-MOST_FRAMES),
          ]),
        ),
      };
      const signed = {
        evidence,
        publicKey: toHex(key.publicKey),
        signature: toHex(key.sign(evidenceBytes(evidence))),
      };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const name = `evidence-${String(about.seq).padStart(12, '0')}-${about.fault}.jsonl`;
      // Under its name it is whole.
      const part = join(folder, `${name}.part`);
      await writeFile(part, `${JSON.stringify(signed)}\n`, { mode: 0o600 });
      await rename(part, join(folder, name));
      const kept = readdirSync(folder)
        .filter((each) => NAME.test(each))
        .toSorted();
      for (const oldest of kept.slice(0, -KEPT)) rmSync(join(folder, oldest), { force: true });
    } catch (error) {
      // Said once: no evidence is worth a terminal.
      if (!this.#hasFailed) log(`evidence of ${about.fault} is not kept: ${(error as Error).message}`);
      this.#hasFailed = true;
    }
  }
}
