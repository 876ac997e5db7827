/** The word that makes the program a worker process. */
export const SERVE_READS = "--serve-reads"
