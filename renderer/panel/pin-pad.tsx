import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TableText } from '../i18n.ts';
import { Icon } from './icons.tsx';

const LEAST_DIGITS = 4;
const MOST_DIGITS = 8;

/**
 * A touch pad for a PIN, with keyboard digits as well while it has the focus. `onPin` gets 4 to 8 digits; the pad
 * empties itself so that nothing stays on the screen.
 */
export function PinPad(props: {
  readonly title: string;
  readonly t: TableText;
  readonly onPin: (pin: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = props;
  const pin = useSignal('');
  const pad = useRef<HTMLDivElement>(null);
  // Before the next key, not after the next paint.
  useLayoutEffect(() => pad.current?.focus(), []);

  const press = (digit: string): void => {
    if (pin.value.length < MOST_DIGITS) pin.value += digit;
  };
  const erase = (): void => {
    pin.value = pin.value.slice(0, -1);
  };
  const finish = (): void => {
    if (pin.value.length < LEAST_DIGITS) return;
    const entered = pin.value;
    pin.value = '';
    props.onPin(entered);
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

  return (
    <div class="pin-pad" role="dialog" aria-label={props.title} tabIndex={-1} ref={pad} onKeyDown={onKeyDown}>
      <div class="pin-head">
        <span class="pin-title">{props.title}</span>
        <span class="pin-dots" role="status" aria-label={t('pin.entered', { count: pin.value.length })}>
          {'●'.repeat(pin.value.length)}
        </span>
        <button type="button" class="key key-close" aria-label={t('pin.close')} onClick={props.onClose}>
          <Icon name="close" />
        </button>
      </div>
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
          disabled={pin.value.length < LEAST_DIGITS}
          onClick={finish}
        >
          <Icon name="check" />
        </button>
      </div>
    </div>
  );
}
