import { useState } from 'preact/hooks';
import type { Credential } from '../../wire/fields.ts';
import type { DeviceFault } from '../../wire/pages.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { useStation } from '../station/station.ts';
import type { Answer } from '../station/wire.ts';
import { personsText, useServiceWords } from './service-words.ts';

/** One person after the other, as many as the fault needs. */
export function EndFault(props: {
  readonly device: string;
  readonly fault: string;
  readonly persons: DeviceFault['persons'];
  readonly onClose: () => void;
}) {
  const { device, fault, persons, onClose } = props;
  const { wire } = useStation();
  const words = useServiceWords();
  const [first, setFirst] = useState<Credential | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const onCredential = async (entered: Credential): Promise<void> => {
    if (first === null && persons.length > 1) setFirst(entered);
    else {
      const by = first === null ? { credential: entered } : { credential: first, secondCredential: entered };
      setFirst(null);
      setAnswer(await wire.send({ type: 'end-fault', device, fault, ...by }));
    }
  };
  const roles = persons[first === null ? 0 : 1] ?? [];
  return (
    <div class="service-switch">
      <PinPad
        key={first === null ? 'first' : 'second'}
        title={personsText([roles], words)}
        roles={roles}
        except={first?.person}
        t={words.t}
        onCredential={(entered) => void onCredential(entered)}
        onClose={onClose}
      />
      <p class="service-answer bad" role="status">
        {answer?.status === 'rejected' ? words.t(`reject.${answer.code}`) : ''}
      </p>
    </div>
  );
}
