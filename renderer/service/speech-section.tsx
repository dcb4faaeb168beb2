import { useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { tableText } from '../texts/i18n.ts';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/** Whether players can be told aloud what stands on their panel, and where each seat is heard. */
export function SpeechSection() {
  const { s, t } = useServiceWords();
  const { wire } = useStation();
  const { seats } = useView();
  const page = useQuery({ query: 'speech' });
  const [failure, setFailure] = useState<string | null>(null);
  const attempt = async (seat: number): Promise<void> => {
    const language = seats.find((each) => each.seat === seat)?.language ?? 'zh-Hant';
    const text = tableText(language)('speech.test', { seat });
    const answer = await wire.query({ query: 'say', seat, language, text });
    if (!answer.ok) setFailure(answer.code);
    else setFailure(answer.data.state === 'failed' ? answer.data.why : null);
    page.reload();
  };
  return (
    <>
      <h3>{s('speech.help')}</h3>
      <Loaded from={page}>
        {({ synthesiser, voices, outputs }) =>
          synthesiser === null ? (
            <p class="service-note">{s('speech.none')}</p>
          ) : (
            <>
              <Facts rows={[[s('speech.synthesiser'), synthesiser]]} />
              <DataTable
                label={s('speech.voice')}
                rows={voices}
                keyOf={({ language }) => language}
                columns={[
                  { head: s('speech.language'), cell: ({ language }) => t(`language.${language}`) },
                  { head: s('speech.voice'), cell: ({ voice }) => <code>{voice}</code> },
                  {
                    head: s('device.state'),
                    cell: ({ isThere }) =>
                      isThere ? s('speech.there') : <b class="bad">{s('speech.absent')}</b>,
                  },
                ]}
              />
              {outputs.length === 0 ? (
                <p class="service-note">{s('speech.tableOutput')}</p>
              ) : (
                <DataTable
                  label={s('speech.outputs')}
                  rows={outputs}
                  keyOf={({ seat }) => seat}
                  columns={[
                    { head: s('speech.outputs'), cell: ({ seat }) => s('speech.seat', { seat }) },
                    { head: s('speech.output'), cell: ({ output }) => <code>{output}</code> },
                    {
                      head: s('device.state'),
                      cell: ({ problem }) =>
                        problem === null ? s('speech.plays') : <b class="bad">{problem}</b>,
                    },
                    {
                      head: s('speech.try'),
                      cell: ({ seat }) => (
                        <button
                          type="button"
                          class="button"
                          aria-label={`${s('speech.try')} ${s('speech.seat', { seat })}`}
                          onClick={() => void attempt(seat)}
                        >
                          <Icon name="play" />
                        </button>
                      ),
                    },
                  ]}
                />
              )}
              {failure !== null && <p class="service-note">{s('speech.tryFailed', { why: failure })}</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
}
