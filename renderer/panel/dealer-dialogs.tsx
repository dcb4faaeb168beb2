import { useState } from 'preact/hooks';
import type { Card } from '../../engine/core/cards.ts';
import { cardOf, RANKS, rankOf, suitOf } from '../../engine/core/cards.ts';
import type { VoidReason } from '../../engine/table/inputs.ts';
import type { DealerOption } from '../../engine/table/steps.ts';
import type { Command, TableView } from '../../host/api.ts';
import { serviceText, tableText } from '../i18n.ts';
import { useStation, useView } from '../station.ts';
import { Bi, biText, DEALER_LANGUAGES, useDealerWords } from './bilingual.tsx';
import { rankText, SUIT_SIGNS } from './card-text.ts';
import type { DealerDialog } from './dealer-steps.ts';
import { Icon } from './icons.tsx';
import { PinPad } from './pin-pad.tsx';

interface DialogProps {
  readonly open: (dialog: DealerDialog | null) => void;
}

/** The dialogs of the dealer's edge; each lies on the dealer's side and covers no card, no bet and no balance. */
export function DealerDialogs({ dialog, open }: DialogProps & { readonly dialog: DealerDialog }) {
  const station = useStation();
  const send = (command: Command): void => {
    void station.send('dealer', command);
    open(null);
  };
  const pin = (title: string, onPin: (pin: string) => void) => (
    <PinPad title={title} t={tableText('zh-Hant')} onPin={onPin} onClose={() => open(null)} />
  );
  switch (dialog) {
    case 'menu':
      return <Menu open={open} send={send} />;
    case 'sign-in':
      return pin(
        biText((t) => t('dealer.pin')),
        (entered) => send({ type: 'sign-in-dealer', pin: entered }),
      );
    case 'service': {
      const title = DEALER_LANGUAGES.map((language) => serviceText(language)('pin')).join(' ');
      return pin(title, (entered) => send({ type: 'enter-service', pin: entered }));
    }
    case 'cut-shoe':
      return <CutShoe open={open} send={send} />;
    case 'place-end-card':
      return <EndCard open={open} send={send} />;
    case 'load-packet':
      return (
        <WithPin
          title={(t) => t('dealer.packet')}
          open={open}
          choices={[
            {
              text: (t) => t('dealer.packetMore'),
              command: (pin) => ({ type: 'load-packet', last: false, pin }),
            },
            {
              text: (t) => t('dealer.packetLast'),
              command: (pin) => ({ type: 'load-packet', last: true, pin }),
            },
          ]}
          send={send}
        />
      );
    case 'open-shuffler':
      return (
        <WithPin
          title={(t) => t('dealer.shufflerOpened')}
          open={open}
          choices={[
            {
              text: (t) => t('dealer.solved'),
              command: (pin) => ({ type: 'open-shuffler', solved: true, pin }),
            },
            {
              text: (t) => t('dealer.unsolved'),
              command: (pin) => ({ type: 'open-shuffler', solved: false, pin }),
            },
          ]}
          send={send}
        />
      );
    case 'close-complaint':
      return <CloseComplaint open={open} send={send} />;
    case 'raise-complaint':
      return <RaiseComplaint open={open} send={send} />;
    case 'lay-out-cards':
      return (
        <WithPin
          title={(t) => t('option.lay-out-cards')}
          open={open}
          choices={[
            { text: (t) => t('option.lay-out-cards'), command: (pin) => ({ type: 'lay-out-cards', pin }) },
          ]}
          send={send}
        />
      );
    case 'replace-cards':
      return (
        <WithPin
          title={(t) => t('option.replace-cards')}
          open={open}
          choices={[
            {
              text: (t) => t('dealer.wholeDeck'),
              command: (pin) => ({ type: 'replace-cards', what: 'deck', pin }),
            },
            {
              text: (t) => t('dealer.oneCard'),
              command: (pin) => ({ type: 'replace-cards', what: 'card', pin }),
            },
          ]}
          send={send}
        />
      );
    case 'card':
      return <PickCard open={open} send={send} />;
    case 'assign-card':
      return <AssignCard open={open} send={send} />;
    case 'draw-wrong':
      return <DrawWrong open={open} send={send} />;
    case 'void-round':
      return <VoidRound open={open} send={send} />;
    case 'forfeit-streak':
      return <ForfeitStreak open={open} send={send} />;
    case 'held-notes':
      return <HeldNotes open={open} send={send} />;
  }
}

