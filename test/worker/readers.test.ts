import { expect, onTestFinished, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { openRemote } from "../../src/domain/imports/reader/open-remote.ts"
import { NOBODY } from "../../src/domain/operation.ts"
import type { AppError } from "../../src/runtime/errors.ts"
import { Upload } from "../../src/runtime/upload.ts"
import { createFileReaders, endLeftReaders, type ReaderBounds } from "../../src/worker/readers/readers.ts"
import { temporaryFolder } from "../support/folder.ts"
import { until } from "../support/until.ts"

const GENEROUS: ReaderBounds = { cpuS: 60, cpuSPerMib: 60, memory: 2 ** 31, silenceMs: 60_000 }
const CHOICE = { map: [], wording: "query" } as const

function readersWith(bounds: Partial<ReaderBounds> = {}) {
  const folder = temporaryFolder()
  const readers = createFileReaders(folder, { ...GENEROUS, ...bounds })
  onTestFinished(() => readers.close())
  const open = (bytes: AsyncIterable<Uint8Array>, format: "csv" | null = "csv") =>
    openRemote({ readers, caller: NOBODY }, new Upload(bytes), { ...(format && { format }) })
  const pids = () =>
    readdirSync(folder).map((name) => Number(readFileSync(join(folder, name, "pid"), "latin1")))
  return { folder, open, pids }
}

async function* text(...pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** A client that sends something and then nothing more. */
async function* unended(start: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start)
  await new Promise(() => undefined)
}

async function namesIn(file: Awaited<ReturnType<typeof openRemote>>): Promise<unknown[]> {
  await file.choose({ ...CHOICE, map: [] }, false)
  const names: unknown[] = []
  for await (const rows of file.rows())
    for (const { lead } of rows) names.push("lead" in lead ? lead.lead.name : undefined)
  return names
}

/** The error that a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise
  } catch (error) {
    return error as AppError
  }
  throw new Error("it did not fail")
}

test("a process reads one file after the other", async () => {
  const { open, pids } = readersWith()
  const seen: number[][] = []
  for (const name of ["Ada", "Bea"]) {
    const file = await open(text("name\n", `${name}\n`))
    seen.push(pids())
    expect(await namesIn(file)).toEqual([name])
    await file.close()
  }
  expect(seen[1]).toEqual(seen[0]!)
  expect(pids()).toEqual([])
})

test("files of one account are read at the same time as another's, each by its own process", async () => {
  const { open, pids } = readersWith()
  const files = await Promise.all([open(text("name\nAda\n")), open(text("name\nBea\n"))])
  expect(new Set(pids()).size).toBe(2)
  expect(await Promise.all(files.map(namesIn))).toEqual([["Ada"], ["Bea"]])
  for (const file of files) await file.close()
})

const isLinux = process.platform === "linux"
test.if(isLinux).each<[string, Partial<ReaderBounds>]>([
  ["CPU time", { cpuS: 0, cpuSPerMib: 0 }],
  ["memory", { memory: 1 }],
])("a file that takes too much %s ends with file_too_costly", async (what, bounds) => {
  const { open, pids } = readersWith(bounds)
  const error = await errorOf(open(unended("name\n")))
  expect(error.toRest()).toMatchObject({ code: "file_too_costly" })
  expect(error.message).toContain(what)
  expect(pids()).toEqual([])
})

test("a reader that dies ends its file alone, and the next one is read", async () => {
  const { open, pids } = readersWith()
  const file = await open(text("name\nAda\n"))
  process.kill(pids()[0]!, "SIGKILL")
  expect(await errorOf(namesIn(file))).toMatchObject({ kind: "file_too_costly" })
  await file.close()
  expect(await namesIn(await open(text("name\nAda\n")))).toEqual(["Ada"])
})

test.if(isLinux)("readers that a killed service left behind are ended at the next start", async () => {
  const { open, folder } = readersWith()
  const file = await open(text("name\nAda\n"))
  endLeftReaders(folder)
  expect(await errorOf(namesIn(file))).toMatchObject({ kind: "file_too_costly" })
})

test.if(isLinux)("a reader that hangs ends with the process that started it", async () => {
  const folder = temporaryFolder()
  const parent = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../support/reading-parent.ts"), folder],
    {
      stdout: "pipe",
    },
  )
  const pid = Number(
    await parent.stdout
      .getReader()
      .read()
      .then(({ value }) => Buffer.from(value!).toString()),
  )
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")))
  process.kill(pid, "SIGSTOP")
  parent.kill("SIGKILL")
  await until("the reader to end", () => !isRunning(pid))
})

/** A process that has ended may be there until the system takes it away. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return false
  }
}

test("a header of very many equal names is refused without delay", async () => {
  const { open } = readersWith()
  const file = await open(text(`${"a,".repeat(100_000)}a\nx\n`))
  await expect(file.choose({ ...CHOICE, map: [] }, false)).rejects.toThrow("there are 100,001 columns")
  await file.close()
})
