import type { Person } from '../../engine/table/inputs.ts';
import type { UploadStatus } from '../../ledger/sync/uploader.ts';
import type { CopyPage, SoftwarePage, StoragePage } from '../../wire/pages.ts';
import type { DeviceView } from '../../wire/view.ts';
import type { Terminal } from '../table/terminal.ts';
import { bookDifferences } from '../table/terminal.ts';
import { STORAGE_LIMITS } from './storage-watch.ts';
import type { Verification } from './verification.ts';

export type SelfTest = NonNullable<SoftwarePage['selfTest']>;

const MIB = 2 ** 20;

export interface IntegrityOptions {
  readonly terminal: Terminal;
  readonly verification: Pick<Verification, 'run'>;
  readonly copy: { page(): CopyPage } | null;
  /** Whether the files of the program are those it started with and the approved ones. */
  readonly watches: { checkCode(): Promise<boolean> };
}

interface SelfTestOptions extends IntegrityOptions {
  readonly centre: { readonly status: UploadStatus };
  readonly devices: { views(): readonly DeviceView[] };
  readonly storage: { page(): StoragePage | null } | null;
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** What a technician may ask of a terminal without opening it. Changes nothing. */
export class SelfTests {
  /** The newest one of this life; null = there is none, or it is running. */
  newest: SelfTest | null = null;
  readonly #o: SelfTestOptions;

  constructor(o: SelfTestOptions) {
    this.#o = o;
  }

  run(person: Person): void {
    const { terminal, changed, log } = this.#o;
    this.newest = null;
    checksOf(this.#o).then(
      (result) => {
        this.newest = result;
        const failed = result.filter((check) => !check.ok).map((check) => check.check);
        terminal.record({ type: 'self-test-run', person, passed: failed.length === 0, failed });
        changed();
      },
      (error: Error) => log(`self-test: ${error.message}`),
    );
  }
}

/** Whether program, ledger, its copy and the books are what they should be. */
export async function integrityOf(o: IntegrityOptions): Promise<SelfTest> {
  const copy = o.copy?.page() ?? null;
  const isCodeAuthentic = o.watches.checkCode();
  const chain = await o.verification.run('ledger');
  const copied = copy?.state === 'following' ? await o.verification.run('copy') : null;
  const differences = bookDifferences(o.terminal.state, o.terminal.ledger.balances());
  return [
    { check: 'ledger-chain', ok: chain.ok, detail: chain.ok ? `${chain.entries} entries` : chain.problem },
    ...(copy === null
      ? []
      : [
          {
            check: 'ledger-copy',
            ok: copied?.ok === true,
            detail: copied?.problem || (copy.why ?? copy.state),
          },
        ]),
    { check: 'code', ok: await isCodeAuthentic, detail: '' },
    { check: 'books', ok: differences.length === 0, detail: differences.join('; ') },
  ];
}

async function checksOf(o: SelfTestOptions): Promise<SelfTest> {
  // As things are at the moment of the touch: the whole check of the ledger may take minutes.
  const devices = o.devices.views();
  const link = o.centre.status;
  const storage = o.storage?.page() ?? null;
  return [
    ...(await integrityOf(o)),
    ...devices.map((device) => ({
      check: device.id,
      ok: device.fault === null && device.state !== 'offline',
      detail: device.fault ?? device.state,
    })),
    {
      check: 'centre',
      ok: link.state === 'up' || link.state === 'off',
      detail: link.lastError ?? link.state,
    },
    ...(storage === null ? [] : [diskCheck(storage)]),
  ];
}

function diskCheck({ refused, roomBytes, budgetBytes, slowestSyncMs }: StoragePage): SelfTest[number] {
  const room = `${Math.floor(roomBytes / MIB)} / ${budgetBytes / MIB} MiB, ${slowestSyncMs} ms`;
  const isEnough = roomBytes > (1 - STORAGE_LIMITS.low) * budgetBytes;
  return { check: 'disk', ok: refused === null && isEnough, detail: refused ?? room };
}
