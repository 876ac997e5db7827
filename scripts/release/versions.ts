// Which number a version may have: what was released holds its schema and its surface.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { schemaVersions } from "../../src/store/open.ts"

const ROOT = join(import.meta.dir, "../..")
const RELEASES = join(import.meta.dir, "releases.json")

/** A version that was released. */
export interface Release {
  version: string
  /** Numbers of migrations. */
  schema: { file: number; postgres: number }
  /** What clients may call: routes as `GET /leads`, and tools. */
  surface: { operations: string[]; tools: string[] }
}

const METHODS = ["get", "post", "put", "patch", "delete"]

export function readReleases(): Release[] {
  return JSON.parse(readFileSync(RELEASES, "utf8"))
}

/** The version of the sources, by package.json and the golden files. */
export async function currentRelease(): Promise<Release> {
  const golden = (name: string) => JSON.parse(readFileSync(join(ROOT, "test/golden", name), "utf8"))
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  const { paths } = golden("openapi.json") as { paths: Record<string, object> }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const tools = (golden("tools.json") as { name: string }[]).map(({ name }) => name)
  return {
    version,
    schema: await schemaVersions(),
    surface: { operations: operations.toSorted(), tools: tools.toSorted() },
  }
}

/**
 * Why a version cannot have its number after those that were released; undefined when it can. A number stands for one
 * schema, what is removed takes a major version, and what is added or migrated a minor one.
 */
export function numberProblem(current: Release, releases: readonly Release[]): string | undefined {
  const same = releases.find(({ version }) => version === current.version)
  if (same) return Bun.deepEquals(same, current) ? undefined : differs(same, current)
  const last = releases.toSorted((a, b) => Bun.semver.order(a.version, b.version)).at(-1)
  if (!last) return undefined
  if (Bun.semver.order(current.version, last.version) <= 0)
    return `${current.version} does not come after ${last.version}, which was released`
  const [major, minor] = parts(current.version)
  const [lastMajor, lastMinor] = parts(last.version)
  const removed = all(last).filter((name) => !all(current).includes(name))
  if (removed.length > 0 && major === lastMajor)
    return `${removed[0]} of ${last.version} is gone: that takes version ${lastMajor! + 1}.0.0`
  const isMore = !Bun.deepEquals(last.schema, current.schema) || all(current).length > all(last).length
  if (isMore && major === lastMajor && minor === lastMinor)
    return `${current.version} adds to ${last.version}: that takes version ${lastMajor}.${lastMinor! + 1}.0`
  return undefined
}

function differs(released: Release, { schema }: Release): string {
  const { file, postgres } = released.schema
  const isSchema = !Bun.deepEquals(released.schema, schema)
  return isSchema
    ? `${released.version} was released with schema ${file}/${postgres}, and this has ${schema.file}/${schema.postgres}: take another number`
    : `${released.version} was released with other routes or tools: take another number`
}

const parts = (version: string) => version.split(".").map(Number)
const all = ({ surface }: Release) => [...surface.operations, ...surface.tools]
