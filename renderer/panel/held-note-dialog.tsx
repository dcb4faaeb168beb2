import { useState } from 'preact/hooks';
import { DUTIES } from '../../engine/table/duties.ts';
import { HELD_NOTE_REASONS, type HeldNoteOutcome, type HeldNoteReason } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, useDealerWords } from '../parts/bilingual.tsx';
import { useView } from '../station/station.ts';
import { Frame, Pins, Reasons, type SendProps } from './dialog-parts.tsx';
import { useMinutesSince } from './hand-pay-dialog.tsx';
import { Nothing } from './staff-desk.tsx';

type HeldNote = TableView['heldNotes'][number];
const OUTCOMES: readonly HeldNoteOutcome[] = ['credited', 'returned', 'unclaimed'];

/**
 * Notes of which the device could not say what became: a person does, how they know it, and above
 * the limit a second one.
 */
export function HeldNotes({ open, send }: SendProps) {
  const { heldNotes } = useView();
  const [answer, setAnswer] = useState<{ caseNo: number; outcome: HeldNoteOutcome } | null>(null);
  const [said, say] = useState<{ reason: HeldNoteReason; words: string } | null>(null);
  const note = heldNotes.find(({ caseNo }) => caseNo === answer?.caseNo);
  if (answer && note && said) {
    return (
      <Pins
        first={(t) => t('cashOut.pin')}
        second={note.twoPersons ? (t) => t('cashOut.secondPin') : null}
        duty={DUTIES['resolve-held-note']}
        onCredentials={(credential, secondCredential) =>
          send({
            type: 'resolve-held-note',
            ...answer,
            ...said,
            credential,
            ...(secondCredential === undefined ? {} : { secondCredential }),
          })
        }
        onClose={() => say(null)}
      />
    );
  }
  if (answer && note) {
    return (
      <Reasons
        title={(t) => t('desk.howKnown')}
        reasons={HELD_NOTE_REASONS}
        text={(reason) => (t) => t(`desk.heldReason.${reason}`)}
        open={open}
        back={() => setAnswer(null)}
        onReason={(reason, words) => say({ reason, words })}
      />
    );
  }
  return (
    <Frame title={(t) => t('desk.held-notes')} open={open} back="desk">
      {heldNotes.map((held) => (
        <HeldCase
          key={held.caseNo}
          held={held}
          onOutcome={(outcome) => setAnswer({ caseNo: held.caseNo, outcome })}
        />
      ))}
      {heldNotes.length === 0 && <Nothing />}
    </Frame>
  );
}

function HeldCase(props: {
  readonly held: HeldNote;
  readonly onOutcome: (outcome: HeldNoteOutcome) => void;
}) {
  const { caseNo, seat: owner, acceptor, valueMinor, inBox, sinceMs } = props.held;
  const { noteSeat } = useView();
  const words = useDealerWords();
  const minutes = useMinutesSince(sinceMs);
  // With a shared acceptor a note without a seat goes to the one that is chosen now.
  const seat = owner ?? noteSeat;
  return (
    <div class="held-case">
      <p class="desk-fact">
        {words.map(({ language, t, money }) => (
          <span key={language} lang={language} class="held-text">
            {t('dealer.heldCase', {
              caseNo,
              where: seat === null ? t('dealer.noSeat') : t('seat.name', { seat }),
              amount: valueMinor === null ? t('dealer.unknownValue') : money(valueMinor),
            })}
          </span>
        ))}
        <span class="quiet">
          <Bi
            text={(t) =>
              `${t(inBox ? 'desk.inBox' : 'desk.placeUnknown', { acceptor })} · ${t('cashOut.waiting', { minutes })}`
            }
          />
        </span>
      </p>
      <div class="three-buttons">
        {OUTCOMES.map((outcome) => (
          <button
            type="button"
            key={outcome}
            class="button"
            disabled={outcome === 'credited' && (seat === null || valueMinor === null)}
            onClick={() => props.onOutcome(outcome)}
          >
            <Bi text={(t) => t(`desk.outcome.${outcome}`)} />
          </button>
        ))}
      </div>
    </div>
  );
}
