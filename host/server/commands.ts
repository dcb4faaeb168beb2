import { minor as minorOf } from '../../engine/core/money.ts';
import type { Person, PersonRole } from '../../engine/table/inputs.ts';
import { type Command, permissionOf, type Work } from '../../wire/commands.ts';
import type { DisplayRole, HandedOver } from '../../wire/display.ts';
import type { DrillId } from '../../wire/drills.ts';
import type { Credential } from '../../wire/fields.ts';
import type { Pad } from '../../wire/host-events.ts';
import { rightOf } from '../../wire/rights.ts';
import { mayCommand } from '../../wire/roles.ts';
import type { ChangeDesk } from '../config/change-desk.ts';
import type { Exclusions } from '../config/exclusions.ts';
import { type People, recordAccess } from '../config/people.ts';
import { type ReadyTable, sentenceOf } from '../config/ready-tables.ts';
import type { Staff } from '../config/staff.ts';
import type { RecallScreen } from '../pages/recall-screen.ts';
import type { ServiceWatch } from '../pages/service-watch.ts';
import type { SlipDesk } from '../pages/slip-desk.ts';
import { type Outcome, roundIdOf, type Terminal } from '../table/terminal.ts';
import { handoverOf } from '../table/view.ts';
import { personsAt } from '../watches/faults.ts';

/** What the operator's page may do to simulated devices. Absent on a terminal with real ones. */
export interface Simulation {
  run(
    command: Extract<Command, { type: `sim-${string}` }>,
  ): Promise<{ ok: true } | { ok: false; detail: string }>;
  /**
   * The dealer has put the second white card in: the simulated shoe gets one too. Never rejects.
   */
  placeEndCard(cardsBehind: number): Promise<void>;
}

export interface CommandContext {
  readonly terminal: Terminal;
  readonly people: People;
  readonly staff: Pick<Staff, 'admit' | 'rolesOf'>;
  /** Of a PIN: fewer than these are nobody's. */
  readonly leastDigits: number;
  readonly simulation: Simulation | null;
  readonly sent: SentCommands;
  handedOver(): HandedOver;
  tables(): readonly ReadyTable[];
  readonly recall: RecallScreen;
  selfTest(person: Person): void;
  readonly change: Pick<ChangeDesk, 'plan' | 'drop'>;
  /** See ExportDesk.make. */
  makeExport(target: string, person: Person, commandId: string): Outcome;
  readonly service: Pick<ServiceWatch, 'opened' | 'touched'>;
  /** See DrillDesk.hold. */
  holdDrill(drill: DrillId, person: Person, commandId: string): Outcome;
  /** Ends what is running of this; false = nothing is. */
  stopWork(work: Work, person: Person): boolean;
  /** See NoteTable.try. */
  tryNote(device: string, inHandMinor: number | null): Outcome;
  /** See ShoeDesk.readAgain. */
  readAgain(person: Person): Outcome;
  /** See ShoeDesk.tryCards. */
  tryCards(on: boolean): Outcome;
  /** See TouchSettings.set. */
  setTouch(
    role: DisplayRole,
    correction: readonly number[] | null,
    person: Person,
    commandId: string,
  ): Outcome;
  testDevice(part: 'lamp' | 'siren', person: Person): Outcome;
  /** See ShoeDesk.load. */
  loadShoe(commandId: string): Outcome;
  /** See SlipDesk. */
  readonly slips: Pick<SlipDesk, 'again' | 'receipt'>;
  /** See Devices.release and OwnFaults.release. */
  readonly exclusions: Exclusions;
  endFault(device: string, fault: string, persons: readonly Person[], commandId: string): Outcome;
}

const REMEMBERED = 4_096;

/**
 * What the last command ids of this process stood for. The ledger knows by its id that a command
 * was done, also after a restart; only here one can see that the same id comes back with another
 * command, or while it is still being looked at, which a PIN takes a second for. PINs are not kept.
 */
export class SentCommands {
  readonly #known = new Map<string, string>();
  readonly #running = new Map<string, Promise<Outcome>>();

