import { onPostgres } from "./database.ts"
import { temporaryFolder } from "./folder.ts"

/** The folder of a small disk, to be unmounted by `unmount`; undefined where none can be mounted, and where the data is elsewhere. */
export function mountSmallDisk(megabytes: number): string | undefined {
  if (process.platform !== "linux" || onPostgres || !Bun.which("mount")) return undefined
  const folder = temporaryFolder()
  const command = ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]
  return Bun.spawnSync(command, { stderr: "ignore" }).success ? folder : undefined
}

export function unmount(folder: string): void {
  Bun.spawnSync(["umount", "-l", folder])
}
