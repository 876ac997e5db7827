// The installation before the first start: what is said of it, and when.
import { expect, test } from "bun:test"
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../support/folder.ts"

const SETUP = join(import.meta.dir, "../../scripts/setup.js")

/** A clone without packages, and an npm that installs two and ends with a code once `go` is there. */
function openClone(code: number): {
  folder: string
  start(...args: string[]): Bun.Subprocess<"ignore", "pipe", "pipe">
} {
  const folder = temporaryFolder()
  for (const name of ["scripts", "bin"]) mkdirSync(join(folder, name))
  cpSync(SETUP, join(folder, "scripts/setup.js"))
  writeFileSync(join(folder, "package.json"), '{"type": "module"}')
  writeFileSync(join(folder, "package-lock.json"), "{}")
  writeFileSync(
    join(folder, "bin/npm"),
    `#!/bin/sh
echo "$@" >>asked
mkdir -p node_modules/bun/bin node_modules/@scope/one
touch node_modules/bun/bin/bun.exe
while [ ! -e go ]; do sleep 0.05; done
exit ${code}
`,
  )
  chmodSync(join(folder, "bin/npm"), 0o755)
  const program =
    'import { installMissing } from "./scripts/setup.js"\nawait installMissing(process.argv[2] === "serve")\nconsole.log("ready")'
  writeFileSync(join(folder, "start.js"), program)
  return {
    folder,
    start: (...args) =>
      Bun.spawn(["node", "start.js", ...args], {
        cwd: folder,
        env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
        stdio: ["ignore", "pipe", "pipe"],
      }),
  }
}

test.skipIf(process.platform === "win32")(
  "an installation says what it does before npm has done anything, and how far it is",
  async () => {
    const { folder, start } = openClone(0)
    const child = start()
    let told = ""
    for await (const chunk of child.stderr) {
      told += new TextDecoder().decode(chunk)
      if (told.includes("Still installing: 2 packages")) writeFileSync(join(folder, "go"), "")
    }
    expect(told).toStartWith("Installing dependencies (first run only, up to two minutes)...\n")
    expect(await new Response(child.stdout).text()).toBe("ready\n")
    expect(existsSync(join(folder, "node_modules/.leaddb-lock"))).toBe(true)
    // The second start has nothing to say.
    const again = start()
    expect(await new Response(again.stderr).text()).toBe("")
    expect(await again.exited).toBe(0)
  },
)

test.skipIf(process.platform === "win32")("one that fails says so and is tried again", async () => {
  const { folder, start } = openClone(3)
  writeFileSync(join(folder, "go"), "")
  for (let i = 0; i < 2; i++) {
    const child = start()
    expect(await new Response(child.stderr).text()).toContain("npm ci failed")
    expect(await child.exited).toBe(1)
  }
})

test.skipIf(process.platform === "win32")(
  "to serve, packages for development are left out until they are needed",
  async () => {
    const { folder, start } = openClone(0)
    writeFileSync(join(folder, "go"), "")
    for (const args of [["serve"], ["serve"], [], ["serve"]]) expect(await start(...args).exited).toBe(0)
    const asked = readFileSync(join(folder, "asked"), "utf8").trim().split("\n")
    expect(asked.map((line) => line.includes("--omit=dev"))).toEqual([true, false])
  },
)
