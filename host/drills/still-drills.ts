/**
 * Faults that a start finds, and that nothing is written of: the terminal stands still. What is in
 * dispute is brought back by the word of a centre that the drill itself is, as `banca restore`
 * takes it.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { signWord } from '../../ledger/chain/word.codec.ts';
import { copyIn } from '../../ledger/copy/mend.store.ts';
import { checkWord, disputedHead, restoreLedger } from '../../ledger/copy/restore.store.ts';
import { loadOrCreateKey, openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { DrillId, DrillStep } from '../../wire/drills.ts';
import { FAULTS, type FaultId, personsFor } from '../../wire/faults.ts';
import { startsIn } from '../program/life.ts';
import { startDisputed } from '../server/disputed.ts';
import { Sessions } from '../server/sessions.ts';
import { type StoppedHost, startStopped } from '../server/stopped.ts';
import { readyDisk } from '../watches/storage-watch.ts';
import {
  copyFolderIn,
  DrillStopped,
  disputeFound,
  ledgerIn,
  log,
  witnessFolderIn,
  witnessIn,
} from './drill-life.ts';
import type { DrillTable } from './drill-table.ts';

type Disputed = 'ledger-old' | 'link-fork' | 'ledger-gone' | 'witness-gone';
export type StillDrillId = Disputed | 'storage-refuses';
export const isStandingStill = (id: DrillId): id is StillDrillId => id === 'storage-refuses' || id in SPOILED;

/** What has become of the folder while the terminal was off. `dir`: as it was left. */
const SPOILED: Readonly<Record<Disputed, (t: DrillTable, older: string) => void>> = {
  'ledger-old': ({ dir }, older) => {
    removeLedger(dir);
    for (const name of readdirSync(older)) cpSync(join(older, name), join(dir, name), { recursive: true });
  },
  // The centre has heard of another entry under the number of the newest one.
  'link-fork': (t) => {
    const head = disputedHead(ledgerIn(t.dir));
    witnessIn(t.dir, t.file.profile.terminalId).proved({ seq: head.seq, hash: '0'.repeat(64) }, head);
  },
  'ledger-gone': ({ dir }) => removeLedger(dir),
  'witness-gone': ({ dir }) => rmSync(witnessFolderIn(dir), { recursive: true }),
};

/** Ledger and copy, whatever belongs to them. */
function removeLedger(dir: string): void {
  for (const name of readdirSync(dir)) if (name.startsWith('ledger.db')) rmSync(join(dir, name));
  rmSync(copyFolderIn(dir), { recursive: true });
  mkdirSync(copyFolderIn(dir));
}

/** A ledger and its copy as they lie there, without the witness and the key. */
function imageOf(dir: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(dir))
    if (name.startsWith('ledger.db') || name === 'copy')
      cpSync(join(dir, name), join(to, name), { recursive: true });
}

export async function playStandingStill(
  id: StillDrillId,
  t: DrillTable,
  say: (step: DrillStep) => void,
): Promise<void> {
  const fault: FaultId = id;
  await t.start({ isKept: true });
  await t.beReady();
  await t.stop();
  const older = join(t.dir, '..', 'older');
  const newest = join(t.dir, '..', 'newest');
  imageOf(t.dir, older);
  await t.start();
  await t.enterService();
  await t.do({ type: 'exit-service' });
  await t.stop();
  imageOf(t.dir, newest);
  say({ at: 'ready' });

  const since = performance.now();
  const lasted = (from = since): number => Math.round(performance.now() - from);
  const probe = join(t.dir, 'storage-probe');
  if (id === 'storage-refuses') {
    rmSync(probe, { force: true });
    mkdirSync(probe);
  } else SPOILED[id](t, older);
  say({ at: 'struck' });
  const stood = id === 'storage-refuses' ? await standOnDisk(t) : await standInDispute(t, fault);
  const { hold, dealer } = stood.view;
  say({ at: 'told', fault, hold: hold?.code ?? null, afterMs: lasted() });
  if (hold?.detail !== fault || dealer.step.step !== 'call-supervisor')
    throw new DrillStopped(`the table shows ${hold?.detail ?? 'no fault'}, and asks for ${dealer.step.step}`);
  say({ at: 'reacted', reaction: 'nothing' });
  await stood.stop();

  const healing = performance.now();
  if (id === 'storage-refuses') rmSync(probe, { recursive: true });
  else restore(t, newest);
  say({ at: 'healed' });
  if (id !== 'storage-refuses') {
    say({ at: 'persons-confirmed', roles: personsFor(fault).map(([role]) => role!) });
    say({ at: 'ledger-restored' });
  }
  await t.start();
  await t.beReady();
  await t.playsOn();
  say({ at: 'over', afterMs: lasted(healing) });
}

const stillIn = (t: DrillTable) => ({
  ...{ ledgerPath: ledgerIn(t.dir), rendererRoot: t.dir, port: 0, allowedUids: [], log, now: Date.now },
  ...{ sessions: new Sessions(randomBytes(32), Date.now), simulation: true, profile: t.file.profile },
});

function standOnDisk(t: DrillTable): Promise<StoppedHost> {
  const why = readyDisk(t.dir);
  if (why === null) throw new DrillStopped('the disk takes a write all the same');
  return startStopped({ ...stillIn(t), fault: 'storage-refuses', why });
}

function standInDispute(t: DrillTable, fault: FaultId): Promise<StoppedHost> {
  const { terminalId } = t.file.profile;
  const dispute = disputeFound(t.dir, terminalId);
  if (dispute === null) throw new DrillStopped(`the start finds no ${FAULTS[fault].code}`);
  return startDisputed({
    ...stillIn(t),
    ...{ dispute, terminalId, key: loadOrCreateKey(t.dir), upstreamUrl: null },
  });
}

/** What the centre has: the newest image. Its word is taken as from a stick. */
function restore(t: DrillTable, newest: string): void {
  const { dir } = t;
  const { terminalId } = t.file.profile;
  const centreKey = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const own = disputedHead(ledgerIn(dir));
  const centre = disputedHead(ledgerIn(newest));
  const at = ({ seq, hash }: typeof own) => ({ seq, hash: toHex(hash) });
  const word = signWord(
    {
      ...{ terminal: terminalId, centre: at(centre), disputed: at(own), lost: null },
      ...{ issuedAtMs: Date.now(), issuer: 'drill' },
    },
    centreKey,
  );
  const wordPath = join(dir, '..', 'word');
  const reader = openLedgerReader(ledgerIn(newest));
  const lines = reader.readLines(own.seq + 1, Number.MAX_SAFE_INTEGER);
  reader.close();
  writeFileSync(wordPath, `${JSON.stringify({ word, firstSeq: own.seq + 1 })}\n${lines.toString('utf8')}`);
  const o = {
    ...{ path: ledgerIn(dir), copyPath: copyIn(copyFolderIn(dir)), terminalId, wordPath, counter: null },
    ...{ key: loadOrCreateKey(dir), commandKey: centreKey.publicKey, witness: witnessIn(dir, terminalId) },
    named: (ledger: Parameters<typeof startsIn>[0]) => startsIn(ledger).witness,
    now: Date.now,
  };
  checkWord(o);
  restoreLedger(
    o,
    t.file.people.filter(({ role }) => role === 'supervisor' || role === 'technician'),
  );
  if (!existsSync(ledgerIn(dir))) throw new DrillStopped('the ledger was not brought back');
}
