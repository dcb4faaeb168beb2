import type { ProfileEdit } from '../../wire/fields.ts';
import { useQuery } from '../station/use-query.ts';
import { DataTable, Loaded } from './parts.tsx';
import type { ServiceWords } from './service-words.ts';

const LIVE_MS = 1_000;
const DIGITS = 4;

/** What the house keeps of each bet with the options chosen, and which favours the player. */
export function Edges({ edit, words }: { readonly edit: ProfileEdit; readonly words: ServiceWords }) {
  const { s, fixed, code, tableCode } = words;
  // A bet that is played in one way alone is no bet of its own.
  const name = (bet: string): string =>
    bet.includes(' ') ? code('edges.of', bet) : tableCode('bet.name', bet);
  const page = useQuery({ query: 'figures', edit }, LIVE_MS);
  const part = (of: string): string => fixed(100 * Number(of), DIGITS);
  return (
    <>
      <h3>{s('edges.title')}</h3>
      <p class="service-note">{s('edges.about')}</p>
      <Loaded from={page}>
        {({ state, why, bets, notEnumerated }) =>
          state === 'done' ? (
            <>
              <DataTable
                label={s('edges.title')}
                rows={bets}
                keyOf={({ bet }) => bet}
                columns={[
                  { head: s('edges.bet'), words: true, cell: ({ bet }) => name(bet) },
                  { head: s('edges.edge'), cell: ({ edge }) => `${part(edge)} %` },
                  {
                    head: s('edges.how'),
                    words: true,
                    cell: ({ error, favoursPlayer }) => (
                      <>
                        {error === null ? s('edges.exact') : s('edges.estimate', { error: part(error) })}{' '}
                        {favoursPlayer && <span class="bad">{s('edges.favours')}</span>}
                      </>
                    ),
                  },
                ]}
              />
              {notEnumerated.length > 0 && (
                <p class="service-note">
                  {s('edges.none', {
                    bets: notEnumerated.map(name).join(', '),
                  })}
                </p>
              )}
            </>
          ) : (
            <p class="service-note" role="status">
              {state === 'working' ? s('edges.working') : s('edges.failed', { why: why ?? '' })}
            </p>
          )
        }
      </Loaded>
    </>
  );
}
