/** What a profile cannot say, field by field; at its edges it still can. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileWith } from '../../test/support/table-kit.ts';
import { checkProfile } from '../engine.ts';
import type { TableProfile } from './profile.ts';

/** The field that is refused, '' = none. */
function refused(changes: object, options: Readonly<Record<string, number>> = {}): string {
  const checked = checkProfile(profileWith(options, changes as Partial<TableProfile>), 0);
  if (checked.ok) return '';
  assert.deepEqual(
    checked.problems.map(({ why, record }) => [why, record]),
    [['malformed', null]],
  );
  return checked.problems[0]!.place;
}
const { timing } = profileWith();
const time = (changes: object) => ({ timing: { ...timing, ...changes } });

/** changes of the profile · the field that is refused */
const CASES: readonly (readonly [object, string])[] = [
  [{}, ''],
  [{ terminalId: '' }, 'terminalId, tableName'],
  [{ tableName: '' }, 'terminalId, tableName'],
  [{ currency: 'XYZ' }, 'currency'],
  [{ seatCount: 6.5 }, 'seatCount'],
  [{ seatCount: '7' }, 'seatCount'],
  ...(['chipsMinor', 'notesMinor'] as const).flatMap((list) => [
    [{ [list]: [] }, list] as const,
    [{ [list]: [1_000] }, ''] as const,
    [{ [list]: [1_000, 2_000] }, ''] as const,
    [{ [list]: [2_000, 1_000] }, list] as const,
    [{ [list]: [1_000, 1_000] }, list] as const,
    [{ [list]: [0, 1_000] }, list] as const,
    [{ [list]: [-1] }, list] as const,
    [{ [list]: [1.5] }, list] as const,
    [{ [list]: ['1000'] }, list] as const,
    [{ [list]: [1_000, 2_000.5] }, list] as const,
  ]),
  ...(['maxCreditMinor', 'twoPersonHandPayMinor'] as const).flatMap((field) => [
    [{ [field]: 1 }, ''] as const,
    ...[0, -1, 0.5, '1', Number.MAX_SAFE_INTEGER + 1].map((value) => [{ [field]: value }, field] as const),
  ]),
  // An amount of nothing is nobody's limit; what is off is not there.
  ...(['handPaidWinMinor', 'offlineMs'] as const).flatMap((field) => [
    [{ [field]: 1 }, ''] as const,
    ...[0, -1, 0.5].map((value) => [{ [field]: value }, field] as const),
  ]),
  // Nothing: it is off.
  ...(['complaintWindowMs', 'longSessionMs'] as const).flatMap((field) => [
    ...[0, 1].map((value) => [{ [field]: value }, ''] as const),
    ...[-1, 0.5].map((value) => [{ [field]: value }, field] as const),
  ]),
  ...(['roundMinor', 'sessionMinor'] as const).flatMap((field) => [
    [{ noteLimits: { [field]: 1 } }, ''] as const,
    [{ noteLimits: { [field]: 0 } }, `noteLimits.${field}`] as const,
  ]),
  [{ noteLimits: { span: { mostMinor: 1, ms: 1 } } }, ''],
  [{ noteLimits: { span: { mostMinor: 0, ms: 1 } } }, 'noteLimits.span.mostMinor'],
  [{ noteLimits: { span: { mostMinor: 1, ms: 0 } } }, 'noteLimits.span.ms'],
  ...(['bettingMs', 'offersMs', 'decisionMs'] as const).flatMap((field) => [
    [time({ [field]: 1 }), ''] as const,
    ...[0, -1, 0.5].map((value) => [time({ [field]: value }), `timing.${field}`] as const),
  ]),
  ...[0, 1].map((minResultMs) => [time({ minResultMs }), ''] as const),
  ...[-1, 0.5].map((minResultMs) => [time({ minResultMs }), 'timing.minResultMs'] as const),
  [time({ minRoundMs: 1 }), ''],
  ...[0, 0.5].map((minRoundMs) => [time({ minRoundMs }), 'timing.minRoundMs'] as const),
  ...[0, 255].map((minConfidence) => [time({ minConfidence }), ''] as const),
  ...[-1, 256, 0.5].map((minConfidence) => [time({ minConfidence }), 'timing.minConfidence'] as const),
];

test('a profile that cannot be is refused with the first field that cannot', () => {
  for (const [changes, place] of CASES) assert.equal(refused(changes), place, JSON.stringify(changes));
});

test('art. 1.1 the seats are those of the profile, whatever the options say', () => {
  assert.equal(refused({ seatCount: 7 }, { seats: 7 }), '');
  assert.equal(refused({ seatCount: 7 }, { seats: 8 }), 'options.seats');
});
