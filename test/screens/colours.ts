/**
 * Contrast below WCAG 2.2 AA, also to colour-blind eyes, and things beside each other that only
 * their colour tells apart. It runs in the page.
 */
import type { Shown } from './shown.ts';

export function judgeColours(shown: Shown): void {
  const { all, say, style, isShown, isTiny } = shown;
  // ---- contrast ----
  type Colour = readonly [number, number, number, number];
  const colours = (value: string): Colour[] =>
    [...value.matchAll(/(rgba?|color)\(([^)]+)\)/g)].map(([, kind, inner]) => {
      const parts = inner!
        .replace('srgb', '')
        .split(/[\s,/]+/)
        .filter(Boolean)
        .map((part) => (part.endsWith('%') ? Number.parseFloat(part) / 100 : Number(part)));
      const scale = kind === 'color' ? 255 : 1;
      return [parts[0]! * scale, parts[1]! * scale, parts[2]! * scale, parts[3] ?? 1] as const;
    });
  const mix = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
    r * a + R * (1 - a),
    g * a + G * (1 - a),
    b * a + B * (1 - a),
    1,
  ];
  const laidOn = (top: Colour, under: readonly Colour[]): readonly Colour[] =>
    top[3] === 1 ? [top] : under.map((low) => mix(top, low));
  const light = ([r, g, b]: Colour): number => {
    const [x, y, z] = [r, g, b].map((part) => {
      const c = part / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (a: Colour, b: Colour): number => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };
  /**
   * Colours as people see them without one kind of cones, or without any: Machado and others
   * 2009, severity 1, on linear light.
   */
  const SEEN_BY: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
    protanopia: [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    deuteranopia: [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
    tritanopia: [
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ],
  };
  const linear = (part: number): number => {
    const c = part / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  const gamma = (part: number): number => {
    const c = Math.min(1, Math.max(0, part));
    return 255 * (c <= 0.0030399 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);
  };
  const seen = ([r, g, b, a]: Colour, by: readonly (readonly [number, number, number])[]): Colour => {
    const [x, y, z] = by.map(([p, q, s]) => gamma(p * linear(r) + q * linear(g) + s * linear(b))) as [
      number,
      number,
      number,
    ];
    return [x, y, z, a];
  };
  // The cloth at its lightest and its darkest, where nothing else covers it.
  const CLOTH: readonly Colour[] = [
    [20, 106, 88, 1],
    [5, 42, 38, 1],
  ];
  const grounds = new Map<Element, readonly Colour[]>();
  /**
   * What may lie behind a text in an element: every colour of the gradients down to the first
   * that covers.
   */
  const ground = (element: Element | null): readonly Colour[] => {
    if (element === null || element === document.body) return CLOTH;
    const known = grounds.get(element);
    if (known) return known;
    const { backgroundColor, backgroundImage } = style(element);
    const [flat] = colours(backgroundColor);
    // The first gradient lies on top of the others, all of them on the colour.
    const layers = backgroundImage
      .split(/,\s*(?=[a-z-]*gradient\()/)
      .map(colours)
      .filter((stops) => stops.length > 0);
    const isCovered = layers.some((stops) => stops.every(([, , , a]) => a === 1));
    let under: readonly Colour[] = isCovered || flat?.[3] === 1 ? [] : ground(element.parentElement);
    if (flat && flat[3] > 0) under = laidOn(flat, under);
    for (const stops of layers.toReversed()) under = stops.flatMap((top) => laidOn(top, under));
    // Each shade once: every sheer layer multiplies them.
    const shades = new Map(under.map((colour) => [String(colour.map(Math.round)), colour]));
    under = [...shades.values()];
    grounds.set(element, under);
    return under;
  };
  for (const element of all) {
    if (
      ![...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '')
    )
      continue;
    if (element.closest('svg, [aria-disabled=true], :disabled, [aria-hidden=true], option')) continue;
    const { color, fontSize, fontWeight, opacity } = style(element);
    const [text] = colours(color);
    if (!text || isTiny(element.getBoundingClientRect())) continue;
    const size = Number.parseFloat(fontSize) * (1080 / Math.min(innerHeight, (innerWidth * 1080) / 1920));
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const faint: Colour = [text[0], text[1], text[2], text[3] * Number(opacity)];
    const worst = Math.min(...ground(element).map((under) => ratio(mix(faint, under), under)));
    const least = isLarge ? 3 : 4.5;
    if (worst < least) say('contrast', element, worst.toFixed(2));
    else if (worst < 2 * least)
      for (const [kind, by] of Object.entries(SEEN_BY)) {
        const least2 = Math.min(
          ...ground(element).map((under) => ratio(seen(mix(faint, under), by), seen(under, by))),
        );
        if (least2 < least) say(`contrast with ${kind}`, element, least2.toFixed(2));
      }
  }

  // ---- no colour alone ----
  /** Everything of an element that is no colour, as eyes and readers get it. */
  const without = (element: Element): string => {
    const { fontWeight, fontStyle, fontSize, textDecorationLine, borderStyle, borderWidth, outlineStyle } =
      style(element);
    const marks = ['::before', '::after'].map((part) => getComputedStyle(element, part).content);
    const told = [...element.attributes].flatMap(({ name, value }) =>
      /^aria-(?!labelledby|describedby|controls)|^(?:title|disabled|d|points|href|type)$/.test(name)
        ? [`${name}=${value}`]
        : [],
    );
    const { width, height } = element.getBoundingClientRect();
    const size = element instanceof SVGElement ? `${Math.round(width)}x${Math.round(height)}` : '';
    const inside = [...element.querySelectorAll('*')].map(
      (inner) => `${inner.tagName}${inner.getAttribute('d') ?? ''}`,
    );
    return JSON.stringify([
      ...[element.tagName, (element.textContent ?? '').trim(), told, inside, size, marks],
      ...[fontWeight, fontStyle, fontSize, textDecorationLine, borderStyle, borderWidth, outlineStyle],
    ]);
  };
  /** Letters, ground or fill of two alike elements that eyes without colour do not tell apart. */
  const differs = (one: Element, other: Element): boolean =>
    (['color', 'backgroundColor', 'fill'] as const).some((of) => {
      if (of === 'fill' && !(one instanceof SVGElement)) return false;
      if (of === 'color' && (one.textContent ?? '').trim() === '') return false;
      const [[a], [b]] = [colours(style(one)[of]), colours(style(other)[of])];
      if (!a || !b || a[3] === 0 || b[3] === 0) return false;
      return String(a) !== String(b) && ratio(a, b) < 3;
    });
  for (const parent of new Set(all.flatMap((element) => element.parentElement ?? []))) {
    if (parent.childElementCount < 2) continue;
    const kinds = Map.groupBy([...parent.children].filter(isShown), without);
    for (const alike of kinds.values()) {
      const [first, ...others] = alike;
      const other = others.find((each) => differs(first!, each));
      if (other)
        say(
          'colour alone',
          other,
          `beside <${first!.tagName.toLowerCase()} ${first!.getAttribute('class') ?? ''}>`,
        );
    }
  }
}
