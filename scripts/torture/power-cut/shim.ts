// The library that is preloaded into leaddb, built where there is a C compiler.
import { mkdirSync } from "node:fs"
import { join } from "node:path"

/** Why files cannot be watched here; undefined when they can. */
export function whyNoShim(): string | undefined {
  if (process.platform !== "linux") return "preloading is for Linux"
  return Bun.which("cc") ? undefined : "there is no C compiler (cc)"
}

/** Builds the shim in a folder. Gives its path. */
export function buildShim(folder: string): string {
  const path = join(folder, "shim.so")
  const source = join(import.meta.dir, "shim.c")
  mkdirSync(folder, { recursive: true })
  const argv = ["cc", "-shared", "-fPIC", "-O2", "-o", path, source, "-ldl", "-lpthread"]
  const { success, stderr } = Bun.spawnSync(argv, { stderr: "pipe" })
  if (!success) throw new Error(`cc failed: ${stderr}`)
  return path
}

/** The environment of a process whose changes to the files under `root` are written down in `log`. */
export function shimEnv(shim: string, log: string, root: string): Record<string, string> {
  return { LD_PRELOAD: shim, TORTURE_LOG: log, TORTURE_ROOT: root }
}
