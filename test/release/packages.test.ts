// Packages for systems: what they hold, by the tools that read them.
import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { releaseName, TARGETS } from "../../scripts/build/targets.ts"
import { packDebian } from "../../scripts/release/debian.ts"
import { factsOf } from "../../scripts/release/facts.ts"
import { homebrewFormula, readSums, scoopManifest } from "../../scripts/release/taps.ts"
import { readConfig, unknownSettings } from "../../src/surfaces/cli/config.ts"
import { temporaryFolder } from "../support/folder.ts"
import { isMissing } from "../support/missing.ts"

const RELEASE = join(import.meta.dir, "../../scripts/release")
const FACTS = factsOf({ GITHUB_REPOSITORY: "acme/leaddb" })
const LINUX = TARGETS.find(({ name }) => name === "linux-x64")!
const run = (cmd: string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync({ cmd, env: { PATH: process.env.PATH!, ...env } })
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() }
}

function standIn(folder: string): string {
  const file = join(folder, "stand-in")
  writeFileSync(file, "#!/bin/sh\necho leaddb stand-in\n")
  chmodSync(file, 0o755)
  return file
}

const noDpkg = isMissing("the Debian package", Bun.which("dpkg-deb"), "dpkg-deb packs and reads it")

describe.skipIf(noDpkg)("the Debian package", () => {
  const folder = temporaryFolder()
  const deb = noDpkg ? "" : packDebian(standIn(folder), LINUX, FACTS, folder, { compression: "none" })

  test("holds the executable, its unit and the licence, of root", () => {
    const { out } = run(["dpkg-deb", "-c", deb])
    const files = out.split("\n").map((line) => line.trim().split(/\s+/))
    const named = new Map(
      files.map(([mode = "", owner = "", ...rest]) => [rest.at(-1) ?? "", { mode, owner }]),
    )
    expect(named.get("./usr/bin/leaddb")).toEqual({ mode: "-rwxr-xr-x", owner: "root/root" })
    expect([...named.keys()]).toContain("./lib/systemd/system/leaddb.service")
    expect([...named.keys()]).toContain("./usr/share/doc/leaddb/copyright")
  })

  test("says what it is, and makes its user and folder without deleting them", () => {
    const { out } = run(["dpkg-deb", "-f", deb, "Package", "Version", "Architecture"])
    expect(out).toBe(`Package: leaddb\nVersion: ${FACTS.version}\nArchitecture: amd64\n`)
    const scripts = join(folder, "control")
    expect(run(["dpkg-deb", "-e", deb, scripts]).code).toBe(0)
    for (const script of ["postinst", "prerm", "postrm"])
      expect([script, run(["sh", "-n", join(scripts, script)]).code]).toEqual([script, 0])
    expect(readFileSync(join(scripts, "postinst"), "utf8")).toContain("adduser --system")
    expect(readFileSync(join(scripts, "postrm"), "utf8")).not.toMatch(/deluser|rm -rf/)
  })
})

const noSystemd = isMissing(
  "the exposure of the unit",
  Bun.which("systemd-analyze"),
  "systemd-analyze rates it",
)

test.skipIf(noSystemd)("the unit is rated 1.3 or better", () => {
  const { out } = run([
    "systemd-analyze",
    "security",
    "--offline=true",
    join(RELEASE, "debian/leaddb.service"),
  ])
  expect(Number(/exposure level for leaddb.service: ([\d.]+)/.exec(out)?.[1])).toBeLessThanOrEqual(1.3)
})

test("settings of the unit and the image are settings", () => {
  const unit = readFileSync(join(RELEASE, "debian/leaddb.service"), "utf8")
  const image = readFileSync(join(RELEASE, "docker/Dockerfile"), "utf8")
  for (const [line, data] of [
    [/^Environment=(.+)$/m.exec(unit)![1]!, "/var/lib/leaddb"],
    [/^ENV (.+)$/m.exec(image)![1]!, "/data"],
  ] as const) {
    const env = Object.fromEntries(line.split(" ").map((pair) => pair.split("=") as [string, string]))
    expect(unknownSettings(env)).toEqual([])
    expect(readConfig({}, env)).toMatchObject({ data, bootstrap: false, webhookPrivate: "block" })
  }
  expect(image).toMatch(/^USER 65532:65532$/m)
  expect(image).toMatch(/^HEALTHCHECK /m)
})

const SUMS = TARGETS.map(
  (target, i) => `${String(i).repeat(64)}  ${releaseName(FACTS.version, target)}\n`,
).join("")

describe("descriptions for package managers", () => {
  test("name each download with its checksum", () => {
    const sums = readSums(SUMS)
    const formula = homebrewFormula(FACTS, sums)
    for (const name of ["macos-arm64", "macos-x64", "linux-arm64", "linux-x64"]) {
      const file = releaseName(FACTS.version, TARGETS.find((target) => target.name === name)!)
      expect(formula).toContain(
        `url "https://github.com/acme/leaddb/releases/download/v${FACTS.version}/${file}"\n      sha256 "${sums.get(file)}"`,
      )
    }
    expect(scoopManifest(FACTS, sums)).toMatchObject({
      version: FACTS.version,
      architecture: { "64bit": { hash: "4".repeat(64) }, arm64: { hash: "5".repeat(64) } },
    })
  })

  test("are not made for a release without an executable", () => {
    expect(() => homebrewFormula(FACTS, readSums(""))).toThrow("SHA256SUMS has no leaddb-")
  })
})

const noShell = isMissing(
  "install.sh",
  Bun.which("curl") && process.platform !== "win32",
  "curl downloads for it",
)

describe.skipIf(noShell)("install.sh", () => {
  const name = `leaddb-9.9.9-${process.platform === "darwin" ? "macos" : "linux"}-${process.arch}`
  const file = "#!/bin/sh\necho installed\n"
  const sum = new Bun.CryptoHasher("sha256").update(file).digest("hex")

  async function install(sums: string) {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ url }) {
        const { pathname } = new URL(url)
        if (pathname === "/SHA256SUMS") return new Response(sums)
        return pathname === `/${name}` ? new Response(file) : new Response("", { status: 404 })
      },
    })
    const home = temporaryFolder()
    const bin = join(home, "bin")
    mkdirSync(bin)
    const child = Bun.spawn({
      cmd: ["sh", join(RELEASE, "install.sh")],
      env: {
        PATH: process.env.PATH!,
        HOME: home,
        LEADDB_BIN: bin,
        LEADDB_DOWNLOADS: server.url.href.replace(/\/$/, ""),
      },
      stdout: "pipe",
      stderr: "pipe",
    })
    const err = await new Response(child.stderr).text()
    const code = await child.exited
    await server.stop(true)
    return { code, err, executable: join(bin, "leaddb") }
  }

  test("puts the executable of this machine into a folder, once it is checked", async () => {
    const { code, err, executable } = await install(`${"0".repeat(64)}  other\n${sum}  ${name}\n`)
    expect([code, err]).toEqual([0, expect.stringContaining(`installed ${executable}`)])
    expect(run([executable]).out).toBe("installed\n")
  })

  test.each([
    [
      "another checksum",
      `${"0".repeat(64)}  ${name}\n`,
      "is not what SHA256SUMS says: nothing was installed",
    ],
    [
      "a release without this machine",
      `${sum}  leaddb-9.9.9-plan9-x64\n`,
      "this release has no executable for",
    ],
  ])("%s installs nothing", async (_, sums, message) => {
    const { code, err, executable } = await install(sums)
    expect([code, err, existsSync(executable)]).toEqual([1, expect.stringContaining(message), false])
  })
})
