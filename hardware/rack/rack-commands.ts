import { z } from 'zod';
import { ID003_FAULTS } from '../bill-acceptor/id003/id003-faults.ts';
import type { Kcb1Sim } from '../cabinet/kcb1/kcb1.sim.ts';
import { CABINET_FAULTS } from '../cabinet/kcb1/kcb1-faults.ts';
import type { Note } from '../ports.ts';
import type { NutSim } from '../power/nut.sim.ts';
import { UPS_FAULTS } from '../power/nut-faults.ts';
import { ESCPOS_FAULTS } from '../printer/escpos-faults.ts';
import { SHOE_FAULTS } from '../shoe/ksp1/ksp1-faults.ts';

/** 'acceptor-1' and up, or the name of what there is one of. */
const device = z
  .string()
  .regex(
    /^(acceptor-[1-9][0-9]?|shoe|printer|cabinet|ups)$/,
    "a device is 'acceptor-N', 'shoe', 'printer', 'cabinet' or 'ups'",
  );
const acceptor = z.int().min(1);
const perMille = z.int().min(0).max(1000);

/**
 * What hands (and fate) can do to the devices of a rack; one JSON object a line on the control
 * socket.
 */
export const rackCommand = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('insert-note'),
    acceptor,
    valueMinor: z.int().min(1),
    currency: z.string().regex(/^[A-Z]{3}$/, 'ISO 4217'),
  }),
  z.strictObject({ do: z.literal('empty-box'), acceptor }),
  /**
   * A card list (first out first, 0..51 = suit S H D C * 13 + rank A..K) with the number of packs
   * the shoe gets, by default as many as it takes to hold the cards; or packs shuffled with or
   * without a seed.
   */
  z.strictObject({
    do: z.literal('load-shoe'),
    cards: z.array(z.int().min(0).max(51)).min(1).max(832).optional(),
    decks: z.int().min(1).max(16).optional(),
    seed: z.int().optional(),
  }),
  /** Another shoe, empty and new, takes the place of the one on the table. */
  z.strictObject({
    do: z.literal('swap-shoe'),
    serial: z
      .string()
      .regex(/^[ -~]{1,16}$/, 'printable ASCII, at most 16 characters')
      .optional(),
  }),
  z.strictObject({ do: z.literal('place-cut-card'), fromEnd: z.int().min(0) }),
  z.strictObject({ do: z.literal('draw-card') }),
  z.strictObject({
    do: z.literal('fault'),
    device,
    fault: z.enum([
      ...new Set([...ID003_FAULTS, ...SHOE_FAULTS, ...ESCPOS_FAULTS, ...CABINET_FAULTS, ...UPS_FAULTS]),
    ]),
    /** Of an acceptor's `reject` and `failure`: the code of its protocol. */
    code: z.int().min(0).max(255).optional(),
  }),
  /** A bad line from now on; all rates 0 mends it. */
  z.strictObject({
    do: z.literal('line'),
    device,
    dropPerMille: perMille.default(0),
    flipPerMille: perMille.default(0),
    losePerMille: perMille.default(0),
  }),
  z.strictObject({ do: z.literal('power-cycle'), device, offMs: z.int().min(0).max(600_000).default(1000) }),
  z.strictObject({ do: z.literal('state') }),
]);

export type RackCommand = z.input<typeof rackCommand>;

export interface AcceptorSight {
  readonly id: string;
  /** Status byte in hex, null without power. */
  readonly status: string | null;
  /** Notes in the cash box, in the order they fell. */
  readonly cashBox: readonly Note[];
  readonly path: { readonly note: Note; readonly beyond: boolean } | null;
  readonly owesCredit: boolean;
  readonly givenBack: readonly Note[];
  readonly takenOut: readonly Note[];
}

export interface ShoeSight {
  readonly serial: string;
  readonly boot: number;
  readonly decks: number;
  readonly remaining: number;
  /** Cards drawn since loading, in order. */
  readonly drawn: readonly number[];
  readonly locked: boolean;
  readonly lastSeq: number;
  readonly ackedSeq: number;
  readonly oldestSeq: number;
}

export interface PrinterSight {
  /** Null without power. */
  readonly state: string | null;
  /** The newest pieces of paper, line by line, and what hangs out of it. */
  readonly pieces: readonly (readonly string[])[];
  readonly hanging: readonly string[];
}

export interface RackSight {
  readonly acceptors: readonly AcceptorSight[];
  readonly shoe: ShoeSight;
  readonly printer: PrinterSight;
  readonly cabinet: ReturnType<Kcb1Sim['sight']>;
  readonly ups: ReturnType<NutSim['sight']>;
}

interface Results {
  'insert-note': { readonly taken: boolean; readonly why: string | null };
  'empty-box': { readonly notes: readonly Note[] };
  'load-shoe': { readonly shoeId: string; readonly cardCount: number };
  'swap-shoe': { readonly serial: string };
  'place-cut-card': object;
  'draw-card': {
    readonly drawn: boolean;
    readonly cards: readonly number[];
    readonly cutCard: boolean;
    readonly why: string | null;
  };
  fault: object;
  line: object;
  'power-cycle': object;
  state: RackSight;
}

/**
 * The command was understood and done as far as the device allows; a malformed one is `ok: false`
 * and changes nothing.
 */
export type RackAnswer<C extends RackCommand = RackCommand> =
  | ({ readonly ok: true } & Results[C['do']])
  | { readonly ok: false; readonly error: string };

/** The same hands, in this process or through the control socket. */
export interface RackControl {
  do<C extends RackCommand>(command: C): Promise<RackAnswer<C>>;
}
