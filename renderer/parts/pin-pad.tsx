import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PersonRole } from '../../engine/table/inputs.ts';
import type { Credential } from '../../wire/fields.ts';
import { useView } from '../station/station.ts';
import type { TableText } from '../texts/i18n.ts';
import { Icon } from './icons.tsx';

const MOST_DIGITS = 8;
const MOST_OF_NUMBER = 6;

export interface PinPadProps {
  readonly title: string;
  readonly t: TableText;
  /** What stands above the keys while a staff number is typed; absent: in the language of `t`. */
  readonly numberTitle?: string;
  /** Who may do it, whoever does it as a rule first. */
  readonly roles: readonly PersonRole[];
  /** Staff number of the first of two persons, who is not the second. */
  readonly except?: string | undefined;
  readonly onCredential: (credential: Credential) => void;
  readonly onClose: () => void;
}

/**
 * A touch pad, with keyboard digits as well while it has the focus. First it asks who is there, by
 * a name to touch or by the staff number where the names are too many, unless one person alone does
 * this as a rule; then for that person's PIN, which leaves the pad at once so that nothing stays on
 * the screen.
 */
export function PinPad(props: PinPadProps) {
  const { t, roles } = props;
  const { people, leastDigits, closed, card } = useView().pinPad;
  const known = people.filter(({ person, role }) => roles.includes(role) && person !== props.except);
  const usual = known.length === 1 ? known : known.filter(({ role }) => role === roles[0]);
  const shown = card?.person && card.person !== props.except ? card.person : null;
  const [who, setWho] = useState(shown ?? (usual.length === 1 ? usual[0]!.person : null));
  const typed = useSignal('');
  // A card that is laid down says who is there.
  useLayoutEffect(() => {
    if (shown !== null) be(shown);
  }, [shown]);
  const pad = useRef<HTMLDivElement>(null);
  // Before the next key, not after the next paint. A name that was touched is gone, and the focus
  // with it.
  useLayoutEffect(() => pad.current?.focus(), [who]);

  const step = who !== null ? 'pin' : known.length > 0 ? 'name' : 'number';
  const [least, most] = step === 'pin' ? [leastDigits, MOST_DIGITS] : [1, MOST_OF_NUMBER];
  const press = (digit: string): void => {
    if (step !== 'name' && typed.value.length < most) typed.value += digit;
  };
  const erase = (): void => {
    typed.value = typed.value.slice(0, -1);
  };
  const be = (person: string | null): void => {
    typed.value = '';
    setWho(person);
  };
  const finish = (): void => {
    const entered = typed.value;
    if (step === 'name' || entered.length < least) return;
    if (who === null) return be(entered);
    typed.value = '';
    props.onCredential({ person: who, pin: entered });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === 'Backspace') erase();
    else if (event.key === 'Escape') props.onClose();
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) finish();
    else return;
    event.stopPropagation();
  };
  const digit = (value: string) => (
    <button type="button" class="key" onClick={() => press(value)}>
      {value}
    </button>
  );
  const name = known.find(({ person }) => person === who)?.name ?? who;

  return (
    <div
      class="pin-pad"
      role="dialog"
      aria-label={props.title}
      tabIndex={-1}
      ref={pad}
      onKeyDown={onKeyDown}
      data-unspoken=""
    >
      <div class="pin-head">
        {/* Its place is that of the dots, which come with the first digit. */}
        {who !== null && known.length !== 1 && typed.value === '' && (
          <button
            type="button"
            class="key key-close"
            aria-label={t('pin.somebodyElse')}
            onClick={() => be(null)}
          >
            <Icon name="back" />
          </button>
        )}
        <span class="pin-title">
          {step === 'number' ? (props.numberTitle ?? t('pin.number')) : props.title}
          {name !== null && <small>{name}</small>}
        </span>
        {step !== 'name' && (
          <span class="pin-dots" role="status" aria-label={t('pin.entered', { count: typed.value.length })}>
            {step === 'pin' ? '●'.repeat(typed.value.length) : typed.value}
          </span>
        )}
        <button type="button" class="key key-close" aria-label={t('pin.close')} onClick={props.onClose}>
          <Icon name="close" />
        </button>
      </div>
      {card && card.state !== 'read' && (
        <p class="pin-card" role="status">
          {t(`pin.card.${card.state}`)}
        </p>
      )}
      {closed ? (
        <p class="pin-closed" role="alert">
          {t(`pin.closed.${closed}`)}
        </p>
      ) : step === 'name' ? (
        <div class="pin-names">
          {known.map((each) => (
            <button type="button" key={each.person} class="key pin-name" onClick={() => be(each.person)}>
              {each.name}
            </button>
          ))}
        </div>
      ) : (
        <div class="pin-keys">
          {['1', '2', '3'].map(digit)}
          <button type="button" class="key" aria-label={t('pin.erase')} onClick={erase}>
            <Icon name="erase" />
          </button>
          {['4', '5', '6', '0'].map(digit)}
          {['7', '8', '9'].map(digit)}
          <button
            type="button"
            class="key key-ok"
            aria-label={t('pin.ok')}
            disabled={typed.value.length < least}
            onClick={finish}
          >
            <Icon name="check" />
          </button>
        </div>
      )}
    </div>
  );
}
