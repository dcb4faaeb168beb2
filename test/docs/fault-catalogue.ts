/**
 * Everything that can go wrong at a table with a shoe and acceptors: what tells this terminal of it
 * and what it then does, or why nothing here can tell. docs/operations/faults.md is made from it;
 * sentences, places and steps come from the faults (faults.ts, repairs.ts) and the locales.
 * `proof`: the test that brings it about, by file and words of its title.
 */
import type { Hold } from '../../engine/table/steps.ts';
import type { EntryKind } from '../../host/pages/event-codes.ts';
import type { EventCode } from '../../wire/event-catalogue.ts';
import type { FaultId } from '../../wire/faults.ts';

/**
 * What a player reads: a text of locales/<language>/table.json; null = nothing is different for
 * them.
 */
type PlayerText = `hold.${Hold['code']}` | 'note.returned' | 'cashOut.coming' | null;

export interface Told {
  readonly situation: string;
  readonly codes: readonly [EventCode, ...EventCode[]];
  /**
   * Standing faults, with their own sentences and ends; empty = entries of the ledger tell it, or,
   * where there are none either, the log of the start.
   */
  readonly faults: readonly FaultId[];
  readonly entries: readonly EntryKind[];
  readonly player: PlayerText;
  readonly reaction: string;
  readonly recovery: string;
  readonly proof: readonly [file: string, title: string];
}
export interface Untold {
  readonly situation: string;
  readonly codes: readonly EventCode[];
  readonly why: string;
}
export type Situation = Told | Untold;

type Proof = Told['proof'];
const fault = (
  situation: string,
  codes: Told['codes'],
  faults: readonly [FaultId, ...FaultId[]],
  reaction: string,
  recovery: string,
  proof: Proof,
): Told => ({ situation, codes, faults, entries: [], player: null, reaction, recovery, proof });
const entry = (
  situation: string,
  codes: Told['codes'],
  entries: readonly EntryKind[],
  player: PlayerText,
  reaction: string,
  recovery: string,
  proof: Proof,
): Told => ({ situation, codes, faults: [], entries, player, reaction, recovery, proof });
const untold = (situation: string, codes: readonly EventCode[], why: string): Untold => ({
  situation,
  codes,
  why,
});

const MACHINE = 'test/host/watches.test.ts';
const ACCEPTOR = 'host/devices/faults.test.ts';
const CASH = 'test/host/cash.test.ts';
const DEALER = 'test/host/dealer.test.ts';
const SHOE = 'test/host/shoe.test.ts';
const PRINTER = 'test/host/printer.test.ts';
const READING = 'test/host/second-reader.test.ts';
const STORAGE = 'test/host/storage.test.ts';
const CENTRE = 'test/centre/orders.test.ts';
const OLD_IMAGE = 'test/attacks/old-disk-image.test.ts';
const WITNESS = 'test/attacks/witness.test.ts';
const CABINET = 'test/host/cabinet.test.ts';

