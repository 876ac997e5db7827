// The reader threads: started when there is none to ask, ended when they rest, replaced when they die or hang.
import { Worker, type WorkerOptions } from "node:worker_threads"
import type { Place } from "../../store/open.ts"
import { entry } from "../program.ts"
import type { FromReader, ReaderSettings, ToReader } from "./messages.ts"

/** Takes what a thread answers. */
export interface Awaited {
  take(message: FromReader): void
  fail(error: unknown): void
}

export interface Reader {
  isBusy: boolean
  isGone: boolean
  /** Jobs that wait for an answer of this thread. */
  awaited: Map<number, Awaited>
  /** Jobs whose files are read from it. */
  files: Set<number>
  post(message: ToReader): void
  /** Makes the thread end a job at its next look. */
  end(job: number): void
}

export interface PoolSettings {
  /** The database, opened for reading by each thread. */
  place: Place
  /** Threads at most. */
  threads: number
  /** Milliseconds of CPU time that one turn may take. */
  cpuMs: number
  /** Milliseconds until a thread is terminated that does not stop. */
  graceMs: number
  /** Milliseconds for which a thread without anything to do is kept. */
  restMs: number
  /** Called when a thread has ended by itself or was terminated, which answers nothing any more. */
  died(reader: Reader, error: Error): void
}

export interface ReaderPool {
  /** Takes a thread that is free, or the one that is needed; undefined while there is none. */
  free(needed: Reader | undefined): Reader | undefined
  release(reader: Reader): void
  /** Lets a thread end after a while, unless it has something to do. */
  rest(reader: Reader): void
  /** Ends a thread that hangs. */
  terminate(reader: Reader): void
  size(): number
  /** Starts no thread any more, and ends all. */
  stop(): Promise<void>
}

/** A thread as the pool knows it. */
interface Thread extends Reader {
  worker: Worker
  resting?: Timer
}

export function createReaderPool({
  place,
  threads: most,
  cpuMs,
  graceMs,
  restMs,
  died,
}: PoolSettings): ReaderPool {
  const threads = new Map<Reader, Thread>()
  /** Resolve when threads that were told to stop have ended. */
  const ending = new Set<Promise<void>>()
  let isStopping = false

  function started(): Thread | undefined {
    if (isStopping || threads.size >= most) return undefined
    const thread = startThread(place, cpuMs, gone)
    threads.set(thread, thread)
    return thread
  }

  function forget(thread: Thread): void {
    thread.isGone = true
    clearTimeout(thread.resting)
    threads.delete(thread)
  }

  function gone(thread: Thread, error: Error): void {
    if (thread.isGone) return
    forget(thread)
    died(thread, error)
  }

  function end(thread: Thread): Promise<void> {
    forget(thread)
    const end = ended(thread, graceMs).finally(() => ending.delete(end))
    ending.add(end)
    return end
  }

  function rest(reader: Reader): void {
    const thread = threads.get(reader)
    if (!thread) return
    clearTimeout(thread.resting)
    if (thread.isBusy || thread.files.size > 0) return
    thread.resting = setTimeout(() => void end(thread), restMs)
    thread.resting.unref()
  }

  return {
    free(needed) {
      const idle = threads.values().find(({ isBusy }) => !isBusy)
      const thread = needed ? threads.get(needed) : (idle ?? started())
      if (!thread || thread.isBusy) return undefined
      thread.isBusy = true
      clearTimeout(thread.resting)
      return thread
    },
    release(reader) {
      reader.isBusy = false
      rest(reader)
    },
    rest,
    terminate(reader) {
      const thread = threads.get(reader)
      if (!thread) return
      gone(thread, new Error("it did not end a question in time"))
      void thread.worker.terminate()
    },
    size: () => threads.size,
    async stop() {
      isStopping = true
      const all = [...threads.values()]
      await Promise.all([...ending, ...all.map(end)])
    },
  }
}

/** Starts a thread; `gone` is called when it ends by itself. */
function startThread(place: Place, cpuMs: number, gone: (thread: Thread, error: Error) => void): Thread {
  const shared = new SharedArrayBuffer(4)
  const settings: ReaderSettings = { job: "reader", place, cpuMs, ended: shared }
  const flag = new Int32Array(shared)
  // A small heap is collected more often: a question leaves much behind, and nobody waits for this thread but its asker.
  const options: WorkerOptions & { smol: boolean } = { workerData: settings, smol: true }
  const worker = new Worker(entry(), options)
  const thread: Thread = {
    worker,
    isBusy: false,
    isGone: false,
    awaited: new Map(),
    files: new Set(),
    post: (message) => worker.postMessage(message),
    end(job) {
      Atomics.store(flag, 0, job)
      worker.postMessage({ type: "end", job } satisfies ToReader)
    },
  }
  worker.on("message", (message: FromReader) => thread.awaited.get(message.job)?.take(message))
  worker.on("error", (error) => gone(thread, error instanceof Error ? error : new Error(String(error))))
  worker.on("exit", () => gone(thread, new Error("the thread ended")))
  return thread
}

/** Resolves when a thread has ended that is told to, by force where it takes too long. */
async function ended({ worker, post }: Thread, graceMs: number): Promise<void> {
  const exited = new Promise<void>((resolve) => void worker.once("exit", () => resolve()))
  post({ type: "stop" })
  const timer = setTimeout(() => void worker.terminate(), graceMs)
  await exited
  clearTimeout(timer)
}
