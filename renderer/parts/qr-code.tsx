import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';

/** To be read by a telephone: dark on whatever light ground lies behind it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = useMemo(() => encode(text, { ecc: 'L', border: 3 }), [text]);
  const dark = code.data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  const svg = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState<string>('100%');
  // Whole dots of the display for each module: of two and a half some are two and some are three,
  // and a large code cannot be read any more.
  useLayoutEffect(() => {
    const room = (svg.current?.parentElement?.clientWidth ?? 0) * devicePixelRatio;
    const dots = Math.floor(room / code.size);
    setWidth(dots > 0 ? `${(dots * code.size) / devicePixelRatio}px` : '100%');
  }, [code]);
  return (
    <svg ref={svg} viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} style={{ width }}>
      <path d={dark} />
    </svg>
  );
}
