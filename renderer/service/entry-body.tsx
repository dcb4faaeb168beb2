import { CardSign } from '../parts/bilingual.tsx';
import { useView } from '../station/station.ts';
import { type Said, type SaidMember, sayEntry } from './entry-words.ts';
import { useServiceWords } from './service-words.ts';

/** What an entry of the ledger says, in words; with `bytes` also as it is stored. */
export function EntryBody(props: {
  readonly kind: string;
  readonly body: unknown;
  readonly bytes: boolean;
  /** By which the round was played; absent = the one in force. */
  readonly rulebook?: Parameters<typeof sayEntry>[2]['table']['rulebook'] | null;
}) {
  const { language } = useServiceWords();
  const { table } = useView();
  const { kind, body, bytes, rulebook } = props;
  const members = sayEntry(kind, body, {
    language,
    table: { currency: table.currency, rulebook: rulebook ?? table.rulebook },
  });
  return (
    <>
      <Members members={members} />
      {bytes && <code class="entry-bytes">{JSON.stringify(body)}</code>}
    </>
  );
}

/** Shows the entries as they are stored, beside their words. */
export function BytesButton({ on, onToggle }: { readonly on: boolean; readonly onToggle: () => void }) {
  const { s } = useServiceWords();
  return (
    <button type="button" class="button" aria-pressed={on} onClick={onToggle}>
      {s('device.bytes')}
    </button>
  );
}

function Members({ members }: { readonly members: readonly SaidMember[] }) {
  if (members.length === 0) return null;
  return (
    <dl class="entry">
      {members.map(({ label, said }, index) => (
        <div key={index} class={'inside' in said ? 'entry-inside' : ''}>
          <dt>{label}</dt>
          <dd>
            <SaidOf said={said} label={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function SaidOf({ said, label }: { readonly said: Said; readonly label: string }) {
  const { s } = useServiceWords();
  if ('words' in said) return <>{said.words}</>;
  if ('code' in said) return <code>{said.code}</code>;
  if ('cards' in said)
    return (
      <>
        {said.cards.map((hand, index) => (
          <span key={index}>
            {index > 0 && ' · '}
            {hand.map((card, place) => (
              <CardSign key={`${place}-${card}`} card={card} />
            ))}
          </span>
        ))}
      </>
    );
  const { inside, isLong } = said;
  const all = inside.map((members, index) => <Members key={index} members={members} />);
  if (!isLong) return <>{all}</>;
  return (
    <details>
      <summary aria-label={`${s('entry.show')}: ${label}`}>{s('entry.show')}</summary>
      {all}
    </details>
  );
}
