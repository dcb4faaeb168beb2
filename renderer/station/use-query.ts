import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf, Query } from '../../wire/queries.ts';
import { useStation } from './station.ts';
import type { QueryAnswer, QueryFailure } from './wire.ts';

export interface Queried<T> {
  /** The newest answer; null until the first one. */
  readonly data: T | null;
  readonly failure: QueryFailure | null;
  reload(): void;
}

/** Asks the host when the query changes, when `reload` is called, and every `everyMs` if given. */
export function useQuery<Q extends Query>(query: Q, everyMs: number | null = null): Queried<AnswerOf<Q>> {
  const { wire } = useStation();
  const [answer, setAnswer] = useState<QueryAnswer<AnswerOf<Q>> | null>(null);
  const [round, setRound] = useState(0);
  const text = JSON.stringify(query);
  // A page never shows the answer to another question.
  useEffect(() => setAnswer(null), [text]);
  useEffect(() => {
    let current = true;
    let timer = 0;
    const ask = async (): Promise<void> => {
      const next = await wire.query(query);
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
    data: answer?.ok ? answer.data : null,
    failure: answer && !answer.ok ? answer.code : null,
    reload: () => setRound((before) => before + 1),
  };
}
