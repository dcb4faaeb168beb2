import { useState } from 'preact/hooks';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { DataTable, Loaded, Pager } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { usePrintAgain } from './slips.tsx';

const PER_PAGE = 20;

/** What waits to be paid by hand, and below it what was paid, by whom. */
export function PayoutsPage() {
  const { s, t, moment, sum } = useServiceWords();
  const { handPays, table, devices } = useView();
  const { button, refused } = usePrintAgain();
  const hasPrinter = devices.some(({ kind }) => kind === 'receipt-printer');
  const [path, setPath] = useState<readonly number[]>([]);
  const page = useQuery({ query: 'payouts', beforeSeq: path.at(-1) ?? null, limit: PER_PAGE });
  const seatOf = ({ seat }: { readonly seat: number }): string => t('seat.name', { seat });
  const kindOf = ({ kind }: { readonly kind: 'cash-out' | 'win' }): string => s(`payouts.kind.${kind}`);
  const receipt = ({ payNo }: { readonly payNo: number | null }): string | number => payNo ?? s('none');
  return (
    <>
      <h3>{s('payouts.waiting')}</h3>
      {handPays.length === 0 ? (
        <p class="service-note">{s('payouts.nothing')}</p>
      ) : (
        <DataTable
          label={s('payouts.waiting')}
          rows={handPays}
          keyOf={({ requestId }) => requestId}
          columns={[
            { head: s('payouts.since'), cell: ({ sinceMs }) => moment(sinceMs) },
            { head: s('payouts.seat'), cell: seatOf },
            { head: s('payouts.what'), cell: kindOf },
            { head: s('payouts.receipt'), number: true, cell: receipt },
            {
              head: s('payouts.amount'),
              number: true,
              cell: ({ amountMinor }) => sum(amountMinor, table.currency),
            },
          ]}
        />
      )}
      <h3>{s('payouts.paid')}</h3>
      <Loaded from={page}>
        {({ payouts, olderSeq }) =>
          payouts.length === 0 ? (
            <p class="service-note">{s('payouts.nothing')}</p>
          ) : (
            <>
              <DataTable
                label={s('payouts.paid')}
                rows={payouts}
                keyOf={({ seq }) => seq}
                columns={[
                  { head: s('events.seq'), number: true, cell: ({ seq }) => seq },
                  { head: s('events.time'), cell: ({ atMs }) => moment(atMs) },
                  { head: s('payouts.seat'), cell: seatOf },
                  { head: s('payouts.what'), cell: kindOf },
                  { head: s('payouts.receipt'), number: true, cell: receipt },
                  {
                    head: s('payouts.amount'),
                    number: true,
                    cell: ({ currency, amountMinor }) => sum(amountMinor, currency),
                  },
                  { head: s('payouts.by'), cell: ({ person }) => person },
                  { head: s('payouts.second'), cell: ({ second }) => second ?? s('none') },
                  ...(hasPrinter
                    ? [
                        {
                          head: s('slips.print'),
                          cell: ({ seq }: { readonly seq: number }) =>
                            button({ slip: 'hand-pay', of: String(seq) }),
                        },
                      ]
                    : []),
                ]}
              />
              <output class="bad">{refused}</output>
              <Pager path={path} older={olderSeq} onPath={setPath} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
