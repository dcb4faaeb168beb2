/** What the centre asks of its database, whichever of the two it runs on. */

export interface Queryable {
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
  /** `into`: a table and its columns; `rows` in the form of `copy.codec.ts`. */
  copy(into: string, rows: Uint8Array): Promise<void>;
}

export interface Db extends Queryable {
  readonly engine: 'postgresql' | 'pglite';
  /** COMMIT when `work` resolves, ROLLBACK when it rejects. */
  transaction<T>(work: (q: Queryable) => Promise<T>): Promise<T>;
  /**
   * `heard` is called after every NOTIFY of the channel by whatever process, and when some may have
   * been missed. Resolves with what ends it.
   */
  listen(channel: string, heard: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
