// Starts, watches and ends the processes that read files of clients.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { join } from "node:path"
import { kill } from "node:process"
import type { FileReader, FileReaders } from "../../domain/file-readers.ts"
import type { Json } from "../../lead/lead.ts"
import { AppError } from "../../runtime/errors.ts"
import { Tally } from "../../runtime/tally.ts"
import { program } from "../program.ts"
import { READER } from "./word.ts"

/** Readers at a time, of one account and of all. */
const OF_ACCOUNT = 2
const OF_ALL = 4
/** How often readers are looked at. */
const LOOK_MS = 50
/** How long a reader waits for its next file, and the memory that it may have meanwhile. */
const IDLE_MS = 10_000
const KEPT_MEMORY_MAX = 150 * 1024 * 1024
const TICKS_PER_S = 100
const MIB = 1024 * 1024
/** Names the process in its folder. */
const PID = "pid"

/** Resource limits of reading one file. */
export interface ReaderBounds {
  /** Seconds of CPU time in any case, and for each MiB of the file. */
  cpuS: number
  cpuSPerMib: number
  /** Bytes of memory. */
  memory: number
  /** Milliseconds without a word while there is something to read. */
  silenceMs: number
}

/** Ordinary files take a quarter of a second a MiB and some 130 MiB, workbooks of 100,000 rows 200 MiB. */
const BOUNDS: ReaderBounds = { cpuS: 10, cpuSPerMib: 4, memory: 280 * MIB, silenceMs: 60_000 }

interface Process {
  child: Bun.Subprocess<"pipe", "ignore", "inherit">
  /** Takes the messages of the process from now on. */
  receive(handle: (message: unknown) => void): void
}

/**
 * Readers that put what they unpack below `folder`. A process that is done with a file waits for the next; ten seconds
 * after the last none is left.
 */
export function createFileReaders(folder: string, bounds = BOUNDS): FileReaders {
  const held = new Tally<number>()
  const waiting: { account: number; begin: () => void }[] = []
  const open = new Set<FileReader>()
  const idle: Process[] = []
  let retiring: Timer | undefined
  let isClosed = false

  const hasRoom = (account: number) => held.of(account) < OF_ACCOUNT && held.total() < OF_ALL

  function retire(): void {
    for (const { child } of idle.splice(0)) child.kill("SIGKILL")
  }

  function keep(done: Process): void {
    const usage = usageOf(done.child.pid)
    if (isClosed || (usage?.bytes ?? 0) > KEPT_MEMORY_MAX) {
      done.child.kill("SIGKILL")
      return
    }
    // A process that only waits keeps nobody from ending.
    done.child.unref()
    idle.push(done)
    clearTimeout(retiring)
    retiring = setTimeout(retire, IDLE_MS)
    retiring.unref()
  }

  function release(account: number): void {
    held.leave(account)
    const next = waiting.findIndex((one) => hasRoom(one.account))
    if (next >= 0) waiting.splice(next, 1)[0]!.begin()
  }

  return {
    async take(account) {
      if (hasRoom(account)) held.enter(account)
      else {
        // Whoever gives a reader back takes it for the next at once.
        await new Promise<void>((resolve) =>
          waiting.push({
            account,
            begin() {
              held.enter(account)
              resolve()
            },
          }),
        )
      }
      const started = idle.pop() ?? spawn()
      started.child.ref()
      const ownFolder = join(folder, `reader-${crypto.randomUUID()}`)
      const reader = readerOf(started, ownFolder, bounds, (isDone) => {
        open.delete(reader)
        if (isDone) keep(started)
        else started.child.kill("SIGKILL")
        release(account)
      })
      open.add(reader)
      return reader
    },
    close() {
      isClosed = true
      clearTimeout(retiring)
      retire()
      for (const reader of open) reader.close(false)
    },
  }
}

function spawn(): Process {
  let handle: (message: unknown) => void = () => undefined
  const child = Bun.spawn({
    cmd: [...program(), READER],
    stdin: "pipe",
    stdout: "ignore",
    stderr: "inherit",
    serialization: "json",
    ipc: (message) => handle(message),
  })
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it.
  }
  return {
    child,
    receive(next) {
      handle = next
    },
  }
}

function readerOf(
  { child, receive }: Process,
  folder: string,
  { cpuS, cpuSPerMib, memory, silenceMs }: ReaderBounds,
  released: (isDone: boolean) => void,
): FileReader {
  const messages: unknown[] = []
  const before = usageOf(child.pid)?.cpuS ?? 0
  let arrived: (() => void) | undefined
  let failure: unknown
  let isClosed = false
  let size = 0
  let isClientAwaited = false
  let heard = performance.now()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, PID), String(child.pid))

  function fail(error: unknown): void {
    failure ??= error
    arrived?.()
  }

  function look(): void {
    const now = performance.now()
    if (isClientAwaited || messages.length > 0 || arrived === undefined) heard = now
    const usage = usageOf(child.pid)
    const seconds = cpuS + cpuSPerMib * (size / MIB)
    if (usage && usage.cpuS - before > seconds)
      fail(tooCostly(`more than ${Math.round(seconds)} s of CPU time`))
    else if (usage && usage.bytes > memory) fail(tooCostly(`more than ${memory / MIB} MiB of memory`))
    else if (now - heard > silenceMs) fail(tooCostly(`more than ${silenceMs / 1000} s for a part of it`))
    if (failure) child.kill("SIGKILL")
  }

  const watching = setInterval(look, LOOK_MS)
  watching.unref()
  receive((message) => {
    heard = performance.now()
    messages.push(message)
    arrived?.()
  })
  void child.exited.then((code) => {
    if (!isClosed) fail(tooCostly(`more than its process could: it ended with ${child.signalCode ?? code}`))
  })

  return {
    folder,
    send: (message: Json) => void (isClosed || failure || child.send(message)),
    async write(bytes) {
      if (isClosed || failure) return
      child.stdin.write(bytes)
      await Promise.race([child.stdin.flush(), child.exited])
    },
    async next() {
      while (messages.length === 0) {
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
        arrived = undefined
      }
      return messages.shift()
    },
    grown(bytes) {
      size = Math.max(size, bytes)
    },
    waitsForClient(isWaiting) {
      isClientAwaited = isWaiting
    },
    close(isDone) {
      if (isClosed) return
      isClosed = true
      clearInterval(watching)
      released(isDone && !failure)
      fail(new Error("the file is closed"))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Ends readers of a service that was killed: one that hangs does not notice that nobody asks it any more. */
export function endLeftReaders(folder: string): void {
  for (const name of namesIn(folder).filter((name) => name.startsWith("reader-"))) {
    const pid = Number(textOf(join(folder, name, PID)) ?? "")
    if (pid > 1 && textOf(`/proc/${pid}/cmdline`)?.includes(READER)) kill(pid, "SIGKILL")
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return undefined
  }
}

function tooCostly(what: string): AppError {
  return new AppError(
    "file_too_costly",
    `Reading this file takes ${what}: it may be damaged, or made to. Save it as plain CSV and try again, or split it`,
  )
}

/** CPU time and memory of a process, where the system tells: on Linux. */
function usageOf(pid: number): { cpuS: number; bytes: number } | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name in parentheses may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const ticks = Number(fields[11]) + Number(fields[12])
  // In KiB, while `stat` counts pages, whose size differs between machines.
  const resident = /^VmRSS:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`) ?? "")
  return { cpuS: ticks / TICKS_PER_S, bytes: Number(resident?.[1] ?? 0) * 1024 }
}
