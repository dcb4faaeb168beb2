import { useState } from 'preact/hooks';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, useDealerWords } from '../parts/bilingual.tsx';
import { useSecondsLeft, useView } from '../station/station.ts';
import { AdjustCredit } from './adjust-credit.tsx';
import { Frame, Pins, Seats, type SendProps } from './dialog-parts.tsx';

/** '4:07'. */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * Seconds a complaint may still be raised; null = as long as the cards are not fed; 0 = no more.
 */
export function useComplaintSeconds(): number | null {
  const { complaintWindow } = useView();
  const seconds = useSecondsLeft(complaintWindow?.untilMs ?? null);
  return complaintWindow === null ? 0 : seconds;
}

type Complaint = TableView['complaints'][number];

/**
 * Open complaints, the window counted down, and the ways out: put the credit right, uphold, dismiss
 * (r.61).
 */
export function Complaints({ open, send }: SendProps) {
  const { complaints } = useView();
  const [answer, setAnswer] = useState<{ complaintNo: number; what: 'adjust' | 'uphold' | 'dismiss' } | null>(
    null,
  );
  const complaint = complaints.find(({ complaintNo }) => complaintNo === answer?.complaintNo);
  const back = (): void => setAnswer(null);
  if (complaint && answer?.what === 'adjust')
    return <AdjustCredit open={open} send={send} complaint={complaint} back={back} />;
  if (complaint && answer) {
    const { complaintNo } = complaint;
    return (
      <Pins
        first={(t) => t('dealer.supervisorPin')}
        second={null}
        duty={{ first: SUPERVISORS, second: [] }}
        onCredentials={(credential) =>
          send({ type: 'close-complaint', complaintNo, upheld: answer.what === 'uphold', credential })
        }
        onClose={back}
      />
    );
  }
  return (
    <Frame title={(t) => t('desk.complaints')} open={open} back="desk">
      {complaints.map((each) => (
        <OpenComplaint
          key={each.complaintNo}
          complaint={each}
          onAnswer={(what) => setAnswer({ complaintNo: each.complaintNo, what })}
        />
      ))}
      <div class="complaint-window">
        <WindowLine />
        <RaiseButton open={open} />
      </div>
    </Frame>
  );
}

function OpenComplaint(props: {
  readonly complaint: Complaint;
  readonly onAnswer: (what: 'adjust' | 'uphold' | 'dismiss') => void;
}) {
  const { seat, roundNo, from, adjustedMinor } = props.complaint;
  const words = useDealerWords();
  return (
    <div class="held-case">
      <p class="desk-fact">
        {words.map(({ language, t, signed }, index) => (
          <span key={language} lang={language} class={index === 0 ? 'held-text' : 'held-text quiet'}>
            {[
              t('seat.name', { seat }),
              t('desk.round', { no: roundNo }),
              t(`desk.from.${from}`),
              adjustedMinor === 0 ? '' : signed(adjustedMinor),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
        ))}
      </p>
      <div class="three-buttons">
        <button type="button" class="button" onClick={() => props.onAnswer('adjust')}>
          <Bi text={(t) => t('desk.adjust-credit')} />
        </button>
        <button type="button" class="button" onClick={() => props.onAnswer('uphold')}>
          <Bi text={(t) => t('desk.uphold')} />
        </button>
        <button
          type="button"
          class="button"
          disabled={adjustedMinor !== 0}
          onClick={() => props.onAnswer('dismiss')}
        >
          <Bi text={(t) => t('desk.dismiss')} />
        </button>
      </div>
    </div>
  );
}

/** Which round may be complained about, and how long. */
function WindowLine() {
  const { complaintWindow } = useView();
  const seconds = useComplaintSeconds();
  const words = useDealerWords();
  if (!complaintWindow || seconds === 0) {
    return (
      <p class="dialog-text quiet">
        <Bi text={(t) => t('complaint.over')} />
      </p>
    );
  }
  const { roundNo, cites } = complaintWindow;
  return (
    <p class="dialog-text">
      {words.map(({ language, t, articles }) => (
        <span key={language} lang={language} class="held-text">
          {`${t('desk.round', { no: roundNo })} · `}
          {seconds === null
            ? `${t('complaint.untilFed')} · ${articles(cites)}`
            : t('complaint.left', { time: minutesAndSeconds(seconds) })}
        </span>
      ))}
    </p>
  );
}

function RaiseButton({ open }: Pick<SendProps, 'open'>) {
  if (useComplaintSeconds() === 0) return null;
  return (
    <button type="button" class="button" onClick={() => open('raise-complaint')}>
      <Bi text={(t) => t('option.raise-complaint')} />
    </button>
  );
}

/** The dealer complains for a player: of which seat. */
export function RaiseComplaint({ open, send }: SendProps) {
  const { seats, complaints } = useView();
  return (
    <Frame title={(t) => t('dealer.whoComplains')} open={open}>
      <WindowLine />
      <Seats
        seats={seats
          .map((seat) => seat.seat)
          .filter((seat) => !complaints.some((complaint) => complaint.seat === seat))}
        onTouch={(seat) => send({ type: 'raise-complaint', seat })}
      />
    </Frame>
  );
}
