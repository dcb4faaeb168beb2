/**
 * What a document points at: other documents, headings in them, pictures, and files of the
 * repository by their path.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export interface BrokenLink {
  readonly document: string;
  readonly line: number;
  readonly target: string;
  readonly why: string;
}

const LINK = /\[(?:[^\][]|\[[^\]]*\])*\]\(([^()\s]+)\)/g;
/**
 * A path in code marks that begins with a folder of the repository and names a file or a folder.
 */
const PATH =
  /`((?:engine|hardware|wire|ledger|host|electron|renderer|upstream|cli|assets|locales|docs|test|bench)\/[\w./{},*-]*)`/g;

/** The name that a heading gets on the page, as GitHub makes it. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');

function headingsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const names = new Set<string>();
  for (const [, heading] of withoutCode(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = slugOf(heading!.replaceAll(/[`*]/g, ''));
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    names.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return names;
}

/** Blocks of code keep their lines and lose their words. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''));

/**
 * Everything in a document that leads nowhere. `root`: folder of the repository; `path`: the
 * document's path in it.
 */
export function brokenLinks(root: string, path: string): BrokenLink[] {
  const text = withoutCode(readFileSync(join(root, path), 'utf8'));
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  const broken: BrokenLink[] = [];
  const add = (index: number, target: string, why: string): void => {
    broken.push({ document: path, line: lineAt(index), target, why });
  };
  for (const match of text.matchAll(LINK)) {
    const target = match[1]!;
    if (/^[a-z]+:/.test(target)) continue;
    const [file, anchor] = target.split('#') as [string, string | undefined];
    const full = file === '' ? join(root, path) : resolve(root, dirname(path), file);
    if (relative(root, full).startsWith('..')) add(match.index, target, 'leads out of the repository');
    else if (!existsSync(full)) add(match.index, target, 'there is no such file');
    else if (anchor !== undefined && !headingsOf(readFileSync(full, 'utf8')).has(anchor))
      add(match.index, target, 'there is no such heading');
  }
  for (const match of text.matchAll(PATH)) {
    const target = match[1]!;
    if (/[{},*]/.test(target) || existsSync(join(root, target))) continue;
    add(match.index, target, 'there is no such file');
  }
  return broken;
}
