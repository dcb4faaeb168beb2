import { useState } from 'preact/hooks';
import { BOX_KEEPERS } from '../../engine/table/duties.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi } from '../parts/bilingual.tsx';
import { acceptorsIn } from '../parts/boxes.ts';
import { useView } from '../station/station.ts';
import { Frame, Seats, type SendProps, StaffPad } from './dialog-parts.tsx';

/** What is to be signed by a PIN. */
type Asked =
  | { readonly type: 'open-acceptor'; readonly acceptor: number }
  | { readonly type: 'announce-drop'; readonly acceptors: number[] | null }
  | { readonly type: 'end-drop' };

/** At the dealer's edge: boxes that are exchanged, and acceptors that wait to be opened again. */
export function BoxAlerts() {
  const view = useView();
  const shut = acceptorsIn(view).filter(({ shutAfterNote }) => shutAfterNote);
  return (
    <>
      {view.drop && (
        <li class="alert alert-call">
          <Bi text={(t) => t('desk.dropStands', numbersOf(view))} />
        </li>
      )}
      {shut.length > 0 && (
        <li class="alert alert-call">
          <Bi text={(t) => t('desk.shutAfterNote', { acceptors: numbers(shut) })} />
        </li>
      )}
    </>
  );
}

const numbers = (acceptors: readonly { readonly number: number }[]): string =>
  acceptors.length === 0 ? '–' : acceptors.map(({ number }) => number).join(', ');

function numbersOf(view: TableView): { due: string; out: string } {
  const acceptors = acceptorsIn(view);
  return {
    due: numbers(acceptors.filter(({ box }) => box === 'due')),
    out: numbers(acceptors.filter(({ box }) => box === 'out')),
  };
}

/** Acceptors are opened again one by one; cash boxes are exchanged, some or all of them. */
export function BoxDesk({ open, send }: SendProps) {
  const view = useView();
  const [chosen, choose] = useState<readonly number[]>([]);
  const [asked, ask] = useState<Asked | null>(null);
  if (asked !== null)
    return (
      <StaffPad
        title={(t) => t('cashOut.pin')}
        roles={BOX_KEEPERS}
        onCredential={(credential) => send({ ...asked, credential })}
        onClose={() => ask(null)}
      />
    );
  const acceptors = acceptorsIn(view);
  const toggle = (number: number): void =>
    choose(chosen.includes(number) ? chosen.filter((other) => other !== number) : [...chosen, number]);
  return (
    <Frame title={(t) => t('desk.boxes')} open={open} back="desk">
      {acceptors
        .filter(({ shutAfterNote }) => shutAfterNote)
        .map(({ number }) => (
          <div class="desk-row" key={number}>
            <p class="desk-fact">
              <Bi text={(t) => t('desk.acceptor', { acceptor: number })} />
            </p>
            <button
              type="button"
              class="button button-gold"
              onClick={() =>
                ask({
                  type: 'open-acceptor',
                  acceptor: number,
                })
              }
            >
              <Bi text={(t) => t('desk.openAcceptor')} />
            </button>
          </div>
        ))}
      {view.drop ? (
        <>
          <p class="dialog-text" role="status">
            <Bi text={(t) => t('desk.dropStands', numbersOf(view))} />
          </p>
          <button
            type="button"
            class="button"
            disabled={acceptors.some(({ box }) => box === 'out')}
            onClick={() => ask({ type: 'end-drop' })}
          >
            <Bi text={(t) => t('desk.endDrop')} />
          </button>
        </>
      ) : (
        <>
          <p class="dialog-text">
            <Bi text={(t) => t('desk.whichBoxes')} />
          </p>
          <Seats seats={acceptors.map(({ number }) => number)} chosen={chosen} onTouch={toggle} />
          <button
            type="button"
            class="button button-gold"
            onClick={() =>
              ask({
                type: 'announce-drop',
                acceptors: chosen.length === 0 ? null : [...chosen],
              })
            }
          >
            <Bi text={(t) => t(chosen.length === 0 ? 'desk.dropAll' : 'desk.dropChosen')} />
          </button>
        </>
      )}
    </Frame>
  );
}
