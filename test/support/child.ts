import { join } from "node:path"
import { placeOf } from "./database.ts"

const STORE = join(import.meta.dir, "../../src/store/open.ts")
const IDS = join(import.meta.dir, "../../src/runtime/clock.ts")
const CLOCK = join(import.meta.dir, "../../src/runtime/clock.ts")

/**
 * Runs code in a process of its own that has opened the store of a file, as an admin command beside a running
 * service does. The code sees `store` and what is passed as `input`, and may await.
 */
export async function inAnotherProcess(file: string, code: string, input: unknown = null): Promise<void> {
  const program = `
    import { openStore } from ${JSON.stringify(STORE)}
    import { createIds } from ${JSON.stringify(IDS)}
    import { systemClock } from ${JSON.stringify(CLOCK)}
    const input = ${JSON.stringify(input)}
    const store = await openStore(${JSON.stringify(await placeOf(file))}, createIds(systemClock))
    ${code}
    await store.close()`
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "ignore", stderr: "pipe" })
  const [code_, problem] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (code_ !== 0) throw new Error(`the other process failed: ${problem}`)
}
