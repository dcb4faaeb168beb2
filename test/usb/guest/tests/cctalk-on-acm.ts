import { createCctalk } from '../../../../hardware/bill-acceptor/cctalk/cctalk.driver.ts';
import { acceptorOnAcm } from '../acm-acceptor.ts';
import { remembering } from '../notes.ts';
import { LINE_8N1 } from '../rig.ts';

acceptorOnAcm('ccTalk', 'cctalk', remembering(createCctalk), LINE_8N1);
