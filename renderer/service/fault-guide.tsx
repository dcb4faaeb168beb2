import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { EndFault } from './end-fault.tsx';
import type { PartKind, StandingFault } from './machine.ts';
import { PartDrawing } from './part-drawing.tsx';
import { personsText, useServiceWords } from './service-words.ts';

/**
 * The repair of one fault: its drawing, and its steps with the one that is due lit. No button ends
 * it: the fault is over when the host says so, whatever step is shown; where persons must look at
 * it, their PINs are asked for as soon as its cause is gone.
 */
export function FaultGuide(props: {
  /** As it stood when the guide was opened. */
  readonly fault: StandingFault;
  /** As it stands now; null = it is over. */
  readonly now: StandingFault | null;
  readonly kind: PartKind;
  readonly onClose: () => void;
}) {
  const { fault, now, kind, onClose } = props;
  const words = useServiceWords();
  const { s, m, code, tableCode } = words;
  const [at, setAt] = useState(0);
  const [isSigning, setSigning] = useState(true);
  const guide = useRef<HTMLElement>(null);
  const { steps, where, persons } = fault;
  // Whatever had the focus may be gone with the fault.
  const isOver = now === null;
  useLayoutEffect(() => guide.current?.focus(), [isOver]);
  const isDone = at >= steps.length;
  const mayConfirm = now?.canBeEnded === true && persons.length > 0;
  const isWorked = now !== null && !mayConfirm;
  const due = isWorked ? (steps[at] ?? null) : null;
  return (
    <section
      class="fault-guide"
      aria-label={`${s('repair.show')}: ${tableCode('fault', fault.fault)}`}
      tabIndex={-1}
      ref={guide}
    >
      {where !== null && (
        <PartDrawing
          kind={kind}
          marked={now === null ? null : { fault: fault.fault, where, step: due, no: at + 1 }}
        />
      )}
      {now === null ? (
        <p class="guide-said good" role="status">
          {s(persons.length > 0 ? 'repair.confirmed' : 'repair.over')}
        </p>
      ) : (
        <>
          {where !== null && (
            <p class="guide-where">
              {s('repair.where')}: <b>{code('where', where)}</b>
            </p>
          )}
          <ol class="guide-steps">
            {steps.map((step, index) => (
              <li
                key={step}
                class={index < at ? 'guide-done' : ''}
                aria-current={step === due ? 'step' : undefined}
              >
                {code('repairStep', step)}
              </li>
            ))}
          </ol>
        </>
      )}
      {mayConfirm && (
        <>
          <p class="guide-said" role="status">
            {s('repair.confirm', { who: personsText(persons, words) })}
          </p>
          {isSigning ? (
            <EndFault
              device={fault.device}
              fault={fault.fault}
              persons={persons}
              onClose={() => setSigning(false)}
            />
          ) : (
            <button type="button" class="button button-gold" onClick={() => setSigning(true)}>
              {m('confirm')}
            </button>
          )}
        </>
      )}
      {isWorked && (
        <p class={isDone ? 'guide-said' : 'heard'} role="status">
          {isDone ? s('repair.waiting') : s('repair.step', { no: at + 1, count: steps.length })}
        </p>
      )}
      <div class="guide-keys">
        {isWorked && steps.length > 0 && (
          <>
            <button
              type="button"
              class={isDone ? 'button' : 'button button-gold'}
              onClick={() => setAt(isDone ? 0 : at + 1)}
            >
              {s(isDone ? 'repair.again' : 'repair.next')}
            </button>
            <button type="button" class="button" disabled={at === 0} onClick={() => setAt(at - 1)}>
              {s('repair.back')}
            </button>
          </>
        )}
        {now === null && (
          <button type="button" class="button button-gold" onClick={onClose}>
            {s('repair.close')}
          </button>
        )}
      </div>
    </section>
  );
}
