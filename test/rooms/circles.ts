/**
 * Files that import each other in a circle, a type as much as a value: none of them can be read
 * without all the others.
 */
import { importsOf, type SourceFile } from './plan.ts';

/** Every circle, with its files by name; the order of the circles is that of their first files. */
export function circlesIn(files: readonly SourceFile[]): string[][] {
  const known = new Set(files.map(({ path }) => path));
  const imported = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ target }) => (target !== null && known.has(target) ? [target] : [])),
    ]),
  );
  // Tarjan: a file from which no earlier one on the stack is reached closes a circle.
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    stack.push(path);
    for (const next of imported.get(path)!) {
      if (!order.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const circle = stack.splice(stack.indexOf(path)).sort();
    if (circle.length > 1 || imported.get(path)!.includes(path)) circles.push(circle);
  };
  for (const path of known) if (!order.has(path)) visit(path);
  return circles.sort(([a], [b]) => a!.localeCompare(b!));
}
