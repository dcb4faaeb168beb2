import { createId003 } from '../../../../hardware/bill-acceptor/id003/id003.driver.ts';
import { acceptorOnAcm } from '../acm-acceptor.ts';
import { LINE_8E1 } from '../rig.ts';

acceptorOnAcm('ID-003', 'acm', createId003, LINE_8E1);
