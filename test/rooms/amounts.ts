/**
 * Where an amount of money is multiplied, divided or rounded: in `engine/core/money.ts` alone.
 * Elsewhere amounts are added, subtracted and compared, which leaves no fraction. An amount is known
 * by its name: of an operand, or of what the result goes into.
 */
import { parseSync } from 'oxc-parser';
import type { SourceFile, Violation } from './plan.ts';
import { ROOMS } from './plan.ts';

const MODULE = 'engine/core/money.ts';
/** Not looked at, each for its reason. */
const APART: readonly string[] = [
  // Settles every payment again from the articles alone, and shares nothing with the engine.
  'reader/',
  // What a bet returns in the long run: expectations and their errors, which nobody is paid.
  'cli/figures/',
  'cli/simulate/',
];

const AMOUNT =
  /(?:^m|M)inor$|_MINOR$|^(?:amount|stake|raise|prize|credit|payout|wager|winnings|returned|laid)s?$/;
/** In the engine, which draws nothing, these are amounts too. */
const OF_THE_ENGINE = /^(?:min|max|step|least|room|seed)$/;

const OPERATORS: ReadonlySet<string> = new Set(['*', '/', '%', '**', '<<', '>>', '>>>']);
const ROUNDING = /^(?:floor|round|ceil|trunc|fround)$/;
/** Gives on what it is called with, with another sign or type or as one of several. */
const GIVES_ON = /^(?:abs|min|max|Number|BigInt)$/;
/** Only files with both are parsed. */
const MENTIONS =
  /[mM]inor|MINOR|\b(?:amount|stake|raise|prize|credit|payout|wager|winnings|returned|laid)s?\b/;
const RECKONS = /\S (?:\*{1,2}|\/|%|<<|>{2,3})=? \S|\bMath\.(?:floor|round|ceil|trunc|fround)\(/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const child = (node: Node, member: string): Node | null => {
  const found = node[member];
  return isNode(found) ? found : null;
};

const nameOf = (node: Node | null): string => {
  if (node?.type === 'MemberExpression') return nameOf(child(node, 'property'));
  const name = node?.['name'] ?? node?.['value'];
  return typeof name === 'string' ? name : '';
};

/** `as Minor` */
const isMinor = (node: Node): boolean =>
  node.type === 'TSAsExpression' && nameOf(child(child(node, 'typeAnnotation')!, 'typeName')) === 'Minor';

/** What an expression hands on as it is: in brackets, with another type, one side of a sum or choice. */
function insideOf(node: Node): readonly (Node | null)[] {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ChainExpression':
      return [child(node, 'expression')];
    case 'UnaryExpression':
      return [child(node, 'argument')];
    case 'BinaryExpression':
    case 'LogicalExpression':
      return [child(node, 'left'), child(node, 'right')];
    case 'ConditionalExpression':
      return [child(node, 'consequent'), child(node, 'alternate')];
    case 'MemberExpression':
      return node['computed'] === true ? [child(node, 'object')] : [];
    case 'CallExpression':
      return GIVES_ON.test(nameOf(child(node, 'callee'))) ? (node['arguments'] as readonly Node[]) : [];
    default:
      return [];
  }
}

type IsName = (name: string) => boolean;

const isAmount = (node: Node | null, isName: IsName): boolean =>
  node !== null &&
  (isMinor(node) ||
    isName(nameOf(node.type === 'CallExpression' ? child(node, 'callee') : node)) ||
    insideOf(node).some((inner) => isAmount(inner, isName)));

/** What this node says its value is: the name of a constant, a member, a variable, or `as Minor`. */
const isNamedAmount = (node: Node, isName: IsName): boolean =>
  isMinor(node) ||
  (/^(?:VariableDeclarator|Property|PropertyDefinition|AssignmentExpression)$/.test(node.type) &&
    isName(nameOf(child(node, 'id') ?? child(node, 'key') ?? child(node, 'left'))));

/** @param goesInto the value of the node goes into something with the name of an amount */
function reckoned(node: Node, isName: IsName, goesInto: boolean): string | null {
  const given = node.type === 'CallExpression' ? (node['arguments'] as readonly Node[]) : insideOf(node);
  const sides = node.type === 'AssignmentExpression' ? [child(node, 'left'), child(node, 'right')] : given;
  if (!goesInto && !sides.some((side) => isAmount(side, isName))) return null;
  const callee = child(node, 'callee');
  if (callee !== null && nameOf(child(callee, 'object')) === 'Math' && ROUNDING.test(nameOf(callee)))
    return `Math.${nameOf(callee)}`;
  const operator = String(node['operator'] ?? '').replace(/(?<![=!<>])=$/, '');
  return OPERATORS.has(operator) ? operator : null;
}

function amountsReckonedIn({ path, text }: SourceFile): Violation[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const isName = (name: string): boolean =>
    AMOUNT.test(name) || (path.startsWith('engine/') && OF_THE_ENGINE.test(name));
  const lines = new Map<number, Violation>();
  const visit = (node: Node, goesInto: boolean): void => {
    const how = reckoned(node, isName, goesInto);
    const line = how === null ? 0 : text.slice(0, node.start).split('\n').length;
    if (how !== null && !lines.has(line))
      lines.set(line, { path, line, rule: `an amount is reckoned with ${how} - use: ${MODULE}` });
    const isNamed = isNamedAmount(node, isName);
    const inside = insideOf(node);
    for (const value of Object.values(node))
      for (const each of Array.isArray(value) ? value : [value])
        if (isNode(each)) visit(each, isNamed || (goesInto && inside.includes(each)));
  };
  visit(program as unknown as Node, false);
  return [...lines.values()];
}

/** Every line of the product that reckons with an amount outside the module that may. */
export const amountsReckoned = (files: readonly SourceFile[]): Violation[] =>
  files
    .filter(
      ({ path, text }) =>
        ROOMS.some((room) => path.startsWith(`${room}/`)) &&
        ![MODULE, ...APART].some((apart) => path.startsWith(apart)) &&
        !/\.test\.tsx?$/.test(path) &&
        (MENTIONS.test(text) || path.startsWith('engine/')) &&
        RECKONS.test(text),
    )
    .flatMap(amountsReckonedIn);
