import type { LinkPage as Link } from '../../wire/pages.ts';
import { RIGHTS } from '../../wire/rights.ts';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { Facts, Loaded, Reason } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';

const LIVE_MS = 1_000;

/**
 * The link to the casino's centre: what is proven to be there, what still waits here, and what went
 * wrong.
 */
export function LinkPage() {
  const words = useServiceWords();
  const { s, moment, count, fixed } = words;
  const page = useQuery({ query: 'link' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {(link) => {
        const { view, retryAtMs, clockOffMs, lastCommand, nowMs } = link;
        const isBad = view.state === 'down' || view.state === 'fork';
        return (
          <>
            <Proof link={link} words={words} />
            <Maintenance link={link} words={words} />
            <Facts
              rows={[
                [s('link.state'), <b class={isBad ? 'bad' : ''}>{s(`link.${view.state}`)}</b>],
                [s('link.downSince'), moment(view.downSinceMs)],
                [
                  s('link.retryIn'),
                  retryAtMs === null
                    ? s('none')
                    : s('link.seconds', { count: Math.max(0, Math.ceil((retryAtMs - nowMs) / 1000)) }),
                ],
                [s('link.url'), link.url ?? s('none')],
                [s('link.head'), count(view.headSeq)],
                [s('link.acked'), count(view.ackedSeq)],
                [s('link.backlog'), count(view.headSeq - view.ackedSeq)],
                [s('link.ackHash'), <code>{link.lastAckHash ?? s('none')}</code>],
                [s('link.ownHash'), <code>{link.ownHash ?? s('none')}</code>],
                [
                  s('link.clock'),
                  clockOffMs === null ? s('none') : s('storage.seconds', { n: fixed(clockOffMs / 1000, 3) }),
                ],
                [
                  s('link.commands'),
                  !link.takesCommands
                    ? s('link.noCommands')
                    : lastCommand === null
                      ? s('none')
                      : `${lastCommand.no} · ${moment(lastCommand.atMs)}`,
                ],
                [s('link.lastError'), link.lastError === null ? s('none') : <Reason text={link.lastError} />],
                [s('link.key'), <code>{link.terminalKey}</code>],
              ]}
            />
          </>
        );
      }}
    </Loaded>
  );
}

/** What the centre has ordered, and the person who sees that the table is fit to play ends. */
function Maintenance({
  link: { maintenance },
  words: { s },
}: {
  readonly link: Link;
  readonly words: ServiceWords;
}) {
  const { send } = useStation();
  const { service } = useView();
  if (maintenance === null) return null;
  const mayEnd = service !== null && RIGHTS['end-maintenance'].first.includes(service.role);
  return (
    <p class="service-note bad" role="status">
      {s('link.maintenance')}: {maintenance.reason}{' '}
      {mayEnd && (
        <button type="button" class="button" onClick={() => void send('dealer', { type: 'end-maintenance' })}>
          {s('link.endMaintenance')}
        </button>
      )}
    </p>
  );
}

/** The two hashes are compared here, on the page, and not only believed. */
function Proof({ link, words: { s, moment } }: { readonly link: Link; readonly words: ServiceWords }) {
  const { view, lastAckHash, ownHash } = link;
  if (view.state === 'fork' || lastAckHash !== ownHash)
    return (
      <p class="service-note bad" role="alert">
        {s('link.forked')}
      </p>
    );
  return (
    <p class="service-note" role="status">
      {lastAckHash === null || view.ackedUpToMs === null
        ? s('link.unproven')
        : s('link.proven', { time: moment(view.ackedUpToMs) })}
    </p>
  );
}
