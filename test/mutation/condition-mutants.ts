/**
 * Every condition of a file, and what it can be made of it: true, false, and the neighbour of its
 * comparison. A decision is what `if`, `?:`, a loop, `&&` and `||` ask, or a comparison; its
 * conditions are the parts that hold no `&&`, `||` or `!` of their own.
 */
import { parseSync } from 'oxc-parser';

export interface Condition {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The nearest function or constant with a name, '' = none. */
  readonly within: string;
  readonly line: number;
  readonly becomes: readonly string[];
}

/** One change of one condition. */
export interface Mutant {
  readonly condition: Condition;
  readonly becomes: string;
  /** Names it in the list of equivalent ones: stands as long as its text and its function do. */
  readonly key: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const NEIGHBOURS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const TESTS: Readonly<Record<string, string>> = {
  IfStatement: 'test',
  ConditionalExpression: 'test',
  WhileStatement: 'test',
  DoWhileStatement: 'test',
  ForStatement: 'test',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** `&&`, `||` and `!` are no conditions: their parts are. */
function leavesOf(node: Node): Node[] {
  if (node.type === 'ParenthesizedExpression') return leavesOf(node['expression'] as Node);
  if (node.type === 'UnaryExpression' && node['operator'] === '!') return leavesOf(node['argument'] as Node);
  if (node.type === 'LogicalExpression' && node['operator'] !== '??')
    return [...leavesOf(node['left'] as Node), ...leavesOf(node['right'] as Node)];
  return [node];
}

const nameOf = (node: Node): string | null => {
  const named = (node['id'] ?? node['key']) as Node | null | undefined;
  return isNode(named) && typeof named['name'] === 'string' ? named['name'] : null;
};

export function conditionsOf(path: string, text: string): Condition[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const found = new Map<number, Condition>();
  const lines = [...text.matchAll(/\n/g)].map(({ index }) => index);

  const add = (node: Node, within: string): void => {
    for (const leaf of leavesOf(node)) {
      if (leaf.type === 'Literal' || found.has(leaf.start * 1e6 + leaf.end)) continue;
      const { start, end } = leaf;
      const isComparison = leaf.type === 'BinaryExpression' && String(leaf['operator']) in NEIGHBOURS;
      const source = text.slice(start, end);
      found.set(start * 1e6 + end, {
        start,
        end,
        text: source.replaceAll(/\s+/g, ' '),
        within,
        line: lines.filter((at) => at < start).length + 1,
        becomes: ['true', 'false', ...(isComparison ? [neighbourOf(leaf, text)] : [])],
      });
    }
  };

  const visit = (node: Node, within: string): void => {
    // Types hold no decision.
    if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
    const test = TESTS[node.type];
    if (test !== undefined && isNode(node[test])) add(node[test], within);
    if (node.type === 'LogicalExpression' && node['operator'] !== '??') add(node, within);
    if (node.type === 'BinaryExpression' && String(node['operator']) in NEIGHBOURS) add(node, within);
    const name = nameOf(node) ?? within;
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, name);
    }
  };
  visit(program as unknown as Node, '');
  return [...found.values()].sort((a, b) => a.start - b.start);
}

function neighbourOf(leaf: Node, text: string): string {
  const [left, right] = [leaf['left'] as Node, leaf['right'] as Node];
  const operator = NEIGHBOURS[String(leaf['operator'])]!;
  return `${text.slice(left.start, left.end)} ${operator} ${text.slice(right.start, right.end)}`;
}

/** Every change, with a name that no other change of the file has. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const often = new Map<string, number>();
  return conditionsOf(file, text).flatMap((condition) => {
    const name = `${file} ${condition.within}: ${condition.text}`;
    const no = (often.get(name) ?? 0) + 1;
    often.set(name, no);
    return condition.becomes.map((becomes) => ({
      condition,
      becomes,
      key: `${name}${no > 1 ? ` (${no})` : ''} -> ${becomes.replaceAll(/\s+/g, ' ')}`,
    }));
  });
}

/** `<` and the like: only where both sides are equal does the neighbour differ. */
const isOfOrder = ({ becomes }: Condition): boolean => becomes.length > 2 && !/[!=]==/.test(becomes[2]!);

/** One condition as it is asked: what it was, and what its neighbour would have been. */
export interface Seen {
  readonly value: unknown;
  /** Only of an order. */
  readonly neighbour: (() => unknown) | undefined;
}

/** Whether the change makes another value of the condition here. */
export function isOther({ condition, becomes }: Mutant, { value, neighbour }: Seen): boolean {
  if (becomes === 'true') return value !== true;
  if (becomes === 'false') return value !== false;
  return !isOfOrder(condition) || neighbour?.() !== value;
}

/**
 * The file with all its mutants in it, each asleep: `globalThis.mutant` says which one is awake,
 * and `globalThis.seen` hears what every condition is, under the number of its first mutant. Inner
 * conditions are changed inside outer ones.
 */
export function withMutants(text: string, mutants: readonly Mutant[], first: number): string {
  const of = new Map<Condition, { readonly becomes: string; readonly no: number }[]>();
  for (const [at, { condition, becomes }] of mutants.entries())
    of.set(condition, [...(of.get(condition) ?? []), { becomes, no: first + at }]);
  const inserts = [...of]
    .flatMap(([condition, choices]) => {
      const { start, end } = condition;
      const awake = choices
        .map(({ becomes, no }) => `globalThis.mutant === ${no} ? (${becomes}) : `)
        .join('');
      const neighbour = isOfOrder(condition) ? `, () => (${condition.becomes[2]})` : '';
      return [
        { at: start, text: `(${awake}globalThis.seen(${choices[0]!.no}, (`, isEnd: false, order: -end },
        { at: end, text: `)${neighbour}))`, isEnd: true, order: -start },
      ];
    })
    .sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || a.order - b.order);
  let out = '';
  let from = 0;
  for (const { at, text: insert } of inserts) {
    out += text.slice(from, at) + insert;
    from = at;
  }
  return out + text.slice(from);
}
