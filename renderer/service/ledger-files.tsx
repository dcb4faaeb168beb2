import type { CopyPage } from '../../wire/pages.ts';
import { useView } from '../station/station.ts';
import { DeviceFaults } from './device-faults.tsx';
import { Facts, Reason } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/**
 * The ledger's second file: how far it is, what is wrong with either file, and the way to end what
 * a person ends.
 */
export function LedgerFiles({ copy }: { readonly copy: CopyPage }) {
  const { s, count } = useServiceWords();
  return (
    <article class="device" aria-label={s('software.copy')}>
      <h3>{s('software.copy')}</h3>
      <Facts
        rows={[
          [s('software.copyPath'), <code>{copy.path}</code>],
          [
            s('software.copyState'),
            <b class={copy.state === 'following' ? '' : 'bad'}>
              {s(`copyState.${copy.state}`)}
              {copy.why !== null && (
                <>
                  : <Reason text={copy.why} />
                </>
              )}
            </b>,
          ],
          [s('software.copyBehind'), count(copy.behind)],
        ]}
      />
      <DeviceFaults
        kind="copy"
        placeOf={({ device }) => s(device === 'ledger' ? 'storage.fileLedger' : 'storage.fileCopy')}
        faults={copy.faults}
      />
    </article>
  );
}

/**
 * Over every page of service mode while a file of the ledger has a fault; a touch leads to where it
 * is shown.
 */
export function LedgerBanner({ onOpen }: { readonly onOpen: () => void }) {
  const { ledgerFaults } = useView();
  const { tableCode } = useServiceWords();
  if (ledgerFaults.length === 0) return null;
  return (
    <button type="button" class="button service-banner" onClick={onOpen}>
      {ledgerFaults.map((fault) => tableCode('fault', fault)).join(' · ')}
    </button>
  );
}
