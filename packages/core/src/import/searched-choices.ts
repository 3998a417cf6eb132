/** An appearance that takes choices from a file while they are asked. */
export const SEARCHED = /\bsearch\s*\([^)]*\)?/;

/** Why such a question was left out. */
export const searchedReason = (searched: string): string =>
  `its choices are searched in a file (${searched}), which is not supported: the question was left out; select_one_from_file takes such a file`;
