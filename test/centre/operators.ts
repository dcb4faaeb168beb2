/** The operators of a test's centre. */
import { basicOf, readPassword } from '../../upstream/password.store.ts';

export const PASSWORD = 'the-operators-of-the-tests';

/** Headers of a request that is logged in. */
export const loggedIn = (password = PASSWORD): { authorization: string } => ({
  authorization: basicOf(password),
});

/** The same, with the password in a centre's own file. */
export const loggedInWith = (file: string): { authorization: string } => loggedIn(readPassword(file));
