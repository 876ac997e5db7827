/** The short commit of a checkout, with `-dirty` for one that has changes; `unknown` without git. */
export function commitOf(folder: string): string {
  const git = (...args: string[]) => Bun.spawnSync({ cmd: ["git", ...args], cwd: folder, stderr: "ignore" })
  try {
    const { exitCode, stdout } = git("rev-parse", "--short=12", "HEAD")
    if (exitCode !== 0) return "unknown"
    const isDirty = git("status", "--porcelain", "--untracked-files=no").stdout.length > 0
    return `${stdout.toString().trim()}${isDirty ? "-dirty" : ""}`
  } catch {
    return "unknown"
  }
}
