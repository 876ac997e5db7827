// A reader thread: answers one question at a time on a read-only connection of its own.
import { exit, threadCpuUsage } from "node:process"
import { parentPort, workerData } from "node:worker_threads"
import { boundStoreReads } from "../../domain/bounds/store.ts"
import type { Caller, Question, ReadContext } from "../../domain/operation.ts"
import { questions } from "../../domain/operations/questions.ts"
import { systemClock } from "../../runtime/clock.ts"
import { AppError, tooLong } from "../../runtime/errors.ts"
import { createEventLoop, onCheckpoint } from "../../runtime/event-loop.ts"
import type { Reads } from "../../store/contract/store.ts"
import { openReads } from "../../store/open.ts"
import { Download, JsonText } from "../../text/json-text.ts"
import { lowerThreadPriority } from "../priority.ts"
import { asThrown } from "../thrown.ts"
import type { FromReader, ReaderSettings, ToReader } from "./messages.ts"

/** Bytes and milliseconds after which the pieces of a file are passed on. */
const PIECES_BYTES = 512 * 1024
const PIECES_MS = 25
/** The connection's cache: questions read much once. */
const CACHE_KIB = 8 * 1024
/** Milliseconds between two tries to end a statement of another process. */
const END_AGAIN_MS = 50
/** Milliseconds between two looks at the CPU time. */
const LOOK_MS = 20

const settings: ReaderSettings = workerData
const byName = new Map<string, Question<never, unknown>>(questions.map((one) => [one.name, one]))
const ended = new Int32Array(settings.ended)
const files = new Map<number, { pieces: ReadableStreamDefaultReader<Uint8Array>; file: Download }>()
/** The job whose turn it is. */
let current: number | undefined

// Messages that arrive while the database is being opened are kept.
const early: ToReader[] = []
let take = (message: ToReader) => void early.push(message)
parentPort?.on("message", (message: ToReader) => take(message))
const { read, readFor, secret, endStatements, close } = await openReads(settings.place, {
  cacheKib: CACHE_KIB,
  statementMs: settings.cpuMs,
})
const eventLoop = createEventLoop(systemClock)
lowerThreadPriority()

take = (message) => {
  if (message.type === "ask") void turn(message.job, () => answer(message))
  else if (message.type === "next") void turn(message.job, () => sendPieces(message.job))
  else if (message.type === "cancel") cancel(message.job)
  else if (message.type === "end") void end(message.job)
  else stop()
}
for (const message of early.splice(0)) take(message)

/** Runs one turn of a job. Ends it when the main thread wants that, and when it takes too much CPU time. */
async function turn(job: number, work: () => Promise<void>): Promise<void> {
  onCheckpoint(budget(job))
  current = job
  try {
    await work()
  } catch (thrown) {
    cancel(job)
    if (thrown instanceof AppError) {
      const { kind, message, details, headers } = thrown
      post({ type: "refused", job, kind, message, details, headers })
    } else post({ type: "failed", job, ...asThrown(thrown) })
  } finally {
    onCheckpoint(undefined)
    current = undefined
  }
}

function budget(job: number): () => void {
  const began = cpuMs()
  let looked = performance.now()
  return () => {
    if (Atomics.load(ended, 0) === job) throw new AppError("unavailable", "The question was ended")
    const now = performance.now()
    if (now - looked < LOOK_MS) return
    looked = now
    if (cpuMs() - began > settings.cpuMs) throw tooLong(settings.cpuMs)
  }
}

function cpuMs(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1000
}

async function answer({ job, question, input, caller, now }: ToReader & { type: "ask" }): Promise<void> {
  const asked = byName.get(question)
  if (!asked) throw new Error(`no question is called ${question}`)
  const from = (await readFor?.(caller.account.key)) ?? read
  const ctx: ReadContext = {
    ...{ caller, now, secret, eventLoop },
    store: readsFor(caller, from, now),
  }
  const result = await asked.run(ctx, input as never)
  if (result instanceof JsonText) {
    const bytes = typeof result.body === "string" ? new TextEncoder().encode(result.body) : owned(result.body)
    post({ type: "text", job, bytes, status: result.status }, [bytes.buffer])
  } else if (result instanceof Download) {
    files.set(job, { pieces: result.stream.getReader(), file: result })
    post({ type: "file", job, contentType: result.contentType, fileName: result.fileName })
  } else post({ type: "value", job, value: result })
}

/** Leads that the caller's key may read. */
function readsFor({ account, segment }: Caller, from: Reads, now: number): ReadContext["store"] {
  const all = { read: from, readThrough: from }
  return segment === undefined ? all : boundStoreReads(all, { account, segment, now })
}

async function sendPieces(job: number): Promise<void> {
  const open = files.get(job)
  if (!open) return
  const bytes: Uint8Array<ArrayBuffer>[] = []
  const until = performance.now() + PIECES_MS
  let isLast = false
  for (let size = 0; !isLast && size < PIECES_BYTES && performance.now() < until; ) {
    const { done, value } = await open.pieces.read()
    isLast = done
    if (value) {
      bytes.push(new Uint8Array(value))
      size += value.length
    }
  }
  if (isLast) files.delete(job)
  const { leads } = open.file.progress
  post(
    { type: "pieces", job, bytes, leads, isLast },
    bytes.map(({ buffer }) => buffer),
  )
}

/** Ends what a database is doing for a question, again and again until it is over; loops of this thread look for themselves. */
async function end(job: number): Promise<void> {
  if (!endStatements) return
  while (job === current) {
    await endStatements().catch(() => undefined)
    await Bun.sleep(END_AGAIN_MS)
  }
}

function cancel(job: number): void {
  const open = files.get(job)
  files.delete(job)
  open?.pieces.cancel().catch(() => undefined)
}

/** Bytes that can be given away: no others lie in the same memory. */
function owned(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

function stop(): void {
  for (const job of files.keys()) cancel(job)
  close()
  exit()
}

function post(message: FromReader, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}
