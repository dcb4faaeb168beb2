/** A place in a file, and what is wrong there. */
export interface FileProblem {
  readonly place: string;
  readonly message: string;
}
