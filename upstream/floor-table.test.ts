import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlarmChange, FLOOR_KINDS_BY_NAME, fold, NOTHING_KNOWN, type TableNow } from './floor-table.ts';

const PROFILE = {
  ...{ terminalId: 'T-1', tableName: 'Lótus <b>1</b>', rulebook: 'macau-baccarat', seatCount: 7 },
  ...{ currency: 'MOP', acceptors: 'per-seat', options: { deep: [1, { x: 2 }] } },
};
const LEI = { id: 'D-01', name: 'Lei Ka Man', role: 'dealer' };

/** The table after these entries, one a second, and all alarms they have moved. */
function after(...entries: readonly (readonly [kind: string, body?: unknown])[]) {
  let now: TableNow = NOTHING_KNOWN;
  const alarms: AlarmChange[] = [];
  let rounds = 0;
  for (const [index, [kind, body = {}]] of entries.entries()) {
    const folded = fold(now, { kind, atMs: 1_000 * (index + 1), body });
    now = folded.now;
    alarms.push(...folded.alarms);
    rounds += folded.isRound ? 1 : 0;
  }
  return { now, alarms, rounds };
}
const OPENED = [
  ['table-configured', { profile: PROFILE }],
  ['dealer-signed-in', { person: LEI }],
  ['session-began', { seat: 3 }],
] as const;

test('a table is what its entries say: name, game, dealer, seats, round', () => {
  const { now, rounds } = after(
    ...OPENED,
    ['session-began', { seat: 1 }],
    ['betting-opened', { roundNo: 41 }],
    ['betting-closed'],
  );
  assert.equal(now.name, 'Lótus <b>1</b>');
  assert.deepEqual(
    [now.rulebook, now.seatCount, now.perSeat, now.dealer, now.phase, now.roundNo, rounds],
    ['macau-baccarat', 7, true, 'Lei Ka Man', 'playing', 41, 0],
  );
  assert.deepEqual(now.taken, [1, 3]);
  assert.match(now.profileId ?? '', /^[0-9a-f]{12}$/);
  const other = after(['table-configured', { profile: { ...PROFILE, options: { deep: [1, { x: 3 }] } } }]);
  assert.notEqual(other.now.profileId, now.profileId, 'every option counts');
});

test('rounds could be played from the moment a dealer is there and somebody sits', () => {
  const since = (...more: readonly (readonly [string, unknown?])[]): number | null =>
    after(...OPENED, ...more).now.activeSinceMs;
  assert.equal(since(), 3_000);
  assert.equal(since(['betting-opened', { roundNo: 1 }], ['round-closed']), 3_000);
  assert.equal(since(['service-entered', { person: LEI }]), null);
  assert.equal(since(['service-entered', { person: LEI }], ['service-left', {}]), 5_000);
  assert.equal(since(['session-ended', { seat: 3 }]), null);
  assert.equal(since(['centre-locked', { reason: 'x' }]), null);
  assert.equal(since(['program-stopped', { why: 'x' }]), null);
  assert.equal(after(...OPENED, ['round-closed'], ['round-closed']).rounds, 2);
});

test('faults, calls, complaints, hand-pays and held notes are opened and cured by their own', () => {
  const jam = { device: 'acceptor-3', fault: 'acceptor-jammed', place: 'acceptor 3' };
  const cases: readonly (readonly [readonly (readonly [string, unknown?])[], readonly string[]])[] = [
    [[['fault-reported', jam]], ['+fault acceptor-3/acceptor-jammed']],
    [[['fault-cleared', jam]], ['-fault acceptor-3/acceptor-jammed']],
    [[['fault-reported', { ...jam, fault: 'note-in-doubt' }]], []],
    [
      [
        ['attendant-called', { seat: 2, on: true }],
        ['attendant-called', { seat: 2, on: false }],
      ],
      ['+call 2', '-call 2'],
    ],
    [
      [
        ['complaint-raised', { complaintNo: 7, seat: 2, roundNo: 41 }],
        ['complaint-closed', { complaintNo: 7, upheld: false, person: LEI }],
      ],
      ['+complaint 7', '-complaint 7'],
    ],
    [
      [
        ['cash-out-requested', { seat: 5, requestId: 'r1', currency: 'MOP', amountMinor: 2_450_000 }],
        ['cash-out-cancelled', { seat: 5, requestId: 'r1' }],
      ],
      ['+hand-pay r1', '-hand-pay r1'],
    ],
    [
      [
        [
          'round-settled',
          { currency: 'MOP', lines: [], byHand: [{ seat: 5, requestId: 'w', payNo: 1, amountMinor: 9 }] },
        ],
        ['hand-paid', { seat: 5, requestId: 'w', win: true }],
      ],
      ['+hand-pay w', '-hand-pay w'],
    ],
    [[['round-settled', { currency: 'MOP', lines: [] }]], []],
    [
      [
        ['note-held', { caseNo: 4, noteId: null, acceptor: 3, seat: 3, currency: 'MOP', valueMinor: null }],
        ['held-note-resolved', { caseNo: 4 }],
      ],
      ['+held-note 4', '-held-note 4'],
    ],
    [
      [['table-held', { hold: { code: 'doubtful-card' } }], ['hold-released']],
      ['+hold ', '-hold *'],
    ],
    [[['table-held', { hold: { code: 'machine-fault' } }]], []],
  ];
  for (const [entries, expected] of cases)
    assert.deepEqual(
      after(...entries).alarms.map((change) =>
        'open' in change ? `+${change.open} ${change.about}` : `-${change.cure} ${change.about ?? '*'}`,
      ),
      expected,
      JSON.stringify(entries),
    );
  const [call] = after(
    ['language-set', { seat: 2, language: 'pt' }],
    ['attendant-called', { seat: 2, on: true }],
  ).alarms;
  assert.deepEqual(call, { open: 'call', about: '2', facts: { seat: 2, language: 'pt' } });
});

test('an entry of another form changes nothing, whoever wrote it', () => {
  const before = after(...OPENED).now;
  for (const kind of [
    'table-configured',
    'dealer-signed-in',
    'fault-reported',
    'session-began',
    'attendant-called',
  ])
    for (const body of [
      null,
      7,
      'x',
      [],
      {},
      { seat: 99 },
      { person: null },
      { profile: [] },
      { device: {}, fault: 1 },
    ]) {
      const folded = fold(before, { kind, atMs: 9_000, body });
      assert.deepEqual(
        folded,
        { now: before, alarms: [], isRound: false },
        `${kind} ${JSON.stringify(body)}`,
      );
    }
  for (const kind of ['constructor', '__proto__', 'toString', 'no-such-kind'])
    assert.deepEqual(fold(before, { kind, atMs: 9_000, body: {} }).now, before, kind);
  const { now } = after(['dealer-signed-in', { person: { ...LEI, name: `${'x'.repeat(500)}\u0000` } }]);
  assert.equal(now.dealer?.length, 120);
  const turned = after(['dealer-signed-in', { person: { ...LEI, name: 'a\u202eb\u0000' } }]);
  assert.equal(turned.now.dealer, 'a\\u{202e}b\\u{0}');
});

test('of these kinds the name says everything: they are folded without a body', () => {
  const before = after(...OPENED, ['betting-opened', { roundNo: 4 }]).now;
  for (const kind of FLOOR_KINDS_BY_NAME)
    assert.deepEqual(
      fold(before, { kind, atMs: 9_000, body: null }),
      fold(before, { kind, atMs: 9_000, body: { person: LEI, why: 'x' } }),
      kind,
    );
});
