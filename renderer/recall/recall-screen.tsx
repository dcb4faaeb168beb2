import { useEffect, useState } from 'preact/hooks';
import type { RecallStep } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { shortHash } from '../parts/short-hash.ts';
import { useStation, useView } from '../station/station.ts';
import { formatMoment } from '../texts/clock.ts';
import { allLanguages, formatMoney, formatSigned, houseLanguage, LOCALE, tableText } from '../texts/i18n.ts';
import { SPEEDS, type Speed, stayMs } from './playback.ts';
import { StepWords } from './step-words.tsx';

type Recalled = NonNullable<TableView['recall']>;

/**
 * A round of the past on the big table: its steps on the felt instead of the present, its mark on
 * every picture, and the controls where the players' panels are otherwise. What is due now stays
 * readable at the dealer's edge.
 */
export function RecallScreen({ recall }: { readonly recall: Recalled }) {
  const station = useStation();
  const { steps, failed } = useSteps(recall.roundId);
  const [at, setAt] = useState(0);
  const [travels, setTravels] = useState(false);
  const [playing, setPlaying] = useState(true);
  const [speed, setSpeed] = useState<Speed>(1);
  const step = steps?.[at];
  const next = steps?.[at + 1];
  const lastAt = Math.max(0, (steps?.length ?? 1) - 1);

  useEffect(() => {
    if (step) station.showPast(step.view, !travels);
  }, [station, step]);
  useEffect(() => () => station.showPast(null), [station]);
  useEffect(() => {
    if (!playing || !step || !next) return;
    const timer = setTimeout(() => go(at + 1), stayMs(step, next, speed));
    return () => clearTimeout(timer);
  }, [playing, step, next, speed]);

  /** Only the way to the next step is the one it took. */
  const go = (to: number): void => {
    setTravels(to === at + 1);
    setAt(Math.min(lastAt, Math.max(0, to)));
  };
  const jump = (to: number): void => {
    setPlaying(false);
    go(to);
  };
  const atEnd = at === lastAt;

  return (
    <section
      class="recall-screen"
      aria-label={allLanguages()
        .map((each) => tableText(each)('recall.label', { no: recall.no }))
        .join(' ')}
    >
      <Watermark no={recall.no} />
      <div class="recall-bar">
        <Mark recall={recall} at={at} steps={steps} />
        {failed ? (
          <p class="recall-step" role="alert">
            <Bi text={(t) => t('recall.failed')} />
          </p>
        ) : step ? (
          <>
            <Seats view={step.view} />
            <div class="recall-step" role="status">
              {allLanguages().map((language, index) => (
                <p key={language} lang={LOCALE[language]} class={index === 0 ? 'step-first' : 'step-other'}>
                  <StepWords done={step.done} language={language} />
                </p>
              ))}
            </div>
          </>
        ) : (
          <p class="recall-step" role="status">
            <Bi text={(t) => t('recall.loading')} />
          </p>
        )}
        <div class="recall-controls">
          <Control name="first" icon="first" disabled={at === 0} onTouch={() => jump(0)} />
          <Control name="previous" icon="back" disabled={at === 0} onTouch={() => jump(at - 1)} />
          <Control
            name={playing && !atEnd ? 'pause' : 'play'}
            icon={playing && !atEnd ? 'pause' : 'play'}
            gold
            disabled={!step}
            onTouch={() => {
              // At the end it begins again.
              if (atEnd) go(0);
              setPlaying(atEnd || !playing);
            }}
          />
          <Control name="next" icon="next" disabled={atEnd} onTouch={() => jump(at + 1)} />
          <Control name="last" icon="last" disabled={atEnd} onTouch={() => jump(lastAt)} />
          <input
            type="range"
            class="recall-place"
            aria-label={biText((t) => t('recall.position', { at: at + 1, total: lastAt + 1 }))}
            min={0}
            max={lastAt}
            value={at}
            disabled={!step}
            onInput={(event) => jump(Number(event.currentTarget.value))}
          />
          <output class="recall-count">{step ? `${at + 1} / ${lastAt + 1}` : ''}</output>
          <fieldset class="recall-speeds" aria-label={biText((t) => t('recall.speed'))}>
            {SPEEDS.map((each) => (
              <button
                type="button"
                key={each}
                class="key"
                aria-pressed={each === speed}
                onClick={() => setSpeed(each)}
              >
                {each === 0.5 ? '½' : each}×
              </button>
            ))}
          </fieldset>
          <button
            type="button"
            class="button button-gold recall-close"
            onClick={() => void station.send('dealer', { type: 'hide-recall' })}
          >
            <Bi text={(t) => t('recall.close')} />
          </button>
        </div>
      </div>
    </section>
  );
}

