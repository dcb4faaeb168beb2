import { test } from 'node:test';
import { electronForTests } from '../shell/electron-for-tests.ts';
import { playsTheTable } from './e2e.ts';

test('three players at the kiosk in Electron: notes, bets, split, double, surrender, insurance, two killed hosts', async (t) => {
  const electron = await electronForTests();
  if (electron.binary === null) {
    t.skip(electron.reason);
    return;
  }
  t.diagnostic(`Electron: ${electron.from}`);
  await playsTheTable(t, 'electron', { ELECTRON: electron.binary });
});
