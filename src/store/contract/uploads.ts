// Uploads that are under way in the processes on one database, in the store's contract.

export interface UploadsHeld {
  /** Files that are to be imported in the background. */
  files: number
  bytes: number
}

export interface UploadWrites {
  /** What other processes than this one hold of an account at `now` (Unix milliseconds). */
  ofOthers(account: number, process: string, now: number): Promise<UploadsHeld>
  /** Notes what a process holds, as long as it lives: until `until` (Unix milliseconds); undefined: nothing any more. */
  hold(account: number, process: string, held: (UploadsHeld & { until: number }) | undefined): Promise<void>
}
