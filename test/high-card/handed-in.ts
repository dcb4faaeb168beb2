import { handIn } from '../../engine/engine.ts';
import { HIGH_CARD } from './high-card.ts';

handIn(HIGH_CARD);
