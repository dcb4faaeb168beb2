/**
 * A card reader without hardware: Debian's pcscd with its virtual reader (vsmartcard-vpcd), in
 * a mount namespace of its own, and PIV cards of software that lie on it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Pcscd } from '../../hardware/card-reader/pcscd.transport.ts';
import { cardOf, tlv } from '../../hardware/card-reader/piv.machine.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const PCSCD = '/usr/sbin/pcscd';
const driver = (): string | null => {
  const root = '/usr/lib/pcsc/drivers/serial';
  const found = existsSync(root)
    ? readdirSync(root).find((name) => name.startsWith('libifdvpcd.so'))
    : undefined;
  return found === undefined ? null : join(root, found);
};

/** Why no test can have a card reader here; false = it can. */
export const NO_READER: string | false =
  process.getuid!() !== 0
    ? 'a card reader of software needs root'
    : existsSync(PCSCD) && driver() !== null
      ? false
      : 'pcscd or vsmartcard-vpcd is not installed (apt-get install pcscd vsmartcard-vpcd)';

const HEAD_BYTES = 2;
const GET_ATR = 4;
/** Contactless, T=1, nothing more. */
const ATR = Buffer.from('3b80800101', 'hex');

type Step = 'select' | 'certificate' | 'sign';

/** A card with one key in slot 9E. */
export class PivCard {
  readonly #key: KeyObject;
  readonly #certificate: Buffer;
  /** As its person's entry names it. */
  readonly id: string;
  /** Taken away, or its reader, in the middle of this step. */
  leaves: { readonly at: Step; readonly by: () => void } | null = null;
  /** Of another card: it shows the certificate of this one and has not its key. */
  stranger = false;
  #rest: Buffer = Buffer.alloc(0);

  constructor(folder: string) {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=card'];
    execFileSync('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', certificate], {
      stdio: 'ignore',
    });
    this.#key = createPrivateKey(readFileSync(key));
    const x509 = new X509Certificate(readFileSync(certificate));
    this.#certificate = x509.raw;
    this.id = cardOf(x509.publicKey);
  }

  answer(apdu: Buffer): Buffer {
    const [, ins] = apdu;
    const step = ins === 0xa4 ? 'select' : ins === 0xcb ? 'certificate' : ins === 0x87 ? 'sign' : null;
    if (this.leaves !== null && this.leaves.at === step) this.leaves.by();
    switch (ins) {
      case 0xa4:
        return Buffer.from([0x90, 0x00]);
      case 0xcb: {
        const parts = [tlv(0x70, this.#certificate), tlv(0x71, Buffer.from([0])), tlv(0xfe, Buffer.alloc(0))];
        this.#rest = tlv(0x53, Buffer.concat(parts));
        return this.#piece();
      }
      case 0xc0:
        return this.#piece();
      case 0x87: {
        // 7C { 82 {} 81 { the digest to be signed } }
        const digest = apdu.subarray(5 + 2 + 2 + 2, 5 + 2 + 2 + 2 + 32);
        const signature = this.stranger ? randomBytes(70) : signDigest(this.#key, digest);
        return Buffer.concat([tlv(0x7c, tlv(0x82, signature)), Buffer.from([0x90, 0x00])]);
      }
      default:
        return Buffer.from([0x6d, 0x00]);
    }
  }

  /** Of a long answer, 256 bytes and how much is left, as a card of ISO 7816 gives it. */
  #piece(): Buffer {
    const piece = this.#rest.subarray(0, 256);
    this.#rest = this.#rest.subarray(piece.length);
    const left = Math.min(this.#rest.length, 255);
    return Buffer.concat([piece, Buffer.from(left === 0 ? [0x90, 0x00] : [0x61, left])]);
  }
}

/** ECDSA over a digest that is made already, which Node signs only by openssl. */
function signDigest(key: KeyObject, digest: Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'banca-sign-'));
  try {
    const [keyFile, data] = [join(folder, 'key'), join(folder, 'digest')];
    writeFileSync(keyFile, key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
    writeFileSync(data, digest);
    return execFileSync('openssl', ['pkeyutl', '-sign', '-inkey', keyFile, '-in', data]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reader: its daemon, and whichever card lies on it. */
export class CardReader {
  readonly socket: string;
  readonly #folder: string;
  readonly #port: number;
  #daemon: ChildProcess | null = null;
  #card: Socket | null = null;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.socket = join(folder, 'run', 'pcscd.comm');
  }

  static async open(t: Pick<TestContext, 'after'>): Promise<CardReader> {
    const folder = mkdtempSync(join(tmpdir(), 'banca-reader-'));
    const reader = new CardReader(folder, await freePort());
    t.after(async () => {
      await reader.pullOut();
      rmSync(folder, { recursive: true, force: true });
    });
    mkdirSync(join(folder, 'run'));
    mkdirSync(join(folder, 'conf'));
    const channel = `0x${reader.#port.toString(16)}`;
    writeFileSync(
      join(folder, 'conf', 'vpcd'),
      `FRIENDLYNAME "Virtual reader"\nDEVICENAME /dev/null:${channel}\nLIBPATH ${driver()!}\nCHANNELID ${channel}\n`,
    );
    await reader.plugIn();
    return reader;
  }

  /** A card with a key of its own. */
  newCard(): PivCard {
    return new PivCard(mkdtempSync(join(this.#folder, 'card-')));
  }

  async plugIn(): Promise<void> {
    const run = join(this.#folder, 'run');
    const script = `mkdir -p /run/pcscd && mount --bind ${run} /run/pcscd && exec ${PCSCD} --foreground --error --config ${join(this.#folder, 'conf')}`;
    const daemon = spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#daemon = daemon;
    let said = '';
    daemon.stderr.on('data', (data: Buffer) => {
      said += data.toString();
    });
    await until(
      'the virtual reader',
      async () => {
        assert.equal(daemon.exitCode, null, said);
        const pcscd = await Pcscd.open(this.socket).catch(() => null);
        const readers = await pcscd?.readers().catch(() => []);
        pcscd?.close();
        return (readers ?? []).length > 0;
      },
      { said: () => said },
    );
  }

  /** The reader goes with its daemon, whatever it does. */
  async pullOut(): Promise<void> {
    this.take();
    const daemon = this.#daemon;
    this.#daemon = null;
    if (daemon === null || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const exit = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await exit;
    // A new daemon finds no trace of it.
    for (const name of readdirSync(join(this.#folder, 'run')))
      rmSync(join(this.#folder, 'run', name), { force: true });
  }

  async lay(card: PivCard): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    this.#card = socket;
    let unread = Buffer.alloc(0);
    socket.on('data', (data) => {
      unread = Buffer.concat([unread, data]);
      while (unread.length >= HEAD_BYTES) {
        const end = HEAD_BYTES + unread.readUInt16BE(0);
        if (unread.length < end) return;
        const asked = unread.subarray(HEAD_BYTES, end);
        unread = unread.subarray(end);
        // Power on, off and reset have no answer.
        const back = asked.length > 1 ? card.answer(asked) : asked[0] === GET_ATR ? ATR : null;
        if (back === null || socket.destroyed) continue;
        const head = Buffer.alloc(HEAD_BYTES);
        head.writeUInt16BE(back.length, 0);
        socket.write(Buffer.concat([head, back]));
      }
    });
  }

  /** The card is taken away. */
  take(): void {
    this.#card?.destroy();
    this.#card = null;
  }
}
