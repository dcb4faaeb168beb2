/** What is printed of the games, for whoever shows rules and plays none. */
import { BACCARAT_BOOK } from './games/baccarat/book.ts';
import { BLACKJACK_BOOK } from './games/blackjack/book.ts';
import { CASINO_WAR_BOOK } from './games/casino-war/book.ts';
import { addBook } from './rules/rules-page.ts';

for (const book of [BLACKJACK_BOOK, BACCARAT_BOOK, CASINO_WAR_BOOK]) addBook(book);

export { type AuthorisedBet, authorisedIn, KNOWN_BETS } from './games/baccarat/authorised-bets.ts';
export * from './rules/authorisation.ts';
export * from './rules/citation.ts';
export * from './rules/formats.ts';
export * from './rules/holidays.ts';
export * from './rules/home.ts';
export * from './rules/rulebook.ts';
export * from './rules/rules-page.ts';
export * from './rules/rules-text.ts';
export * from './rules/sources.ts';
