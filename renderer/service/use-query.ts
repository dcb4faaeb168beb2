import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../host/api.ts';
import { useStation } from '../station.ts';
import type { QueryAnswer } from '../wire.ts';

export interface Queried<T> {
  /** The newest answer; null until the first one. */
  readonly data: T | null;
  readonly failure: Extract<QueryAnswer, { ok: false }>['code'] | null;
  reload(): void;
}

/**
 * Asks the host when the query changes, when `reload` is called, and every `everyMs` if given. `T` is the page the query
 * names in host/api.ts; host and display are built together, so the shape is not checked again here.
 */
export function useQuery<T>(query: Query, everyMs: number | null = null): Queried<T> {
  const { wire } = useStation();
  const [answer, setAnswer] = useState<QueryAnswer | null>(null);
  const [round, setRound] = useState(0);
  const text = JSON.stringify(query);
  // A page never shows the answer to another question.
  useEffect(() => setAnswer(null), [text]);
  useEffect(() => {
    let current = true;
    let timer = 0;
    const ask = async (): Promise<void> => {
      const next = await wire.query(JSON.parse(text) as Query);
      if (!current) return;
      setAnswer(next);
      if (everyMs !== null) timer = window.setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, round, everyMs, wire]);
  return {
    data: answer?.ok ? (answer.data as T) : null,
    failure: answer && !answer.ok ? answer.code : null,
    reload: () => setRound((before) => before + 1),
  };
}
