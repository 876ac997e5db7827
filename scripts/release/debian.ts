// The Debian package: the executable and a systemd unit. Its user and folder are made when it is installed, and stay.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Target } from "../build/targets.ts"
import { ABOUT, type Facts, repositoryUrl } from "./facts.ts"

const SOURCES = join(import.meta.dir, "debian")
const ARCHITECTURES: Readonly<Record<string, string>> = { "linux-x64": "amd64", "linux-arm64": "arm64" }

/** Debian's name of a target's machine; undefined where there is no package for it. */
export function architectureOf({ name }: Pick<Target, "name">): string | undefined {
  return ARCHITECTURES[name]
}

/** What apt shows of the package. `kib` is what it takes when it is installed. */
function controlFile(architecture: string, kib: number, facts: Facts): string {
  return `Package: leaddb
Version: ${facts.version}
Architecture: ${architecture}
Maintainer: leaddb <leaddb@localhost>
Installed-Size: ${kib}
Depends: libc6 (>= 2.28), adduser
Recommends: systemd
Section: database
Priority: optional
Homepage: ${repositoryUrl(facts)}
Description: ${ABOUT.split(" that ")[0]}
 REST and MCP servers, a dashboard and a command line over leads in one SQLite
 file or in PostgreSQL: deduplicated, scored, searched, exported.
`
}

interface DebianOptions {
  /** As dpkg-deb names it: xz is smallest and takes a minute. */
  compression?: "xz" | "gzip" | "none"
}

/** Packs an executable. Returns the path of the .deb. Throws an Error with what dpkg-deb said. */
export function packDebian(
  executable: string,
  target: Target,
  facts: Facts,
  destination: string,
  { compression = "xz" }: DebianOptions = {},
): string {
  const architecture = architectureOf(target)
  if (!architecture) throw new Error(`there is no Debian package for ${target.name}`)
  const folder = mkdtempSync(join(tmpdir(), "leaddb-deb-"))
  try {
    const place = (file: string, ...path: string[]) => {
      mkdirSync(join(folder, ...path, ".."), { recursive: true })
      cpSync(file, join(folder, ...path))
    }
    chmodSync(folder, 0o755)
    place(executable, "usr/bin/leaddb")
    chmodSync(join(folder, "usr/bin/leaddb"), 0o755)
    place(join(SOURCES, "leaddb.service"), "lib/systemd/system/leaddb.service")
    place(join(import.meta.dir, "../../LICENSE"), "usr/share/doc/leaddb/copyright")
    const kib = Math.ceil(Bun.file(executable).size / 1024)
    mkdirSync(join(folder, "DEBIAN"))
    writeFileSync(join(folder, "DEBIAN/control"), controlFile(architecture, kib, facts))
    for (const script of ["postinst", "prerm", "postrm"]) {
      place(join(SOURCES, script), "DEBIAN", script)
      chmodSync(join(folder, "DEBIAN", script), 0o755)
    }
    const outfile = join(destination, `leaddb_${facts.version}_${architecture}.deb`)
    const { exitCode, stderr } = Bun.spawnSync({
      cmd: ["dpkg-deb", `-Z${compression}`, "--root-owner-group", "--build", folder, outfile],
    })
    if (exitCode !== 0) throw new Error(`dpkg-deb failed: ${stderr}`)
    return outfile
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
