import type { FaultId } from './faults.ts';

/** What is on the table is played to its end before these pause it; notes are refused at once. */
export const AFTER_ROUND: ReadonlySet<string> = new Set<FaultId>([
  'storage-full',
  'storage-slow',
  'reader-gone',
  'cabinet-offline',
  'cabinet-changed',
  'ups-on-battery',
  'link-overdue',
  'meter-jump',
]);
