/** Where the faces of the cards are: one picture for each set and size. */
import smallFrames from '../../assets/generated/cards-120.json' with { type: 'json' };
import largeFrames from '../../assets/generated/cards-240.json' with { type: 'json' };
import type { FaceSet } from './form.ts';

/** Whole addresses: the bundler finds a picture by the text of its path. */
const ATLASES: Readonly<Record<FaceSet, { readonly small: URL; readonly large: URL }>> = {
  '2-standard': {
    small: new URL('../../assets/generated/cards-2-standard-120.webp', import.meta.url),
    large: new URL('../../assets/generated/cards-2-standard-240.webp', import.meta.url),
  },
  '4-standard': {
    small: new URL('../../assets/generated/cards-4-standard-120.webp', import.meta.url),
    large: new URL('../../assets/generated/cards-4-standard-240.webp', import.meta.url),
  },
  '2-large': {
    small: new URL('../../assets/generated/cards-2-large-120.webp', import.meta.url),
    large: new URL('../../assets/generated/cards-2-large-240.webp', import.meta.url),
  },
  '4-large': {
    small: new URL('../../assets/generated/cards-4-large-120.webp', import.meta.url),
    large: new URL('../../assets/generated/cards-4-large-240.webp', import.meta.url),
  },
};

/** Pixels of a face in the picture, from its upper left corner. */
export interface FaceFrame {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}
export interface FaceSheet {
  /** Pixels of the whole picture. */
  readonly width: number;
  readonly height: number;
  /** By the name of the card, and `back`. */
  readonly frames: Readonly<Record<string, FaceFrame>>;
}

const isLarge = (cardPixels: number): boolean => cardPixels > 120;

/** Where the faces for cards of `cardPixels` device pixels on the table are. */
export const facesUrl = (set: FaceSet, cardPixels: number): string =>
  ATLASES[set][isLarge(cardPixels) ? 'large' : 'small'].href;

/** Where each face lies in that picture. */
export const faceSheet = (cardPixels: number): FaceSheet => (isLarge(cardPixels) ? largeFrames : smallFrames);
