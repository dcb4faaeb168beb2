/**
 * The guided repair of every fault: where on the machine to look, and what to do there, one step
 * after the other. The words stand in locales/<language>/service.json, `where` and `repairStep`. No
 * step ends a fault: the device does, or what watches the machine, and after it the persons of
 * faults.ts.
 */
import type { FaultId } from './faults.ts';

export type RepairPlace =
  | 'acceptor-head'
  | 'cash-box'
  | 'acceptor-cable'
  | 'shoe-mouth'
  | 'shoe-cover'
  | 'shoe-cable'
  | 'printer'
  | 'cabinet-door'
  | 'cabinet-board'
  | 'ups'
  | 'computer'
  | 'copy-disk'
  | 'table-display'
  | 'seat-display'
  | 'dealer-display'
  | 'sign-display'
  | 'network'
  | 'desk';

export type RepairStep =
  | 'open-head'
  | 'take-note-out'
  | 'close-head'
  | 'box-out'
  | 'free-pusher'
  | 'box-in'
  | 'change-box'
  | 'arrange-drop'
  | 'tell-surveillance'
  | 'take-second-note'
  | 'leave-as-it-is'
  | 'look-for-string'
  | 'clean-sensors'
  | 'look-at-notes'
  | 'check-power'
  | 'check-cable'
  | 'switch-unit'
  | 'change-unit'
  | 'compare-unit'
  | 'try-notes'
  | 'sign-notes'
  | 'count-box'
  | 'close-case'
  | 'open-cover'
  | 'take-card-out'
  | 'close-cover'
  | 'look-into-mouth'
  | 'compare-layout'
  | 'name-card'
  | 'void-round'
  | 'right-shoe'
  | 'other-shoe'
  | 'load-shoe'
  | 'load-paper'
  | 'free-cutter'
  | 'close-printer'
  | 'close-door'
  | 'look-behind-door'
  | 'change-battery'
  | 'find-mains'
  | 'check-upsd'
  | 'check-disk'
  | 'free-space'
  | 'change-disk'
  | 'end-round'
  | 'restart-terminal'
  | 'run-self-test'
  | 'install-program'
  | 'check-display'
  | 'check-display-cable'
  | 'look-at-sign'
  | 'look-at-graphics'
  | 'set-clock'
  | 'check-network'
  | 'tell-administrator'
  | 'restore-ledger';

export interface Repair {
  readonly where: RepairPlace;
  readonly steps: readonly [RepairStep, ...RepairStep[]];
}

const at = (where: RepairPlace, ...steps: [RepairStep, ...RepairStep[]]): Repair => ({ where, steps });

