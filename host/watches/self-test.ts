import type { UploadStatus } from '../../ledger/sync/uploader.ts';
import type { CopyPage, SoftwarePage, StoragePage } from '../../wire/pages.ts';
import type { DeviceView } from '../../wire/view.ts';
import type { Terminal } from '../table/terminal.ts';
import { bookDifferences } from '../table/terminal.ts';
import { STORAGE_LIMITS } from './storage-watch.ts';
import type { Verification } from './verification.ts';

export type SelfTest = NonNullable<SoftwarePage['selfTest']>;

const MIB = 2 ** 20;

/** What a technician may ask of a terminal without opening it. Changes nothing. */
export async function runSelfTest(o: {
  readonly verification: Pick<Verification, 'run'>;
  readonly terminal: Terminal;
  readonly devices: readonly DeviceView[];
  readonly link: UploadStatus;
  readonly copy: CopyPage | null;
  readonly storage: StoragePage | null;
  /** The files of the program are those it started with and the approved ones. */
  readonly isCodeAuthentic: Promise<boolean>;
}): Promise<SelfTest> {
  const chain = await o.verification.run('ledger');
  const copied = o.copy?.state === 'following' ? await o.verification.run('copy') : null;
  const differences = bookDifferences(o.terminal.state, o.terminal.ledger.balances());
  return [
    { check: 'ledger-chain', ok: chain.ok, detail: chain.ok ? `${chain.entries} entries` : chain.problem },
    ...(o.copy === null
      ? []
      : [
          {
            check: 'ledger-copy',
            ok: copied?.ok === true,
            detail: copied?.problem || (o.copy.why ?? o.copy.state),
          },
        ]),
    { check: 'code', ok: await o.isCodeAuthentic, detail: '' },
    { check: 'books', ok: differences.length === 0, detail: differences.join('; ') },
    ...o.devices.map((device) => ({
      check: device.id,
      ok: device.fault === null && device.state !== 'offline',
      detail: device.fault ?? device.state,
    })),
    {
      check: 'centre',
      ok: o.link.state === 'up' || o.link.state === 'off',
      detail: o.link.lastError ?? o.link.state,
    },
    ...(o.storage === null ? [] : [diskCheck(o.storage)]),
  ];
}

function diskCheck({ refused, roomBytes, budgetBytes, slowestSyncMs }: StoragePage): SelfTest[number] {
  const room = `${Math.floor(roomBytes / MIB)} / ${budgetBytes / MIB} MiB, ${slowestSyncMs} ms`;
  const isEnough = roomBytes > (1 - STORAGE_LIMITS.low) * budgetBytes;
  return { check: 'disk', ok: refused === null && isEnough, detail: refused ?? room };
}
