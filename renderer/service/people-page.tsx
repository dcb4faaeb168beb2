import { useState } from 'preact/hooks';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import type { Credential } from '../../wire/fields.ts';
import type { PeoplePage as People } from '../../wire/pages.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import type { Answer } from '../station/wire.ts';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const LIVE_MS = 1_000;
/** For how long the maker's people can be admitted, in hours. */
const HOURS = [1, 4, 12] as const;

/** Who may be let in, whose list says so and for how long, and whether the maker is admitted. */
export function PeoplePage() {
  const { s, t, moment } = useServiceWords();
  const page = useQuery({ query: 'people' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {({ people, roster, closed, makerUntilMs }) => (
        <>
          <Facts
            rows={[
              [
                s('people.list'),
                roster === null ? s('people.ofFile') : s('people.ofCentre', { no: roster.no }),
              ],
              [s('people.until'), roster === null ? s('none') : moment(roster.untilMs)],
            ]}
          />
          {closed && (
            <p class="service-note bad" role="alert">
              {t(`pin.closed.${closed}`)}
            </p>
          )}
          <Maker untilMs={makerUntilMs} />
          <DataTable<People['people'][number]>
            label={s('page.people')}
            rows={people}
            keyOf={({ id }) => id}
            columns={[
              { head: s('people.number'), number: true, cell: ({ number }) => number },
              { head: s('people.name'), words: true, cell: ({ name }) => name },
              { head: s('people.role'), cell: ({ role }) => s(`role.${role}`) },
              { head: s('people.card'), cell: ({ hasCard }) => s(hasCard ? 'people.hasCard' : 'none') },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

/** The maker's people look at the machine for as long as a supervisor says. */
function Maker({ untilMs }: { readonly untilMs: number | null }) {
  const { wire } = useStation();
  const { s, t, moment } = useServiceWords();
  const [hours, setHours] = useState<number | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const admit = async (credential: Credential): Promise<void> => {
    const answered = await wire.send({ type: 'admit-manufacturer', hours: hours ?? 0, credential });
    setAnswer(answered);
    if (answered?.status !== 'rejected') setHours(null);
  };
  return (
    <article class="device" aria-label={s('role.manufacturer')}>
      <h3>{s('role.manufacturer')}</h3>
      <p>{untilMs === null ? s('people.makerOut') : s('people.makerIn', { time: moment(untilMs) })}</p>
      <p class="service-bar">
        {[...HOURS, ...(untilMs === null ? [] : [0])].map((each) => (
          <button
            type="button"
            key={each}
            class="button"
            aria-pressed={each === hours}
            onClick={() => setHours(each)}
          >
            {each === 0 ? s('people.makerEnd') : s('people.admit', { n: each })}
          </button>
        ))}
      </p>
      {hours !== null && (
        <PinPad
          title={t('dealer.supervisorPin')}
          t={t}
          roles={SUPERVISORS}
          onCredential={(credential) => void admit(credential)}
          onClose={() => setHours(null)}
        />
      )}
      <p class="service-answer bad" role="status">
        {answer?.status === 'rejected' ? t(`reject.${answer.code}`) : ''}
      </p>
    </article>
  );
}
