// The machines that an executable can be made for, and where the runtime for each comes from.

export interface Target {
  /** As people name it: on the command line and in the names of files. */
  name: string
  /** As Bun names it. */
  platform: Bun.Build.CompileTarget
  /** The npm package that holds Bun for it, and the path of Bun inside. */
  runtime: { package: string; file: string }
  /** As Node and MCP bundles name the system. */
  system: "linux" | "darwin" | "win32"
  /** Made by --all; the others only when they are named. */
  isUsual: boolean
}

function target(
  name: string,
  platform: Bun.Build.CompileTarget,
  packageName: string,
  system: Target["system"],
  isUsual = true,
): Target {
  const file = system === "win32" ? "bin/bun.exe" : "bin/bun"
  return { name, platform, runtime: { package: `@oven/${packageName}`, file }, system, isUsual }
}

export const TARGETS: readonly Target[] = [
  target("linux-x64", "bun-linux-x64", "bun-linux-x64", "linux"),
  target("linux-arm64", "bun-linux-arm64", "bun-linux-aarch64", "linux"),
  target("macos-x64", "bun-darwin-x64", "bun-darwin-x64", "darwin"),
  target("macos-arm64", "bun-darwin-arm64", "bun-darwin-aarch64", "darwin"),
  target("windows-x64", "bun-windows-x64", "bun-windows-x64", "win32"),
  target("windows-arm64", "bun-windows-arm64", "bun-windows-aarch64", "win32", false),
  target("linux-x64-musl", "bun-linux-x64-musl", "bun-linux-x64-musl", "linux", false),
  target("linux-arm64-musl", "bun-linux-arm64-musl", "bun-linux-aarch64-musl", "linux", false),
]

/** What this machine runs; undefined when it is none of the above. */
export function ownTarget(): Target | undefined {
  const [system, cpu] = [process.platform, process.arch]
  return TARGETS.find(
    (target) => target.isUsual && target.system === system && target.name.endsWith(`-${cpu}`),
  )
}

/** `leaddb-1.3.0-linux-x64`; Windows wants `.exe` behind it. */
export function releaseName(version: string, { name, system }: Target): string {
  return `leaddb-${version}-${name}${system === "win32" ? ".exe" : ""}`
}
