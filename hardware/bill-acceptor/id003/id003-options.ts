export interface Id003Options {
  /** Country codes of this unit's currency table; default: none, and a simulator's own. */
  readonly countries?: Readonly<Record<number, string>>;
  /**
   * Only notes of these currencies may be taken; default: every currency of the unit's table that
   * has a name.
   */
  readonly currencies?: readonly string[];
  /**
   * Ways of insertion that are refused, bits 0..3 (C4); which bit is which way stands in the unit's
   * data sheet. Default: none.
   */
  readonly refusedWays?: number;
  /** Denominations read with high security, bit n = escrow code 61+n (C1). Default: none. */
  readonly highSecurity?: number;
  /** Optional functions, 16 bits of the unit's data sheet, low byte first (C5). Default: none. */
  readonly optionalFunctions?: number;
}

/** Bytes of C1, C4 and C5. */
export interface UnitSettings {
  readonly security: readonly number[];
  readonly direction: readonly number[];
  readonly options: readonly number[];
}

export interface ReadOptions {
  /** Null: only a simulator's codes have a name. */
  readonly countries: Readonly<Record<number, string>> | null;
  readonly currencies: readonly string[] | null;
  readonly settings: UnitSettings;
}

/** Throws RangeError on an option that the unit's bytes cannot say. */
export function readOptions(options: Id003Options): ReadOptions {
  const { countries = null, currencies = null } = options;
  const { refusedWays = 0, highSecurity = 0, optionalFunctions = 0 } = options;
  within('refusedWays', refusedWays, 0x0f);
  within('highSecurity', highSecurity, 0xffff);
  within('optionalFunctions', optionalFunctions, 0xffff);
  for (const [code, currency] of Object.entries(countries ?? {})) {
    within(`country code ${code}`, Number(code), 0xff);
    if (!/^[A-Z]{3}$/.test(currency))
      throw new RangeError(`id003: country ${code} is '${currency}', not ISO 4217`);
  }
  return {
    countries,
    currencies,
    settings: {
      security: twoBytes(highSecurity),
      direction: [refusedWays],
      options: twoBytes(optionalFunctions),
    },
  };
}

function within(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new RangeError(`id003: ${name} is ${value}, not 0 to ${most}`);
}

const twoBytes = (bits: number): readonly number[] => [bits & 0xff, bits >>> 8];
