export const UNSEEN: Readonly<Record<string, string>> = {};
