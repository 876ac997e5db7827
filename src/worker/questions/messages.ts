// Messages between the main thread and a reader thread.

import type { Caller } from "../../domain/operation.ts"
import type { ErrorKind, FieldProblem } from "../../runtime/errors.ts"
import type { Place } from "../../store/open.ts"
import type { Thrown } from "../thrown.ts"

/** Given to a reader thread when it is made. */
export interface ReaderSettings {
  job: "reader"
  /** The database, opened for reading. */
  place: Place
  /** Milliseconds of CPU time that one turn may take. */
  cpuMs: number
  /** One 32-bit number: the job that is to end. */
  ended: SharedArrayBuffer
}

export type ToReader =
  | { type: "ask"; job: number; question: string; input: unknown; caller: Caller; now: number }
  /** The next pieces of a file. */
  | { type: "next"; job: number }
  /** Nobody reads the file any more. */
  | { type: "cancel"; job: number }
  /** The question under way is to end: nobody waits for its answer. */
  | { type: "end"; job: number }
  | { type: "stop" }

export type FromReader =
  | { type: "text"; job: number; bytes: Uint8Array<ArrayBuffer>; status: number | undefined }
  | { type: "value"; job: number; value: unknown }
  | { type: "file"; job: number; contentType: string; fileName: string }
  /** Pieces of a file, and how many leads have been read for it. */
  | { type: "pieces"; job: number; bytes: Uint8Array<ArrayBuffer>[]; leads: number; isLast: boolean }
  | {
      type: "refused"
      job: number
      kind: ErrorKind
      message: string
      details: readonly FieldProblem[]
      headers: Readonly<Record<string, string>>
    }
  | ({ type: "failed"; job: number } & Thrown)
