import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SeatView, TableView } from '../../wire/view.ts';
import { panelMode } from '../parts/mode.ts';
import { type Notice, type Place, secondsLeft, useStation } from '../station/station.ts';
import { wordsIn } from '../station/words.ts';
import { tableText } from '../texts/i18n.ts';
import { aloud, newsOf } from './news.ts';

/** The first is left out while something is being said, the second cuts it short. */
const SAID_SECONDS = [10, 5] as const;

/** Says what happens at the seats that want it said; shows nothing. */
export function SpokenHelp({ own }: { readonly own: number | null }) {
  const { wire, notices, nowMs, speaker } = useStation();
  useEffect(() => {
    const spoken = (view: TableView): readonly SeatView[] =>
      view.seats.filter(
        ({ seat, comfort }) => (own === null || seat === own) && comfort?.speech && view.speech !== undefined,
      );
    let before: TableView | null = null;
    let connection = wire.connection;
    const ofViews = effect(() => {
      const view = wire.view.value;
      if (view === null) return;
      const old = connection === wire.connection ? before : null;
      untracked(() => {
        for (const seat of view.seats) {
          if (own !== null && seat.seat !== own) continue;
          const news = newsOf(old, view, seat.seat);
          if (news) speaker.say(seat.seat, seat.language, news.text, news.now ? 'now' : 'after');
          const had = old?.seats.find((each) => each.seat === seat.seat)?.comfort?.speech;
          if (had && seat.comfort === undefined) speaker.stop(seat.seat);
        }
      });
      connection = wire.connection;
      before = view;
    });
    let told: ReadonlyMap<Place, Notice> = new Map();
    const ofNotices = effect(() => {
      const now = notices.value;
      untracked(() => {
        const view = wire.view.value;
        for (const seat of view ? spoken(view) : []) {
          const notice = now.get(seat.seat);
          if (!view || !notice || told.get(seat.seat) === notice) continue;
          const sentence = wordsIn(seat.language, view.table.rulebook).notice(notice);
          speaker.say(seat.seat, seat.language, aloud(view, seat, [sentence]), 'now');
        }
      });
      told = now;
    });
    let counted = '';
    const ofSeconds = effect(() => {
      const now = nowMs.value;
      untracked(() => {
        const view = wire.view.value;
        if (!view?.deadline) return;
        const count = secondsLeft(view.deadline.atMs, now);
        const moment = `${view.deadline.atMs} ${count}`;
        if (moment === counted || !SAID_SECONDS.some((each) => each === count)) return;
        counted = moment;
        for (const seat of spoken(view)) {
          if (!['decide', 'bet'].includes(panelMode(view, seat))) continue;
          const sentence = tableText(seat.language)('speech.seconds', { count });
          const when = count === SAID_SECONDS[1] ? 'now' : 'idle';
          speaker.say(seat.seat, seat.language, aloud(view, seat, [sentence]), when);
        }
      });
    });
    return () => {
      ofViews();
      ofNotices();
      ofSeconds();
    };
  }, [wire, notices, nowMs, speaker, own]);
  return null;
}
