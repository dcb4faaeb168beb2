/**
 * Values that a zod schema allows, and what somebody makes of them who wishes the reader ill.
 * Everything follows from a seed.
 */
import type { z } from 'zod';
import type { SeededChance } from '../../hardware/transport/faults.ts';

type Schema = z.core.$ZodType;
/** What of zod's own description of a schema is looked at here. */
interface Described {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly items?: readonly Schema[];
  readonly options?: readonly Schema[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly getter?: () => Schema;
}
const described = (schema: Schema): Described => schema._zod.def as unknown as Described;

/**
 * Words that some pattern of the wire or of a file asks for; the first that the schema takes is
 * used.
 */
const WORDS: readonly string[] = [
  'main',
  'r',
  '1',
  '2',
  '3',
  '4',
  '3333',
  '4444',
  '2222',
  'shoe',
  'acceptor-1',
  'jam',
  'command-0001',
  'https://127.0.0.1:1#pin=x',
  '/var/lib/x',
  '2026-11-21',
  'T-1',
  `scrypt$${'0'.repeat(32)}$${'0'.repeat(64)}`,
  'ab'.repeat(32),
  'cd'.repeat(64),
  'AS',
  'TD',
  '00',
  'USB1',
  '閒家 à mão',
];
const NUMBERS: readonly number[] = [0, 1, 2, 3, 5, 12, 60, 200, 5_000, 10_000, 60_000, 500_000, -1, 0.5];

/** A value that the schema takes, where one is found; else anything. */
export class Generator {
  readonly #chance: SeededChance;
  readonly #fitting = new WeakMap<Schema, readonly unknown[]>();

  constructor(chance: SeededChance) {
    this.#chance = chance;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.#chance.below(from.length)]!;
  }

  valid(schema: Schema, depth = 0): unknown {
    const d = described(schema);
    switch (d.type) {
      case 'string':
        return this.#taken(schema, WORDS, 'x');
      case 'number':
      case 'int':
        return this.#taken(schema, NUMBERS, 1);
      case 'boolean':
        return this.#chance.below(2) === 0;
      case 'null':
        return null;
      case 'literal':
        return this.pick(d.values!);
      case 'enum':
        return this.pick(Object.values(d.entries!));
      case 'union':
        return this.valid(this.pick(depth > 6 ? d.options!.slice(0, 1) : d.options!), depth + 1);
      case 'object': {
        const made: Record<string, unknown> = {};
        for (const [name, member] of Object.entries(d.shape!)) {
          const isOptional = member._zod.optin === 'optional';
          if (!isOptional || this.#chance.below(2) === 0) made[name] = this.valid(member, depth + 1);
        }
        return made;
      }
      case 'array':
        return Array.from({ length: 1 + this.#chance.below(depth > 6 ? 1 : 3) }, () =>
          this.valid(d.element!, depth + 1),
        );
      case 'tuple':
        return d.items!.map((item) => this.valid(item, depth + 1));
      case 'record':
        return depth > 6
          ? {}
          : Object.fromEntries(
              Array.from({ length: this.#chance.below(3) }, () => [
                String(this.valid(d.keyType!, depth + 1)),
                this.valid(d.valueType!, depth + 1),
              ]),
            );
      case 'nullable':
        return this.#chance.below(3) === 0 ? null : this.valid(d.innerType!, depth);
      case 'lazy':
        return this.valid(d.getter!(), depth + 1);
      case 'pipe':
        return this.valid(d.in!, depth);
      case 'optional':
      case 'default':
      case 'prefault':
      case 'nonoptional':
      case 'readonly':
        return this.valid(d.innerType!, depth);
      default:
        return null;
    }
  }

  /** One of the candidates that the schema takes; which these are is found out once. */
  #taken(schema: Schema, candidates: readonly unknown[], otherwise: unknown): unknown {
    let fit = this.#fitting.get(schema);
    if (fit === undefined) {
      fit = candidates.filter((candidate) => (schema as z.ZodType).safeParse(candidate).success);
      this.#fitting.set(schema, fit);
    }
    return fit.length === 0 ? otherwise : this.pick(fit);
  }

  /** What stands in a value in the place of something else. */
  #odd(): unknown {
    return this.pick<unknown>([
      null,
      true,
      false,
      0,
      -0,
      -1,
      0.1,
      1e-300,
      1e300,
      2 ** 31,
      2 ** 32,
      2 ** 53,
      -(2 ** 53),
      Number.MAX_SAFE_INTEGER,
      10_000_000_001,
      '',
      ' ',
      '\0',
      '\u2028',
      '\ud800',
      'x'.repeat(5_000),
      '__proto__',
      'constructor',
      'toString',
      '../../etc/passwd',
      '%s%n',
      "'; --",
      [],
      {},
      [[]],
      { length: 2 ** 32 },
      { toJSON: 1 },
      { valueOf: null },
    ]);
  }