  /** The outcome of `run`, which is called once however often the command comes while it runs. */
  once(id: string, command: Command, run: () => Promise<Outcome>): Promise<Outcome> {
    if (!this.#take(id, command))
      return Promise.resolve(rejected('duplicate', 'this id was another command'));
    const running = this.#running.get(id) ?? run().finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  /** False: this id was another command. */
  #take(id: string, command: Command): boolean {
    const content = JSON.stringify(command, (key, value) => (key === 'pin' ? undefined : value));
    const before = this.#known.get(id);
    if (before !== undefined) return before === content;
    this.#known.set(id, content);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(oldest);
    }
    return true;
  }
}

const rejected = (code: Extract<Outcome, { status: 'rejected' }>['code'], detail: string): Outcome => ({
  status: 'rejected',
  code,
  cites: [],
  detail,
});

const bettorOf = (command: Command): string => {
  const by =
    'by' in command && command.by !== undefined ? command.by : 'seat' in command ? command.seat : null;
  return by === null ? '' : ` of seat ${by}`;
};

/**
 * Turns a checked command of a display into an input of the table, naming the person where one is
 * needed.
 */
export async function execute(
  context: CommandContext,
  role: DisplayRole,
  id: string,
  command: Command,
): Promise<Outcome> {
  return mayCommand(role, command, context.simulation !== null, context.handedOver())
    ? context.sent.once(id, command, () => carryOut(context, role, id, command))
    : rejected('not-allowed', `${command.type}${bettorOf(command)} is not for display ${role}`);
}

type InName = (person: Person) => Outcome | Promise<Outcome>;

