/**
 * So much of a hash tells two tables of a house apart; service mode shows it whole.
 * @param sha256 hex
 */
export const shortHash = (sha256: string): string => sha256.slice(0, 12);
