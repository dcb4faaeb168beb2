/**
 * Letters of all three languages, in slices of which a browser takes what it needs: not every
 * machine of a house has them. Open to everybody, for one reads before one has logged in.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parsed } from './input.ts';
import { HEADERS } from './page.ts';

const SHEET = new URL(import.meta.resolve('@fontsource-variable/noto-sans-hk/index.css'));
const SlicePath = z.object({ name: z.string().max(100) });
const KEPT = { ...HEADERS, 'cache-control': 'public, max-age=604800' };

export function addLetters(app: FastifyInstance): void {
  const sheet = readFileSync(SHEET, 'utf8');
  const slices = new Set([...sheet.matchAll(/url\(\.\/files\/([\w.[\]-]+)\)/g)].map(([, name]) => name!));
  app.get('/letters/index.css', async (_request, reply) =>
    reply.headers(KEPT).type('text/css; charset=utf-8').send(sheet),
  );
  app.get('/letters/files/:name', async (request, reply) => {
    const { name } = parsed(SlicePath, request.params, 'path');
    if (!slices.has(name)) return reply.code(404).send({ code: 'no-file', message: 'there is no such file' });
    return reply
      .headers(KEPT)
      .type('font/woff2')
      .send(await readFile(new URL(`files/${name}`, SHEET)));
  });
}
