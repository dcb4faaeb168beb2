import { useState } from 'preact/hooks';
import type { NoteTablePage, TriedNote } from '../../wire/pages.ts';
import { useStation, useView } from '../station/station.ts';
import { DataTable } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';

/**
 * The unit's own table of notes, which of its rows count, and the way to find out with the notes in
 * hand. What was tried is signed where the fault `notes-unconfirmed` is ended.
 */
export function NoteTable({ device, notes }: { readonly device: string; readonly notes: NoteTablePage }) {
  const { wire } = useStation();
  const { table } = useView();
  const words = useServiceWords();
  const { s, t, money, sum } = words;
  const [refused, setRefused] = useState('');
  const { rows, notesMinor, trial } = notes;
  const feed = async (valueMinor: number | null): Promise<void> => {
    const answer = await wire.send({ type: 'try-note', device, valueMinor });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
  };
  return (
    <details open={notes.persons === null || trial !== null}>
      <summary>{s('noteTable.title')}</summary>
      <p class={notes.persons === null ? 'bad' : ''}>{confirmedText(notes, words)}</p>
      <DataTable
        label={s('noteTable.title')}
        rows={rows}
        keyOf={({ said }) => said}
        columns={[
          { head: s('noteTable.said'), cell: ({ said }) => <code>{said}</code> },
          {
            head: s('noteTable.value'),
            number: true,
            cell: ({ valueMinor }) => (valueMinor === null ? s('none') : money(valueMinor)),
          },
          { head: s('noteTable.currency'), cell: ({ currency }) => currency ?? s('noteTable.noCurrency') },
          {
            head: s('noteTable.counts'),
            cell: ({ counts }) =>
              counts === null ? (
                s('noteTable.givenBack')
              ) : (
                <b class="good">{sum(counts.valueMinor, counts.currency)}</b>
              ),
          },
        ]}
      />
      <p class="service-note">{s('noteTable.how')}</p>
      <div class="service-bar">
        {notesMinor.map((valueMinor) => (
          <button
            type="button"
            key={valueMinor}
            class="button"
            aria-pressed={trial?.inHandMinor === valueMinor}
            onClick={() => void feed(valueMinor)}
          >
            {s('noteTable.feed', { note: sum(valueMinor, table.currency) })}
          </button>
        ))}
        {trial !== null && trial.inHandMinor !== null && (
          <button type="button" class="button" onClick={() => void feed(null)}>
            {s('noteTable.enough')}
          </button>
        )}
      </div>
      <output class={trial?.last && trial.last.says !== 'agrees' ? 'bad' : 'good'}>
        {trial?.last ? saidText(trial.last, words) : ''}
      </output>
      <p class="service-answer bad" role="status">
        {refused}
      </p>
    </details>
  );
}

function confirmedText({ persons }: NoteTablePage, { s }: ServiceWords): string {
  if (persons === null) return s('noteTable.unconfirmed');
  if (persons.length === 0) return s('noteTable.byDemonstration');
  return s('noteTable.confirmedBy', { who: persons.map(({ name }) => name).join(', ') });
}

function saidText({ inHandMinor, row, says }: TriedNote, { s, money }: ServiceWords): string {
  const value = row === null || row.valueMinor === null ? [] : [money(row.valueMinor)];
  const unit = row === null ? s('none') : [row.currency ?? [], value, `[${row.said}]`].flat().join(' ');
  return s(`noteTable.says.${says}`, { unit, note: money(inHandMinor) });
}
