import type { SeatView } from '../../host/api.ts';
import { formatSecond } from '../clock.ts';
import { useView } from '../station.ts';
import { useWords } from '../words.ts';
import { Bi } from './bilingual.tsx';

/** At the dealer's edge: what the casino's centre has ordered and says, and a link that is not as it should be. */
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

/** On a player's panel, in his language. What is to be read before anything else stands first. */
export function CentreLines({ seat }: { readonly seat: SeatView }) {
  const { centre } = useView();
  const { t } = useWords();
  if (!centre) return null;
  return (
    <>
      {centre.message && (
        <p class="note" role="status">
          {centre.message[seat.language]}
        </p>
      )}
      {centre.lock !== null && (
        <p class="note note-fault" role="status">
          {t('seat.centreLock')}
        </p>
      )}
    </>
  );
}
