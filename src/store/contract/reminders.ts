// Next steps of leads that are due, in the store's contract. Times are Unix seconds.
export interface ReminderReads {
  /** Ids of leads whose next step is due and was not told of, the earliest first. */
  due(account: number, now: number, limit: number): Promise<string[]>
}
export interface ReminderWrites {
  /** Marks a lead's next step as told of; false when it is not due any more or another process was first. */
  take(account: number, id: string, now: number): Promise<boolean>
}
