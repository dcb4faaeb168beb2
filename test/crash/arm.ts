/** At which commit the host under test dies: the first one that holds an entry of a kind not spared. */
export interface Arm {
  readonly when: 'before' | 'after';
  readonly spare: readonly string[];
}

export type FromHost = { readonly url: string } | { readonly armed: true };
