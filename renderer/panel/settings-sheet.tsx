import { type Comfort, chosen, PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { Scrolled } from '../parts/scrolled.tsx';
import { heardAt, LEVELS } from '../sound/announce.ts';
import { useDerived, useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { LANGUAGES } from '../texts/i18n.ts';
import { SessionPage } from './session-page.tsx';
import { Option, Setting } from './setting.tsx';
import { useSheet } from './use-sheet.ts';

const PAGES = ['display', 'session'] as const;

/**
 * How this seat is shown, and what its player has played: one touch on the tab, no other seat is
 * touched by it. It lies where the rules lie, and makes way for a decision as they do.
 */
export function SettingsSheet({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const { t } = useWords();
  const { shown: page, show, touch } = useSheet<(typeof PAGES)[number]>(seat, view);
  if (page === null) {
    return (
      <button
        type="button"
        class="seat-tab settings-tab"
        aria-label={t('settings.title')}
        onClick={() => show('display')}
      >
        <Icon name="settings" />
      </button>
    );
  }
  return (
    <div class="rules settings" role="dialog" aria-label={t('settings.title')} onPointerDown={touch}>
      <div class="rules-head">
        {PAGES.map((each) => (
          <button
            type="button"
            key={each}
            class="button settings-page"
            aria-pressed={each === page}
            onClick={() => show(each)}
          >
            {t(`settings.${each}`)}
          </button>
        ))}
        <button
          type="button"
          class="key key-close"
          aria-label={t('settings.close')}
          onClick={() => show(null)}
        >
          <Icon name="close" />
        </button>
      </div>
      <Scrolled key={page}>
        {page === 'display' ? (
          <DisplayPage seat={seat} view={view} />
        ) : (
          <SessionPage seat={seat} view={view} />
        )}
      </Scrolled>
    </div>
  );
}

const LANGUAGE_NAMES = { 'zh-Hant': '中文', pt: 'Português', en: 'English' } as const;

function DisplayPage({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const canSpeak = view.speech !== undefined;
  const station = useStation();
  const { sound } = station;
  const { t, language } = useWords();
  const { seat: number } = seat;
  const comfort = seat.comfort ?? PLAIN_COMFORT;
  const level = useDerived(() => sound.level(number), [sound, number]);
  const setAll = (wanted: Comfort): void => {
    void station.send(number, { type: 'set-comfort', seat: number, comfort: wanted });
  };
  const set = (change: Partial<Comfort>): void => setAll({ ...comfort, ...change });
  return (
    <>
      <Setting name={t('language.label')}>
        {LANGUAGES.map((each) => (
          <Option
            key={each}
            on={each === language}
            onTouch={() => void station.send(number, { type: 'set-language', seat: number, language: each })}
          >
            <span lang={each}>{LANGUAGE_NAMES[each]}</span>
          </Option>
        ))}
      </Setting>
      <Setting name={t('settings.text')}>
        {(['normal', 'large'] as const).map((text) => (
          <Option key={text} on={comfort.text === text} onTouch={() => set({ text })}>
            {t(`settings.text-${text}`)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('settings.contrast')}>
        {(['normal', 'high'] as const).map((contrast) => (
          <Option key={contrast} on={comfort.contrast === contrast} onTouch={() => set({ contrast })}>
            {t(`settings.contrast-${contrast}`)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('settings.reach')}>
        {(['normal', 'low'] as const).map((reach) => (
          <Option key={reach} on={comfort.reach === reach} onTouch={() => set({ reach })}>
            {t(`settings.reach-${reach}`)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('settings.hand')}>
        {([false, true] as const).map((left) => (
          <Option
            key={String(left)}
            on={(comfort.leftHand ?? false) === left}
            onTouch={() => setAll(chosen(comfort, 'leftHand', left))}
          >
            {t(left ? 'settings.hand-left' : 'settings.hand-right')}
          </Option>
        ))}
      </Setting>
      <Setting name={t('settings.motion')}>
        {(['full', 'fast', 'none'] as const).map((motion) => (
          <Option key={motion} on={comfort.motion === motion} onTouch={() => set({ motion })}>
            {t(`settings.motion-${motion}`)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('sound.level')}>
        {LEVELS.filter((each) => heardAt(each, view.sound) === each).map((each) => (
          <Option
            key={each}
            on={each === heardAt(level, view.sound)}
            onTouch={() => sound.setLevel(number, each)}
          >
            {t(`sound.${(['off', 'soft', 'loud'] as const)[each]}`)}
          </Option>
        ))}
      </Setting>
      <p class="settings-note">{t('settings.captions')}</p>
      {canSpeak && (
        <>
          <Setting name={t('settings.speech')}>
            {([true, false] as const).map((on) => (
              <Option
                key={String(on)}
                on={(comfort.speech ?? false) === on}
                onTouch={() => setAll(chosen(comfort, 'speech', on))}
              >
                {t(on ? 'settings.speech-on' : 'settings.speech-off')}
              </Option>
            ))}
          </Setting>
          <p class="settings-note">{t('settings.speechHow')}</p>
        </>
      )}
    </>
  );
}
