import { useState } from 'preact/hooks';
import { useStation } from '../station/station.ts';
import { useServiceWords } from './service-words.ts';
import { type Felt, fitTouch } from './touch-fit.ts';
import { WholeGlass } from './whole-glass.tsx';

/** Near the corners, where a wrong glass is most wrong. */
const TARGETS = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
] as const;
const MIDDLE = [0.5, 0.5] as const;

type Stage =
  | { readonly at: 'touching'; readonly touches: readonly Felt[]; readonly again: boolean }
  | { readonly at: 'sent' | 'checking' }
  | { readonly at: 'checked'; readonly offPx: number }
  | { readonly at: 'refused'; readonly why: string };

const begun = (again = false): Stage => ({ at: 'touching', touches: [], again });

/**
 * Four crosses are touched in their middle, wherever the glass feels it; what puts that right is in
 * force at once, and a fifth cross shows how well.
 */
export function TouchSetting({ onDone }: { readonly onDone: () => void }) {
  const { s, t } = useServiceWords();
  const { wire } = useStation();
  const [stage, setStage] = useState<Stage>(() => begun());
  const set = async (correction: readonly number[] | null): Promise<void> => {
    setStage({ at: 'sent' });
    const answer = await wire.send({ type: 'set-touch', correction: correction && [...correction] });
    setStage(
      answer.status === 'rejected' ? { at: 'refused', why: t(`reject.${answer.code}`) } : { at: 'checking' },
    );
  };
  const feel = ({ clientX, clientY }: PointerEvent): void => {
    const felt = [clientX / innerWidth, clientY / innerHeight] as const;
    if (stage.at === 'checking') {
      const offPx = Math.round(Math.hypot(clientX - innerWidth / 2, clientY - innerHeight / 2));
      setStage({ at: 'checked', offPx });
    }
    if (stage.at !== 'touching') return;
    const touches = [...stage.touches, { target: TARGETS[stage.touches.length]!, felt }];
    if (touches.length < TARGETS.length) return setStage({ at: 'touching', touches, again: false });
    const correction = fitTouch(touches);
    if (correction === null) setStage(begun(true));
    else void set(correction);
  };
  const target =
    stage.at === 'touching' ? TARGETS[stage.touches.length]! : stage.at === 'checking' ? MIDDLE : null;
  return (
    <WholeGlass name={s('displays.set')} class="touch-setting" onEnd={onDone} on={{ onPointerDown: feel }}>
      {target !== null && (
        <svg class="touch-target" viewBox="-10 -10 20 20" aria-hidden="true" style={placeOf(target)}>
          <circle r={9} />
          <path d="M-9 0H9M0 -9V9" />
        </svg>
      )}
      <p class="touch-words" role="status">
        {stage.at === 'touching' && (
          <>
            {stage.again && <b class="bad">{s('displays.touchAgain')} </b>}
            <b>{s('displays.touchHere', { n: stage.touches.length + 1, of: TARGETS.length })}</b>
          </>
        )}
        {stage.at === 'checking' && <b>{s('displays.touchMiddle')}</b>}
        {stage.at === 'checked' && <b>{s('displays.touchOff', { px: stage.offPx })}</b>}
        {stage.at === 'refused' && <b class="bad">{stage.why}</b>}
        {(stage.at === 'checked' || stage.at === 'refused') && (
          <>
            {' '}
            <button type="button" class="button button-gold" onClick={onDone}>
              {s('displays.done')}
            </button>{' '}
            <button type="button" class="button" onClick={() => setStage(begun())}>
              {s('displays.onceMore')}
            </button>{' '}
            <button type="button" class="button" onClick={() => void set(null)}>
              {s('displays.asItCame')}
            </button>
          </>
        )}
      </p>
    </WholeGlass>
  );
}

const placeOf = ([x, y]: readonly [number, number]) => ({ left: `${x * 100}%`, top: `${y * 100}%` });
