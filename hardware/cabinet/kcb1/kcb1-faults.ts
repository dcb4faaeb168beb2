/** What hands and fate can do to a simulated board of a cabinet. */
export const CABINET_FAULTS = [
  'main-open',
  'main-close',
  'drop-open',
  'drop-close',
  'logic-open',
  'logic-close',
  'acceptor-open',
  'acceptor-close',
  'cabinet-open',
  'cabinet-close',
  'key-on',
  'key-off',
  'battery-low',
  'battery-new',
  /** Another board takes its place, which has counted nothing. */
  'other-board',
] as const;
export type CabinetFault = (typeof CABINET_FAULTS)[number];
