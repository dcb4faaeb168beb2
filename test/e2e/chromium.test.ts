import { test } from 'node:test';
import { playsTheTable } from './e2e.ts';

test('three players at the kiosk in Chromium: notes, bets, split, double, surrender, insurance, two killed hosts', (t) =>
  playsTheTable(t, 'chromium', {}));
