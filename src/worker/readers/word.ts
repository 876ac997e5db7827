/** The word that makes the program a reader. */
export const READER = "--read-file"