interface SendProps extends DialogProps {
  readonly send: (command: Command) => void;
}

function Frame(props: {
  readonly title: (t: Parameters<Parameters<typeof biText>[0]>[0]) => string;
  readonly open: DialogProps['open'];
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div
      class="dialog"
      role="dialog"
      aria-label={biText(props.title)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.open(null);
      }}
    >
      <div class="dialog-head">
        <p class="dialog-title">
          <Bi text={props.title} />
        </p>
        <button
          type="button"
          class="key key-close"
          aria-label={biText((t) => t('pin.close'))}
          onClick={() => props.open(null)}
        >
          <Icon name="close" />
        </button>
      </div>
      {props.children}
    </div>
  );
}

/** Where an option leads: a command at once or a dialog; null for what the devices themselves answer. */
function optionTarget(option: DealerOption['option'], view: TableView): Command | DealerDialog | null {
  switch (option) {
    case 'void-round':
    case 'assign-card':
    case 'draw-wrong':
    case 'forfeit-streak':
    case 'raise-complaint':
    case 'lay-out-cards':
    case 'replace-cards':
      return option;
    case 'refuse-cut': {
      const { step } = view.dealer;
      return step.step === 'cut-shoe' && step.seat ? { type: 'refuse-cut', seat: step.seat } : null;
    }
    case 'confirm-card':
      return 'card';
    case 'set-card-aside':
    case 'end-card-out':
    case 'demo-round':
    case 'open-betting':
    case 'replace-bank-second':
      return { type: option };
    case 'sign-out':
      return { type: 'sign-out-dealer' };
    case 'new-shoe':
      // A real shoe tells by itself that it was loaded; a simulated one has to be asked.
      return view.demo ? { type: 'sim-load-shoe' } : null;
  }
}

function Menu({ open, send }: SendProps) {
  const view = useView();
  const words = useDealerWords();
  const held = view.heldNotes;
  const { options } = view.dealer;
  return (
    <Frame title={(t) => t('dealer.others')} open={open}>
      <div class="menu menu-options">
        {options.map(({ option, cites }) => {
          const target = optionTarget(option, view);
          return (
            <button
              type="button"
              key={option}
              class="button menu-item"
              disabled={target === null}
              onClick={() => {
                if (typeof target === 'string') open(target);
                else if (target) send(target);
              }}
            >
              <span class="menu-name">
                <Bi text={(t) => t(`option.${option}`)} />
              </span>
              <span class="menu-cites">
                {words.map(({ language, articles }) => (
                  <span key={language} lang={language}>
                    {articles(cites)}
                  </span>
                ))}
              </span>
            </button>
          );
        })}
        {held.length > 0 && (
          <button type="button" class="button menu-item" onClick={() => open('held-notes')}>
            <Bi text={(t) => t('dealer.heldNotes')} />
          </button>
        )}
      </div>
      {options.length === 0 && held.length === 0 && (
        <p class="dialog-text">
          <Bi text={(t) => t('dealer.none')} />
        </p>
      )}
    </Frame>
  );
}

function Seats(props: {
  readonly seats: readonly number[];
  readonly chosen?: number | null;
  readonly onTouch: (seat: number) => void;
}) {
  return (
    <div class="seat-keys">
      {props.seats.map((seat) => (
        <button
          type="button"
          key={seat}
          class="key seat-key"
          aria-label={biText((t) => t('seat.name', { seat }))}
          aria-pressed={props.chosen === seat}
          onClick={() => props.onTouch(seat)}
        >
          {seat}
        </button>
      ))}
    </div>
  );
}

