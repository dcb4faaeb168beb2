import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';

/** To be read by a telephone: dark on whatever light ground lies behind it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = useMemo(() => encode(text, { ecc: 'L', border: 3 }), [text]);
  const dark = code.data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label}>
      <path d={dark} />
    </svg>
  );
}
