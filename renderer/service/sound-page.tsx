import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import type { Level } from '../sound/announce.ts';
import { EFFECTS, SPOKEN, VOICES } from '../sound/keys.ts';
import type { Clip } from '../sound/player.ts';
import { isChinese } from '../sound/voices.ts';
import { useStation } from '../station/station.ts';
import { DataTable, Progress } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';
import { SpeechSection } from './speech-section.tsx';

const LEVELS = [0, 1, 2] as const satisfies readonly Level[];
const ALL_SPOKEN = Object.entries(SPOKEN);
const ALL: readonly string[] = [
  ...Object.keys(SPOKEN).flatMap((key) => VOICES.map((voice) => `${voice}/${key}`)),
  ...Object.keys(EFFECTS).map((key) => `effect/${key}`),
];

/** One after the other a busy machine took half a minute. */
const AT_ONCE = 8;

/**
 * Every sound of this display, to be heard one by one: what it says, whether somebody has recorded
 * it, how loud it is.
 */
export function SoundPage() {
  const { sound } = useStation();
  const words = useServiceWords();
  const { s, t } = words;
  const [level, setLevel] = useState<Level>(2);
  const [clips, setClips] = useState<ReadonlyMap<string, Clip | null>>(new Map());
  useEffect(() => {
    let isHere = true;
    const probe = async (): Promise<void> => {
      const found = new Map<string, Clip | null>();
      for (let from = 0; from < ALL.length; from += AT_ONCE) {
        const keys = ALL.slice(from, from + AT_ONCE);
        const probed = await Promise.all(keys.map((key) => sound.probe(key)));
        if (!isHere) return;
        for (const [index, key] of keys.entries()) found.set(key, probed[index]!);
        setClips(new Map(found));
      }
    };
    void probe();
    return () => {
      isHere = false;
    };
  }, [sound]);
  const known = [...clips.values()];
  const cell = (key: string) => (
    <SoundCell clip={clips.get(key)} onPlay={() => void sound.test(key, level)} of={key} words={words} />
  );
  return (
    <>
      <fieldset class="service-bar plain-set" aria-label={s('sound.level')}>
        <span>{s('sound.level')}</span>
        {LEVELS.map((each) => (
          <button
            type="button"
            key={each}
            class="button"
            aria-pressed={each === level}
            onClick={() => setLevel(each)}
          >
            {s(`sound.levels.${each}`)}
          </button>
        ))}
      </fieldset>
      {clips.size < ALL.length ? (
        <Progress label={s('sound.reading')} part={clips.size / ALL.length} />
      ) : (
        <p class="service-note">
          {s('sound.sum', {
            n: known.length,
            placeholders: known.filter((clip) => clip?.isPlaceholder).length,
            missing: known.filter((clip) => clip === null).length,
          })}
        </p>
      )}
      <DataTable
        label={s('sound.effects')}
        rows={Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]}
        keyOf={(key) => key}
        columns={[
          { head: s('sound.effects'), cell: (key) => t(`sound.${key}`) },
          { head: s('sound.clip'), cell: (key) => cell(`effect/${key}`) },
        ]}
      />
      <h3>{s('sound.spoken')}</h3>
      <DataTable
        label={s('sound.spoken')}
        rows={ALL_SPOKEN}
        keyOf={([key]) => key}
        columns={[
          { head: s('sound.key'), cell: ([key]) => <code>{key}</code> },
          ...VOICES.map((voice) => ({
            head: s(`sound.${voice}`),
            cell: ([key, words]: (typeof ALL_SPOKEN)[number]) => (
              <>
                <span lang={isChinese(voice) ? 'zh-Hant' : voice}>{words[voice]}</span>
                <br />
                {cell(`${voice}/${key}`)}
              </>
            ),
          })),
        ]}
      />
      <SpeechSection />
    </>
  );
}

function SoundCell(props: {
  readonly of: string;
  /** Undefined = not read yet. */
  readonly clip: Clip | null | undefined;
  readonly onPlay: () => void;
  readonly words: ServiceWords;
}) {
  const { of, clip, onPlay, words } = props;
  const { s, fixed } = words;
  if (clip === null) return <b class="bad">{s('sound.missing')}</b>;
  return (
    <>
      <button type="button" class="button" aria-label={s('sound.play', { key: of })} onClick={onPlay}>
        <Icon name="play" />
      </button>{' '}
      {clip && (
        <>
          {fixed(clip.seconds, 1)} s · {fixed(clip.loudnessDb, 0).replace('-', '−')} dB{' '}
          {clip.isPlaceholder && <span class="tag tag-sim">{s('sound.placeholder')}</span>}
        </>
      )}
    </>
  );
}
