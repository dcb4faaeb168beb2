import { useId, useRef, useState } from 'preact/hooks';
import type { Language } from '../../engine/table/inputs.ts';
import { Icon } from '../parts/icons.tsx';
import { useServiceWords } from './service-words.ts';

const DIGITS = '1234567890';
/** Chinese is chosen from what is ready: without a method of input the letters are Latin ones. */
const ROWS: Readonly<Record<Language, readonly string[]>> = {
  'zh-Hant': ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '，。、：/-().'],
  pt: ['qwertyuiop', 'asdfghjklç', 'zxcvbnmáàâã', 'éêíóôõú.,:/-º'],
  en: ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '.,:/-()&'],
};

/**
 * A field where something is typed, with keys on the screen, for there is no keyboard at a table:
 * they come with the touch on the field. One that is there is heard as well.
 */
export function TypedField(props: {
  readonly id?: string;
  /** Above the field; absent: a label elsewhere names it. */
  readonly label?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly kind?: 'text' | 'number';
  readonly least?: number;
  readonly step?: number | 'any';
  readonly most?: number;
  /** Sentences that are ready to be touched. */
  readonly ready?: readonly string[];
}) {
  const ownId = useId();
  const { id = ownId, label, value, onValue, kind = 'text', least, step, most = 200, ready = [] } = props;
  const { s, m } = useServiceWords();
  const [isOpen, open] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const shared = {
    id,
    ref: field,
    value,
    onClick: () => open(true),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onValue(currentTarget.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isOpen) return;
      event.stopPropagation();
      open(false);
    },
  };
  const input =
    kind === 'number' ? (
      <input type="number" min={least} step={step} {...shared} />
    ) : (
      <input type="text" maxLength={most} {...shared} />
    );
  return (
    <div class="typed">
      {label === undefined ? (
        input
      ) : (
        <label for={id}>
          {label} {input}
        </label>
      )}
      {ready.length > 0 && (
        <fieldset class="typed-ready" aria-label={m('ready')}>
          {ready.map((sentence) => (
            <button
              type="button"
              key={sentence}
              class="button"
              aria-pressed={sentence === value}
              onClick={() => onValue(sentence)}
            >
              {sentence}
            </button>
          ))}
        </fieldset>
      )}
      {isOpen && (
        <Keys
          kind={kind}
          name={m('keys', { what: label ?? s('profile.value') })}
          onKey={(sign) => onValue((value + sign).slice(0, most))}
          onErase={() => onValue(value.slice(0, -1))}
          onDone={() => {
            open(false);
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function Keys(props: {
  readonly kind: 'text' | 'number';
  readonly name: string;
  readonly onKey: (sign: string) => void;
  readonly onErase: () => void;
  readonly onDone: () => void;
}) {
  const { kind, name, onKey, onErase, onDone } = props;
  const { m, t, language } = useServiceWords();
  const [isUpper, setUpper] = useState(false);
  const rows = kind === 'number' ? [] : ROWS[language];
  return (
    <fieldset class="keypad" aria-label={name}>
      {[DIGITS, ...rows].map((row) => (
        <div key={row} class="keypad-row">
          {[...row].map((sign) => {
            const written = isUpper ? sign.toUpperCase() : sign;
            return (
              <button
                type="button"
                key={sign}
                class="key"
                onClick={() => {
                  onKey(written);
                  setUpper(false);
                }}
              >
                {written}
              </button>
            );
          })}
        </div>
      ))}
      <div class="keypad-row">
        {kind === 'text' && (
          <>
            <button
              type="button"
              class="key"
              aria-label={m('upper')}
              aria-pressed={isUpper}
              onClick={() => setUpper(!isUpper)}
            >
              ABC
            </button>
            <button type="button" class="key keypad-space" aria-label={m('space')} onClick={() => onKey(' ')}>
              {m('space')}
            </button>
          </>
        )}
        <button type="button" class="key" aria-label={t('pin.erase')} onClick={onErase}>
          <Icon name="erase" />
        </button>
        <button type="button" class="key key-ok" aria-label={m('typed')} onClick={onDone}>
          ✓
        </button>
      </div>
    </fieldset>
  );
}
