/**
 * Many fingers on one display. Chromium makes a click of a touch only while one finger is down: of two players who touch
 * at the same moment neither would be heard. So a touch that begins and ends on the same control is its click, finger by
 * finger, and the browser's own click of a touch is put aside.
 */
export const CONTROL = 'button, [role="button"], summary';

const controlAt = (x: number, y: number): HTMLElement | null =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>(CONTROL) ?? null;

/** Listens for the life of the page. */
export function hearEveryFinger(): void {
  const held = new Map<number, HTMLElement>();
  addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType !== 'touch') return;
      const control = controlAt(event.clientX, event.clientY);
      if (control) held.set(event.pointerId, control);
    },
    { capture: true },
  );
  addEventListener(
    'pointerup',
    (event) => {
      const control = held.get(event.pointerId);
      held.delete(event.pointerId);
      if (control && controlAt(event.clientX, event.clientY) === control) control.click();
    },
    { capture: true },
  );
  // The finger scrolls a page of service mode: no click.
  addEventListener('pointercancel', (event) => held.delete(event.pointerId), { capture: true });
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
