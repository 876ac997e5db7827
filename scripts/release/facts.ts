// What every package says of a release.
import packageJson from "../../package.json" with { type: "json" }

export const ABOUT = packageJson.description

export interface Facts {
  version: string
  license: string
  /** `OWNER/NAME` on GitHub. */
  repository: string
  /** The server's name in the MCP registry. */
  registryName: string
}

/** The facts of this checkout. The repository is that of the workflow that releases, else a placeholder. */
export function factsOf(env: Readonly<Record<string, string | undefined>> = process.env): Facts {
  const repository = env.GITHUB_REPOSITORY ?? "leaddb/leaddb"
  const [owner] = repository.split("/")
  const { version, license } = packageJson
  return { version, license, repository, registryName: `io.github.${owner}/leaddb` }
}

export function repositoryUrl({ repository }: Facts): string {
  return `https://github.com/${repository}`
}

/** Where the files of the release are downloaded. */
export function downloadUrl(facts: Facts): string {
  return `${repositoryUrl(facts)}/releases/download/v${facts.version}`
}
