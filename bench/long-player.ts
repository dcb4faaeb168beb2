/** `node bench/long-player.ts DIR`: plays on in the ledger of DIR until it is killed. */
import { openIn, play } from '../test/verifier/played-ledger.ts';

play(openIn(process.argv[2]!), Number.MAX_SAFE_INTEGER);
