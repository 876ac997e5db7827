// Descriptions for Homebrew and Scoop, which download the executables of a release and check them.
import { releaseName, TARGETS, type Target } from "../build/targets.ts"
import { ABOUT, downloadUrl, type Facts, repositoryUrl } from "./facts.ts"

/** The SHA-256 of each released file, by its name. */
type Sums = ReadonlyMap<string, string>

/** Reads SHA256SUMS. */
export function readSums(text: string): Sums {
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  )
}

function download(name: string, facts: Facts, sums: Sums): { url: string; sha256: string } {
  const target = TARGETS.find((one) => one.name === name) as Target
  const file = releaseName(facts.version, target)
  const sha256 = sums.get(file)
  if (!sha256) throw new Error(`SHA256SUMS has no ${file}`)
  return { url: `${downloadUrl(facts)}/${file}`, sha256 }
}

/** The formula `leaddb.rb` of a Homebrew tap. */
export function homebrewFormula(facts: Facts, sums: Sums): string {
  const on = (name: string) => {
    const { url, sha256 } = download(name, facts, sums)
    return `url "${url}"\n      sha256 "${sha256}"`
  }
  return `class Leaddb < Formula
  desc "${ABOUT.replace(/^An? /, "")}"
  homepage "${repositoryUrl(facts)}"
  version "${facts.version}"
  license "${facts.license}"

  on_macos do
    on_arm do
      ${on("macos-arm64")}
    end
    on_intel do
      ${on("macos-x64")}
    end
  end
  on_linux do
    on_arm do
      ${on("linux-arm64")}
    end
    on_intel do
      ${on("linux-x64")}
    end
  end

  def install
    bin.install Dir["leaddb-*"].first => "leaddb"
    generate_completions_from_executable(bin/"leaddb", "completions")
  end

  service do
    run [opt_bin/"leaddb", "serve"]
    environment_variables LEADDB_DATA: var/"leaddb", LEADDB_LOG: "json"
    keep_alive true
    log_path var/"log/leaddb.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/leaddb --version")
  end
end
`
}

/** The manifest `leaddb.json` of a Scoop bucket. */
export function scoopManifest(facts: Facts, sums: Sums): object {
  const of = (name: string) => {
    const { url, sha256 } = download(name, facts, sums)
    return { url: `${url}#/leaddb.exe`, hash: sha256 }
  }
  const hasArm = sums.has(releaseName(facts.version, TARGETS.find(({ name }) => name === "windows-arm64")!))
  return {
    version: facts.version,
    description: ABOUT,
    homepage: repositoryUrl(facts),
    license: facts.license,
    architecture: { "64bit": of("windows-x64"), ...(hasArm && { arm64: of("windows-arm64") }) },
    bin: "leaddb.exe",
    checkver: { github: repositoryUrl(facts) },
  }
}
