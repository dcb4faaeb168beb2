import { useEffect, useState } from 'preact/hooks';
import { FaultGuide } from './fault-guide.tsx';
import type { PartKind, StandingFault } from './machine.ts';
import { personsText, useServiceWords } from './service-words.ts';

const keyOf = ({ device, fault }: StandingFault): string => `${device} ${fault}`;

/**
 * What is wrong with a part: the first of its faults, or the one that was chosen, with the guide to
 * its repair, which stays until it is closed; then the others.
 */
export function DeviceFaults(props: {
  readonly kind: PartKind;
  readonly placeOf: (fault: StandingFault) => string;
  readonly faults: readonly StandingFault[];
}) {
  const { kind, placeOf, faults } = props;
  const words = useServiceWords();
  const { s, m, code, tableCode, moment } = words;
  const [chosen, choose] = useState<StandingFault | null>(null);
  const [first] = faults;
  useEffect(() => {
    if (chosen === null && first !== undefined) choose(first);
  }, [chosen, first]);
  const shown = chosen ?? first ?? null;
  if (shown === null) return null;
  const now = faults.find((each) => keyOf(each) === keyOf(shown)) ?? null;
  const others = faults.filter((each) => keyOf(each) !== keyOf(shown));
  const { fault, code: number, level, sinceMs, persons } = shown;
  return (
    <div class="device-fault">
      <p>
        <b class="bad">{tableCode('fault', fault)}</b> {number !== null && <span class="tag">{number}</span>}{' '}
        {level !== null && <span class="tag">{s(`level.${level}`)}</span>}{' '}
        {s('device.faultSince', { time: moment(sinceMs) })}
      </p>
      <p>{code('faultText', fault, { place: placeOf(shown) })}</p>
      {persons.length > 0 && (
        <p class="quiet">
          {s('device.endFaultBy', { who: personsText(persons, words) })}
          {now?.canBeEnded === false && ` · ${s('device.causeStands')}`}
        </p>
      )}
      <FaultGuide key={keyOf(shown)} fault={shown} now={now} kind={kind} onClose={() => choose(null)} />
      {others.length > 0 && (
        <p class="service-bar">
          {m('more')}
          {others.map((each) => (
            <button type="button" key={keyOf(each)} class="button" onClick={() => choose(each)}>
              {tableCode('fault', each.fault)}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