interface PinChoice {
  readonly text: Parameters<typeof biText>[0];
  readonly command: (pin: string) => Command;
}

/** Something that is done under the eyes of a person who names himself. */
function WithPin({
  title,
  choices,
  open,
  send,
}: SendProps & { readonly title: PinChoice['text']; readonly choices: readonly PinChoice[] }) {
  const [chosen, choose] = useState<PinChoice | null>(null);
  if (chosen !== null) {
    return (
      <PinPad
        title={biText((t) => t('dealer.supervisorPin'))}
        t={tableText('zh-Hant')}
        onPin={(pin) => send(chosen.command(pin))}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={title} open={open}>
      <div class="menu">
        {choices.map((choice) => (
          <button
            type="button"
            key={biText(choice.text)}
            class="button menu-item"
            onClick={() => choose(choice)}
          >
            <Bi text={choice.text} />
          </button>
        ))}
      </div>
    </Frame>
  );
}

/** r.61: a supervisor closes what keeps the cards out of the shuffler. */
function CloseComplaint({ open, send }: SendProps) {
  const { step } = useView().dealer;
  const complaintNo = step.step === 'close-complaint' ? step.complaintNo : 0;
  const close = (upheld: boolean) => (pin: string) => ({
    type: 'close-complaint' as const,
    complaintNo,
    upheld,
    pin,
  });
  return (
    <WithPin
      title={(t) => t('dealer.complaint')}
      open={open}
      choices={[
        { text: (t) => t('dealer.upheld'), command: close(true) },
        { text: (t) => t('dealer.dismissed'), command: close(false) },
      ]}
      send={send}
    />
  );
}

function RaiseComplaint({ open, send }: SendProps) {
  const { seats } = useView();
  return (
    <Frame title={(t) => t('dealer.whoComplains')} open={open}>
      <Seats
        seats={seats.map((seat) => seat.seat)}
        onTouch={(seat) => send({ type: 'raise-complaint', seat })}
      />
    </Frame>
  );
}

/** art. 2.1.1: any player cuts, or the bank when nobody wants to; r.8: the player whose turn it is, else the supervisor. */
function CutShoe({ open, send }: SendProps) {
  const { seats, dealer } = useView();
  const turn = dealer.step.step === 'cut-shoe' ? dealer.step.seat : null;
  if (turn === 0) {
    return (
      <PinPad
        title={biText((t) => t('dealer.supervisorPin'))}
        t={tableText('zh-Hant')}
        onPin={(pin) => send({ type: 'cut-shoe', seat: null, pin })}
        onClose={() => open(null)}
      />
    );
  }
  if (turn !== null) {
    return (
      <Frame title={(t) => t('step.cut-in-turn', { seat: turn })} open={open}>
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'cut-shoe', seat: turn })}
        >
          <Bi text={(t) => t('confirm.cut-shoe')} />
        </button>
        <button type="button" class="button" onClick={() => send({ type: 'refuse-cut', seat: turn })}>
          <Bi text={(t) => t('option.refuse-cut')} />
        </button>
      </Frame>
    );
  }
  return (
    <Frame title={(t) => t('dealer.whoCuts')} open={open}>
      <Seats seats={seats.map((seat) => seat.seat)} onTouch={(seat) => send({ type: 'cut-shoe', seat })} />
      <button type="button" class="button button-gold" onClick={() => send({ type: 'cut-shoe', seat: null })}>
        <Bi text={(t) => t('dealer.bank')} />
      </button>
    </Frame>
  );
}

