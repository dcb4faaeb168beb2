import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** A row that is missed while the table changes under the reader is there at the next reading. */
const READINGS = 3;
const HOST = '0100007F';
/** ::ffff:127.0.0.1, as a program that knows IPv6 only reaches 127.0.0.1. */
const MAPPED = '0000000000000000FFFF0000';

const readings: Record<'tcp' | 'tcp6', { running: Promise<unknown>; next: Promise<string> | null }> = {
  tcp: { running: Promise.resolve(), next: null },
  tcp6: { running: Promise.resolve(), next: null },
};

/**
 * The kernel's socket table, by a reading that begins after this call: one reading is enough for
 * all who wait for it. It takes some 5 ms, not on this thread.
 */
function table(name: 'tcp' | 'tcp6'): Promise<string> {
  const reading = readings[name];
  reading.next ??= reading.running.then(() => {
    reading.next = null;
    const text = readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '');
    reading.running = text;
    return text;
  });
  return reading.next;
}

/**
 * Owner and inode of the end `local` of an established connection; null where there is none, or no
 * program holds it any more.
 */
function endIn(rows: string, local: string, remote: string): { uid: number; inode: number } | null {
  const head = `: ${local} ${remote} 01 `;
  const at = rows.indexOf(head);
  if (at < 0) return null;
  // Queues, timers, retransmits, owner, timeouts, inode. A socket that no program holds has owner 0
  // and inode 0.
  const fields = rows
    .slice(at + head.length, at + head.length + 120)
    .trim()
    .split(/\s+/);
  const [uid, inode] = [Number(fields[3]), Number(fields[5])];
  return inode > 0 ? { uid, inode } : null;
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/**
 * The account whose program holds the other end of `socket`, an accepted connection on 127.0.0.1;
 * null where the kernel does not say. Both ends are looked up: our own must be this very socket, so
 * that a port which changed hands in between tells nothing.
 */
export async function accountOf(socket: Socket): Promise<number | null> {
  const fd = (socket as unknown as { _handle: { fd: number } | null })._handle?.fd ?? -1;
  if (fd < 0 || socket.localPort === undefined || socket.remotePort === undefined) return null;
  const [here, there] = [`${HOST}:${hex(socket.localPort)}`, `${HOST}:${hex(socket.remotePort)}`];
  const { ino } = fstatSync(fd);
  for (let n = 0; n < READINGS; n++) {
    const rows = await table('tcp');
    if (socket.destroyed) return null;
    if (endIn(rows, here, there)?.inode !== ino) continue;
    const peer = endIn(rows, there, here) ?? endIn(await table('tcp6'), MAPPED + there, MAPPED + here);
    if (peer) return peer.uid;
  }
  return null;
}