/** All steps of the round; null until they are there. */
function useSteps(roundId: string): {
  readonly steps: readonly RecallStep[] | null;
  readonly failed: boolean;
} {
  const { wire } = useStation();
  const [steps, setSteps] = useState<readonly RecallStep[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      const all: RecallStep[] = [];
      for (let total = 1; all.length < total && !gone; ) {
        const answer = await wire.query({ query: 'recall', roundId, fromStep: all.length });
        const page = answer.ok ? answer.data : null;
        if (!page || page.steps.length === 0) return setFailed(true);
        total = page.total;
        all.push(...page.steps);
      }
      if (!gone) setSteps(all);
    };
    void load();
    return () => {
      gone = true;
    };
  }, [wire, roundId]);
  return { steps, failed };
}

/** On every picture, in all three languages: this is not the present. */
function Mark({
  recall,
  at,
  steps,
}: {
  readonly recall: Recalled;
  readonly at: number;
  readonly steps: readonly RecallStep[] | null;
}) {
  const { currency } = useView().table;
  const atMs = steps?.[at]?.view.nowMs ?? recall.openedAtMs;
  return (
    <p class="recall-sign">
      <strong>
        {allLanguages().map((language) => (
          <span key={language} lang={LOCALE[language]}>
            {tableText(language)('recall.mark')}
          </span>
        ))}
      </strong>
      <span>
        <Bi text={(t) => t('recall.round', { no: recall.no })} />
      </span>
      <time>{formatMoment(atMs, currency, houseLanguage())}</time>
      <code>{shortHash(recall.profileSha256)}</code>
    </p>
  );
}

function Watermark({ no }: { readonly no: number }) {
  return (
    <p class="recall-water" aria-hidden="true">
      {allLanguages()
        .map((language) => tableText(language)('recall.mark'))
        .join(' · ')}{' '}
      · {no}
    </p>
  );
}

/** What every seat had at that moment, and what the round has brought it once it is settled. */
function Seats({ view }: { readonly view: TableView }) {
  return (
    <ul class="recall-seats">
      {view.seats
        .filter(({ free }) => !free)
        .map(({ seat, creditMinor, result }) => (
          <li key={seat}>
            <span class="seat-number">{seat}</span>
            {formatMoney(creditMinor, houseLanguage())}
            {result && (
              <b class={result.netMinor < 0 ? 'bad' : result.netMinor > 0 ? 'good' : ''}>
                {formatSigned(result.netMinor, houseLanguage())}
              </b>
            )}
          </li>
        ))}
    </ul>
  );
}

function Control(props: {
  readonly name: 'first' | 'previous' | 'play' | 'pause' | 'next' | 'last';
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly gold?: boolean;
  readonly disabled: boolean;
  readonly onTouch: () => void;
}) {
  return (
    <button
      type="button"
      class={props.gold ? 'button button-gold recall-key' : 'button recall-key'}
      aria-label={biText((t) => t(`recall.${props.name}`))}
      disabled={props.disabled}
      onClick={props.onTouch}
    >
      <Icon name={props.icon} />
    </button>
  );
}
