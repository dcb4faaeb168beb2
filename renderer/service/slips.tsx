import { useState } from 'preact/hooks';
import type { SlipRow } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { DataTable } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/** A slip once more, as a copy; `refused` says why not. */
export function usePrintAgain() {
  const { wire } = useStation();
  const { s, t } = useServiceWords();
  const [refused, setRefused] = useState('');
  const print = async ({ slip, of }: Pick<SlipRow, 'slip' | 'of'>): Promise<void> => {
    const answer = await wire.send({ type: 'print-slip', slip, of });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
  };
  const button = (row: Pick<SlipRow, 'slip' | 'of'>) => (
    <button type="button" class="button" disabled={wire.state.value !== 'up'} onClick={() => void print(row)}>
      {s('slips.print')}
    </button>
  );
  return { button, refused };
}

/** What a printer was to put on paper, and the way to have it once more, as a copy. */
export function Slips({ slips }: { readonly slips: readonly SlipRow[] }) {
  const { s, code, moment } = useServiceWords();
  const { button, refused } = usePrintAgain();
  return (
    <details open={slips.some(({ state }) => state === 'not-printed')}>
      <summary>{s('slips.title')}</summary>
      {slips.length === 0 ? (
        <p class="service-note">{s('slips.none')}</p>
      ) : (
        <DataTable
          label={s('slips.title')}
          rows={slips}
          keyOf={({ slip, of }) => `${slip} ${of}`}
          columns={[
            { head: s('slips.time'), cell: ({ atMs }) => moment(atMs) },
            { head: s('slips.what'), cell: ({ slip }) => code('word', slip) },
            { head: s('slips.about'), cell: ({ of }) => of },
            {
              head: s('slips.state'),
              cell: ({ state }) => (
                <b class={state === 'printed' ? 'good' : state === 'not-printed' ? 'bad' : ''}>
                  {s(`slips.${state}`)}
                </b>
              ),
            },
            { head: s('slips.print'), cell: button },
          ]}
        />
      )}
      <output class="bad">{refused}</output>
    </details>
  );
}
