/**
 * Engine and auditor see something differently. A sitting ends with it: what follows from it would
 * be noise.
 */
export class Disagreed extends Error {
  readonly found: { readonly what: string; readonly engine: unknown; readonly auditor: unknown };

  constructor(what: string, engine: unknown, auditor: unknown) {
    super(what);
    this.found = { what, engine, auditor };
  }
}
