import type { Ledger } from '../../ledger/store/ledger.store.ts';
import type { SoftwareFilesPage, SoftwarePage } from '../../wire/pages.ts';
import { byPackage, type Software } from '../program/software.ts';

export interface SoftwarePageOptions {
  readonly software: Software | Promise<Software>;
  readonly startedAtMs: number;
  readonly ledger: Pick<Ledger, 'head' | 'sqliteVersion'>;
  readonly ledgerPath: string;
  readonly selfTests: { readonly newest: SoftwarePage['selfTest'] };
}

export async function softwarePage(o: SoftwarePageOptions): Promise<SoftwarePage> {
  const { version, id } = await o.software;
  return {
    version,
    node: process.versions.node,
    sqlite: o.ledger.sqliteVersion,
    softwareId: id,
    startedAtMs: o.startedAtMs,
    ledgerPath: o.ledgerPath,
    ledgerEntries: o.ledger.head().seq,
    selfTest: o.selfTests.newest,
  };
}

export const softwareFilesPage = async ({
  software,
}: Pick<SoftwarePageOptions, 'software'>): Promise<SoftwareFilesPage> => ({
  files: byPackage((await software).files),
});
