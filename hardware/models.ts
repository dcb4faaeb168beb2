/**
 * Every model of the house under the name that terminal files, `banca device` and recordings call
 * it by: a new protocol is a folder of its own and a line here. Simulators are loaded when one is
 * asked for and not before: a terminal with real devices never has their code in its process.
 */
import { cctalk } from './bill-acceptor/cctalk/cctalk.model.ts';
import { ebds, pyramid } from './bill-acceptor/ebds/ebds.model.ts';
import { id003 } from './bill-acceptor/id003/id003.model.ts';
import { ssp } from './bill-acceptor/ssp/ssp.model.ts';
import { kcb1 } from './cabinet/kcb1/kcb1.model.ts';
import type { Model } from './model.ts';
import { nut } from './power/nut.model.ts';
import { escpos } from './printer/escpos.model.ts';
import { angelEye } from './shoe/angel-eye/angel-eye.model.ts';
import { ksp1 } from './shoe/ksp1/ksp1.model.ts';

/** In the order they are listed to people. */
export const MODELS = {
  id003,
  ebds,
  pyramid,
  cctalk,
  ssp,
  ksp1,
  'angel-eye': angelEye,
  escpos,
  kcb1,
  nut,
} as const satisfies Readonly<Record<string, Model>>;
export type ModelName = keyof typeof MODELS;

const BY_NAME: Readonly<Record<string, Model>> = MODELS;

/** Undefined for a name that is none of ours. */
export const modelOf = (name: string): Model | undefined =>
  Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;

export const modelNames = (kind?: Model['kind']): string =>
  Object.keys(BY_NAME)
    .filter((name) => kind === undefined || BY_NAME[name]?.kind === kind)
    .join(', ');
