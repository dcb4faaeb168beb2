import canonicalize from 'canonicalize';

/** Deeper than any event; below it the library goes on, which needs no stack. */
const DEEPEST = 64;
/**
 * How JSON.stringify begins one that stands alone, which is no Unicode and no RFC 8785; also part
 * of honest texts.
 */
export const SURROGATE = '\\ud';

/**
 * RFC 8785 text of a value, undefined where JSON has none. Throws what the library throws for what
 * RFC 8785 forbids.
 *
 * JSON.stringify writes what RFC 8785 asks for when the members are in order before, so plain data
 * is put in order for it; all else takes the library's road, which is five times as long.
 */
export const canonicalText = (value: unknown): string | undefined =>
  textInOrder(inOrder(value)) ?? canonicalize(value);

/** RFC 8785 text of what is in order; null where only the library can tell. */
export function textInOrder(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.includes(SURROGATE) ? null : text;
}

/**
 * Plain data (null, finite numbers, texts, lists, objects of the plain kind) with the members of
 * all objects in the order of RFC 8785. Undefined for anything else, and for names that JavaScript
 * would put in another place: those that look like numbers, `__proto__`.
 */
export function inOrder(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      const item = inOrder(value[i], depth + 1);
      if (item === undefined) return undefined;
      list.push(item);
    }
    return list;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const object: Record<string, unknown> = {};
  for (const name of sorted(Object.keys(members))) {
    const member = inOrder(members[name], depth + 1);
    if (member === undefined || isNumberLike(name) || name === '__proto__') return undefined;
    object[name] = member;
  }
  return object;
}

const isNumberLike = (name: string): boolean => {
  const first = name.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
};

/**
 * UTF-16 code units, as `<` compares. A handful of names: an insertion sort is a third of the price
 * of `sort`.
 */
function sorted(names: string[]): string[] {
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}
