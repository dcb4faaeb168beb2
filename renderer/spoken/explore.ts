/**
 * Blind hands on a panel that speaks. A finger that slides hears what lies under it; a button that
 * was heard is done by the next touch. Raised keys go through the same buttons. Two fingers, or two
 * keys, held for two seconds begin and end it: what nobody does who means one button.
 */
import { CONTROL } from '../station/fingers.ts';
import { buttonsOf, type Place, placeAt, placeOf } from './names.ts';

const HOLD_MS = 2_000;
/** A finger that rests moves by less than this, CSS pixels. */
const REST_PX = 24;
/** So long after it was heard a touch does it. */
const HEARD_MS = 8_000;

export interface Explored {
  isAnySpoken(): boolean;
  isSpoken(seat: number): boolean;
  toggle(seat: number): void;
  /** Null: there is nothing. */
  heard(seat: number, place: Place | null): void;
  more(seat: number): void;
  /** By seat the codes of its keys. */
  keys(): Readonly<Record<string, readonly string[]>>;
}

interface Finger {
  /** Null: it has come to no panel yet. */
  seat: number | null;
  readonly x: number;
  readonly y: number;
  /** What it heard last. */
  place: HTMLElement | null;
  /** The touch is the second one on the same button. */
  does: boolean;
}

const seatOf = (element: Element | null): number | null => {
  const seat = element?.closest<HTMLElement>('.panel[data-seat]')?.dataset['seat'];
  return seat === undefined ? null : Number(seat);
};

/** Whether somebody explores this control, so that a touch of it is not its click. */
export type IsExplored = (control: Element) => boolean;

