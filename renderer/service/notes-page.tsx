import { useState } from 'preact/hooks';
import { BOX_KEEPERS } from '../../engine/table/duties.ts';
import type { Credential } from '../../wire/fields.ts';
import type { NoteOutcome, NotePage } from '../../wire/pages.ts';
import { acceptorsIn } from '../parts/boxes.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { whyText } from './entry-words.ts';
import { Choice, DataTable, Facts, Loaded, Pager } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';

const NOTES_PER_PAGE = 20;
const OUTCOMES = [
  'credited',
  'returned',
  'refused',
  'rejected',
  'held',
  'open',
] as const satisfies readonly NoteOutcome[];
const BAD: ReadonlySet<NoteOutcome> = new Set(['held', 'unknown']);

type Note = NotePage['notes'][number];

const valueText = ({ currency, valueMinor }: Note, { s, sum }: ServiceWords): string =>
  valueMinor === null ? s('none') : sum(valueMinor, currency);

/**
 * Every banknote with what became of it, and beside one of them the ledger and the line side by
 * side.
 */
export function NotesPage() {
  const words = useServiceWords();
  const { s, moment } = words;
  const { devices } = useView();
  const [acceptor, setAcceptor] = useState('');
  const [outcome, setOutcome] = useState('');
  const [path, setPath] = useState<readonly number[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const page = useQuery({
    query: 'notes',
    beforeSeq: path.at(-1) ?? null,
    limit: NOTES_PER_PAGE,
    acceptor: acceptor === '' ? null : Number(acceptor),
    outcome: OUTCOMES.find((each) => each === outcome) ?? null,
  });
  const asking =
    (set: (value: string) => void) =>
    (value: string): void => {
      set(value);
      setPath([]);
    };
  const acceptors = devices
    .filter(({ kind }) => kind === 'bill-acceptor')
    .map(({ id }) => id.replace(/^.*-/, ''));
  return (
    <>
      <Boxes words={words} />
      <div class="service-bar">
        <Choice
          label={s('device.bill-acceptor')}
          value={acceptor}
          onChange={asking(setAcceptor)}
          options={acceptors.map((each) => [each, `${s('device.bill-acceptor')} ${each}`])}
        />
        <Choice
          label={s('notes.what')}
          value={outcome}
          onChange={asking(setOutcome)}
          options={OUTCOMES.map((each) => [each, s(`notes.outcome.${each}`)])}
        />
        <button type="button" class="button" onClick={page.reload}>
          {s('reload')}
        </button>
      </div>
      <Loaded from={page}>
        {({ notes, olderSeq }) => {
          const shown = notes.find(({ seq }) => seq === chosen) ?? notes[0];
          return (
            <div class="notes">
              <div>
                <DataTable
                  label={s('page.notes')}
                  rows={notes}
                  keyOf={({ seq }) => seq}
                  columns={[
                    {
                      head: s('events.seq'),
                      cell: ({ seq }) => (
                        <button
                          type="button"
                          class="button"
                          aria-pressed={seq === shown?.seq}
                          onClick={() => setChosen(seq)}
                        >
                          {seq}
                        </button>
                      ),
                    },
                    { head: s('events.time'), cell: ({ atMs }) => moment(atMs) },
                    { head: s('device.bill-acceptor'), number: true, cell: (note) => note.acceptor },
                    { head: s('notes.value'), number: true, cell: (note) => valueText(note, words) },
                    {
                      head: s('notes.what'),
                      cell: (note) => (
                        <b class={BAD.has(note.outcome) ? 'bad' : note.outcome === 'credited' ? 'good' : ''}>
                          {s(`notes.outcome.${note.outcome}`)}
                        </b>
                      ),
                    },
                  ]}
                />
                <Pager path={path} older={olderSeq} onPath={setPath} />
              </div>
              {shown && <Story key={shown.seq} note={shown} />}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

const sinceText = (atMs: number, note: Note, { fixed }: ServiceWords): string =>
  `${fixed((atMs - note.atMs) / 1000, 2)} s`;

/**
 * What the ledger has of it, and what device and driver said to each other meanwhile; times count
 * from its first entry.
 */
function Story({ note }: { readonly note: Note }) {
  const words = useServiceWords();
  const { s, m, says, tableCode, language } = words;
  const trace = useQuery({ query: 'note-trace', seq: note.seq });
  return (
    <section class="device" aria-label={s('notes.one', { seq: note.seq })}>
      <h3>
        {s('notes.one', { seq: note.seq })} <small>{valueText(note, words)}</small>
      </h3>
      <Facts
        rows={[
          [s('notes.what'), s(`notes.outcome.${note.outcome}`)],
          [
            s('notes.why'),
            note.why === null ? s('none') : whyText(note.why, language, note.outcome === 'rejected'),
          ],
          [s('notes.seat'), note.seat ?? s('none')],
          [s('notes.case'), note.caseNo ?? s('none')],
        ]}
      />
      <h4>{s('notes.ledger')}</h4>
      <DataTable
        label={s('notes.ledger')}
        rows={note.steps}
        keyOf={({ seq }) => seq}
        columns={[
          { head: s('events.seq'), cell: ({ seq }) => seq },
          { head: '+', number: true, cell: ({ atMs }) => sinceText(atMs, note, words) },
          { head: s('events.kind'), cell: ({ kind }) => tableCode('event', kind) },
        ]}
      />
      <h4>{s('notes.trace')}</h4>
      <Loaded from={trace}>
        {(found) =>
          found === null || found.frames.length === 0 ? (
            <p class="service-note">{s('notes.noTrace')}</p>
          ) : (
            <DataTable
              label={s('notes.trace')}
              rows={found.frames.map((frame, index) => ({ ...frame, index }))}
              keyOf={({ index }) => index}
              columns={[
                { head: '+', number: true, cell: ({ atMs }) => sinceText(atMs, note, words) },
                { head: s('device.direction'), cell: ({ direction }) => s(`device.${direction}`) },
                { head: '×', number: true, cell: ({ times }) => (times === 1 ? '' : times) },
                { head: m('says'), words: true, cell: ({ says: keys }) => says(keys) },
                { head: s('device.bytes'), cell: ({ hex }) => <code>{hex}</code> },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  );
}

/** Cash boxes that are exchanged by announcement, and acceptors that wait after their last note. */
function Boxes({ words: { s, t, moment } }: { readonly words: ServiceWords }) {
  const { wire } = useStation();
  const view = useView();
  const [asks, ask] = useState(false);
  const [refused, setRefused] = useState('');
  const acceptors = acceptorsIn(view);
  const shut = acceptors.filter(({ shutAfterNote }) => shutAfterNote);
  const { drop } = view;
  const enter = async (credential: Credential): Promise<void> => {
    const command = drop
      ? ({ type: 'end-drop', credential } as const)
      : ({ type: 'announce-drop', acceptors: null, credential } as const);
    const answer = await wire.send(command);
    ask(false);
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
  };
  return (
    <section class="service-note" aria-label={s('notes.boxes')}>
      <h3>{s('notes.boxes')}</h3>
      {drop && (
        <p role="status">
          {s('notes.dropBy', { person: drop.name, time: moment(drop.sinceMs) })}{' '}
          {acceptors
            .flatMap(({ number, box }) => (box ? [`${number} ${s(`notes.box.${box}`)}`] : []))
            .join(' · ')}
        </p>
      )}
      {shut.length > 0 && (
        <p role="status">
          {s('notes.shutAfterNote', { acceptors: shut.map(({ number }) => number).join(', ') })}
        </p>
      )}
      {!asks ? (
        <button type="button" class="button" onClick={() => ask(true)}>
          {s(drop ? 'notes.endDrop' : 'notes.announceDrop')}
        </button>
      ) : (
        <PinPad
          title={s(drop ? 'notes.endDrop' : 'notes.announceDrop')}
          roles={BOX_KEEPERS}
          t={t}
          onCredential={(credential) => void enter(credential)}
          onClose={() => ask(false)}
        />
      )}
      <p class="service-answer bad" role="status">
        {refused}
      </p>
    </section>
  );
}
