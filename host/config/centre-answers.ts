import { centreOrders } from '../../engine/table/centre-orders.ts';
import type { OpenCommand } from '../../ledger/sync/command-desk.ts';
import type { CommandAnswer } from '../../wire/host-events.ts';
import type { DeviceView } from '../../wire/view.ts';
import type { Software } from '../program/software.ts';
import { jsonHash } from '../table/table-hash.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import type { ClockWatch } from '../watches/clock-watch.ts';
import { type IntegrityOptions, integrityOf } from '../watches/self-test.ts';
import type { Staff } from './staff.ts';

/** What came of a command. */
export interface Came {
  readonly outcome: 'done' | 'refused';
  readonly detail: string | null;
  readonly answer: CommandAnswer | null;
}

const DONE: Came = { outcome: 'done', detail: null, answer: null };
const refused = (detail: string): Came => ({ outcome: 'refused', detail, answer: null });
const found = (answer: CommandAnswer): Came => ({ outcome: 'done', detail: null, answer });

type Unit = Extract<CommandAnswer, { what: 'identity' }>['devices'][number]['unit'];

export interface CentreAnswersOptions extends IntegrityOptions {
  readonly terminal: Terminal;
  readonly bootId: string;
  readonly software: Software | Promise<Software>;
  readonly devices: { views(): readonly DeviceView[]; identity(id: string): Unit | null };
  readonly staff: Pick<Staff, 'page'>;
  readonly clock: Pick<ClockWatch, 'compare'>;
  readonly clockLimitMs: number;
  /** The house lets the centre pay out what waits at this terminal. */
  readonly mayPay: boolean;
}

/**
 * What a command of the centre has come to, once it is in force, or is carried out here. Each may
 * be asked for again after a kill: what moves money is stored under the number of its command.
 */
export class CentreAnswers {
  readonly #o: CentreAnswersOptions;

  constructor(o: CentreAnswersOptions) {
    this.#o = o;
  }

  /**
   * @param measureClock our clock less the centre's, once the centre answers
   * @param problems why the newest table of the centre can never be this one
   */
  of(
    command: OpenCommand,
    now: { readonly measureClock: () => Promise<number>; readonly problems: readonly string[] },
  ): Came | Promise<Came> {
    const { order } = command;
    const { terminal, staff } = this.#o;
    switch (order.type) {
      case 'config':
        return now.problems.length > 0 ? refused(now.problems.join('; ')) : DONE;
      case 'roster': {
        const { closed } = staff.page();
        return closed ? refused(closed) : DONE;
      }
      case 'maintenance':
        return centreOrders(terminal.state).maintenance?.no === command.no
          ? DONE
          : refused('a person at the table has ended it already');
      case 'acceptor-on':
        return this.#openAcceptor(command, order);
      case 'clock':
        return now.measureClock().then((offMs) => found(this.#compare(offMs)));
      case 'hand-pay-reset':
        return this.#resetHandPay(command, order);
      case 'identify':
        return this.#identity().then(found);
      case 'verify':
        return this.#verify();
      default:
        return DONE;
    }
  }

  #compare(offMs: number): CommandAnswer {
    this.#o.clock.compare(offMs, true);
    return { what: 'clock', offMs, limitMs: this.#o.clockLimitMs };
  }

  /** In force it is already; one that has shut after a note is opened by each such order anew. */
  #openAcceptor(
    { no, issuer }: OpenCommand,
    { acceptor }: Extract<OpenCommand['order'], { type: 'acceptor-on' }>,
  ): Came {
    const byOrder = { no, issuer };
    const outcome = this.#o.terminal.submit(
      { type: 'open-acceptor', acceptor, person: null, byOrder },
      `centre-open:${no}`,
    );
    return outcome.status === 'rejected' ? refused(sentenceOf(outcome)) : DONE;
  }

  #resetHandPay(
    { no, issuer }: OpenCommand,
    { payNo, paid }: Extract<OpenCommand['order'], { type: 'hand-pay-reset' }>,
  ): Came {
    const { terminal, mayPay } = this.#o;
    if (paid !== null && !mayPay)
      return refused('the terminal file does not let the centre pay (centreMayPay)');
    const byOrder = { no, issuer };
    const outcome = terminal.submit({ type: 'reset-hand-pay', payNo, paid, byOrder }, `centre-pay:${no}`);
    return outcome.status === 'rejected' ? refused(sentenceOf(outcome)) : DONE;
  }

  async #identity(): Promise<CommandAnswer> {
    const { terminal, bootId, software, devices } = this.#o;
    const { version, id } = await software;
    const { profile } = terminal.state;
    return {
      what: 'identity',
      terminalId: terminal.ledger.terminalId,
      bootId,
      version,
      node: process.versions.node,
      sqlite: terminal.ledger.sqliteVersion,
      softwareId: id,
      game:
        profile === null
          ? null
          : {
              tableName: profile.tableName,
              rulebook: profile.rulebook,
              profileSha256: jsonHash(profile),
              optionsSha256: jsonHash(profile.options),
            },
      devices: devices.views().map(({ id: device, model }) => {
        const unit = devices.identity(device);
        return { device, unit: unit ?? { model, serial: '', firmware: '' } };
      }),
    };
  }

  async #verify(): Promise<Came> {
    const { software, terminal } = this.#o;
    const { seq } = terminal.ledger.head();
    const checks = await integrityOf(this.#o);
    const failed = checks.filter(({ ok }) => !ok);
    return {
      outcome: 'done',
      detail:
        failed.length === 0 ? null : failed.map(({ check, detail }) => `${check}: ${detail}`).join('; '),
      answer: {
        what: 'integrity',
        passed: failed.length === 0,
        failed: failed.map(({ check }) => check),
        softwareId: (await software).id,
        headSeq: seq,
      },
    };
  }
}

const sentenceOf = ({ code, detail }: Extract<Outcome, { status: 'rejected' }>): string =>
  detail === null ? code : `${code}: ${detail}`;
