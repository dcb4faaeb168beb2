/**
 * docs/operations/faults.md: what can go wrong, out of the catalogue, and the sentences of every
 * fault out of the locales.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../engine/table/inputs.ts';
import { UNDRILLED } from '../../wire/drills.ts';
import { type EventCode, rowOf } from '../../wire/event-catalogue.ts';
import { FAULTS, type FaultId, type FaultRow } from '../../wire/faults.ts';
import { REPAIRS } from '../../wire/repairs.ts';
import { isTold, SITUATIONS, type Told } from './fault-catalogue.ts';
import { table } from './table.ts';

export const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];
const ROOT = join(import.meta.dirname, '..', '..');
type Tree = { readonly [key: string]: string | Tree };

const trees = new Map<string, Tree>();

/** A text of the locales as it stands there. Throws where there is none. */
export function textIn(language: Language, space: 'table' | 'service', key: string): string {
  const path = join(ROOT, 'locales', language, `${space}.json`);
  if (!trees.has(path)) trees.set(path, JSON.parse(readFileSync(path, 'utf8')) as Tree);
  let found: string | Tree | undefined = trees.get(path);
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  if (typeof found !== 'string' || found.trim() === '') throw new Error(`no text ${key} in ${path}`);
  return found;
}

const inAll = (space: 'table' | 'service', key: string): string =>
  LANGUAGES.map((language) => textIn(language, space, key).replaceAll('{{place}}', '…')).join('<br>');

/**
 * What the player reads of a fault: its own sentence at their seat, or that of the hold it causes.
 */
export function playerTextOf(fault: FaultId): string | null {
  const { player, device, level }: FaultRow = FAULTS[fault];
  if (player !== null) return `deviceFault.${player}`;
  if (fault === 'books-differ') return 'hold.books';
  if (device === 'card-shoe') return 'hold.shoe-fault';
  if (device !== 'machine' && device !== 'cabinet-board' && device !== 'power-supply') return null;
  if (level === 'L') return 'reject.seat-locked';
  return level === 'P' || level === 'H' || level === 'X' ? 'hold.machine-fault' : null;
}

const playersOf = ({ faults, player }: Told): (string | null)[] =>
  faults.length === 0 ? [player] : [...new Set(faults.map(playerTextOf))];

export const situationTable = (): string =>
  table(
    [
      '',
      'what has happened',
      'code',
      'told by',
      'what the terminal does',
      'what ends it',
      'the player reads',
    ],
    SITUATIONS.flatMap((each, i) =>
      isTold(each)
        ? [
            [
              String(i + 1),
              each.situation,
              each.codes.join(', '),
              [...each.faults, ...each.entries].map((name) => `\`${name}\``).join(', ') ||
                'the log of the start',
              each.reaction,
              each.recovery,
              playersOf(each)
                .map((key) => (key === null ? 'nothing' : textIn('en', 'table', key)))
                .join('<br>'),
            ],
          ]
        : [],
    ),
  );

export const untoldTable = (): string =>
  table(
    ['', 'what has happened', 'code', 'why nothing here tells it'],
    SITUATIONS.flatMap((each, i) =>
      isTold(each) ? [] : [[String(i + 1), each.situation, each.codes.join(', '), each.why]],
    ),
  );

export const undrilledTable = (): string =>
  table(
    ['fault', 'code', 'why there is no drill of it'],
    Object.entries(UNDRILLED).map(([fault, why]) => [
      `\`${fault}\``,
      String(FAULTS[fault as FaultId].code),
      why,
    ]),
  );

/** Of every fault: where to look, what to do, what both read, in the order of `LANGUAGES`. */
export const sentenceTable = (): string =>
  table(
    ['fault', 'code', 'where', 'the player reads', 'the technician reads', 'the guide says'],
    Object.entries<FaultRow>(FAULTS).map(([id, { code }]) => {
      const { where, steps } = REPAIRS[id as FaultId];
      const player = playerTextOf(id as FaultId);
      return [
        `\`${id}\``,
        String(code),
        inAll('service', `where.${where}`),
        player === null ? 'nothing' : inAll('table', player),
        inAll('service', `faultText.${id}`),
        steps.map((step, i) => `${i + 1}. ${textIn('en', 'service', `repairStep.${step}`)}`).join('<br>'),
      ];
    }),
  );

/** The texts that a told situation needs, by language; throws where one is missing. */
export function sentencesOf(told: Told, language: Language): string[] {
  const players = playersOf(told).flatMap((key) => (key === null ? [] : [textIn(language, 'table', key)]));
  const technician = told.faults.flatMap((fault) => [
    textIn(language, 'table', `fault.${fault}`),
    textIn(language, 'service', `faultText.${fault}`),
    textIn(language, 'service', `where.${REPAIRS[fault].where}`),
    ...REPAIRS[fault].steps.map((step) => textIn(language, 'service', `repairStep.${step}`)),
  ]);
  const events = told.codes.map((code: EventCode) => rowOf(code).name[language]);
  return [...players, ...technician, ...events];
}
