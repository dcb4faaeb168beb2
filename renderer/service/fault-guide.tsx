import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DeviceFault } from '../../wire/pages.ts';
import { EndFault } from './end-fault.tsx';
import { personsText, useServiceWords } from './service-words.ts';

export interface StandingFault extends DeviceFault {
  readonly device: string;
}

/**
 * The repair of one fault, a step at a time. No button ends it: the fault is over when the host
 * says so, whatever step is shown; where persons must look at it, their PINs are asked for as soon
 * as its cause is gone.
 */
export function FaultGuide(props: {
  /** As it stood when the guide was opened. */
  readonly fault: StandingFault;
  /** As it stands now; null = it is over. */
  readonly now: StandingFault | null;
  readonly onClose: () => void;
}) {
  const { fault, now, onClose } = props;
  const words = useServiceWords();
  const { s, code, tableCode } = words;
  const [at, setAt] = useState(0);
  const guide = useRef<HTMLElement>(null);
  const { steps, where, persons } = fault;
  // Whatever had the focus may be gone with the fault.
  const isOver = now === null;
  useLayoutEffect(() => guide.current?.focus(), [isOver]);
  const isDone = at >= steps.length;
  const mayConfirm = now?.canBeEnded === true && persons.length > 0;
  const title = `${s('repair.show')}: ${tableCode('fault', fault.fault)}`;
  return (
    <section
      class="fault-guide"
      aria-label={title}
      tabIndex={-1}
      ref={guide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <h4>{title}</h4>
      {now === null ? (
        <p class="guide-step good" role="status">
          {s(persons.length > 0 ? 'repair.confirmed' : 'repair.over')}
        </p>
      ) : mayConfirm ? (
        <>
          <p class="guide-step" role="status">
            {s('repair.confirm', { who: personsText(persons, words) })}
          </p>
          <EndFault device={fault.device} fault={fault.fault} persons={persons} onClose={onClose} />
        </>
      ) : (
        <>
          <p>
            {s('repair.where')}: <b>{where !== null && code('where', where)}</b>
          </p>
          <div role="status">
            {!isDone && <p>{s('repair.step', { no: at + 1, count: steps.length })}</p>}
            <p class="guide-step">{isDone ? s('repair.waiting') : code('repairStep', steps[at]!)}</p>
          </div>
        </>
      )}
      <div class="guide-keys">
        {now !== null && !mayConfirm && (
          <>
            <button type="button" class="button" disabled={at === 0} onClick={() => setAt(at - 1)}>
              {s('repair.back')}
            </button>
            <button type="button" class="button button-gold" onClick={() => setAt(isDone ? 0 : at + 1)}>
              {s(isDone ? 'repair.again' : 'repair.next')}
            </button>
          </>
        )}
        <button type="button" class="button" onClick={onClose}>
          {s('repair.close')}
        </button>
      </div>
    </section>
  );
}