  /** The value with something wrong in it, here or deeper. */
  broken(value: unknown, depth = 0): unknown {
    const { below } = this.#chance;
    if (typeof value !== 'object' || value === null || depth > 8 || below(5) === 0) return this.#odd();
    if (Array.isArray(value)) {
      if (value.length === 0 || below(4) === 0)
        return [...value, ...Array.from({ length: 1 + below(50) }, () => this.#odd())];
      const at = below(value.length);
      return below(4) === 0 ? value.toSpliced(at, 1) : value.with(at, this.broken(value[at], depth + 1));
    }
    const members = Object.entries(value);
    const [name] = members.length > 0 ? this.pick(members) : [''];
    const others = members.filter(([each]) => each !== name);
    switch (below(6)) {
      case 0:
        return Object.fromEntries(others);
      case 1:
        return Object.fromEntries([
          ...members,
          [this.pick(['__proto__', 'constructor', 'extra', 'toString', '', '0']), this.#odd()],
        ]);
      default:
        return Object.fromEntries([
          ...others,
          [name, this.broken((value as Record<string, unknown>)[name], depth + 1)],
        ]);
    }
  }

  /**
   * The text with its form broken: bytes turned, cut, doubled, brackets without end, members that
   * stand twice.
   */
  garbled(text: string): string {
    const { below } = this.#chance;
    const at = below(text.length + 1);
    switch (below(8)) {
      case 0:
        return text.slice(0, at);
      case 1:
        return `${text.slice(0, at)}${String.fromCharCode(below(0x1_00))}${text.slice(at + 1)}`;
      case 2:
        return `${text.slice(0, at)}${text.slice(below(text.length + 1))}`;
      case 3: {
        const count = this.pick([17, 100, 1_000, below(20) === 0 ? 9_000 : 2_000]);
        const [open, close] = this.pick([
          ['[', ']'],
          ['{"a":', '}'],
        ]) as [string, string];
        return text.replace(
          /:("[^"]*"|-?\d+|true|false|null|\[\])/,
          `:${open.repeat(count)}1${close.repeat(count)}`,
        );
      }
      case 4:
        return text.replace(/"(\w+)":/, (all, name) => `"${name}":null,${all}`);
      case 5:
        return text.replace(/\d+/, () =>
          this.pick(['1e999', '-0', '00', '1e-999', '9'.repeat(400), '0x10', 'NaN', '1.5']),
        );
      case 6:
        return text.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
      default:
        return text.replace(/"/g, () => (below(20) === 0 ? this.pick(["'", '\\"', '\ufeff"']) : '"'));
    }
  }

  /** The JSON text of a value of the schema, of three in ten as it should be. */
  text(schema: Schema): string {
    const value = this.valid(schema);
    const way = this.#chance.below(10);
    if (way < 3) return JSON.stringify(value);
    if (way < 7) return JSON.stringify(this.broken(value)) ?? '';
    return this.garbled(JSON.stringify(value));
  }
}
