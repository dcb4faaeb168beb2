import { unitsOf } from '../../engine/core/money.ts';

/** Face and edge marks of the chips, by their value in whole units of the currency. */
const COLOURS: Readonly<Record<number, string>> = {
  10: 'ivory',
  50: 'blue',
  100: 'black',
  500: 'violet',
  1000: 'gold',
  5000: 'red',
};

/** '500', '1K', '5K', '0.50': what stands on the chip. */
export function chipLabel(valueMinor: number): string {
  const units = unitsOf(valueMinor);
  return units >= 1000 && units % 500 === 0 ? `${units / 1000}K` : String(units);
}

const chipColour = (valueMinor: number): string => COLOURS[unitsOf(valueMinor)] ?? 'ivory';

/** The picture of a chip; the button around it carries the name. */
export function Chip({ valueMinor }: { readonly valueMinor: number }) {
  const label = chipLabel(valueMinor);
  return (
    <svg viewBox="0 0 100 100" class={`chip chip-${chipColour(valueMinor)}`} aria-hidden="true">
      <ellipse cx="50" cy="54" rx="46" ry="45" class="chip-shadow" />
      <circle cx="50" cy="50" r="46" class="chip-body" />
      <circle cx="50" cy="50" r="41.5" class="chip-marks" />
      <circle cx="50" cy="50" r="45.2" class="chip-rim" />
      <circle cx="50" cy="50" r="36" class="chip-face" />
      <text x="50" y="51" class={label.length > 3 ? 'chip-text chip-text-long' : 'chip-text'}>
        {label}
      </text>
    </svg>
  );
}