/** art. 2.1.1: the second white card with the last 30 cards or more behind it. */
function EndCard({ open, send }: SendProps) {
  const { dealer, table, shoe } = useView();
  const least = dealer.step.step === 'place-end-card' ? dealer.step.minBehind : 0;
  const usual = table.options['cutBehind'];
  const [behind, setBehind] = useState(typeof usual === 'number' ? Math.max(usual, least) : least);
  const move = (by: number): void =>
    setBehind(Math.min(Math.max(behind + by, least), Math.max(least, shoe.remaining)));
  const stepKey = (by: number) => (
    <button
      type="button"
      class="key"
      aria-label={biText((t) => t(by < 0 ? 'dealer.fewer' : 'dealer.more', { count: Math.abs(by) }))}
      onClick={() => move(by)}
    >
      {by < 0 ? `−${-by}` : `+${by}`}
    </button>
  );
  return (
    <Frame title={(t) => t('dealer.behind')} open={open}>
      <div class="stepper">
        {stepKey(-10)}
        {stepKey(-1)}
        <output>{behind}</output>
        {stepKey(1)}
        {stepKey(10)}
      </div>
      <button
        type="button"
        class="button button-gold"
        onClick={() => send({ type: 'place-end-card', cardsBehind: behind })}
      >
        <Bi text={(t) => t('confirm.place-end-card')} />
      </button>
    </Frame>
  );
}

/** A card the shoe could not read for certain: the dealer says which one lies there, with a supervisor if it is another. */
function PickCard({ open, send }: SendProps) {
  const { dealer, hold } = useView();
  const read = dealer.step.step === 'confirm-card' ? dealer.step.card : (hold?.card ?? null);
  const [suit, setSuit] = useState<number | null>(read === null ? null : suitOf(read));
  const [rank, setRank] = useState<number | null>(read === null ? null : rankOf(read));
  const [asksPin, setAsksPin] = useState(false);
  const card: Card | null = suit === null || rank === null ? null : cardOf(suit, rank);
  if (asksPin && card !== null) {
    return (
      <PinPad
        title={biText((t) => t('dealer.supervisorPin'))}
        t={tableText('zh-Hant')}
        onPin={(pin) => send({ type: 'confirm-card', card, pin })}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={(t) => t('dealer.whichCard')} open={open}>
      <div class="card-picker">
        {(['S', 'H', 'D', 'C'] as const).map((name, index) => (
          <button
            type="button"
            key={name}
            class={`key suit-key suit-${index}`}
            aria-label={biText((t) => t(`dealer.suit.${name}`))}
            aria-pressed={suit === index}
            onClick={() => setSuit(index)}
          >
            {SUIT_SIGNS[index]}
          </button>
        ))}
        {[...RANKS].map((name, index) => (
          <button
            type="button"
            key={name}
            class="key rank-key"
            aria-pressed={rank === index}
            onClick={() => setRank(index)}
          >
            {rankText(index)}
          </button>
        ))}
        <button
          type="button"
          class="button button-gold pick-ok"
          disabled={card === null}
          onClick={() => {
            if (card === null) return;
            if (card === hold?.card) send({ type: 'confirm-card', card });
            else setAsksPin(true);
          }}
        >
          <Bi text={(t) => t('pin.ok')} />
        </button>
      </div>
    </Frame>
  );
}

/** art. 5.1.2: a misdealt card goes to the player it was due to. */
function AssignCard({ open, send }: SendProps) {
  const { seats } = useView();
  const playing = seats.filter((seat) => seat.bets.length > 0).map((seat) => seat.seat);
  const [from, setFrom] = useState<number | null>(null);
  return (
    <Frame title={(t) => t(from === null ? 'dealer.fromSeat' : 'dealer.toSeat')} open={open}>
      <Seats
        seats={playing}
        chosen={from}
        onTouch={(seat) => {
          if (from === null) setFrom(seat);
          else if (seat === from) setFrom(null);
          else send({ type: 'assign-card', fromSeat: from, toSeat: seat });
        }}
      />
    </Frame>
  );
}

/** art. 6.1: whether the face of a wrongly drawn bank card was shown decides what becomes of it. */
function DrawWrong({ open, send }: SendProps) {
  return (
    <Frame title={(t) => t('option.draw-wrong')} open={open}>
      <div class="two-buttons">
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'draw-wrong', shown: true })}
        >
          <Bi text={(t) => t('dealer.shown')} />
        </button>
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'draw-wrong', shown: false })}
        >
          <Bi text={(t) => t('dealer.unseen')} />
        </button>
      </div>
    </Frame>
  );
}