// biome-ignore format: a list is read by its rows
export const SITUATIONS: readonly Situation[] = [
  // power
  entry('Power loss, idle', ['102', '104'], ['program-started'], null, 'state and credits are rebuilt from the ledger, the last round can be recalled', 'by itself', [MACHINE, '101 to 105, 907']),
  entry('Power loss, betting open', ['103', '104'], ['program-started', 'table-held'], 'hold.recovery', 'the bets lie as they lay, the table is held; the window opens again in its whole length, and bets can be taken back', 'the dealer confirms the layout', [MACHINE, '101 to 105, 907']),
  entry('Power loss, cards out', ['103', '104'], ['program-started', 'table-held'], 'hold.recovery', 'the state is restored to the last stored card, the table is held', 'the dealer compares cards and screen and confirms; where they differ the supervisor cancels the round', [SHOE, 'after a power cut of host and shoe the round goes on']),
  entry('Power loss, settling', ['103', '104'], ['program-started', 'round-settled'], null, 'a settlement is one transaction: it is whole in the ledger, or the card before it is the last thing stored', 'by itself', ['test/crash/crash.test.ts', 'loses nothing and doubles nothing']),
  fault('Power loss, note in transport', ['313'], ['note-in-doubt'], 'the intent to stack is on disk: given back = no credit, stacked = one credit, unknown = held under a case number, and no notes at this acceptor', 'an attendant closes the case with the evidence of the box', [ACCEPTOR, "'note-in-doubt': {"]),
  entry('Power loss, hand-pay pending', ['602'], ['cash-out-requested'], 'cashOut.coming', 'it still waits under its number, and is announced again every 15 s', 'an attendant pays it', ['test/host/desk.test.ts', 'waits under its number through a loss of power']),
  fault('Mains gone, the UPS on its battery', ['107'], ['ups-on-battery'], 'no notes and no further round; one on the table is played to its end and paid', 'by itself, once the mains are back', [CABINET, '107, 110: on its battery']),
  fault('The battery of the UPS at its end', ['110', '105'], ['ups-battery-low'], 'the program ends in order, its last entry signed; a start that finds it so stands still', 'by itself, once the mains are back', [CABINET, '107, 110: on its battery']),
  fault('UPS silent, or its battery old', ['109', '111'], ['ups-offline', 'ups-battery-old'], 'told, and play goes on; who was on the battery is taken to be on it still', 'by itself', [CABINET, '107, 110: on its battery']),
  // banknotes
  fault('Note jam in the path', ['306'], ['acceptor-jammed'], 'no notes at this acceptor; the player reads that their note is stuck; a note under way keeps its record open and becomes a credit, a return or a case', 'by itself, once the unit is idle', [ACCEPTOR, "'acceptor-jammed': {"]),
  fault('Stacker jam', ['306'], ['stacker-jammed'], 'no notes at this acceptor; a credit that is not clear is held as a case', 'a technician', [ACCEPTOR, "'stacker-jammed': {"]),
  fault('Stacker full', ['307', '308'], ['cash-box-near-full', 'cash-box-full'], 'a notice at 540 notes; full: no notes at this acceptor, the player reads only that none are taken now', 'by itself, once the box is changed', [ACCEPTOR, "'cash-box-full': {"]),
  fault('Cash box removed', ['209'], ['cash-box-removed'], 'no notes at this acceptor, play goes on; the ledger signs what was in the box', 'by itself, once the box is back', [ACCEPTOR, "'cash-box-removed': {"]),
  fault('Acceptor door open, or the lower door', ['207', '208', '211', '212'], ['acceptor-door-open', 'cabinet-door-open'], 'no notes at any acceptor and no money out; play goes on', 'by itself, once it is closed', [CABINET, '203 to 212: each door by its number']),
  fault('Acceptor disconnected or silent', ['311'], ['acceptor-offline'], 'no notes at this acceptor; an open intent is settled, or held after a minute', 'by itself, once it answers and its note is settled', [ACCEPTOR, "'acceptor-offline': {"]),
  fault('Cheat: string, pull-back', ['310'], ['acceptor-cheated'], 'acceptor and seat are locked, the staff is called; nothing is credited for the note', 'an attendant or supervisor, and a supervisor', ['test/host/faults.test.ts', 'a pulled note locks its acceptor']),
  fault('Too many refused notes', ['315'], ['acceptor-rejects'], '10 within 5 minutes: no notes at this acceptor', 'an attendant', [ACCEPTOR, "'acceptor-rejects': {"]),
  fault('Acceptor failed: self-test, motor, sensor', ['309'], ['acceptor-failed'], 'no notes at this acceptor', 'a technician', [ACCEPTOR, "'acceptor-failed': {"]),
  fault('Acceptor firmware or table of notes differs', ['320'], ['acceptor-changed'], 'no notes at this acceptor, over every restart', 'a technician and a supervisor accept the unit', [ACCEPTOR, '320 acceptor-changed']),
  fault('Table of notes not confirmed', ['323'], ['notes-unconfirmed'], 'no notes at this acceptor; every note that comes in to be tried goes back', 'a technician feeds each note, compares and signs', ['host/devices/note-table.test.ts', 'no default guesses money']),
  fault('Message out of order: stacked first', ['318'], ['acceptor-sequence', 'note-in-doubt'], 'nothing is credited, the note is held, no notes at this acceptor', 'an attendant, after the case is closed', [ACCEPTOR, "'acceptor-sequence': {"]),
  entry('The same credit twice', ['318'], ['note-credit-repeated'], null, 'the second is recorded and credits nothing', 'by itself', [ACCEPTOR, 'a credit signal that comes again']),
  entry('Credit limit', ['322'], ['note-refused'], 'note.returned', 'a note that would lift the credit above the limit is given back, or not drawn in', 'by itself', [CASH, 'over the credit limit']),
  fault('Excessive meter increment', ['321'], ['meter-jump'], 'no notes and no further round; one on the table is played to its end and paid', 'a supervisor', [CASH, '321: more notes within a round']),
  untold('Cash-out at the centre not confirmed', ['604'], 'there is no transfer of credit to or from a centre: a credit is paid by hand'),
  // cards
  entry('Card misread or in doubt', ['405', '411'], ['cards-waiting', 'table-held', 'card-confirmed'], 'hold.doubtful-card', 'the round is held; one that was not read at all waits as a card that is missing (411), and the supervisor names it, as they do another one than was read', 'the dealer confirms the card by its face', [DEALER, 'a card of low confidence is confirmed']),
  entry('The dealer says a card is wrong', ['405', '407'], ['card-doubted', 'table-held', 'card-confirmed'], 'hold.doubtful-card', 'the round is held before anything is decided or paid on the card, however sure the shoe was; the old value is kept', 'the dealer confirms the card by its face, the supervisor names another; where something has followed from it the supervisor cancels the round', ['engine/table/error-desk.test.ts', 'art. 5.1.2 a card that was read wrongly is held']),
  entry('Double feed', ['411'], ['cards-waiting', 'table-held', 'card-confirmed'], 'hold.card-gap', 'both cards wait unread and the round is held', 'dealer and supervisor name them one by one, or the supervisor cancels the round', [SHOE, 'cards that left the shoe unread are named']),
  fault('No feed or card jam', ['410'], ['shoe-jam', 'shoe-no-feed'], 'no card is taken, a round on the table is held with its time; r.51: the shuffler is opened by the supervisor, after them by the technician', 'by itself with the word of the shoe or the next card; then the dealer confirms the layout', [SHOE, 'a jam as long as it lasts']),
  fault('Sequence gap or duplicate', ['411'], ['shoe-gap', 'shoe-crc'], 'a number that is missing holds the round, and this shoe can tell nothing any more; a number that comes again is taken once', 'the supervisor cancels the round, another shoe is loaded', [SHOE, 'a shoe whose numbers have gone back is taken away']),
  entry('Unexpected card: none is due', ['412'], ['cards-waiting', 'table-held'], 'hold.unexpected-card', 'the table is held, no bet changes', 'the dealer sets the card aside', [DEALER, 'arts. 5.1.1 a card when none is due holds the table']),
  entry('Impossible card', ['405', '413'], ['cards-waiting', 'shoe-suspected', 'table-held'], 'hold.doubtful-card', 'a card that came more often than there are decks is in doubt, whatever the shoe says: the round is held, and no further one is dealt from these cards', 'dealer and supervisor name it, or the supervisor cancels the round; then other cards are made ready', ['engine/table/cards.test.ts', 'no card can come more often than there are decks']),
  entry('Card exposed wrongly', ['414'], ['card-burned'], null, 'the next card, of which the dealer says that it lies face up, is burned and the one after it takes its place, as the article has it', 'the dealer, by a button', ['engine/table/cards.test.ts', 'art. 5.1.1 a card that came face up is set aside']),
  entry('Bank’s second card turned (r.17)', ['404', '414'], ['bank-second-burned'], null, 'the card goes to the discard and the next one takes its place', 'the dealer, by a button', ['engine/games/blackjack/portugal-21.test.ts', 'r.17 the bank']),
  entry('The dealer draws wrongly for the bank', ['412', '404'], ['card-burned'], null, 'the card is taken out and burned, the bank has what it had', 'the dealer, by a button', [DEALER, 'art. 6.1 a card the bank drew though it had stood']),
  fault('Shoe cover open', ['213'], ['shoe-cover-open'], 'no round is opened; one on the table is held at once', 'by itself, once it is closed; then the dealer confirms the layout', ['test/host/fault-levels.test.ts', 'between rounds']),
  fault('Shoe disconnected in a round', ['401'], ['shoe-offline', 'shoe-restarted'], 'the round is held with its time; what the shoe has not told yet it tells when it is back', 'by itself, once it answers; then the dealer confirms the layout, or the supervisor cancels the round', [SHOE, 'after a power cut of host and shoe the round goes on']),
  fault('Shoe firmware or model differs', ['419'], ['shoe-changed'], 'no card is taken, over every restart', 'a technician and a supervisor accept the unit', ['host/devices/slow-shoe.test.ts', '419 shoe-changed']),
  entry('Shoe loaded without the supervisor', ['402'], ['shoe-loaded'], null, 'r.54 asks for the supervisor at every packet of a shuffler; where the house wants one at every loading (`supervisedShoe`), no card leaves the shoe before. Another shoe than the one loaded is reported (419)', 'a supervisor, by their PIN', [SHOE, 'C3: a supervised shoe']),
  fault('Cut card missed, or the shoe ran empty', ['416'], ['shoe-empty'], 'the round is held until cards are made ready again', 'the supervisor cancels the round, the dealer loads the shoe', [SHOE, 'art. 5.1.2 a shoe that runs empty in a round']),
  entry('Cards missing at the end of a shoe', ['413', '416'], ['cards-counted'], null, 'where the house counts (`countCards`), what is left and what was discarded are entered unseen; each card that is missing or too many is named, and no shoe is loaded before', 'a supervisor signs the difference', ['engine/table/shoe.test.ts', 'C10, C15: at its end']),
  untold('Shuffler full (r.60)', ['418'], 'no shuffler is connected: the dealer feeds it, and what does not fit waits in the tray'),
  fault('The dealer does nothing', ['410'], ['shoe-no-feed'], 'told only where a card has been due for 90 s; the betting window ends by itself, bets are safe, and a decision has its own time', 'by itself, with the next card', [ACCEPTOR, '410 shoe-no-feed']),
  // time
  fault('Betting clock fault', ['108'], ['clock-behind'], 'a running window closes when its time has passed, whatever the wall clock says: early, never late', 'by itself, once the clock has caught up', [MACHINE, 'a clock that is put back keeps no window open']),
  entry('Decision timeout', ['506'], ['hand-stood', 'offer-passed'], null, 'the lawful default, shown beforehand, is applied and marked as such', 'by itself', ['engine/table/cards.test.ts', 'the decision of a silent player is to stand']),
  // doors
  fault('Main door open', ['201', '202'], ['main-door-open'], 'the siren sounds for 10 s, the ledger signs its newest entry; the table is held, no note is taken and nothing paid out. A note on its way is settled once', 'by itself, once it is closed; then the dealer confirms the layout', [CABINET, '201: the main door opened in mid-note']),
  fault('Logic area open', ['205', '206'], ['logic-door-open'], 'as the main door', 'a technician and a supervisor, once it is closed', [CABINET, '203 to 212: each door by its number']),
  fault('Drop door open', ['203', '204'], ['drop-door-open'], 'the siren sounds for 10 s, the ledger signs; play goes on', 'by itself, once it is closed', [CABINET, '203 to 212: each door by its number']),
  fault('A door opened without power', ['215', '216', '217', '218'], ['logic-door-opened-off', 'main-door-opened-off', 'acceptor-door-opened-off', 'drop-door-opened-off'], 'the board has counted it on its battery: found by the next start and taken as if it were opened then, the siren among it; the entry `doors-counted` has how often, and how long there was no power', 'main door: a supervisor; logic area: a technician and a supervisor; the others: an attendant', [CABINET, '215 to 218: what was opened without power']),
  fault('Cabinet board gone, exchanged, or with an empty battery', ['220', '221', '222'], ['cabinet-offline', 'cabinet-changed', 'cabinet-battery-low'], 'gone or exchanged: nobody knows what was opened, so no further round; one on the table is played to its end and paid. The battery is a notice', 'by itself; another board: a technician and a supervisor accept it', [CABINET, '220, 222: a board that is gone']),
  // displays and processes
  untold('Touch dead or ghost', ['908'], 'the touch foil is a mouse to the system and tells nothing of itself; a page that hangs is restarted'),
  fault('A person on the list of exclusions', ['953'], ['excluded-person'], 'the seat takes no bet; its credit can be paid', 'by itself, once they have been paid and have gone', ['test/host/desk.test.ts', 'who is on the list lays no bet']),
  fault('Seat display lost', ['908'], ['seat-display-lost'], 'the seat is locked, its open bets stand and are played, its credit can be paid', 'an attendant, once it is back', [MACHINE, '908: a seat’s display lost locks that seat alone']),
  fault('Sign above the table lost', ['908'], ['sign-display-lost'], 'told to staff; play goes on, and it takes nothing from anybody', 'by itself, once it is back', [MACHINE, '908: a sign that the terminal file names']),
  fault('Table display lost, window restarts', ['907', '908'], ['display-lost', 'window-restarts', 'dealer-display-lost'], 'the host keeps the state, the window is restarted; the table is held after 10 s without a page, and after three restarts within ten minutes', 'by itself; three restarts: an attendant or a technician', [MACHINE, '907: a window that is restarted three times']),
  entry('Engine crash', ['907', '104'], ['program-started'], 'hold.recovery', 'the supervisor of processes restarts the host, the state comes from the ledger; meanwhile nothing is taken. After too many ends within a minute it gives up, loudly', 'the dealer confirms the layout', ['test/shell/supervisor.test.ts', 'a host that keeps falling is given up at the cap']),
  // storage and integrity
  fault('Disk full, read-only, failing or slow', ['906'], ['storage-low', 'storage-short', 'storage-full', 'storage-slow', 'storage-refuses', 'ledger-copy-failed'], 'notice at 80 % of the budget, no notes from 90 %, no further round from 95 %: before a write would fail; the round on the table is played to its end and paid', 'by itself, once there is room; old data stay readable', [STORAGE, '906: on a full or slow disk']),
  fault('Ledger page damaged, copy good', ['902', '903'], ['ledger-repaired', 'ledger-damaged'], 'between two rounds the terminal restarts and repairs the ledger from its copy; the damaged file is kept', 'by itself; a technician looks at the notice', ['ledger/copy/mend.test.ts', 'damaged or gone, it is rebuilt']),
  fault('An older image of the data folder, or another history', ['705'], ['ledger-old', 'link-fork'], 'seen at the start by the witness outside of the data folder, also without a centre, or later by the centre, which ends the program: displays show the table as it stood; no note, no bet, no pay, and no restart lifts it', 'a supervisor and a technician, by `banca restore` with the signed word of the centre', [OLD_IMAGE, 'an older image of the data folder pays nothing']),
  fault('The witness is gone', ['705'], ['witness-gone'], 'seen at the start: the ledger names a witness that is not there, so an older image of it could not be recognised; nothing is played, taken or paid', 'a supervisor and a technician, by `banca restore` with the signed word of the centre', [WITNESS, 'a ledger whose witness was taken away pays nothing']),
  fault('The second reader is away', ['907'], ['reader-gone', 'reader-missed'], 'with `hold` a round that is to be paid waits and none is opened; with `go-on` play goes on, and the ledger names each payment that nobody has read', 'by itself: it is started again with a growing pause, and what has waited is read', [READING, 'killed in the middle of a round']),
  fault('The witness cannot be written', ['906'], ['witness-failed'], 'told, and tried again every 5 s; play goes on, and the next start finds a witness that lags', 'by itself, once it is written', [WITNESS, 'a witness that cannot be written is reported']),
  fault('The ledger is gone, its key is there', ['903'], ['ledger-gone'], 'no new ledger is begun; nothing is played, taken or paid', 'a supervisor and a technician, by `banca restore` with the signed word of the centre', [OLD_IMAGE, 'a ledger that is gone is not begun again']),
  entry('Both copies damaged', ['903'], [], null, 'the start is refused with the first bad entry; nothing is played and nothing sent; `banca verify`, `meters` and `export` read what is whole', 'a technician and the auditor, by docs/operations/recovery.md', ['ledger/copy/mend.test.ts', 'both damaged: refused']),
  fault('Self-audit fails', ['901'], ['books-differ'], 'the input is refused whole, nothing more is taken or paid, before the next input', 'a technician and an auditor, after a start that finds the books right', ['test/host/books.test.ts', 'books that do not agree between two rounds lock the table']),
  untold('Engines disagree', ['513'], 'one engine decides at the table; it is compared with independent calculations in the tests'),
  fault('Program files or approval wrong', ['904', '905'], ['code-not-authentic'], 'looked at by every start, once a day and by the self-test: nothing is played and no note taken; the files are named', 'a technician and a supervisor, after a start of the approved program', [MACHINE, '904: a program that the terminal file does not approve']),
  untold('Rollback attempt', ['811'], 'the program is replaced from outside: another one is reported (905), and `approvedSoftware` keeps a withdrawn one away; no counter of versions is kept'),
  fault('Clock jump, clock battery dead', ['108'], ['clock-behind', 'clock-off'], 'told with the amount; entries keep their order by number, and time stands still in the ledger until the clock has caught up', 'by itself, once the clock is set', [MACHINE, '108: a clock put forward or back is reported']),
  // the centre
  fault('Centre down for longer than the house allows', ['701'], ['link-overdue'], 'no further round and no notes; the round on the table is played to its end and paid, and what is on the seats can be paid out', 'by itself, with the link', ['host/watches/link-watch.test.ts', 'without a centre for as long as the house allows']),
  fault('Centre down', ['701'], ['link-down'], 'play goes on, entries wait on disk', 'by itself: what waits is sent in order', [CENTRE, '701: a centre that does not take this terminal is a fault']),
  entry('Forged, repeated or old command of the centre', ['703'], ['centre-command-refused'], null, 'refused with its reason; nothing changes', 'none is needed', [CENTRE, 'what is forged, old, or for another terminal changes nothing']),
  untold('Queue near full', ['702'], 'the queue is the ledger itself and has no limit of its own: see disk full (906)'),
  untold('Progressive silent for 5 s', ['512'], 'the jackpot is this terminal’s own: no value comes from elsewhere'),
  entry('Progressive value lost at power-up', ['512', '104'], ['jackpot-moved', 'program-started'], null, 'the meter of the jackpot is part of the state: it is rebuilt from the ledger and its copy', 'by itself', ['engine/table/configure.test.ts', 'r.44 a meter that stands is kept to the last avo']),
  // people
  untold('Attendant call unanswered', ['606'], 'a call stands with its time until somebody answers it; no timer passes it on'),
  untold('Excluded person', ['953'], 'nobody at the table is known by name; a limit that a player has set for themselves is reported (952) and is no fault'),
  entry('Unknown USB device', ['910'], ['usb-unknown'], null, 'it is ignored, and told each time', 'none is needed', ['host/watches/usb-watch.test.ts', '910: what hangs on the bus']),
  entry('Wrong PINs of one person', ['219'], ['access-refused'], null, 'after three, each further one makes that person wait, from 30 s to 15 min, at the staff’s pads or at the players’, also over a restart; nobody else waits', 'by itself when the wait is over; a right PIN forgives the wrong ones', [CASH, 'wrong PINs make one person wait on one kind of pad']),
  // machine
  untold('Audio failure', ['911'], 'no audio device is asked; everything that sounds is shown as well'),
  untold('Overheat, fan', ['911'], 'no sensor is asked'),
  fault('Printer without paper, open, jammed or gone', ['611', '612', '613', '614', '615'], ['printer-offline', 'printer-paper-out', 'printer-paper-low', 'printer-cover-open', 'printer-cutter', 'printer-failed'], 'told, and play goes on: nothing that is printed decides anything. Slips wait; one that was under way when the cutter jammed counts as not printed', 'by itself, once it has paper, is closed and answers; a jammed cutter after its cover was opened and closed', [PRINTER, 'what a printer lacks is a fault']),
  entry('A slip was not printed whole', ['616'], ['slip-ended'], null, 'service mode lists it as not printed; its money was paid before', 'printed again, it is marked as a copy', [PRINTER, 'a slip that was cut off']),
  untold('Voucher', ['605'], 'there is no voucher: a credit is paid by hand'),
];

export const isTold = (situation: Situation): situation is Told => 'reaction' in situation;
