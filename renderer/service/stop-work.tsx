import { useState } from 'preact/hooks';
import type { Work } from '../../wire/commands.ts';
import { useStation } from '../station/station.ts';
import { useServiceWords } from './service-words.ts';

/** Ends what is running before its end. */
export function StopWork({ work }: { readonly work: Work }) {
  const { wire } = useStation();
  const { m, t } = useServiceWords();
  const [refused, setRefused] = useState('');
  const stop = async (): Promise<void> => {
    const answer = await wire.send({ type: 'stop-work', work });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
  };
  return (
    <p class="service-bar">
      <button type="button" class="button" disabled={wire.state.value !== 'up'} onClick={() => void stop()}>
        {m('stop')}
      </button>
      <output class="bad">{refused}</output>
    </p>
  );
}