export const VOID_REASONS: readonly VoidReason[] = [
  'misdeal',
  'card-exposed',
  'shoe-fault',
  'recovery',
  'supervisor',
];

/** art. 5.1.2: all cards of the round are cancelled, with a reason and a supervisor's PIN. */
function VoidRound({ open, send }: SendProps) {
  const [reason, setReason] = useState<VoidReason | null>(null);
  if (reason !== null) {
    return (
      <PinPad
        title={biText((t) => t('dealer.supervisorPin'))}
        t={tableText('zh-Hant')}
        onPin={(pin) => send({ type: 'void-round', reason, pin })}
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

/** art. 13.5.2.vi and the house's rules: a bettor who has left loses the streak bets he has open, on a supervisor's PIN. */
function ForfeitStreak({ open, send }: SendProps) {
  const { seats } = useView();
  const [gone, setGone] = useState<{ seat: number; by: number } | null>(null);
  if (gone) {
    return (
      <PinPad
        title={biText((t) => t('dealer.supervisorPin'))}
        t={tableText('zh-Hant')}
        onPin={(pin) => send({ type: 'forfeit-streak', ...gone, pin })}
        onClose={() => open(null)}
      />
    );
  }
  const bettors = seats.flatMap(({ seat, streak, bets }) =>
    [...new Set(streak?.open.map(({ by }) => by))]
      .filter((by) => !bets.some((bet) => bet.bet === 'main' && bet.by === by))
      .map((by) => ({ seat, by })),
  );
  return (
    <Frame title={(t) => t('dealer.whoForfeits')} open={open}>
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

/** Notes of which the device could not say what became: credited or handed back by a named person. */
function HeldNotes({ open, send }: SendProps) {
  const { heldNotes, noteSeat } = useView();
  const words = useDealerWords();
  const [answer, setAnswer] = useState<{ caseNo: number; outcome: 'credited' | 'returned' } | null>(null);
  if (answer) {
    return (
      <PinPad
        title={biText((t) => t('cashOut.pin'))}
        t={tableText('zh-Hant')}
        onPin={(pin) => send({ type: 'resolve-held-note', ...answer, reason: 'seen-in-box', pin })}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={(t) => t('dealer.heldNotes')} open={open}>
      {heldNotes.map(({ caseNo, seat: owner, valueMinor }) => {
        // With a shared acceptor a note without a seat goes to the one that is chosen now.
        const seat = owner ?? noteSeat;
        return (
          <div class="held-case" key={caseNo}>
            <p class="dialog-text">
              {words.map(({ language, t, money }) => (
                <span key={language} lang={language} class="held-text">
                  {t('dealer.heldCase', {
                    caseNo,
                    where: seat === null ? t('dealer.noSeat') : t('seat.name', { seat }),
                    amount: valueMinor === null ? t('dealer.unknownValue') : money(valueMinor),
                  })}
                </span>
              ))}
            </p>
            <div class="two-buttons">
              <button
                type="button"
                class="button"
                disabled={seat === null || valueMinor === null}
                onClick={() => setAnswer({ caseNo, outcome: 'credited' })}
              >
                <Bi text={(t) => t('dealer.credit')} />
              </button>
              <button type="button" class="button" onClick={() => setAnswer({ caseNo, outcome: 'returned' })}>
                <Bi text={(t) => t('dealer.payBack')} />
              </button>
            </div>
          </div>
        );
      })}
    </Frame>
  );
}
