// What is asked of the build on its command line.
import { parseArgs } from "node:util"
import { ownTarget, TARGETS, type Target } from "./targets.ts"

export interface Orders {
  help: boolean
  /** What to make executables for; empty: only dist/leaddb, for this machine. */
  targets: readonly Target[]
  /** Make a bundle of each for MCP clients as well. */
  mcpb: boolean
  /** Where the bundles will be downloaded from, for server.json, without a slash at its end. */
  releaseUrl: string | undefined
  /** The name in the MCP registry, for server.json. */
  registryName: string | undefined
}

export const HELP = `Compiles leaddb into executables that need nothing else on the machine.

Usage: npm run build [-- OPTIONS]

Options:
  (none)               dist/leaddb for this machine
  --all                dist/leaddb-VERSION-TARGET for ${usual()}
  --target TARGET      only this one; may be repeated. One of
                       ${TARGETS.map(({ name }) => name).join(", ")}
  --mcpb               also dist/leaddb-VERSION-TARGET.mcpb of each (or of this machine's), and dist/server.json
  --release-url URL    for server.json: the folder from which the bundles will be downloaded
  --registry-name NAME for server.json: the name in the MCP registry, such as io.github.acme/leaddb
  --help               this text

Whatever is made for a TARGET is listed with its checksum in dist/SHA256SUMS.
`

function usual(): string {
  return TARGETS.filter(({ isUsual }) => isUsual)
    .map(({ name }) => name)
    .join(", ")
}

const OPTIONS = {
  all: { type: "boolean" },
  target: { type: "string", multiple: true },
  mcpb: { type: "boolean" },
  "release-url": { type: "string" },
  "registry-name": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const

/** Reads the command line. Throws an Error that says what would be right. */
export function readOrders(argv: readonly string[]): Orders {
  const known = Object.keys(OPTIONS).map((name) => `--${name}`)
  const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === "positional")
      throw new Error(`unexpected "${token.value}": options are ${known.join(", ")}`)
    if (token.kind === "option" && !(token.name in OPTIONS)) {
      throw new Error(`unknown option ${token.rawName}. Valid: ${known.join(", ")}`)
    }
  }
  const { values } = parseArgs({ args: [...argv], options: OPTIONS })
  const mcpb = values.mcpb ?? false
  for (const name of ["release-url", "registry-name"] as const) {
    if (values[name] !== undefined && !mcpb) throw new Error(`--${name} belongs to --mcpb`)
  }
  const releaseUrl = values["release-url"]?.replace(/\/+$/, "")
  if (releaseUrl !== undefined && !/^https:\/\/[^\s/]+/.test(releaseUrl)) {
    throw new Error(`--release-url must be an https address, not "${releaseUrl}"`)
  }
  const registryName = values["registry-name"]
  if (registryName !== undefined && !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(registryName)) {
    throw new Error(`--registry-name must look like io.github.acme/leaddb, not "${registryName}"`)
  }
  const named = new Set(values.target?.map(findTarget))
  const targets = TARGETS.filter((target) => named.has(target) || (values.all && target.isUsual))
  return {
    help: values.help ?? false,
    targets: targets.length > 0 || !mcpb ? targets : [own()],
    mcpb,
    releaseUrl,
    registryName,
  }
}

function findTarget(name: string): Target {
  const target = TARGETS.find((target) => target.name === name)
  if (target) return target
  throw new Error(`unknown target "${name}". Valid: ${TARGETS.map(({ name }) => name).join(", ")}`)
}

function own(): Target {
  const target = ownTarget()
  if (target) return target
  throw new Error("this machine is none of the targets: name one with --target")
}
