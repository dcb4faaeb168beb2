/**
 * Planted events: what the compiler must find stands under `@ts-expect-error`, so that this file does
 * not compile once it finds it no more.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_ROWS, evolve, initialState } from '../../engine/engine.ts';
import type { Rows } from '../../engine/table/event-row.ts';
import type { EventBodies } from '../../engine/table/events.ts';
import { allRows } from '../../engine/table/lane.ts';
import type { AnyCoding } from '../../host/pages/event-codes.ts';

interface Planted {
  readonly 'planted-event': { readonly seat: number };
}
const row = { apply: null, postings: null, codes: ['506'], words: 'event.planted-event' } as const;

test('an event without a row, or with a row that lacks a part, does not compile', () => {
  const whole = { 'planted-event': row } as const satisfies Rows<Planted>;
  const { apply, postings, codes, words } = row;
  const planted = [
    // @ts-expect-error an event of the table without a row
    EVENT_ROWS satisfies Rows<EventBodies & Planted>,
    // @ts-expect-error an event of a game without a row
    {} satisfies Rows<Planted>,
    // @ts-expect-error what it changes
    { 'planted-event': { postings, codes, words } } satisfies Rows<Planted>,
    // @ts-expect-error what it books
    { 'planted-event': { apply, codes, words } } satisfies Rows<Planted>,
    // @ts-expect-error its code
    { 'planted-event': { apply, postings, words } } satisfies Rows<Planted>,
    // @ts-expect-error where its words are
    { 'planted-event': { apply, postings, codes } } satisfies Rows<Planted>,
    // @ts-expect-error the words of another event
    { 'planted-event': { apply, postings, codes, words: 'event.bet-placed' } } satisfies Rows<Planted>,
    // @ts-expect-error a code that the list of events has not
    ['9999'] satisfies AnyCoding,
  ];
  assert.equal(Object.keys(whole).length + planted.length, 9);
});

test('a state is changed by rows alone: what has none changes nothing', () => {
  assert.deepEqual([...allRows().keys()].sort(), Object.keys(EVENT_ROWS).sort());
  const event = { type: 'planted-event', atMs: 1, seat: 1 };
  assert.deepEqual(evolve(initialState(), event as never), initialState());
});
