import { Bi, biText } from '../parts/bilingual.tsx';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { formatSecond } from '../texts/clock.ts';
import { houseLanguage } from '../texts/i18n.ts';

/** The last round and nine before it. */
const OFFERED = 10;

/** Which of the last rounds the big table plays again; while it plays one, the way back. */
export function RecallRounds({ onDone }: { readonly onDone: () => void }) {
  const station = useStation();
  const { table, recall } = useView();
  const { data, failure } = useQuery({ query: 'rounds', beforeNo: null, limit: OFFERED });
  return (
    <>
      {recall && (
        <button
          type="button"
          class="button button-gold"
          onClick={() => {
            void station.send('dealer', { type: 'hide-recall' });
            onDone();
          }}
        >
          <Bi text={(t) => t('recall.close')} />
        </button>
      )}
      {(failure !== null || data?.rounds.length === 0) && (
        <p class="dialog-text">
          <Bi text={(t) => t(failure === null ? 'recall.none' : 'recall.failed')} />
        </p>
      )}
      <div class="menu menu-rounds">
        {data?.rounds.map(({ roundId, no, openedAtMs }) => (
          <button
            type="button"
            key={roundId}
            class="button menu-item"
            aria-label={biText((t) => t('recall.label', { no }))}
            onClick={() => {
              void station.send('dealer', { type: 'show-recall', roundId });
              onDone();
            }}
          >
            <b>{no}</b> <small>{formatSecond(openedAtMs, table.currency, houseLanguage())}</small>
          </button>
        ))}
      </div>
    </>
  );
}
