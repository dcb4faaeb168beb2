import { test } from 'node:test';
test('t', async () => { await new Promise(() => {}); });