async function carryOut(
  context: CommandContext,
  role: DisplayRole,
  id: string,
  command: Command,
): Promise<Outcome> {
  const { terminal } = context;
  context.service.touched(role);
  // Before any PIN is looked at: what is done is done, and says so.
  const known = terminal.ledger.findCommand(id);
  if (known) return { status: 'exists', seq: known.lastSeq };
  if (terminal.state.service && !permissionOf(command.type)?.inService)
    return rejected('service', `${command.type} waits until service mode is left`);

  const pad: Pad =
    role.startsWith('seat:') || ('from' in command && command.from === 'player') ? 'players' : 'staff';
  const from = pad === 'staff' ? role : `${role} ${'seat' in command ? command.seat : ''}`;
  /** Null: refused, and the ledger knows why. */
  const identify = async (credential: Credential, roles: readonly PersonRole[]): Promise<Person | null> => {
    // Nobody's PIN is so short: there is nothing to look at, and nothing to count.
    if (credential.pin.length < context.leastDigits) return null;
    const answer = await context.people.identify({ credential, roles, pad, from });
    if (answer === null) return null;
    if ('person' in answer) {
      const { person, forgiven } = answer;
      if (forgiven) recordAccess(terminal, { type: 'access-regained', person, ...forgiven });
      return person;
    }
    if (answer.refused)
      recordAccess(terminal, { type: 'access-refused', command: command.type, ...answer.refused });
    return null;
  };
  // One sentence for all of it: what was wrong is for the ledger to know.
  const notAccepted = rejected('person', 'number and PIN were not accepted');
  const right = rightOf(command.type);
  const firsts = context.staff.rolesOf(right?.first ?? []);
  const withPerson = async (credential: Credential, then: InName, roles = firsts): Promise<Outcome> => {
    const person = await identify(credential, roles);
    return person ? then(person) : notAccepted;
  };
  /**
   * Both PINs are looked at whatever the first was, so that the time does not tell which of them
   * was wrong.
   */
  const withBoth = async (
    [first, second]: readonly [Credential, Credential],
    [firstRoles, secondRoles]: readonly [readonly PersonRole[], readonly PersonRole[]],
    then: (person: Person, second: Person) => Outcome,
  ): Promise<Outcome> => {
    if (first.person === second.person) return rejected('person', 'two different persons');
    const person = await identify(first, firstRoles);
    const other = await identify(second, secondRoles);
    return person && other ? then(person, other) : notAccepted;
  };
  const seconds = right?.second ?? [];
  /**
   * The first of two persons, and the second where there is one; whether one is needed is the
   * table's to say.
   */
  const withTwo = (
    credential: Credential,
    secondCredential: Credential | undefined,
    then: (person: Person, second: Person | null) => Outcome,
  ): Promise<Outcome> =>
    secondCredential === undefined
      ? withPerson(credential, (person) => then(person, null))
      : withBoth([credential, secondCredential], [firsts, seconds], then);
  /** In the name of somebody who has said who they are already. */
  const inNameOf = (person: Person | null | undefined, then: InName): Outcome | Promise<Outcome> =>
    firsts.includes(person?.role as PersonRole)
      ? then(person!)
      : rejected('person', `${command.type} is for ${firsts.join(', ')}`);
  const inSession = (then: InName): Outcome | Promise<Outcome> =>
    terminal.state.service
      ? inNameOf(terminal.state.service.person, then)
      : rejected('service', `${command.type} belongs to service mode`);
  const inSessionOrDealer = (then: InName): Outcome | Promise<Outcome> => {
    const person = terminal.state.service?.person ?? terminal.state.dealer;
    return person ? inNameOf(person, then) : rejected('no-dealer', 'somebody must have signed in');
  };
  const withDealer = <O extends Outcome | Promise<Outcome>>(then: (person: Person) => O): O | Outcome => {
    const { dealer } = terminal.state;
    return dealer ? then(dealer) : rejected('no-dealer', 'no dealer is signed in');
  };

  switch (command.type) {
    case 'place-bet':
      // A touch on a display lays a chip on top of what lies.
      return terminal.submit(
        {
          ...command,
          by: command.by ?? command.seat,
          amountMinor: minorOf(command.amountMinor),
          onTop: true,
        },
        id,
      );
    case 'decide': {
      const { amountMinor, ...rest } = command;
      const amount = amountMinor === undefined ? {} : { amountMinor: minorOf(amountMinor) };
      return terminal.submit({ ...rest, ...amount, by: command.by ?? command.seat }, id);
    }
    case 'note-intent':
      return terminal.submit({ ...command, by: command.by ?? command.seat }, id);
    case 'undo-bet':
    case 'clear-bets':
    case 'repeat-bets':
    case 'double-bets':
    case 'set-language':
    case 'set-comfort':
    case 'confirm-own-limit':
    case 'take-break':
    case 'call-attendant':
    case 'choose-note-seat':
    case 'cancel-cash-out':
    case 'sign-out-dealer':
    case 'end-card-out':
    case 'refuse-cut':
    case 'feed-shuffler':
    case 'raise-complaint':
    case 'close-betting':
    case 'extend-betting':
    case 'close-round':
    case 'draw-wrong':
    case 'exit-service':
      return terminal.submit(command, id);
    case 'set-own-limits':
      return terminal.submit(
        {
          ...command,
          lossMinor: command.lossMinor === null ? null : minorOf(command.lossMinor),
          inMinor: command.inMinor == null ? null : minorOf(command.inMinor),
        },
        id,
      );
    case 'open-betting':
    case 'demo-round':
      return terminal.submit({ type: command.type, roundId: terminal.nextRoundId() }, id);
    case 'request-cash-out':
      return terminal.submit({ ...command, requestId: id }, id);
    case 'place-end-card': {
      const outcome = terminal.submit(command, id);
      if (outcome.status === 'done') await context.simulation?.placeEndCard(command.cardsBehind);
      return outcome;
    }
    case 'load-shoe':
      return context.loadShoe(id);
    case 'cut-shoe': {
      const { seat, credential } = command;
      return credential === undefined
        ? terminal.submit({ type: 'cut-shoe', seat }, id)
        : withPerson(credential, (person) => terminal.submit({ type: 'cut-shoe', seat, person }, id));
    }
    case 'check-decks':
    case 'order-decks':
      return withDealer((person) => terminal.submit({ ...command, person }, id));
    case 'replace-cards': {
      const { credential, ...rest } = command;
      if (rest.what === 'card' && rest.card === undefined)
        return rejected('malformed', 'card: which card was replaced');
      return withPerson(credential, (person) => terminal.submit({ ...rest, person }, id));
    }
    case 'witness-loading':
    case 'load-packet':
    case 'close-complaint':
    case 'open-acceptor':
    case 'announce-drop':
    case 'end-drop':
    case 'report-replacement': {
      const { credential, ...rest } = command;
      return withPerson(credential, (person) => terminal.submit({ ...rest, person }, id));
    }
    case 'open-shuffler':
      return withPerson(command.credential, (person) =>
        terminal.submit({ type: 'open-shuffler', solved: command.solved, person }, id),
      );
    case 'read-card-again':
      return withDealer((person) => context.readAgain(person));
    case 'set-card-aside':
      return withDealer((person) => terminal.submit({ type: 'set-card-aside', person }, id));
    case 'confirm-layout':
    case 'doubt-card':
      return withDealer((person) => terminal.submit({ ...command, person }, id));
    case 'announce-face-up':
      return withDealer((person) => terminal.submit({ ...command, person }, id));
    // The dealer's own, or a supervisor's where the table says so.
    case 'replace-bank-second':
    case 'take-back-card':
    case 'assign-card':
    case 'count-cards':
    case 'lay-out-cards': {
      const { credential, ...rest } = command;
      return credential === undefined
        ? withDealer((person) => terminal.submit({ ...rest, person }, id))
        : withPerson(credential, (person) => terminal.submit({ ...rest, person }, id));
    }
    case 'confirm-card': {
      const { hold } = terminal.state;
      const drawNo = hold?.drawNo ?? null;
      const { card, credential, reason, words } = command;
      // Confirming what the shoe read is the dealer's; naming another card needs a supervisor as
      // well, and the two of them are not one person.
      if (hold?.card === card)
        return withDealer((person) => terminal.submit({ type: 'confirm-card', drawNo, card, person }, id));
      if (credential === undefined)
        return rejected('person', 'another card than the one read needs the supervisor');
      if (reason === undefined) return rejected('malformed', 'reason: why people name the card');
      return withDealer((second) =>
        withPerson(credential, (person) => {
          const why = { reason, ...(words === undefined ? {} : { words }) };
          return terminal.submit({ type: 'confirm-card', drawNo, card, person, second, ...why }, id);
        }),
      );
    }
    case 'sign-in-dealer':
      return withPerson(command.credential, (person) =>
        terminal.submit({ type: 'sign-in-dealer', person }, id),
      );
    case 'forfeit-streak':
      return withPerson(command.credential, (person) =>
        terminal.submit({ type: 'forfeit-streak', seat: command.seat, by: command.by, person }, id),
      );
    case 'read-again':
      return withPerson(command.credential, (person) => terminal.submit({ type: 'read-again', person }, id));
    case 'void-round':
      return withPerson(command.credential, (person) =>
        terminal.submit({ type: 'void-round', reason: command.reason, person }, id),
      );
    case 'check-exclusion':
      return withPerson(command.credential, async (person) => {
        const { seat } = command;
        const listed = await context.exclusions.isListed(command.document);
        if (listed === null) return rejected('off', 'there is no list of exclusions that can be read');
        const outcome = terminal.record({ type: 'exclusion-checked', person, seat, listed }, id);
        if (!listed || outcome.status === 'rejected') return outcome;
        if (seat !== null) context.exclusions.lock(seat);
        return rejected('excluded', 'on the list');
      });
    case 'hand-over-shift':
      return withTwo(command.credential, command.secondCredential, (person, second) =>
        second === null
          ? rejected('person', 'a second person must confirm')
          : terminal.record({ type: 'shift-handed-over', person, second, ...handoverOf(terminal.state) }, id),
      );
    case 'resolve-held-note': {
      const { credential, secondCredential, words = '', ...rest } = command;
      return withTwo(credential, secondCredential, (person, second) =>
        terminal.submit({ ...rest, words, person, second }, id),
      );
    }
    case 'confirm-hand-pay': {
      const { type, seat, requestId, credential, secondCredential } = command;
      return withTwo(credential, secondCredential, (person, second) =>
        terminal.submit({ type, seat, requestId, person, second }, id),
      );
    }
    case 'adjust-credit': {
      const { credential, secondCredential, words = '', roundNo, correctsSeq, ...others } = command;
      const { complaintNo = null, ...rest } = others;
      const roundId = roundNo === undefined ? null : roundIdOf(terminal.ledger.terminalId, roundNo);
      if (roundId !== null && terminal.ledger.readRound(roundId).length === 0)
        return rejected('unknown-round', `there is no round ${roundNo}`);
      const seq = correctsSeq ?? null;
      if (seq !== null && seq > terminal.ledger.head().seq)
        return rejected('malformed', `correctsSeq: there is no entry ${seq}`);
      const amountMinor = minorOf(command.amountMinor);
      const corrects = { roundId, seq };
      return withTwo(credential, secondCredential, (person, second) =>
        second === null
          ? rejected('person', 'a second person must confirm')
          : terminal.submit({ ...rest, amountMinor, words, corrects, complaintNo, person, second }, id),
      );
    }
    case 'enter-service':
      return withPerson(command.credential, (person) => {
        const outcome = terminal.submit({ type: 'enter-service', person }, id);
        if (outcome.status === 'done') context.service.opened(role);
        return outcome;
      });
    case 'end-maintenance':
      return inSession((person) => terminal.submit({ type: 'end-maintenance', person }, id));
    case 'run-self-test':
      return inSession((person) => {
        context.selfTest(person);
        return { status: 'done', seq: terminal.ledger.head().seq };
      });
    case 'admit-manufacturer':
      return withPerson(command.credential, (person) => context.staff.admit(command.hours, person, id));
    case 'try-note':
      return inSession(() => context.tryNote(command.device, command.valueMinor));
    case 'try-cards':
      return inSession(() => context.tryCards(command.on));
    case 'set-touch':
      return inSession((person) => context.setTouch(role, command.correction, person, id));
    case 'test-device':
      return inSession((person) => context.testDevice(command.part, person));
    case 'end-fault': {
      if (!terminal.state.service) return rejected('service', 'faults are ended in service mode');
      const { device, fault, credential, secondCredential } = command;
      const [first, second] = personsAt(terminal.state, fault);
      if (first === undefined) return rejected('nothing-to-do', `${fault} ends by itself`);
      if (second === undefined)
        return withPerson(credential, (person) => context.endFault(device, fault, [person], id), first);
      if (secondCredential === undefined) return rejected('person', 'a second person must look at it');
      return withBoth([credential, secondCredential], [first, second], (person, other) =>
        context.endFault(device, fault, [person, other], id),
      );
    }
    case 'print-receipt':
      return context.slips.receipt(command.seat, command.roundId);
    case 'print-slip':
      return inSessionOrDealer((person) => context.slips.again(command.slip, command.of, person));
    case 'hold-drill':
      return inSession((person) => context.holdDrill(command.drill, person, id));
    case 'make-export':
      return inSession((person) => context.makeExport(command.target, person, id));
    case 'stop-work':
      return inSession((person) =>
        context.stopWork(command.work, person)
          ? { status: 'done', seq: terminal.ledger.head().seq }
          : rejected('nothing-to-do', `no ${command.work} is running`),
      );
    case 'plan-change': {
      if (!terminal.state.service) return rejected('service', 'the table is changed in service mode');
      const { edit, reason, fromMs, credential, secondCredential } = command;
      return withBoth([credential, secondCredential], [firsts, seconds], (person, second) =>
        context.change.plan({ edit, reason, fromMs, person, second }, id),
      );
    }
    case 'drop-change':
      return withPerson(command.credential, (person) => context.change.drop(person, id));
    case 'switch-table': {
      if (!terminal.state.service) return rejected('service', 'tables are switched in service mode');
      const table = context.tables().find(({ name }) => name === command.table);
      if (!table) return rejected('malformed', `there is no table '${command.table}'`);
      const { profile, fileProblems } = table;
      if (profile === null) return rejected('off', fileProblems.map(sentenceOf).join('; '));
      return withPerson(command.credential, (person) =>
        terminal.submit({ type: 'configure', profile, person }, id),
      );
    }
    case 'show-recall':
      return inSessionOrDealer((person) => context.recall.show(command.roundId, person, id));
    case 'hide-recall':
      return context.recall.hide();
    case 'sim-insert-note':
    case 'sim-load-shoe':
    case 'sim-draw-card':
    case 'sim-auto':
    case 'sim-fault': {
      if (!context.simulation) return rejected('not-allowed', 'no simulated devices here');
      const answer = await context.simulation.run(command);
      return answer.ok
        ? terminal.record({ type: 'simulation-used', command: command.type }, id)
        : rejected('not-allowed', answer.detail);
    }
  }
}
