import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { deviceText, foundText } from './entry-words.ts';
import { DataTable, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { ChecksRunning } from './storage-page.tsx';

const LIVE_MS = 1_000;

export function SelfTestPage() {
  const { wire, send } = useStation();
  const { s, code, language } = useServiceWords();
  const page = useQuery({ query: 'software' }, LIVE_MS);
  const running = useQuery({ query: 'storage' }, LIVE_MS).data?.running ?? [];
  return (
    <>
      <div class="service-bar">
        <button
          type="button"
          class="button button-gold"
          disabled={wire.state.value !== 'up' || running.length > 0}
          onClick={() => void send('dealer', { type: 'run-self-test' })}
        >
          {s('test.run')}
        </button>
      </div>
      <ChecksRunning running={running} />
      <Loaded from={page}>
        {({ selfTest }) =>
          selfTest === null ? (
            <p class="service-note">{s('test.none')}</p>
          ) : (
            <DataTable
              label={s('page.selfTest')}
              rows={selfTest}
              keyOf={(test) => test.check}
              columns={[
                {
                  head: s('test.check'),
                  cell: ({ check }) => {
                    const name = code('check', check);
                    return name === check ? deviceText(check, language) : name;
                  },
                },
                {
                  head: s('test.result'),
                  cell: (test) => (
                    <b class={test.ok ? 'good' : 'bad'}>{test.ok ? s('test.ok') : s('test.bad')}</b>
                  ),
                },
                { head: s('test.detail'), cell: ({ detail }) => foundText(detail, language) },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}
