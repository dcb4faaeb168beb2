import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Covers the page with nothing but what fingers are to do. Escape ends it: on a glass that feels
 * them elsewhere no button may be hit.
 */
export function WholeGlass(props: {
  readonly name: string;
  readonly class?: string;
  readonly onEnd: () => void;
  /** Pointer events of the whole glass. */
  readonly on: {
    readonly [K in 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel']?: (
      event: PointerEvent,
    ) => void;
  };
  readonly children: ComponentChildren;
}) {
  const { name, onEnd, on, children } = props;
  const glass = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => glass.current?.focus(), []);
  return (
    <div
      class={`touch-test ${props.class ?? ''}`}
      ref={glass}
      role="dialog"
      aria-label={name}
      tabIndex={-1}
      {...on}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onEnd();
      }}
    >
      {children}
    </div>
  );
}
