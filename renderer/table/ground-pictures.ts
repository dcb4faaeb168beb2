/**
 * The stored pictures of wood, calçada and cloth, for the displays that most tables have: painting
 * them would be half a second of a start without a GPU. `node test/pictures/ground.ts` makes them
 * out of what `felt.ts` paints.
 */

/** Whole addresses: the bundler finds a picture by the text of its path. */
const STORED: Readonly<Record<string, URL>> = {
  '1366x768': new URL('../../assets/generated/ground-1366x768.webp', import.meta.url),
  '1920x1080': new URL('../../assets/generated/ground-1920x1080.webp', import.meta.url),
  '3840x2160': new URL('../../assets/generated/ground-3840x2160.webp', import.meta.url),
};

/**
 * Where the ground of a table of this size in CSS pixels is stored; null where it is painted. A
 * stored one has a device pixel for each.
 */
export const groundUrl = (size: { readonly width: number; readonly height: number }): string | null =>
  window.devicePixelRatio === 1 ? (STORED[`${size.width}x${size.height}`]?.href ?? null) : null;

const shown = new Map<string, HTMLImageElement>();

/**
 * The picture of a ground as an element, one for the whole page: it lies under the panels as the
 * first picture of the table, and the canvas is laid with it.
 */
export function groundPicture(url: string): HTMLImageElement {
  let picture = shown.get(url);
  if (picture === undefined) {
    picture = new Image();
    picture.src = url;
    picture.alt = '';
    picture.className = 'ground';
    // the only element whose time on the glass is asked for
    picture.setAttribute('elementtiming', 'ground');
    shown.set(url, picture);
  }
  return picture;
}
