// Opens a file whose bytes never come, prints the process id of its reader, and goes on until it is killed.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { openRemote } from "../../src/domain/imports/reader/open-remote.ts"
import { NOBODY } from "../../src/domain/operation.ts"
import { Upload } from "../../src/runtime/upload.ts"
import { createFileReaders } from "../../src/worker/readers/readers.ts"

const folder = process.argv[2]!

/** A reader that has told the header is one that was started to its end. */
async function* bytes(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 1_100; i++)
    yield Buffer.from(i === 0 ? "name,notes\n" : `Lead ${i},${"x".repeat(500)}\n`)
  await new Promise(() => undefined)
}

await openRemote({ readers: createFileReaders(folder), caller: NOBODY }, new Upload(bytes()), {
  format: "csv",
})
const [name] = readdirSync(folder)
process.stdout.write(readFileSync(join(folder, name!, "pid"), "latin1"))
setInterval(() => undefined, 1_000)
