import { useState } from 'preact/hooks';
import { EndFault } from './end-fault.tsx';
import { FaultGuide, type StandingFault } from './fault-guide.tsx';
import { personsText, useServiceWords } from './service-words.ts';

/**
 * What is wrong with a device, what to do about it, the guide to its repair, and the way to end
 * what a person ends.
 */
export function DeviceFaults(props: {
  readonly placeOf: (fault: StandingFault) => string;
  readonly faults: readonly StandingFault[];
}) {
  const words = useServiceWords();
  const { s, code, tableCode, moment } = words;
  const [ending, setEnding] = useState<string | null>(null);
  const [guided, setGuided] = useState<StandingFault | null>(null);
  const keyOf = ({ device, fault }: StandingFault): string => `${device} ${fault}`;
  return (
    <>
      {props.faults.map((standing) => {
        const { device, fault, code: number, level, sinceMs, persons, canBeEnded, steps } = standing;
        const key = keyOf(standing);
        return (
          <div class="device-fault" key={key}>
            <p>
              <b class="bad">{tableCode('fault', fault)}</b>{' '}
              {number !== null && <span class="tag">{number}</span>}{' '}
              {level !== null && <span class="tag">{s(`level.${level}`)}</span>}{' '}
              {s('device.faultSince', { time: moment(sinceMs) })}
            </p>
            <p>{code('faultText', fault, { place: props.placeOf(standing) })}</p>
            <p>
              {steps.length > 0 && (
                <button type="button" class="button" onClick={() => setGuided(standing)}>
                  {s('repair.show')}
                </button>
              )}{' '}
              {persons.length > 0 && (
                <>
                  {s('device.endFaultBy', { who: personsText(persons, words) })}
                  {' · '}
                  {canBeEnded ? (
                    <button type="button" class="button" onClick={() => setEnding(key)}>
                      {s('device.endFault')}
                    </button>
                  ) : (
                    s('device.causeStands')
                  )}
                </>
              )}
            </p>
            {ending === key && canBeEnded && (
              <EndFault device={device} fault={fault} persons={persons} onClose={() => setEnding(null)} />
            )}
          </div>
        );
      })}
      {guided && (
        <FaultGuide
          key={keyOf(guided)}
          fault={guided}
          now={props.faults.find((each) => keyOf(each) === keyOf(guided)) ?? null}
          onClose={() => setGuided(null)}
        />
      )}
    </>
  );
}
