import { execPath } from "node:process"
import { fileURLToPath } from "node:url"

/** The program's file, which a worker thread starts with; from source it is main.ts, compiled the executable. */
export function entry(): string {
  return Bun.isStandaloneExecutable ? Bun.main : fileURLToPath(new URL("../main.ts", import.meta.url))
}

/** The command that starts the program once more. */
export function program(): string[] {
  return Bun.isStandaloneExecutable ? [execPath] : [execPath, entry()]
}
