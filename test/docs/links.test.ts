import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { brokenLinks, slugOf } from './links.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'assets/*.md'], { cwd: ROOT }).sort();

test('every relative link, heading, picture and path of the documents leads somewhere', () => {
  assert.ok(DOCUMENTS.includes('README.md') && DOCUMENTS.length >= 10, DOCUMENTS.join(' '));
  assert.deepEqual(
    DOCUMENTS.flatMap((path) => brokenLinks(ROOT, path)),
    [],
  );
});

test('every document is reached from the README, or lies in a folder that a document links to', () => {
  const reached = new Set<string>();
  const walk = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^()\s#:]+\.md)(?:#[^)]*)?\)/g))
      walk(join(path, '..', target!));
    for (const [, target] of text.matchAll(/\]\(([\w./-]+\/)\)/g))
      for (const document of DOCUMENTS)
        if (dirname(document) === join(path, '..', target!, '.')) walk(document);
  };
  walk('README.md');
  assert.deepEqual(
    DOCUMENTS.filter((path) => !reached.has(path)),
    [],
  );
});

test('pictures of the documents are small and all shown', () => {
  const pictures = globSync('docs/pictures/*.{png,webp}', { cwd: ROOT });
  assert.ok(pictures.length > 0);
  const shown = DOCUMENTS.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
  for (const picture of pictures) {
    const most = picture.includes('contact-') ? 700_000 : 400_000;
    assert.ok(statSync(join(ROOT, picture)).size < most, `${picture} has ${most} bytes or more`);
    assert.ok(shown.includes(picture.split('/').at(-1)!), `${picture} is shown nowhere`);
  }
});

test('a planted mistake of each kind is found', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'banca-links-'));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'b.md'), '# Two words, `code`\n');
  writeFileSync(
    join(root, 'a.md'),
    [
      '# Here',
      '[good](b.md) [good](b.md#two-words-code) [good](#here) [elsewhere](https://example.org/x)',
      '[bad](c.md) ![bad](x.png)',
      '[bad](b.md#three)',
      '[bad](../a.md)',
      '`host/nothing.ts` and `not/ours.ts`',
      '```',
      '[code](is-not-a-link.md)',
      '```',
    ].join('\n'),
  );
  assert.deepEqual(
    brokenLinks(root, 'a.md').map(({ line, target }) => `${line} ${target}`),
    ['3 c.md', '3 x.png', '4 b.md#three', '5 ../a.md', '6 host/nothing.ts'],
  );
  assert.equal(slugOf('1. Line, and «more»'), '1-line-and-more');
});
