/**
 * A bug is a crash: the supervisor starts the process again from the ledger rather than go on from
 * a half-known state.
 */
export function crash(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
