import { useState } from 'preact/hooks';
import zhEvents from '../../locales/zh-Hant/events.json' with { type: 'json' };
import type { EventCode } from '../../wire/event-catalogue.ts';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { momentOfText } from '../texts/clock.ts';
import { BytesButton, EntryBody } from './entry-body.tsx';
import { TypedField } from './keypad.tsx';
import { MomentField, Periods } from './moment-field.tsx';
import { Choice, DataTable, Loaded, Pager } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const EVENTS_PER_PAGE = 40;
/** The same in every language. */
const CODES = Object.keys(zhEvents.name) as EventCode[];
const CLASSES = ['I', 'N', 'W', 'F'] as const;

/** The ledger as events: by code, class, seat, round, person and time, newest first. */
export function EventsPage() {
  const { s, code: text, tableCode, moment, eventName } = useServiceWords();
  const view = useView();
  const [code, setCode] = useState('');
  const [cls, setClass] = useState('');
  const [seat, setSeat] = useState('');
  const [round, setRound] = useState('');
  const [person, setPerson] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [isStored, setStored] = useState(false);
  /** `beforeSeq` of the pages gone through, newest page first. */
  const [path, setPath] = useState<readonly number[]>([]);
  const page = useQuery({
    query: 'events',
    beforeSeq: path.at(-1) ?? null,
    limit: EVENTS_PER_PAGE,
    kind: null,
    code: CODES.find((each) => each === code) ?? null,
    class: CLASSES.find((each) => each === cls) ?? null,
    seat: seat === '' ? null : Number(seat),
    roundId: round === '' ? null : round,
    person: person === '' ? null : person,
    fromMs: momentOfText(from, view.table.currency),
    toMs: momentOfText(to, view.table.currency),
  });
  /** Another question begins with the newest page. */
  const asking =
    (set: (value: string) => void) =>
    (value: string): void => {
      set(value);
      setPath([]);
    };
  return (
    <>
      <div class="service-bar">
        <Choice
          label={s('events.code')}
          value={code}
          onChange={asking(setCode)}
          options={CODES.map((each) => [each, `${each} ${eventName(each)}`])}
        />
        <Choice
          label={s('events.class')}
          value={cls}
          onChange={asking(setClass)}
          options={CLASSES.map((each) => [each, text('eventClass', each)])}
        />
        <Choice
          label={s('events.seat')}
          value={seat}
          onChange={asking(setSeat)}
          options={view.seats.map(({ seat: no }) => [String(no), String(no)])}
        />
        <TypedField
          label={s('events.round')}
          value={round}
          most={64}
          onValue={(typed) => asking(setRound)(typed.trim())}
        />
        <TypedField
          label={s('events.person')}
          value={person}
          most={40}
          onValue={(typed) => asking(setPerson)(typed.trim())}
        />
        <Periods
          onPeriod={(since, until) => {
            asking(setFrom)(since);
            setTo(until);
          }}
        />
        <MomentField label={s('events.from')} value={from} onChange={asking(setFrom)} />
        <MomentField label={s('events.to')} value={to} onChange={asking(setTo)} />
        <button type="button" class="button" onClick={page.reload}>
          {s('reload')}
        </button>
        <BytesButton on={isStored} onToggle={() => setStored(!isStored)} />
      </div>
      <Loaded from={page}>
        {({ events, olderSeq }) => (
          <>
            <DataTable
              label={s('page.events')}
              rows={events}
              keyOf={(event) => event.seq}
              columns={[
                { head: s('events.seq'), number: true, cell: (event) => event.seq },
                { head: s('events.time'), cell: (event) => moment(event.atMs) },
                {
                  head: s('events.code'),
                  cell: (event) =>
                    event.codes.map((coded) => (
                      <div key={coded.code}>
                        <span class="tag">{coded.code}</span>{' '}
                        <span class="tag">{text('eventClass', coded.class)}</span> {eventName(coded.code)}
                      </div>
                    )),
                },
                { head: s('events.kind'), cell: (event) => tableCode('event', event.kind) },
                { head: s('events.round'), cell: (event) => event.roundId ?? s('none') },
                {
                  head: s('events.body'),
                  cell: ({ kind, body }) => <EntryBody kind={kind} body={body} bytes={isStored} />,
                },
              ]}
            />
            <Pager path={path} older={olderSeq} onPath={setPath} />
          </>
        )}
      </Loaded>
    </>
  );
}
