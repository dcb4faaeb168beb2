// What the state holds of Casino War.

declare module '../../table/state.ts' {
  interface RoundParts {
    /** Cards burnt in the war of this round. */
    warBurned: number;
  }
}
declare module '../../table/inputs.ts' {
  interface Acts {
    goToWar: true;
    surrenderWar: true;
  }
}

export const CASINO_WAR_PARTS = { round: () => ({ warBurned: 0 }) };
