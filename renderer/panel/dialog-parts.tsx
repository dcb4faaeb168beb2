import { useRef, useState } from 'preact/hooks';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import type { PersonRole } from '../../engine/table/inputs.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { PinPad, type PinPadProps } from '../parts/pin-pad.tsx';
import { useWholeRows } from '../parts/whole-rows.ts';
import { useView } from '../station/station.ts';
import { columnOf, dealerSideOf } from '../table/seating.ts';
import { houseLanguage, tableText } from '../texts/i18n.ts';
import type { DealerDialog } from './dealer-steps.ts';

export interface DialogProps {
  readonly open: (dialog: DealerDialog | null) => void;
}

export interface SendProps extends DialogProps {
  readonly send: (command: Command) => void;
}

export function Frame(props: {
  readonly title: Parameters<typeof biText>[0];
  readonly open: DialogProps['open'];
  /** Where the way back leads; absent = there is none. */
  readonly back?: DealerDialog | (() => void);
  readonly children: preact.ComponentChildren;
}) {
  const { back } = props;
  const box = useRef<HTMLDivElement>(null);
  useWholeRows(box);
  return (
    <div
      class="dialog"
      ref={box}
      role="dialog"
      aria-label={biText(props.title)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.open(null);
      }}
    >
      <div class="dialog-head">
        {back !== undefined && (
          <button
            type="button"
            class="key key-close"
            aria-label={biText((t) => t('desk.back'))}
            onClick={() => (typeof back === 'string' ? props.open(back) : back())}
          >
            <Icon name="back" />
          </button>
        )}
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

/** Keys that stand side by side as their seats do. */
export function Seats(props: {
  readonly seats: readonly number[];
  /** One of them, or several. */
  readonly chosen?: number | null | readonly number[];
  readonly onTouch: (seat: number) => void;
}) {
  const view = useView();
  return (
    <div class="seat-keys">
      {props.seats.map((seat) => (
        <button
          type="button"
          key={seat}
          class="key seat-key"
          style={{ order: columnOf(seat, view.seats.length, dealerSideOf(view)) }}
          aria-label={biText((t) => t('seat.name', { seat }))}
          aria-pressed={
            typeof props.chosen === 'object' ? props.chosen?.includes(seat) === true : props.chosen === seat
          }
          onClick={() => props.onTouch(seat)}
        >
          {seat}
        </button>
      ))}
    </div>
  );
}

export interface PinChoice {
  readonly text: Parameters<typeof biText>[0];
  readonly command: (credential: Credential) => Command;
}

/** The pad at the staff's edge, in the dealer's languages. */
export function StaffPad({
  title,
  ...rest
}: Omit<PinPadProps, 'title' | 't' | 'numberTitle'> & { readonly title: Parameters<typeof Bi>[0]['text'] }) {
  return (
    <PinPad
      {...rest}
      title={biText(title)}
      t={tableText(houseLanguage())}
      numberTitle={biText((t) => t('pin.number'))}
    />
  );
}

/**
 * Something that is done under the eyes of a person who says who they are, a supervisor where
 * `roles` names nobody.
 */
export function WithPin({
  title,
  choices,
  roles = SUPERVISORS,
  open,
  send,
}: SendProps & {
  readonly title: PinChoice['text'];
  readonly choices: readonly PinChoice[];
  readonly roles?: readonly PersonRole[];
}) {
  const [chosen, choose] = useState<PinChoice | null>(null);
  if (chosen !== null) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={roles}
        onCredential={(credential) => send(chosen.command(credential))}
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

/**
 * One person, or two different ones, one after the other; nothing of the first stays on the screen.
 */
export function Pins(props: {
  readonly first: PinChoice['text'];
  /** Null = one person is enough. */
  readonly second: PinChoice['text'] | null;
  readonly duty: { readonly first: readonly PersonRole[]; readonly second: readonly PersonRole[] };
  readonly onCredentials: (credential: Credential, second: Credential | undefined) => void;
  readonly onClose: () => void;
}) {
  const { first, second, duty, onCredentials } = props;
  const [entered, setEntered] = useState<Credential | null>(null);
  return (
    <StaffPad
      key={entered === null ? 'first' : 'second'}
      title={entered === null || second === null ? first : second}
      roles={entered === null ? duty.first : duty.second}
      except={entered?.person}
      onCredential={(credential) => {
        if (second === null) onCredentials(credential, undefined);
        else if (entered === null) setEntered(credential);
        else onCredentials(entered, credential);
      }}
      onClose={props.onClose}
    />
  );
}

/** A closed list of reasons, and words beside `other`, which alone says nothing. */
export function Reasons<R extends string>(props: {
  readonly title: PinChoice['text'];
  readonly reasons: readonly R[];
  readonly text: (reason: R) => PinChoice['text'];
  readonly open: DialogProps['open'];
  readonly back: () => void;
  readonly onReason: (reason: R, words: string) => void;
}) {
  const [asksWords, setAsksWords] = useState<R | null>(null);
  const [words, setWords] = useState('');
  if (asksWords !== null) {
    return (
      <Frame title={props.text(asksWords)} open={props.open} back={() => setAsksWords(null)}>
        <input
          class="words"
          type="text"
          maxLength={200}
          aria-label={biText((t) => t('desk.words'))}
          placeholder={biText((t) => t('desk.words'))}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button
          type="button"
          class="button button-gold"
          disabled={words.trim() === ''}
          onClick={() => props.onReason(asksWords, words.trim())}
        >
          <Bi text={(t) => t('pin.ok')} />
        </button>
      </Frame>
    );
  }
  return (
    <Frame title={props.title} open={props.open} back={props.back}>
      <div class="menu">
        {props.reasons.map((reason) => (
          <button
            type="button"
            key={reason}
            class="button menu-item"
            onClick={() => (reason === ('other' as R) ? setAsksWords(reason) : props.onReason(reason, ''))}
          >
            <Bi text={props.text(reason)} />
          </button>
        ))}
      </div>
    </Frame>
  );
}
