import { useState } from 'preact/hooks';
import type { DisplayPage } from '../../wire/pages.ts';
import { RIGHTS } from '../../wire/rights.ts';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { TouchSetting } from './touch-setting.tsx';
import { TouchTest, type TouchTested } from './touch-test.tsx';

/** Asking makes each display count its frames for a second. */
const LIVE_MS = 2_000;
/** Under this what moves is seen to jerk. */
const LEAST_FRAMES = 25;

type Display = DisplayPage['displays'][number];

/**
 * Each connected display as it says itself, where a touch is heard on it, and the test of the glass
 * of this one.
 */
export function DisplaysPage() {
  const { s } = useServiceWords();
  const page = useQuery({ query: 'displays' }, LIVE_MS);
  const [isTesting, test] = useState(false);
  const [tested, setTested] = useState<TouchTested | null>(null);
  const [isSetting, set] = useState(false);
  const { service } = useView();
  const maySet = service !== null && RIGHTS['set-touch'].first.includes(service.role);
  return (
    <>
      <div class="service-bar">
        <button type="button" class="button button-gold" onClick={() => test(true)}>
          {s('displays.test')}
        </button>
        {maySet && (
          <button type="button" class="button" onClick={() => set(true)}>
            {s('displays.set')}
          </button>
        )}
        {tested !== null && (
          <b class={tested.untouched === 0 ? 'good' : 'bad'} role="status">
            {tested.untouched === 0
              ? s('displays.allTouched', { n: tested.cells, fingers: tested.fingers })
              : s('displays.untouched', { n: tested.untouched, of: tested.cells, fingers: tested.fingers })}
          </b>
        )}
      </div>
      {isSetting && <TouchSetting onDone={() => set(false)} />}
      {isTesting && (
        <TouchTest
          onDone={(result) => {
            test(false);
            setTested(result);
          }}
        />
      )}
      <Loaded from={page}>
        {({ displays }) => displays.map((display) => <OneDisplay key={display.id} display={display} />)}
      </Loaded>
    </>
  );
}

function OneDisplay({ display: { role, sinceMs, measured } }: { readonly display: Display }) {
  const { s, moment, code, count } = useServiceWords();
  const seat = /^seat:(\d+)$/.exec(role)?.[1];
  const name = seat === undefined ? code('displayRole', role) : code('displayRole', 'seat', { seat });
  return (
    <article class="device display" aria-label={name}>
      <div>
        <h3>{name}</h3>
        <Facts
          rows={[
            [s('displays.since'), moment(sinceMs)],
            ...(measured === null
              ? ([[s('displays.size'), s('displays.noAnswer')]] as const)
              : ([
                  [
                    s('displays.size'),
                    `${count(measured.width * measured.pixelRatio)} × ${count(measured.height * measured.pixelRatio)}`,
                  ],
                  [s('displays.renderer'), code('rendererKind', measured.renderer)],
                  [
                    s('displays.frames'),
                    <span class={measured.framesPerSecond < LEAST_FRAMES ? 'bad' : ''}>
                      {s('displays.framesOf', {
                        n: Math.round(measured.framesPerSecond),
                        ms: Math.round(measured.longestFrameMs),
                      })}
                    </span>,
                  ],
                  [
                    s('displays.touch'),
                    measured.touchPoints === 0
                      ? s('displays.noTouch')
                      : s('displays.fingers', { n: measured.touchPoints, count: measured.touchPoints }),
                  ],
                  [s('displays.regions'), measured.regions.length],
                ] as const)),
          ]}
        />
      </div>
      {measured !== null && (
        <svg
          class="touch-map"
          viewBox={`0 0 ${measured.width} ${measured.height}`}
          role="img"
          aria-label={s('displays.map', { n: measured.regions.length })}
        >
          <rect class="touch-screen" width={measured.width} height={measured.height} />
          {measured.regions.map(([x, y, width, height]) => (
            <rect key={`${x} ${y} ${width} ${height}`} x={x} y={y} width={width} height={height} />
          ))}
        </svg>
      )}
    </article>
  );
}