/** Listens for the life of the page. */
export function exploreByHand(o: Explored): IsExplored {
  const fingers = new Map<number, Finger>();
  /** By seat: what was heard last, and when. */
  const focus = new Map<number, { readonly element: HTMLElement; readonly name: string; atMs: number }>();
  const holds = new Map<number, number>();
  /** By seat the page of its buttons that its keys are on, and the first of these buttons. */
  const pages = new Map<number, { readonly page: number; readonly of: HTMLElement | undefined }>();
  const pressed = new Map<string, number>();

  const isExplored: IsExplored = (control) => {
    const seat = seatOf(control);
    return seat !== null && o.isSpoken(seat) && control.closest('[data-unspoken]') === null;
  };

  /** Says what it is; true: it was heard a moment ago and is to be done. */
  function hear(seat: number, element: HTMLElement | null): boolean {
    const place = element && placeOf(element);
    const last = focus.get(seat);
    const isAgain =
      element !== null &&
      last?.element === element &&
      last.name === place?.name &&
      performance.now() - last.atMs < HEARD_MS;
    if (isAgain && element.matches(CONTROL)) return true;
    if (element && place) focus.set(seat, { element, name: place.name, atMs: performance.now() });
    else focus.delete(seat);
    o.heard(seat, place);
    return false;
  }

  /** Once: the next touch is heard first again. */
  function act(seat: number, element: HTMLElement): void {
    focus.delete(seat);
    element.click();
  }

  const endHold = (seat: number): void => {
    clearTimeout(holds.get(seat));
    holds.delete(seat);
  };

  /** Two of them rest on this panel, and no third. */
  function watchHold(seat: number, count: number, onHeld: () => void): void {
    endHold(seat);
    if (count !== 2) return;
    const timer = window.setTimeout(() => {
      holds.delete(seat);
      onHeld();
      o.toggle(seat);
    }, HOLD_MS);
    holds.set(seat, timer);
  }

  const fingersOn = (seat: number): [number, Finger][] =>
    [...fingers].filter(([, finger]) => finger.seat === seat);

  function down(event: PointerEvent): void {
    const seat = event.target instanceof Element ? seatOf(event.target) : null;
    const finger: Finger = { seat, x: event.clientX, y: event.clientY, place: null, does: false };
    fingers.set(event.pointerId, finger);
    if (seat === null) return;
    const on = fingersOn(seat);
    watchHold(seat, on.length, () => {
      // Neither of them has touched anything.
      for (const [pointerId] of fingersOn(seat)) {
        fingers.delete(pointerId);
        dispatchEvent(new PointerEvent('pointercancel', { pointerId }));
      }
    });
    if (!o.isSpoken(seat) || on.length > 1) {
      for (const [, each] of on) each.does = false;
      return;
    }
    finger.place = placeAt(event.clientX, event.clientY);
    if (finger.place) finger.does = hear(seat, finger.place);
  }

  function move(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const isMoved = Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > REST_PX;
    if (isMoved) finger.does = false;
    if (isMoved && finger.seat !== null) endHold(finger.seat);
    if (!o.isAnySpoken()) return;
    // It may come from the cloth, or over the edge of a neighbour.
    if (finger.seat === null || !o.isSpoken(finger.seat))
      finger.seat = seatOf(document.elementFromPoint(event.clientX, event.clientY));
    const { seat } = finger;
    if (seat === null || !o.isSpoken(seat) || fingersOn(seat).length > 1) return;
    const place = placeAt(event.clientX, event.clientY);
    if (place === finger.place) return;
    finger.place = place;
    finger.does = false;
    if (place && seatOf(place) === seat) {
      focus.delete(seat);
      hear(seat, place);
    }
  }

  function up(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const { seat, does, place } = finger;
    fingers.delete(event.pointerId);
    if (seat === null) return;
    endHold(seat);
    if (does && place?.isConnected) act(seat, place);
  }

  addEventListener('pointerdown', down, { capture: true });
  addEventListener('pointermove', move, { capture: true });
  addEventListener('pointerup', up, { capture: true });
  addEventListener(
    'pointercancel',
    (event) => {
      const finger = fingers.get(event.pointerId);
      fingers.delete(event.pointerId);
      if (finger && finger.seat !== null) endHold(finger.seat);
    },
    { capture: true },
  );
  // A mouse clicks by itself; here it is a finger.
  addEventListener(
    'click',
    (event) => {
      const ofMouse = event.isTrusted && event instanceof PointerEvent && event.pointerType === 'mouse';
      if (!ofMouse || !(event.target instanceof Element)) return;
      const control = event.target.closest(CONTROL);
      if (!control || !isExplored(control)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );

  const keyOf = (code: string): { readonly seat: number; readonly index: number } | null => {
    for (const [seat, codes] of Object.entries(o.keys())) {
      const index = codes.indexOf(code);
      if (index >= 0) return { seat: Number(seat), index };
    }
    return null;
  };

  function press(seat: number, index: number, count: number): void {
    const panel = document.querySelector(`.panel[data-seat="${seat}"]`);
    if (!panel) return;
    const buttons = buttonsOf(panel);
    const onPage = count - 1;
    const isLong = buttons.length > count;
    const known = pages.get(seat);
    // Other buttons begin from the first.
    const page = isLong && known?.of === buttons[0] ? known!.page : 0;
    if (isLong && index === onPage) {
      pages.set(seat, { page: (page + 1) % Math.ceil(buttons.length / onPage), of: buttons[0] });
      focus.delete(seat);
      o.more(seat);
      return;
    }
    const button = buttons[page * (isLong ? onPage : 0) + index];
    if (hear(seat, button ?? null) && button) act(seat, button);
  }

  addEventListener('keydown', (event) => {
    const key = keyOf(event.code);
    if (!key || event.repeat) return;
    event.preventDefault();
    pressed.set(event.code, key.seat);
    const held = [...pressed.values()].filter((seat) => seat === key.seat).length;
    watchHold(key.seat, held, () => {});
    const codes = o.keys()[key.seat];
    if (held === 1 && codes && o.isSpoken(key.seat)) press(key.seat, key.index, codes.length);
  });
  addEventListener('keyup', (event) => {
    const seat = pressed.get(event.code);
    pressed.delete(event.code);
    if (seat !== undefined) endHold(seat);
  });
  return isExplored;
}
