/**
 * Many fingers on one display. Chromium makes a click of a touch only while one finger is down: of
 * two players who touch at the same moment neither would be heard. So a touch that begins and ends
 * on the same control is its click, finger by finger, and the browser's own click of a touch is put
 * aside.
 */
export const CONTROL = 'button, [role="button"], summary';

/** No screen of the project's hears more. */
const MOST_FINGERS = 10;
/**
 * A quick finger is away before the next frame: what it touched is lit as long as the eye needs.
 */
const LIT_MS = 150;

/** A disabled one is none: a touch of it does nothing, and lights nothing (MO20, 4.5). */
const controlAt = (x: number, y: number): HTMLElement | null => {
  const control = document.elementFromPoint(x, y)?.closest<HTMLElement>(CONTROL) ?? null;
  return control?.matches(':disabled') ? null : control;
};

/**
 * Listens for the life of the page. `isExplored`: somebody finds out by touch what this control is,
 * and whoever helps them decides when it is clicked.
 */
export function hearEveryFinger(isExplored: (control: HTMLElement) => boolean): void {
  const held = new Map<number, HTMLElement>();
  const lights = makeLights();
  addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType !== 'touch') return;
      const control = controlAt(event.clientX, event.clientY);
      if (!control) return;
      document.documentElement.toggleAttribute('data-touched', true);
      held.set(event.pointerId, control);
      lights.on(event);
    },
    { capture: true },
  );
  addEventListener(
    'pointerup',
    (event) => {
      const control = held.get(event.pointerId);
      held.delete(event.pointerId);
      lights.off(event);
      if (control && controlAt(event.clientX, event.clientY) === control && !isExplored(control))
        control.click();
    },
    { capture: true },
  );
  // The finger scrolls a page of service mode: no click.
  addEventListener(
    'pointercancel',
    (event) => {
      held.delete(event.pointerId);
      lights.off(event);
    },
    { capture: true },
  );
  addEventListener(
    'click',
    (event) => {
      const ofTouch = event.isTrusted && event instanceof PointerEvent && event.pointerType === 'touch';
      if (!ofTouch || !(event.target instanceof Element) || !event.target.closest(CONTROL)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

/**
 * A light under every finger that is on a control: the touch was felt. It is there in the next
 * frame, long before the host has answered, and says nothing of what comes of it. The lights lie
 * ready outside of the page, each on a layer of its own, because a button that is painted as
 * pressed costs seven times as much as a light that is moved, and the picture of what came of the
 * touch waits for it; so where somebody has touched, buttons are not painted as pressed.
 */
function makeLights(): { on(event: PointerEvent): void; off(event: PointerEvent): void } {
  const lights = Array.from({ length: MOST_FINGERS }, () => {
    const light = document.createElement('div');
    light.className = 'touch-light';
    light.setAttribute('aria-hidden', 'true');
    return light;
  });
  document.body.append(...lights);
  const free = [...lights];
  const lit = new Map<number, { readonly light: HTMLDivElement; readonly sinceMs: number }>();
  const put = (light: HTMLDivElement): void => {
    light.style.transform = '';
    free.push(light);
  };
  return {
    on({ pointerId, clientX, clientY }) {
      const light = free.shift();
      if (light === undefined) return;
      light.style.transform = `translate(calc(${clientX}px + 8.5rem), calc(${clientY}px + 8.5rem))`;
      lit.set(pointerId, { light, sinceMs: performance.now() });
    },
    off({ pointerId }) {
      const was = lit.get(pointerId);
      lit.delete(pointerId);
      if (was) setTimeout(() => put(was.light), Math.max(0, LIT_MS - (performance.now() - was.sinceMs)));
    },
  };
}
