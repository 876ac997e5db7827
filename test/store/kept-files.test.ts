import { expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import { AppError } from "../../src/runtime/errors.ts"
import { keptFilesIn } from "../../src/store/shared/kept-files.ts"
import { readUpload } from "../../src/surfaces/rest/upload.ts"
import { temporaryFolder } from "../support/folder.ts"

const MIB = 2 ** 20
/** What must stay free beside every file. */
const SPARE = 64 * MIB

/** A folder on a disk with so much room beside what must stay free, and what was read of files for it. */
function open(room: number) {
  const folder = temporaryFolder()
  const disk = { free: SPARE + room }
  const files = keptFilesIn(folder, () => disk.free)
  let read = 0
  async function* bytes(size: number) {
    for (let left = size; left > 0; left -= MIB) {
      read += MIB
      disk.free -= MIB
      yield new Uint8Array(MIB)
    }
  }
  const refusal = (kept: Promise<string>) =>
    kept.then(
      () => undefined,
      (error) => (error instanceof AppError ? [error.kind, error.status] : error),
    )
  const isEmpty = () => readdirSync(folder).length === 0
  const close = () => rmSync(folder, { recursive: true })
  return { files, bytes, refusal, read: () => read, isEmpty, disk, [Symbol.dispose]: close }
}

const FULL = ["storage_full", 507]

test("a file that was announced larger than the free room is refused before its first byte", async () => {
  using place = open(4 * MIB)
  expect(await place.refusal(place.files.keep(place.bytes(5 * MIB), 5 * MIB))).toEqual(FULL)
  expect([place.read(), place.isEmpty()]).toEqual([0, true])
  const name = await place.files.keep(place.bytes(4 * MIB), 4 * MIB)
  expect((await place.files.open(name))?.size).toBe(4 * MIB)
})

test("files that come at once do not count on the same room, and give back what they do not take", async () => {
  using place = open(6 * MIB)
  const gate = Promise.withResolvers<void>()
  async function* slow() {
    yield new Uint8Array(MIB)
    place.disk.free -= MIB
    await gate.promise
  }
  const first = place.files.keep(slow(), 4 * MIB)
  expect(await place.refusal(place.files.keep(place.bytes(3 * MIB), 3 * MIB))).toEqual(FULL)
  gate.resolve()
  await first
  await place.files.keep(place.bytes(3 * MIB), 3 * MIB)
})

test("a file of unknown size ends where the room does, and leaves nothing", async () => {
  using place = open(40 * MIB)
  expect(await place.refusal(place.files.keep(place.bytes(100 * MIB)))).toEqual(FULL)
  expect(place.read()).toBeLessThanOrEqual(40 * MIB)
  expect(place.isEmpty()).toBe(true)
})

test("an upload knows what its request announced", async () => {
  const request = (headers: Record<string, string>) =>
    new Request("http://localhost/", { method: "POST", body: "name\n", headers })
  expect((await readUpload(request({ "Content-Length": "5" }), MIB)).size).toBe(5)
  expect((await readUpload(request({}), MIB)).size).toBeUndefined()
})
