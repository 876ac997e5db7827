// A file that a reader thread makes, piece by piece as it is read.
import { AppError } from "../../core/errors.ts"
import { Download } from "../../core/json-text.ts"
import type { FromReader } from "./messages.ts"
import type { Reader } from "./pool.ts"

interface FileJob {
  job: number
  reader: Reader
  /** Asks for the next pieces. */
  next(): Promise<FromReader>
  /** Called when nothing more is read of it. */
  closed(): void
}

export function fileOf(
  { job, reader, next, closed }: FileJob,
  { contentType, fileName }: { contentType: string; fileName: string },
): Download {
  const progress = { leads: 0 }
  reader.files.add(job)
  function close(): void {
    reader.files.delete(job)
    closed()
  }
  /** The pieces that are made while those before them are sent. */
  let ahead: Promise<FromReader> | undefined
  async function piecesOf(): Promise<FromReader> {
    if (reader.isGone) throw new AppError("unavailable", "The export was cut off; try again in a moment")
    return next()
  }
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const answer = await (ahead ?? piecesOf())
    if (answer.type !== "pieces") throw new Error(`expected pieces of a file, got ${answer.type}`)
    progress.leads = answer.leads
    for (const bytes of answer.bytes) controller.enqueue(bytes)
    if (!answer.isLast) {
      ahead = piecesOf()
      // The next pull hears of a failure.
      ahead.catch(() => undefined)
      return
    }
    close()
    controller.close()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        pull(controller).catch((error) => {
          close()
          throw error
        }),
      cancel() {
        reader.post({ type: "cancel", job })
        close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Download(contentType, fileName, stream, progress)
}
