import { useState } from 'preact/hooks';
import type { DeviceFault } from '../../host/api.ts';
import { PinPad } from '../panel/pin-pad.tsx';
import { useStation } from '../station.ts';
import type { Answer } from '../wire.ts';
import { type ServiceWords, useServiceWords } from './service-words.ts';

/** Roles of one person, as 'attendant / supervisor'. */
const rolesText = (roles: DeviceFault['persons'][number], { s }: ServiceWords): string =>
  roles.map((role) => s(`role.${role}`)).join(' / ');

/** What is wrong with a device, what to do about it, and the way to end what does not end by itself. */
export function DeviceFaults(props: {
  readonly device: string;
  readonly place: string;
  readonly faults: readonly DeviceFault[];
}) {
  const words = useServiceWords();
  const { s, code, moment } = words;
  const [ending, setEnding] = useState<string | null>(null);
  return (
    <>
      {props.faults.map(({ fault, code: number, level, sinceMs, persons, canBeEnded }) => (
        <div class="device-fault" key={fault}>
          <p>
            <b class="bad">{code('fault', fault)}</b> {number !== null && <span class="tag">{number}</span>}{' '}
            {level !== null && <span class="tag">{s(`level.${level}`)}</span>}{' '}
            {s('device.faultSince', { time: moment(sinceMs) })}
          </p>
          <p>{code('faultText', fault, { place: props.place })}</p>
          {persons.length > 0 && (
            <p>
              {s('device.endFaultBy', { who: persons.map((roles) => rolesText(roles, words)).join(' + ') })}
              {' · '}
              {canBeEnded ? (
                <button type="button" class="button" onClick={() => setEnding(fault)}>
                  {s('device.endFault')}
                </button>
              ) : (
                s('device.causeStands')
              )}
            </p>
          )}
          {ending === fault && canBeEnded && (
            <EndFault device={props.device} fault={fault} persons={persons} onClose={() => setEnding(null)} />
          )}
        </div>
      ))}
    </>
  );
}

/** One PIN after the other, as many as the fault needs. */
function EndFault(props: {
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
        title={rolesText(persons[first === null ? 0 : 1] ?? [], words)}
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
