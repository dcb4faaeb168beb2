/** Displays of another version are refused. */
export const PROTOCOL_VERSION = 1;
