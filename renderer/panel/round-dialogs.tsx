import { useState } from 'preact/hooks';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import { VOID_REASONS, type VoidReason } from '../../engine/table/inputs.ts';
import { Bi } from '../parts/bilingual.tsx';
import { useView } from '../station/station.ts';
import { Frame, type SendProps, StaffPad } from './dialog-parts.tsx';

/** art. 5.1.2: all cards of the round are cancelled, with a reason and a supervisor's PIN. */
export function VoidRound({ open, send }: SendProps) {
  const [reason, setReason] = useState<VoidReason | null>(null);
  if (reason !== null) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: 'void-round', reason, credential })}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={(t) => t('dealer.whyVoid')} open={open}>
      <div class="menu">
        {VOID_REASONS.map((each) => (
          <button type="button" key={each} class="button menu-item" onClick={() => setReason(each)}>
            <Bi text={(t) => t(`voidReason.${each}`)} />
          </button>
        ))}
      </div>
    </Frame>
  );
}

/**
 * art. 13.5.2.vi: the streak bets of a bettor who has left come back or, by the house's rules, are
 * lost; a supervisor's PIN.
 */
export function ForfeitStreak({ open, send }: SendProps) {
  const { seats, dealer } = useView();
  const [gone, setGone] = useState<{ seat: number; by: number } | null>(null);
  if (gone) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: 'forfeit-streak', ...gone, credential })}
        onClose={() => open(null)}
      />
    );
  }
  const areLost = dealer.options.some(({ option }) => option === 'forfeit-streak');
  const bettors = seats.flatMap(({ seat, streak, bets }) =>
    [...new Set(streak?.open.map(({ by }) => by))]
      .filter((by) => !bets.some((bet) => bet.bet === 'main' && bet.by === by))
      .map((by) => ({ seat, by })),
  );
  return (
    <Frame title={(t) => t(areLost ? 'dealer.whoForfeits' : 'dealer.whoIsReleased')} open={open}>
      <div class="menu">
        {bettors.map(({ seat, by }) => (
          <button
            type="button"
            key={`${seat}-${by}`}
            class="button menu-item"
            onClick={() => setGone({ seat, by })}
          >
            <Bi
              text={(t) => (seat === by ? t('seat.name', { seat }) : `${t('seat.name', { seat })} ← ${by}`)}
            />
          </button>
        ))}
      </div>
    </Frame>
  );
}
