import { useQuery } from '../station/use-query.ts';
import { Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/** Which terminal this is, for whoever reads its number out on the telephone. */
export function TerminalPage() {
  const { s, moment } = useServiceWords();
  return (
    <Loaded from={useQuery({ query: 'terminal' })}>
      {({ terminalId, tableName, bootId, startedAtMs }) => (
        <Facts
          rows={[
            [s('terminal.id'), <code>{terminalId}</code>],
            [s('terminal.table'), tableName],
            [s('terminal.started'), moment(startedAtMs)],
            [s('terminal.boot'), <code>{bootId ?? s('none')}</code>],
          ]}
        />
      )}
    </Loaded>
  );
}
