// What the writes of a group ask again and again: whether anybody listens, rules' revisions, kinds of the do-not-contact list.
import type { WriteDb } from "../../sql/db.ts"

export interface GroupMemo {
  /** What `read` gives; from memory where the group has asked it before and has written nothing but leads. */
  of<T>(question: string, read: () => Promise<T>): Promise<T>
  /** Something besides leads is written: until the next group, everything is read. */
  close(): void
  /** A transaction has begun. */
  begun(): void
}

/** `closed` is called when the memo closes, and with everything else that is written. */
export function createGroupMemo(closed: () => void): GroupMemo {
  const answers = new Map<string, Promise<unknown>>()
  let isOpen = false
  return {
    of<T>(question: string, read: () => Promise<T>) {
      if (!isOpen) return read()
      return answers.getOrInsertComputed(question, read) as Promise<T>
    },
    close() {
      isOpen = false
      closed()
    },
    begun() {
      answers.clear()
      isOpen = true
    },
  }
}

/** Statements of everything but leads, whose writes close the memo. */
export function closing(db: WriteDb, memo: GroupMemo): WriteDb {
  return {
    ...db,
    run(sql, params) {
      memo.close()
      return db.run(sql, params)
    },
    later(sql, params) {
      memo.close()
      db.later(sql, params)
    },
    put(bulk, row) {
      memo.close()
      db.put(bulk, row)
    },
  }
}
