import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf, Query } from '../../wire/queries.ts';
import { useStation } from './station.ts';
import type { QueryFailure } from './wire.ts';

export interface Queried<T> {
  /** The newest answer there was; null until the first one. */
  readonly data: T | null;
  /** Why the newest question had no answer; then `data` is older. */
  readonly failure: QueryFailure | null;
  reload(): void;
}

type Known<T> = Pick<Queried<T>, 'data' | 'failure'>;
const NOTHING = { data: null, failure: null };

/** Asks the host when the query changes, when `reload` is called, and every `everyMs` if given. */
export function useQuery<Q extends Query>(query: Q, everyMs: number | null = null): Queried<AnswerOf<Q>> {
  const { wire } = useStation();
  const [known, setKnown] = useState<Known<AnswerOf<Q>>>(NOTHING);
  const [round, setRound] = useState(0);
  const text = JSON.stringify(query);
  // A page never shows the answer to another question.
  useEffect(() => setKnown(NOTHING), [text]);
  useEffect(() => {
    let current = true;
    let timer = 0;
    const ask = async (): Promise<void> => {
      const next = await wire.query(query);
      if (!current) return;
      setKnown(({ data }) => (next.ok ? { data: next.data, failure: null } : { data, failure: next.code }));
      if (everyMs !== null) timer = window.setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, round, everyMs, wire]);
  return { ...known, reload: () => setRound((before) => before + 1) };
}
