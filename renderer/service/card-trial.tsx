import { useState } from 'preact/hooks';
import type { CardTrial as Trial } from '../../wire/pages.ts';
import { CardSign } from '../parts/bilingual.tsx';
import { useStation } from '../station/station.ts';
import { useServiceWords } from './service-words.ts';

/** Cards fed through the shoe to see what it reads of them; none is a card of the table. */
export function CardTrial({ trial }: { readonly trial: Trial }) {
  const { wire } = useStation();
  const { s, t, count } = useServiceWords();
  const [refused, setRefused] = useState('');
  const { isTrying, mayTry, last } = trial;
  const turn = async (on: boolean): Promise<void> => {
    const answer = await wire.send({ type: 'try-cards', on });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
  };
  return (
    <details open={isTrying}>
      <summary>{s('cardTrial.title')}</summary>
      <p class="service-note">{s('cardTrial.how')}</p>
      <p class="service-bar">
        <button
          type="button"
          class="button"
          aria-pressed={isTrying}
          disabled={!isTrying && !mayTry}
          onClick={() => void turn(!isTrying)}
        >
          {isTrying ? s('cardTrial.end') : s('cardTrial.begin')}
        </button>
      </p>
      {isTrying && <p class="drill-mark">測試 · TESTE · TEST</p>}
      {last && (
        <output class={last.card === null ? 'bad' : 'good'}>
          {last.card === null ? (
            s('cardTrial.notRead')
          ) : (
            <>
              <CardSign card={last.card} /> {s('cardTrial.confidence', { n: count(last.confidence) })}
            </>
          )}
        </output>
      )}
      <p class="service-answer bad" role="status">
        {refused}
      </p>
    </details>
  );
}
