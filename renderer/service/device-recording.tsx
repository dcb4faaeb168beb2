import { useState } from 'preact/hooks';
import { useStation } from '../station/station.ts';
import { useServiceWords } from './service-words.ts';

/** Saves what the device has said lately into a file of the terminal, for whoever mends it. */
export function DeviceRecording({ device }: { readonly device: string }) {
  const { wire } = useStation();
  const { s, t, failure } = useServiceWords();
  const [said, setSaid] = useState('');
  const save = async (): Promise<void> => {
    const answer = await wire.query({ query: 'recording', device });
    if (!answer.ok) return setSaid(s('device.notRecorded', { why: failure(answer.code) }));
    const { path, why } = answer.data;
    if (path !== null) return setSaid(s('device.recorded', { path }));
    setSaid(s('device.notRecorded', { why: why === 'card-hidden' ? t('reject.card-hidden') : (why ?? '') }));
  };
  return (
    <p class="service-bar">
      <button type="button" class="button" disabled={wire.state.value !== 'up'} onClick={() => void save()}>
        {s('device.record')}
      </button>{' '}
      <output>{said}</output>
    </p>
  );
}
