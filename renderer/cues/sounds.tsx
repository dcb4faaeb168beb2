import { effect, untracked } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TableView } from '../../wire/view.ts';
import { Bi } from '../parts/bilingual.tsx';
import { countdown, soundsOf } from '../sound/announce.ts';
import type { Voice } from '../sound/keys.ts';
import { houseVoices, isChinese, spoken, voiceOf } from '../sound/voices.ts';
import { useDerived, useSecondsLeft, useStation, useView } from '../station/station.ts';
import { houseLanguages, staffEnglish } from '../texts/i18n.ts';

/** In what is said a caption tells it; in English too where the staff has asked for that. */
const captionVoices = (view: TableView): readonly (Voice | 'en')[] =>
  staffEnglish.value
    ? houseLanguages().map((language) => (language === 'en' ? 'en' : voiceOf(view, language)))
    : houseVoices(view);

/** What is heard, in words beside the dealer's strip; mounted once a display. */
export function Sounds() {
  const { wire, sound } = useStation();
  useEffect(() => {
    let before: TableView | null = null;
    let connection = wire.connection;
    return effect(() => {
      const view = wire.view.value;
      if (view === null) return;
      // A view is heard once, and not again when somebody changes a level.
      untracked(() => {
        if (connection === wire.connection) sound.play(soundsOf(before, view), view);
      });
      connection = wire.connection;
      before = view;
    });
  }, [wire, sound]);
  const view = useView();
  const { deadline } = view;
  const warnedOf = useRef<number | null>(null);
  const left = useSecondsLeft(deadline === null || deadline.kind === 'results' ? null : deadline.atMs);
  useEffect(() => {
    const sounds = countdown(deadline, left, warnedOf.current);
    if (sounds.some(({ kind }) => kind === 'voice')) warnedOf.current = deadline?.atMs ?? null;
    if (sounds.length > 0) sound.play(sounds, view);
  }, [left]);
  const caption = useDerived(() => sound.caption.value, [sound]);
  if (caption === null) return null;
  return (
    <p class="caption">
      {caption.kind === 'effect' ? (
        <span>
          ♪ <Bi text={(t) => t(`sound.${caption.effect}`)} />
        </span>
      ) : (
        captionVoices(view).map((voice, index) => (
          <Fragment key={voice}>
            {index > 0 && ' '}
            <span class={index === 0 ? 'bi-first' : 'bi-second'} lang={isChinese(voice) ? 'zh-Hant' : voice}>
              {spoken(caption.clips, voice)}
            </span>
          </Fragment>
        ))
      )}
    </p>
  );
}