// biome-ignore format: a list is read by its rows
export const REPAIRS: Readonly<Record<FaultId, Repair>> = {
  'acceptor-offline': at('acceptor-cable', 'check-power', 'check-cable', 'switch-unit', 'change-unit'),
  'acceptor-jammed': at('acceptor-head', 'open-head', 'take-note-out', 'close-head'),
  'stacker-jammed': at('cash-box', 'box-out', 'free-pusher', 'box-in'),
  'cash-box-near-full': at('cash-box', 'arrange-drop', 'change-box'),
  'cash-box-full': at('cash-box', 'change-box'),
  'cash-box-removed': at('cash-box', 'tell-surveillance', 'box-in'),
  'acceptor-paused': at('acceptor-head', 'take-second-note'),
  'acceptor-cheated': at('acceptor-head', 'leave-as-it-is', 'look-for-string', 'close-case'),
  'acceptor-rejects': at('acceptor-head', 'look-at-notes', 'open-head', 'clean-sensors', 'close-head'),
  'acceptor-failed': at('acceptor-head', 'switch-unit', 'clean-sensors', 'change-unit'),
  'acceptor-sequence': at('cash-box', 'count-box', 'close-case'),
  'acceptor-changed': at('acceptor-head', 'compare-unit'),
  'notes-unconfirmed': at('acceptor-head', 'try-notes', 'sign-notes'),
  'note-in-doubt': at('cash-box', 'count-box', 'close-case'),
  'shoe-offline': at('shoe-cable', 'check-power', 'check-cable', 'compare-layout'),
  'shoe-misread': at('shoe-mouth', 'name-card'),
  'shoe-double-feed': at('shoe-mouth', 'name-card', 'compare-layout'),
  'shoe-jam': at('shoe-cover', 'open-cover', 'take-card-out', 'close-cover', 'compare-layout'),
  'shoe-no-feed': at('shoe-mouth', 'look-into-mouth', 'open-cover', 'take-card-out', 'close-cover'),
  'shoe-reverse': at('shoe-mouth', 'look-into-mouth', 'compare-layout'),
  'shoe-cover-open': at('shoe-cover', 'close-cover', 'compare-layout'),
  'shoe-restarted': at('shoe-cable', 'check-power', 'compare-layout'),
  'shoe-crc': at('shoe-cable', 'check-cable', 'compare-layout'),
  'shoe-error': at('shoe-cover', 'switch-unit', 'compare-layout'),
  'shoe-gap': at('shoe-mouth', 'void-round', 'other-shoe', 'load-shoe'),
  'shoe-empty': at('shoe-cover', 'void-round', 'load-shoe'),
  'shoe-swapped': at('shoe-mouth', 'right-shoe', 'void-round', 'load-shoe'),
  'shoe-not-authentic': at('shoe-cable', 'void-round', 'other-shoe', 'load-shoe'),
  'shoe-changed': at('shoe-mouth', 'compare-unit'),
  'printer-offline': at('printer', 'check-power', 'check-cable', 'switch-unit', 'change-unit'),
  'printer-paper-out': at('printer', 'load-paper', 'close-printer'),
  'printer-paper-low': at('printer', 'load-paper', 'close-printer'),
  'printer-cover-open': at('printer', 'close-printer'),
  'printer-cutter': at('printer', 'free-cutter', 'close-printer', 'switch-unit', 'change-unit'),
  'printer-failed': at('printer', 'free-cutter', 'close-printer', 'switch-unit', 'change-unit'),
  'main-door-open': at('cabinet-door', 'tell-surveillance', 'close-door', 'compare-layout'),
  'drop-door-open': at('cabinet-door', 'tell-surveillance', 'close-door'),
  'logic-door-open': at('cabinet-door', 'tell-surveillance', 'look-behind-door', 'close-door', 'run-self-test'),
  'acceptor-door-open': at('cabinet-door', 'tell-surveillance', 'close-door'),
  'cabinet-door-open': at('cabinet-door', 'tell-surveillance', 'close-door'),
  'logic-door-opened-off': at('cabinet-door', 'tell-surveillance', 'look-behind-door', 'close-door', 'run-self-test'),
  'main-door-opened-off': at('cabinet-door', 'tell-surveillance', 'look-behind-door', 'close-door'),
  'acceptor-door-opened-off': at('cabinet-door', 'tell-surveillance', 'look-behind-door', 'count-box'),
  'drop-door-opened-off': at('cabinet-door', 'tell-surveillance', 'look-behind-door', 'count-box'),
  'cabinet-offline': at('cabinet-board', 'end-round', 'check-power', 'check-cable', 'change-unit'),
  'cabinet-battery-low': at('cabinet-board', 'change-battery'),
  'cabinet-changed': at('cabinet-board', 'compare-unit', 'look-behind-door'),
  'ups-offline': at('ups', 'check-power', 'check-cable', 'check-upsd'),
  'ups-on-battery': at('ups', 'end-round', 'find-mains'),
  'ups-battery-low': at('ups', 'find-mains', 'compare-layout'),
  'ups-battery-old': at('ups', 'change-battery'),
  'ledger-repaired': at('computer', 'run-self-test', 'check-disk', 'change-disk'),
  'ledger-damaged': at('computer', 'end-round', 'restart-terminal', 'run-self-test'),
  'ledger-copy-failed': at('copy-disk', 'check-disk', 'free-space', 'change-disk'),
  'books-differ': at('computer', 'restart-terminal', 'run-self-test'),
  'meter-jump': at('computer', 'end-round', 'count-box', 'run-self-test'),
  'code-not-authentic': at('computer', 'install-program', 'restart-terminal'),
  'display-lost': at('table-display', 'check-display', 'check-display-cable', 'compare-layout'),
  'seat-display-lost': at('seat-display', 'check-display', 'check-display-cable'),
  'dealer-display-lost': at('dealer-display', 'check-display', 'check-display-cable'),
  'sign-display-lost': at('sign-display', 'look-at-sign', 'check-display-cable'),
  'excluded-person': at('seat-display', 'tell-surveillance'),
  'window-restarts': at('computer', 'check-display-cable', 'look-at-graphics', 'restart-terminal'),
  'clock-behind': at('computer', 'set-clock'),
  'clock-off': at('computer', 'set-clock'),
  'storage-low': at('computer', 'free-space', 'change-disk'),
  'storage-short': at('computer', 'free-space', 'change-disk'),
  'storage-full': at('computer', 'end-round', 'free-space', 'change-disk'),
  'storage-slow': at('computer', 'end-round', 'check-disk', 'change-disk'),
  'storage-refuses': at('computer', 'check-disk', 'free-space', 'change-disk'),
  'reader-gone': at('computer', 'restart-terminal', 'run-self-test', 'install-program'),
  'reader-missed': at('computer', 'restart-terminal', 'run-self-test', 'install-program'),
  'link-down': at('network', 'check-network', 'tell-administrator'),
  'link-overdue': at('network', 'check-network', 'tell-administrator'),
  'link-fork': at('desk', 'tell-administrator', 'restore-ledger'),
  'ledger-old': at('desk', 'tell-administrator', 'restore-ledger'),
  'witness-gone': at('desk', 'tell-administrator', 'restore-ledger'),
  'witness-failed': at('computer', 'check-disk', 'free-space'),
  'ledger-gone': at('desk', 'tell-administrator', 'restore-ledger'),
};
