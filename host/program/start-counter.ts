/**
 * How often this machine's terminal was started, counted by a TPM: a number that goes up and never
 * down, whatever is put back on any disk. The ledger says with each start what it found and to what
 * it will count; only then it is counted. So a start that dies in between leaves a number within
 * what the ledger has said, and an image of an earlier life one above it.
 *
 * tpm2-tools speak to the TPM: three short calls at a start, one of which writes.
 */
import { spawnSync } from 'node:child_process';
import type { Dispute } from '../../ledger/store/witness.store.ts';
import type { Counted } from '../../wire/host-events.ts';
import type { Starts } from './life.ts';

/** Of the range that is the owner's; a TPM counts for one terminal. */
const INDEX = '0x1500BA4';
const ATTRIBUTES = 'nt=counter|ownerread|ownerwrite|authread|authwrite|no_da';
const ANSWER_WITHIN_MS = 10_000;
/** TPM_RC_HANDLE of the first handle: there is no such index. */
const NOT_DEFINED = /\b0x18b\b/i;
/** TPM_RC_NV_UNINITIALIZED: it is defined and was never counted up. */
const NEVER_COUNTED = /\b0x14a\b/i;

export class StartCounter {
  readonly #tcti: string;

  /** `tcti`: which TPM, as tpm2-tools take it: `device:/dev/tpmrm0`. */
  constructor(tcti: string) {
    this.#tcti = tcti;
  }

  /**
   * The number, 0 while it was never counted; null = the TPM has no such counter yet. Throws Error
   * with a sentence.
   */
  read(): number | null {
    const known = this.#run('tpm2_nvreadpublic', [INDEX]);
    if (NOT_DEFINED.test(known.said)) return null;
    // Another kind of index can be written with any number.
    if (known.ok && !/nt=0x1\b/.test(known.text)) throw new Error(`TPM: ${INDEX} is no counter`);
    if (!known.ok) throw new Error(`TPM: ${known.said}`);
    const { ok, bytes, said } = this.#run('tpm2_nvread', ['-s', '8', INDEX]);
    if (NEVER_COUNTED.test(said)) return 0;
    if (!ok || bytes.length !== 8) throw new Error(`TPM: ${said || `${bytes.length} bytes, not 8`}`);
    const count = Number(bytes.readBigUInt64BE());
    if (!Number.isSafeInteger(count)) throw new Error(`TPM: ${INDEX} holds ${bytes.toString('hex')}`);
    return count;
  }

  /**
   * The number with a counter that is there: the first one of a TPM begins above every number that
   * it has counted before.
   */
  readOrBegin(): number {
    if (this.read() === null) this.#must('tpm2_nvdefine', ['-C', 'o', '-s', '8', '-a', ATTRIBUTES, INDEX]);
    if (this.read() === 0) this.#must('tpm2_nvincrement', [INDEX]);
    return this.read() ?? 0;
  }

  /** Counts up until the number is `wanted`. Throws Error with a sentence. */
  countTo(wanted: number): void {
    for (let count = this.readOrBegin(); count < wanted; count += 1) this.#must('tpm2_nvincrement', [INDEX]);
  }

  #must(program: string, args: readonly string[]): void {
    const { ok, said } = this.#run(program, args);
    if (!ok) throw new Error(`TPM: ${said}`);
  }

  #run(program: string, args: readonly string[]): { ok: boolean; bytes: Buffer; text: string; said: string } {
    const { status, stdout, stderr, error } = spawnSync(program, ['-T', this.#tcti, ...args], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      timeout: ANSWER_WITHIN_MS,
      maxBuffer: 65_536,
    });
    const lines = (stderr ?? Buffer.alloc(0)).toString().split('\n');
    const said = error?.message ?? lines.filter((line) => line.startsWith('ERROR')).join('; ');
    const bytes = stdout ?? Buffer.alloc(0);
    return {
      ok: status === 0,
      bytes,
      text: bytes.toString(),
      said: said || `${program} ended with ${status}`,
    };
  }
}

/**
 * Why a ledger with these starts may not be gone on with by the counter, null = it may. `counter`
 * null: the terminal file names none.
 */
export function counterDispute(
  { count, counter: known }: Starts,
  counter: StartCounter | null,
): Dispute | null {
  if (counter === null && known === null) return null;
  let now: number | null;
  try {
    if (counter === null) throw new Error('the terminal file names no TPM');
    now = counter.read();
  } catch (error) {
    // A ledger that was never counted is not locked by a TPM that does not answer; the start says
    // that it is not counted.
    return (
      known && {
        kind: 'unwitnessed',
        why: `the starts of this ledger are counted: ${(error as Error).message}`,
        must: null,
      }
    );
  }
  if (known === null)
    return now === null || now === 0 || count === 0
      ? null
      : {
          kind: 'older',
          why: `the TPM has counted ${now} starts and this ledger, which is not the first, none`,
          must: null,
        };
  if (now === null || now < known.found)
    return {
      kind: 'unwitnessed',
      why: `the TPM counted start ${known.found} when this ledger was started, and ${now ?? 'none'} now: it is another one`,
      must: null,
    };
  if (now <= known.willBe) return null;
  return {
    kind: 'older',
    why: `the TPM has counted start ${now}, this ledger knows of none after ${known.willBe}: data folder and witness are older`,
    must: null,
  };
}

/** A start in two steps, with its entry between them. */
export interface CountedStart {
  /**
   * For the entry of this start: above all that an image of an earlier life can name. Null = it is
   * not counted.
   */
  readonly counted: Counted | null;
  /** Counts it; a sentence why it was not, else null. */
  now(): string | null;
}

/**
 * Throws Error with a sentence where the starts of this ledger are counted and the TPM does not
 * answer.
 */
export function countedStart(counter: StartCounter | null, { counter: known }: Starts): CountedStart {
  if (counter === null) return { counted: null, now: () => null };
  let counted: Counted;
  try {
    const found = counter.readOrBegin();
    counted = { found, willBe: Math.max(found, known?.willBe ?? 0) + 1 };
  } catch (error) {
    if (known !== null) throw error;
    return { counted: null, now: () => (error as Error).message };
  }
  return {
    counted,
    now: () => {
      try {
        counter.countTo(counted.willBe);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}
