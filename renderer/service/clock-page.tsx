import { useQuery } from '../station/use-query.ts';
import { spanText } from './entry-words.ts';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const LIVE_MS = 1_000;
const STEPS_SHOWN = 20;
/** What is longer is said in seconds, minutes and hours. */
const IN_MS = 10_000;

/** The clock of the terminal: what it shows, how it goes, and when somebody has set it. */
export function ClockPage() {
  const { s, moment, clock, count, language } = useServiceWords();
  const page = useQuery({ query: 'clock' }, LIVE_MS);
  const off = (value: number): string =>
    `${value > 0 ? '+' : ''}${Math.abs(value) < IN_MS ? `${count(value).replace('-', '−')} ms` : spanText(value, language)}`;
  return (
    <>
      <Loaded from={page}>
        {({ wallMs, ledgerMs, startedAtMs, driftMs, stepMs, centre }) => (
          <>
            <p class="clock-now">
              {moment(wallMs)} <small>{clock(wallMs)}</small>
            </p>
            <Facts
              rows={[
                [s('clock.players'), clock(wallMs)],
                [
                  s('clock.ledger'),
                  ledgerMs - wallMs > stepMs ? (
                    <b class="bad">
                      {moment(ledgerMs)} · {s('clock.behind')}
                    </b>
                  ) : (
                    moment(ledgerMs)
                  ),
                ],
                [
                  s('clock.drift'),
                  <b class={Math.abs(driftMs) > stepMs ? 'bad' : ''}>
                    {off(driftMs)} · {s('clock.since', { time: moment(startedAtMs) })}
                  </b>,
                ],
                [s('clock.step'), `${count(stepMs)} ms`],
                [s('clock.centre'), centre.offMs === null ? s('none') : off(centre.offMs)],
                [s('clock.ack'), moment(centre.ackAtMs)],
              ]}
            />
          </>
        )}
      </Loaded>
      <Steps />
    </>
  );
}

interface Jumped {
  readonly byMs: number;
  readonly wallMs: number;
}

/** Every time the wall clock has jumped, as the ledger has it. */
function Steps() {
  const { s, moment, language } = useServiceWords();
  const page = useQuery({
    query: 'events',
    beforeSeq: null,
    limit: STEPS_SHOWN,
    kind: 'clock-jumped',
  });
  return (
    <article class="device" aria-label={s('clock.steps')}>
      <h3>{s('clock.steps')}</h3>
      <Loaded from={page}>
        {({ events }) =>
          events.length === 0 ? (
            <p class="service-note">{s('clock.noStep')}</p>
          ) : (
            <DataTable
              label={s('clock.steps')}
              rows={events.map(({ seq, atMs, body }) => ({ seq, atMs, ...(body as Jumped) }))}
              keyOf={({ seq }) => seq}
              columns={[
                { head: s('events.seq'), cell: ({ seq }) => seq },
                { head: s('events.time'), cell: ({ atMs }) => moment(atMs) },
                {
                  head: s('clock.by'),
                  number: true,
                  cell: ({ byMs }) => `${byMs > 0 ? '+' : ''}${spanText(byMs, language)}`,
                },
                { head: s('clock.to'), cell: ({ wallMs }) => moment(wallMs) },
              ]}
            />
          )
        }
      </Loaded>
    </article>
  );
}
