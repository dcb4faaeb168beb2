import { chosen, PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { SeatView } from '../../wire/view.ts';
import type { Station } from '../station/station.ts';
import { type TableText, tableText } from '../texts/i18n.ts';
import type { Explored } from './explore.ts';
import { aloud } from './news.ts';

/** What hands on the panels of this display bring about. */
export function blindHands({ wire, speaker, send }: Station): Explored {
  const view = wire.view;
  const seatOf = (number: number): SeatView | undefined =>
    view.peek()?.seats.find(({ seat }) => seat === number);
  const say = (
    number: number,
    parts: (t: TableText) => readonly (string | null)[],
    language: Language | null = null,
  ): void => {
    const [now, seat] = [view.peek(), seatOf(number)];
    if (!now || !seat) return;
    const spoken = { ...seat, language: language ?? seat.language };
    const text = aloud(now, spoken, parts(tableText(spoken.language)));
    speaker.say(number, spoken.language, text, 'now');
  };
  return {
    isAnySpoken: () => view.peek()?.seats.some(({ comfort }) => comfort?.speech) ?? false,
    isSpoken: (number) => view.peek()?.speech !== undefined && seatOf(number)?.comfort?.speech === true,
    toggle(number) {
      const seat = seatOf(number);
      if (!seat || view.peek()?.speech === undefined) return;
      const { comfort = PLAIN_COMFORT } = seat;
      const wanted = chosen(comfort, 'speech', comfort.speech !== true);
      void send(number, { type: 'set-comfort', seat: number, comfort: wanted });
    },
    heard: (number, place) =>
      say(
        number,
        (t) =>
          place === null || place.name === ''
            ? [t('speech.nothing')]
            : [
                [
                  place.name,
                  ...(place.isChosen ? [t('speech.chosen')] : []),
                  ...(place.isClosed ? [t('speech.closed')] : []),
                ].join(', '),
              ],
        place?.language ?? null,
      ),
    more: (number) => say(number, (t) => [t('speech.more')]),
    keys: () => view.peek()?.speech?.keys ?? {},
  };
}
