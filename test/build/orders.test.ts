import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeChecksums } from "../../scripts/build/checksums.ts"
import { HELP, readOrders } from "../../scripts/build/orders.ts"
import { ownTarget, releaseName, TARGETS } from "../../scripts/build/targets.ts"

const names = (argv: string) => readOrders(argv.split(" ")).targets.map(({ name }) => name)

describe("npm run build", () => {
  test("without anything makes no release", () => {
    expect(readOrders([])).toMatchObject({ targets: [], mcpb: false, help: false })
  })

  test("--all makes one for each usual machine", () => {
    expect(names("--all")).toEqual(["linux-x64", "linux-arm64", "macos-x64", "macos-arm64", "windows-x64"])
  })

  test("--target makes one, more when repeated, each once", () => {
    expect(names("--target linux-arm64")).toEqual(["linux-arm64"])
    expect(names("--target windows-arm64 --target linux-x64 --target=linux-x64")).toEqual([
      "linux-x64",
      "windows-arm64",
    ])
    expect(names("--all --target linux-x64-musl")).toHaveLength(6)
  })

  test("--mcpb alone makes the bundle of this machine", () => {
    expect(readOrders(["--mcpb"]).targets).toEqual([ownTarget()!])
  })

  test.each<[string, string]>([
    ["--al", "unknown option --al. Valid: --all, --target"],
    ["-x", "unknown option -x. Valid: --all"],
    ["linux-x64", 'unexpected "linux-x64"'],
    ["--target linux-x86", 'unknown target "linux-x86". Valid: linux-x64, linux-arm64'],
    ["--target", "argument missing"],
    ["--release-url https://a.example", "--release-url belongs to --mcpb"],
    ["--mcpb --release-url http://a.example", "--release-url must be an https address"],
    ["--mcpb --registry-name leaddb", "--registry-name must look like io.github.acme/leaddb"],
  ])("%s is refused", (argv, message) => {
    expect(() => readOrders(argv.split(" "))).toThrow(message)
  })

  test("--help names every target", () => {
    expect(readOrders(["--help"]).help).toBe(true)
    for (const { name } of TARGETS) expect(HELP).toContain(name)
  })
})

describe("what a release holds", () => {
  test("is named by version and machine", () => {
    const [linux] = TARGETS
    const windows = TARGETS.find(({ system }) => system === "win32")!
    expect(releaseName("1.2.3", linux!)).toBe("leaddb-1.2.3-linux-x64")
    expect(releaseName("1.2.3", windows)).toBe("leaddb-1.2.3-windows-x64.exe")
  })

  test("has runtimes that package-lock.json pins by their hash", async () => {
    const { packages } = await Bun.file(join(import.meta.dir, "../../package-lock.json")).json()
    for (const { runtime } of TARGETS) {
      const pinned = packages[`node_modules/${runtime.package}`]
      expect(pinned).toMatchObject({ version: Bun.version, integrity: expect.stringMatching(/^sha512-/) })
    }
  })

  test("is listed as sha256sum reads it, other versions and files aside", async () => {
    const folder = mkdtempSync(join(tmpdir(), "leaddb-checksums-"))
    try {
      for (const name of ["leaddb-2.0.0-b", "leaddb-2.0.0-a.mcpb", "leaddb-1.0.0-a", "leaddb"]) {
        await Bun.write(join(folder, name), "abc")
      }
      const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      expect(await Bun.file(await writeChecksums(folder, "2.0.0")).text()).toBe(
        `${hash}  leaddb-2.0.0-a.mcpb\n${hash}  leaddb-2.0.0-b\n`,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
