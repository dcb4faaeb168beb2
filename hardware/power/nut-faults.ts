/** What hands and fate can do to a simulated UPS. */
export const UPS_FAULTS = [
  'mains-off',
  'mains-on',
  'low',
  'charged',
  'stale',
  'fresh',
  'battery-old',
  'battery-new',
] as const;
export type UpsFault = (typeof UPS_FAULTS)[number];
