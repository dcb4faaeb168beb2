import { useState } from 'preact/hooks';
import type { DeviceFault } from '../../host/api.ts';
import { PinPad } from '../panel/pin-pad.tsx';
import { useStation } from '../station.ts';
import type { Answer } from '../wire.ts';
import { personsText, useServiceWords } from './service-words.ts';

/** One PIN after the other, as many as the fault needs. */
export function EndFault(props: {
  readonly device: string;
  readonly fault: string;
  readonly persons: DeviceFault['persons'];
  readonly onClose: () => void;
}) {
  const { device, fault, persons, onClose } = props;
  const { wire } = useStation();
  const words = useServiceWords();
  const [first, setFirst] = useState<string | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const onPin = async (entered: string): Promise<void> => {
    if (first === null && persons.length > 1) setFirst(entered);
    else {
      const pins = first === null ? { pin: entered } : { pin: first, secondPin: entered };
      setFirst(null);
      setAnswer(await wire.send({ type: 'end-fault', device, fault, ...pins }));
    }
  };
  return (
    <div class="service-switch">
      <PinPad
        title={personsText([persons[first === null ? 0 : 1] ?? []], words)}
        t={words.t}
        onPin={(entered) => void onPin(entered)}
        onClose={onClose}
      />
      <p class="service-answer bad" role="status">
        {answer?.status === 'rejected' ? words.t(`reject.${answer.code}`) : ''}
      </p>
    </div>
  );
}
