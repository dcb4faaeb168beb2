import { minorOfFigure, unitsOf } from '../../engine/core/money.ts';
import type { OptionSpec } from '../../engine/rules/rulebook.ts';
import type { RulesWriter } from '../../engine/rules/rules-text.ts';
import type { OptionValue } from '../../engine/table/profile.ts';
import { TypedField } from './keypad.tsx';

/**
 * The control of one option: a choice, a number, a set or a text, as its legal values are; the host
 * judges what is entered.
 */
export function OptionField(props: {
  readonly spec: OptionSpec;
  readonly writer: RulesWriter;
  readonly value: OptionValue;
  readonly onValue: (value: OptionValue) => void;
}) {
  const { spec, writer, value, onValue } = props;
  const { id, legal } = spec;
  const field = `option-${id}`;
  switch (legal.kind) {
    case 'one-of':
      return (
        <select
          id={field}
          value={String(legal.values.findIndex((each) => JSON.stringify(each) === JSON.stringify(value)))}
          onChange={(event) => onValue(legal.values[Number(event.currentTarget.value)] ?? null)}
        >
          {legal.values.map((each, i) => (
            <option key={JSON.stringify(each)} value={String(i)}>
              {writer.option(id, each)}
            </option>
          ))}
        </select>
      );
    case 'integer': {
      // Amounts are minor units, and written in whole ones.
      const isAmount = writer.option(id, 100) === writer.amount(100);
      const shown = (whole: number): number => (isAmount ? unitsOf(whole) : whole);
      return (
        <TypedField
          id={field}
          kind="number"
          least={shown(legal.min)}
          step={isAmount ? 'any' : (legal.multipleOf ?? 1)}
          value={typeof value === 'number' ? String(shown(value)) : ''}
          onValue={(text) =>
            onValue(text === '' ? null : isAmount ? minorOfFigure(Number(text)) : Math.round(Number(text)))
          }
        />
      );
    }
    case 'subset': {
      const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
      return (
        <fieldset class="members" id={field}>
          {legal.of.map((member) => (
            <label key={member}>
              <input
                type="checkbox"
                checked={chosen.includes(member)}
                onChange={(event) =>
                  onValue(
                    legal.of.filter((each) =>
                      each === member ? event.currentTarget.checked : chosen.includes(each),
                    ),
                  )
                }
              />
              {writer.option(id, [member])}
            </label>
          ))}
        </fieldset>
      );
    }
    default:
      return (
        <TypedField
          id={field}
          value={typeof value === 'string' ? value : ''}
          onValue={(text) => onValue(text === '' ? null : text)}
        />
      );
  }
}
