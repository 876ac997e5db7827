import { fromFetch, isNetworkFailure } from "../net/network-failure.ts"

const KEPT_BYTES = 1024

export interface AnswerText {
  /** The first 1 KiB, read as UTF-8; what is not text there is replaced by U+FFFD. */
  text: string
  /** Why the answer broke off before its end or its first 1 KiB. */
  broken?: string
}

/** Reads the start of an answer's body and cancels the rest. The fetch's own signal cuts a slow one. */
export async function readAnswer(response: Response): Promise<AnswerText> {
  if (!response.body) return { text: "" }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let room = KEPT_BYTES
  try {
    while (room > 0) {
      const { done, value } = await reader.read()
      if (done) break
      const kept = value.subarray(0, room)
      room -= kept.length
      // Streaming keeps back a character that the limit has cut in two.
      text += decoder.decode(kept, { stream: true })
    }
    if (room === 0) await reader.cancel()
    return { text: printable(text) }
  } catch (thrown) {
    const failure = fromFetch(thrown)
    if (!isNetworkFailure(failure)) throw failure
    return { text: printable(text), broken: failure.message }
  }
}

/** Without control characters: they would end a text early in SQLite, or play with a terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, "\u{fffd}")
}
