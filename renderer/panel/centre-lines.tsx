import type { SeatView } from '../../wire/view.ts';
import { Bi } from '../parts/bilingual.tsx';
import { useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { formatSecond } from '../texts/clock.ts';
import { AccountRow } from './account-row.tsx';

/**
 * At the dealer's edge: what the casino's centre has ordered and says, and a link that is not as it
 * should be.
 */
export function CentreAlerts() {
  const { link, centre, table } = useView();
  const { state, downSinceMs, ackedUpToMs } = link;
  return (
    <>
      {centre?.lock != null && (
        <li class="alert alert-hold">
          <Bi text={(t) => t('dealer.centreLock', { reason: centre.lock ?? '' })} />
        </li>
      )}
      {centre?.maintenance !== undefined && (
        <li class="alert alert-hold">
          <Bi text={(t) => t('dealer.centreMaintenance', { reason: centre.maintenance ?? '' })} />
        </li>
      )}
      {centre?.message && (
        <li class="alert alert-call">
          <Bi text={(_, language) => centre.message?.[language] ?? ''} />
        </li>
      )}
      {state === 'fork' && (
        <li class="alert alert-hold">
          <Bi text={(t) => t('dealer.linkFork')} />
        </li>
      )}
      {state === 'down' && (
        <li class="alert alert-quiet">
          <Bi
            text={(t, language) => {
              const time = (atMs: number): string => formatSecond(atMs, table.currency, language);
              if (downSinceMs === null) return t('dealer.linkDown');
              const since = time(downSinceMs);
              return ackedUpToMs === null
                ? t('dealer.linkNothing', { since })
                : t('dealer.linkUpTo', { since, upTo: time(ackedUpToMs) });
            }}
          />
        </li>
      )}
    </>
  );
}

/**
 * Between rounds, on the panel of whoever has nothing at stake: what the casino says takes the
 * place of the invitation.
 */
export function CentreBody({ seat }: { readonly seat: SeatView }) {
  const { centre } = useView();
  const { t } = useWords();
  return (
    <div class="message message-wait" role="status">
      {centre?.message && <span class="centre-message">{centre.message[seat.language]}</span>}
      {(centre?.lock != null || centre?.maintenance !== undefined) && (
        <span class={centre.message ? 'quiet' : ''}>{t('seat.centreLock')}</span>
      )}
      {!seat.free && <AccountRow seat={seat} />}
    </div>
  );
}
