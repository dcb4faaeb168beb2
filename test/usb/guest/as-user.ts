/**
 * `as-user.js UID GROUP…`: what an account without privileges sees of the bus, as `banca
 * devices` tells it.
 */
import { listUsb } from '../../../hardware/transport/usb-devices.ts';

const [uid, ...groups] = process.argv.slice(2).map(Number);
process.setgroups?.(groups);
process.setgid?.(uid ?? -1);
process.setuid?.(uid ?? -1);
console.log(JSON.stringify(await listUsb()));
