import { useEffect, useState } from 'preact/hooks';
import type { TableView } from '../../wire/view.ts';

/** A sheet nobody touches closes by itself. */
const LEFT_ALONE_MS = 60_000;

/** A sheet over the place of the cards: open as long as none lie there. */
export function useSheet({ bank, playerSide }: TableView): {
  readonly isOpen: boolean;
  /** Cards lie where it would be. */
  readonly isClosed: boolean;
  toggle(): void;
  close(): void;
} {
  const [open, setOpen] = useState(false);
  const cardsLie = bank.cards.length > 0 || (playerSide?.cards.length ?? 0) > 0;
  useEffect(() => {
    if (cardsLie) setOpen(false);
  }, [cardsLie]);
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => setOpen(false), LEFT_ALONE_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return {
    isOpen: open && !cardsLie,
    isClosed: cardsLie,
    toggle: () => setOpen(!open && !cardsLie),
    close: () => setOpen(false),
  };
}
