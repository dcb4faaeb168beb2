/** What every part of the bench is given. */
export interface PartContext {
  /** A new empty folder on the disk that is measured. */
  makeDir(name: string): string;
  /** How long play is watched. */
  readonly minutes: number;
  /** Whatever a part starts is ended through this, also when the bench is interrupted. */
  readonly stack: AsyncDisposableStack;
  /** Puts on record what could not be measured here. */
  cannot(what: string, why: string): void;
}
