import { DEALERS, OPENERS, SERVICE, SUPERVISORS } from '../../engine/table/duties.ts';
import type { DealerOption } from '../../engine/table/steps.ts';
import type { Command } from '../../wire/commands.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, useDealerWords } from '../parts/bilingual.tsx';
import { useStation, useView } from '../station/station.ts';
import { AdjustCredit } from './adjust-credit.tsx';
import { BoxDesk } from './box-desk.tsx';
import { CountCards, CutShoe, EndCard, PickCard, ReplaceCards } from './card-dialogs.tsx';
import { Complaints, RaiseComplaint } from './complaint-dialogs.tsx';
import { type DealerDialog, mayRecall } from './dealer-steps.ts';
import { type DialogProps, Frame, type SendProps, StaffPad, WithPin } from './dialog-parts.tsx';
import { AssignCard, ByDealer, DrawWrong, Resolve } from './error-dialogs.tsx';
import { HandPays } from './hand-pay-dialog.tsx';
import { HeldNotes } from './held-note-dialog.tsx';
import { RecallRounds } from './recall-dialog.tsx';
import { ForfeitStreak, VoidRound } from './round-dialogs.tsx';
import { Calls, CheckExclusion, HandOver, StaffDesk } from './staff-desk.tsx';

/**
 * The dialogs of the dealer's edge; each lies on the dealer's side and covers no card, no bet and
 * no balance.
 */
