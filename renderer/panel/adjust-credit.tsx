import { useState } from 'preact/hooks';
import { DUTIES } from '../../engine/table/duties.ts';
import { ADJUST_REASONS, type AdjustReason } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { useView } from '../station/station.ts';
import { formatMoney, formatSigned, houseLanguage } from '../texts/i18n.ts';
import { Frame, Pins, Reasons, Seats, type SendProps } from './dialog-parts.tsx';

/** More would not fit the keys, and no table owes it. */
const MOST_MINOR = 99_999_999_99;

/**
 * What two persons put right about a credit: seat, amount, more or less, the reason, then both
 * PINs.
 */
export function AdjustCredit(
  props: SendProps & { readonly complaint?: TableView['complaints'][number]; readonly back?: () => void },
) {
  const { open, send, complaint } = props;
  const { seats, complaintWindow, round } = useView();
  const [seat, setSeat] = useState<number | null>(complaint?.seat ?? null);
  const [amountMinor, setAmount] = useState(0);
  const [sign, setSign] = useState<1 | -1>(1);
  const signedMinor = sign < 0 ? -amountMinor : amountMinor;
  const [step, setStep] = useState<'amount' | 'reason' | 'pins'>('amount');
  const [said, say] = useState<{ reason: AdjustReason; words: string }>({ reason: 'other', words: '' });
  const credit = seats.find((each) => each.seat === seat)?.creditMinor ?? 0;
  // Of what may be complained about, the newest: the round whose amounts lie there, or the one
  // before it.
  const roundNo = complaint?.roundNo ?? complaintWindow?.roundNo ?? round?.no;
  const isOfRound = said.reason === 'settlement-wrong' || said.reason === 'card-wrong' || complaint;

  if (step === 'pins' && seat !== null) {
    return (
      <Pins
        first={(t) => t('cashOut.pin')}
        second={(t) => t('dealer.supervisorPin')}
        duty={DUTIES['adjust-credit']}
        onCredentials={(credential, secondCredential) => {
          if (secondCredential === undefined) return;
          send({
            type: 'adjust-credit',
            seat,
            amountMinor: signedMinor,
            ...said,
            ...(isOfRound && roundNo !== undefined ? { roundNo } : {}),
            ...(complaint ? { complaintNo: complaint.complaintNo } : {}),
            credential,
            secondCredential,
          });
        }}
        onClose={() => setStep('amount')}
      />
    );
  }
  if (step === 'reason') {
    return (
      <Reasons
        title={(t, language) => t('desk.why', { amount: formatSigned(signedMinor, language) })}
        reasons={ADJUST_REASONS.filter((reason) => reason !== 'complaint-upheld' || complaint)}
        text={(reason) => (t) => t(`desk.adjustReason.${reason}`)}
        open={open}
        back={() => setStep('amount')}
        onReason={(reason, words) => {
          say({ reason, words });
          setStep('pins');
        }}
      />
    );
  }
  const press = (digits: string): void => {
    const next = Number(`${amountMinor}${digits}`);
    if (next <= MOST_MINOR) setAmount(next);
  };
  const key = (digits: string) => (
    <button type="button" class="key" onClick={() => press(digits)}>
      {digits}
    </button>
  );
  const way = (to: 1 | -1) => (
    <button type="button" class="key way-key" aria-pressed={sign === to} onClick={() => setSign(to)}>
      <Bi text={(t) => t(to > 0 ? 'desk.more' : 'desk.less')} />
    </button>
  );
  return (
    <Frame title={(t) => t('desk.adjust-credit')} open={open} back={props.back ?? 'desk'}>
      <div class="adjust">
        <div class="adjust-what">
          {complaint ? (
            <p class="desk-fact">
              <strong>
                <Bi text={(t) => t('seat.name', { seat: complaint.seat })} />
              </strong>
            </p>
          ) : (
            <Seats seats={seats.map((each) => each.seat)} chosen={seat} onTouch={setSeat} />
          )}
          <div class="two-buttons">
            {way(1)}
            {way(-1)}
          </div>
          <p class="desk-sum" aria-live="polite">
            {formatSigned(signedMinor, houseLanguage())}
          </p>
          <button
            type="button"
            class="button button-gold"
            disabled={seat === null || amountMinor === 0 || credit + signedMinor < 0}
            onClick={() => setStep('reason')}
          >
            <Bi
              text={(t, language) =>
                seat === null
                  ? t('desk.whichSeat')
                  : t('desk.creditThen', { amount: formatMoney(credit + signedMinor, language) })
              }
            />
          </button>
        </div>
        <div class="adjust-keys">
          {['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '00'].map(key)}
          <button
            type="button"
            class="key"
            aria-label={biText((t) => t('pin.erase'))}
            onClick={() => setAmount(Number(String(amountMinor).slice(0, -1)))}
          >
            <Icon name="erase" />
          </button>
        </div>
      </div>
    </Frame>
  );
}