export function DealerDialogs({ dialog, open }: DialogProps & { readonly dialog: DealerDialog }) {
  const station = useStation();
  const { dealer, table } = useView();
  const errorsBySupervisor = dealer.errorsBySupervisor === true;
  // r.12: laying a shoe open is the payer's; r.55: a shuffler is emptied before a supervisor.
  const isShuffler = table.options['cardSource'] !== 'shoe';
  const send = (command: Command): void => {
    void station.send('dealer', command);
    open(null);
  };
  switch (dialog) {
    case 'menu':
      return <Menu open={open} send={send} />;
    case 'sign-in':
      return (
        <StaffPad
          title={(t) => t('dealer.pin')}
          roles={DEALERS}
          onCredential={(credential) => send({ type: 'sign-in-dealer', credential })}
          onClose={() => open(null)}
        />
      );
    case 'service':
      return (
        <StaffPad
          title={(t) => t('service.pin')}
          roles={SERVICE}
          onCredential={(credential) => send({ type: 'enter-service', credential })}
          onClose={() => open(null)}
        />
      );
    case 'cut-shoe':
      return <CutShoe open={open} send={send} />;
    case 'place-end-card':
      return <EndCard open={open} send={send} />;
    case 'witness-loading':
      return (
        <StaffPad
          title={(t) => t('dealer.supervisorPin')}
          roles={SUPERVISORS}
          onCredential={(credential) => send({ type: 'witness-loading', credential })}
          onClose={() => open(null)}
        />
      );
    case 'load-packet':
      return (
        <WithPin
          title={(t) => t('dealer.packet')}
          open={open}
          choices={[
            {
              text: (t) => t('dealer.packetMore'),
              command: (credential) => ({ type: 'load-packet', last: false, credential }),
            },
            {
              text: (t) => t('dealer.packetLast'),
              command: (credential) => ({ type: 'load-packet', last: true, credential }),
            },
          ]}
          send={send}
        />
      );
    case 'count-cards':
      return <CountCards open={open} send={send} />;
    case 'order-decks':
      return (
        <Frame title={(t) => t('dealer.decksOrdered')} open={open}>
          <div class="menu">
            <button
              type="button"
              class="button menu-item"
              onClick={() => send({ type: dialog, regular: true })}
            >
              <Bi text={(t) => t('dealer.decksRegular')} />
            </button>
            <button
              type="button"
              class="button menu-item"
              onClick={() => send({ type: dialog, regular: false })}
            >
              <Bi text={(t) => t('dealer.decksIrregular')} />
            </button>
          </div>
        </Frame>
      );
    case 'open-shuffler':
      return (
        <WithPin
          title={(t) => t('dealer.shufflerOpened')}
          roles={OPENERS}
          open={open}
          choices={[
            {
              text: (t) => t('dealer.solved'),
              command: (credential) => ({ type: 'open-shuffler', solved: true, credential }),
            },
            {
              text: (t) => t('dealer.unsolved'),
              command: (credential) => ({ type: 'open-shuffler', solved: false, credential }),
            },
          ]}
          send={send}
        />
      );
    case 'raise-complaint':
      return <RaiseComplaint open={open} send={send} />;
    case 'lay-out-cards':
      return (
        <ByDealer
          dialog={dialog}
          bySupervisor={isShuffler || dealer.supervisedShoe === true}
          open={open}
          send={send}
        />
      );
    case 'doubt-card':
      return <ByDealer dialog={dialog} bySupervisor={false} open={open} send={send} />;
    case 'take-back-card':
    case 'replace-bank-second':
      return <ByDealer dialog={dialog} bySupervisor={errorsBySupervisor} open={open} send={send} />;
    case 'resolve':
      return <Resolve open={open} send={send} />;
    case 'replace-cards':
      return <ReplaceCards open={open} send={send} />;
    case 'report-replacement':
      return (
        <WithPin
          title={(t) => t('option.report-replacement')}
          open={open}
          choices={[
            {
              text: (t) => t('dealer.inspectionTold'),
              command: (credential) => ({ type: 'report-replacement', credential }),
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
    case 'desk':
      return <StaffDesk open={open} />;
    case 'hand-pays':
      return <HandPays open={open} send={send} />;
    case 'held-notes':
      return <HeldNotes open={open} send={send} />;
    case 'calls':
      return <Calls open={open} send={send} />;
    case 'boxes':
      return <BoxDesk open={open} send={send} />;
    case 'exclusion':
      return <CheckExclusion open={open} />;
    case 'hand-over':
      return <HandOver open={open} send={send} />;
    case 'complaints':
      return <Complaints open={open} send={send} />;
    case 'adjust-credit':
      return <AdjustCredit open={open} send={send} />;
    case 'recall':
      return (
        <Frame title={(t) => t('recall.choose')} open={open}>
          <RecallRounds onDone={() => open(null)} />
        </Frame>
      );
  }
}

/**
 * Where an option leads: a command at once or a dialog; null for what the devices themselves
 * answer.
 */
function optionTarget(option: DealerOption['option'], view: TableView): Command | DealerDialog | null {
  switch (option) {
    case 'void-round':
    case 'assign-card':
    case 'draw-wrong':
    case 'forfeit-streak':
    case 'raise-complaint':
    case 'lay-out-cards':
    case 'replace-cards':
    case 'doubt-card':
    case 'report-replacement':
    case 'take-back-card':
    case 'replace-bank-second':
      return option;
    case 'release-streak':
      return 'forfeit-streak';
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
      return { type: option };
    case 'card-face-up':
    case 'card-face-down':
      return { type: 'announce-face-up', faceUp: option === 'card-face-up' };
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
  const recalls = mayRecall(view);
  const { options } = view.dealer;
  const bets = view.phase === 'betting' && view.hold === null;
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
        {bets && (
          <button type="button" class="button menu-item" onClick={() => send({ type: 'extend-betting' })}>
            <Bi text={(t) => t('dealer.moreTime')} />
          </button>
        )}
        {recalls && (
          <button type="button" class="button menu-item" onClick={() => open('recall')}>
            <Bi text={(t) => t('recall.menu')} />
          </button>
        )}
      </div>
      {options.length === 0 && !bets && !recalls && (
        <p class="dialog-text">
          <Bi text={(t) => t('dealer.none')} />
        </p>
      )}
    </Frame>
  );
}
