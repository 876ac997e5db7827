// Every setting of the service, declared once: its name, its values, its default. Help, the
// environment and validation all come from OPTIONS.
import { isIP, isIPv4 } from "node:net"
import { platform } from "node:os"
import { join, resolve } from "node:path"
import * as v from "valibot"
import { oneOf } from "../../lead/fields.ts"
import { LIST_STYLES } from "../../lead/list-style.ts"
import { badRequest } from "../../runtime/errors.ts"
import { closest, excerpt } from "../../text/text.ts"

/** One thing that can be said on the command line; its flag is its key in kebab case. */
export interface Option {
  /** For help, without a full stop. */
  about: string
  /** The value's placeholder in help. Without one the option is a switch: given or not. */
  value?: string
  /** The environment variable that says it when the flag does not. */
  env?: string
  /** It has no flag, since other users of the machine can read command lines; its value is never shown. */
  secret?: true
  /** It may be given several times; its schema takes the texts with NUL between them: see `Several`. */
  many?: true
  /** The text it has when it is not given. */
  default?: string
  /** Takes the text, or texts joined with NUL. Messages are predicates ("must be ..."). */
  schema: v.GenericSchema<string | undefined, unknown>
}
export type Options = Readonly<Record<string, Option>>
type Entries<O extends Options> = { [K in keyof O]: O[K]["schema"] }
export type Values<O extends Options> = v.InferOutput<ReturnType<typeof v.object<Entries<O>>>>

const Text = v.pipe(v.string(), v.nonEmpty("must not be empty"))
const Folder = v.pipe(
  Text,
  v.transform((path) => resolve(path)),
)
const Host = v.pipe(
  Text,
  v.check(
    (host) => isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host),
    "must be an IP address or a host name",
  ),
)
/** One of these words. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  v.pipe(v.string(), oneOf(words))
/** One of these words, or none. */
export const maybeChoice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  v.optional(choice(words))
/** True for the second of two words. */
const either = (no: string, yes: string) =>
  v.pipe(
    choice([no, yes]),
    v.transform((text) => text === yes),
  )
/** A whole number in this range; `more` is said behind it when it is not. */
export function wholeText(low: number, high: number, more = "") {
  const message = `must be a whole number from ${low} to ${high}${more}`
  const digits = new RegExp(`^\\d{1,${String(high).length}}$`)
  return v.pipe(
    v.string(),
    v.regex(digits, message),
    v.transform(Number),
    v.minValue(low, message),
    v.maxValue(high, message),
  )
}
const Port = wholeText(0, 65_535, " (0 takes any free port)")
const ZeroOrOne = either("0", "1")
const OnOrOff = v.pipe(
  choice(["on", "off"]),
  v.transform((text) => text === "on"),
)
const SPAN = "must be a span of time such as 30m, 6h or 7d, from 1m to 366d"
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 }
/** Milliseconds. */
const Span = v.pipe(
  v.string(),
  v.regex(/^\d{1,6}[mhd]$/, SPAN),
  v.transform((text) => Number(text.slice(0, -1)) * MINUTES[text.slice(-1)]! * 60_000),
  v.minValue(60_000, SPAN),
  v.maxValue(366 * 24 * 60 * 60_000, SPAN),
)
const KEEP = "must be forever, or days such as 90d, from 1d to 36500d"
/** Seconds; 0 is for ever. */
const KeepTime = v.pipe(
  v.string(),
  v.regex(/^(forever|\d{1,5}d)$/, KEEP),
  v.transform((text) => (text === "forever" ? 0 : Number(text.slice(0, -1)) * 24 * 60 * 60)),
  v.check((seconds) => seconds <= 36_500 * 24 * 60 * 60, KEEP),
)
const OWN_KEEP = "must be default, forever, or days such as 90d, from 1d to 36500d"
/** The time for one account; null follows the service. */
export const OwnKeepTime = v.pipe(
  v.string(),
  v.check((text) => text === "default" || v.is(KeepTime, text), OWN_KEEP),
  v.transform((text) => (text === "default" ? null : v.parse(KeepTime, text))),
)
const HeaderText = v.pipe(
  Text,
  v.regex(/^[!-~]([ -~]*[!-~])?$/, "must be printable ASCII, since it travels in a header"),
)
const SECRET_KEY = "must be at least 16 characters, such as openssl rand -base64 32 gives"
export const SecretKey = v.pipe(v.string(), v.minLength(16, SECRET_KEY))
const RestUrl = v.pipe(
  Text,
  v.check(isBareUrl, "must be an http or https address such as https://leads.example.com"),
  v.check((url) => !/\/api\/v1\/*$/.test(url), "must leave out /api/v1: it is added"),
  v.transform((url) => url.replace(/\/+$/, "")),
)
const McpUrl = v.pipe(
  Text,
  v.check(isBareUrl, "must be an http or https address such as https://mcp.example.com"),
  v.check(
    (url) => (URL.parse(url)?.pathname ?? "/") === "/",
    "must be without a path: /mcp and the sign-in pages are added",
  ),
  v.transform((url) => new URL(url).origin),
)
const ISSUER = "must be an https address such as https://login.example.com, or http on this machine"
const Issuer = v.pipe(
  Text,
  v.check((url) => {
    const { protocol, hostname = "" } = URL.parse(url) ?? {}
    return isBareUrl(url) && (protocol === "https:" || isLoopbackHost(hostname.replace(/^\[|\]$/g, "")))
  }, ISSUER),
)
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
export const PostgresUrl = v.pipe(
  Text,
  v.check(
    (url) => ["postgres:", "postgresql:"].includes(URL.parse(url)?.protocol ?? ""),
    "must be an address such as postgres://leaddb:PASSWORD@db.example.com/leaddb",
  ),
  v.check(
    (url) => {
      const mode = URL.parse(url)?.searchParams.get("sslmode")
      return mode == null || SSL_MODES.includes(mode)
    },
    `must have an sslmode of ${SSL_MODES.join(", ")}, or none`,
  ),
)
/** Texts with commas between them. */
const Listed = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
)
const PostgresUrls = v.pipe(
  Listed,
  v.check(
    (urls) => urls.every((url) => v.is(PostgresUrl, url)),
    "must be addresses such as postgres://leaddb:PASSWORD@replica.example.com/leaddb, with commas between them",
  ),
)
const HostNames = v.pipe(
  Listed,
  v.transform((names) => names.map((name) => name.toLowerCase())),
  v.check(
    (names) => names.every((name) => URL.parse(`http://${name}`)?.hostname === name),
    "must be host names without ports such as leads.example.com,leaddb",
  ),
)
const Origins = v.pipe(
  Listed,
  v.check(
    (origins) => origins.every((origin) => origin === "*" || URL.parse(origin)?.origin === origin),
    "must be origins such as https://app.example.com, or *",
  ),
)
const Cidrs = v.pipe(
  Listed,
  v.check((parts) => parts.every(isCidr), "must be address ranges such as 10.1.0.0/16,fd00::/8"),
)

/** Gives each setting its environment variable: that of `mcpPort` is `LEADDB_MCP_PORT`. */
function settings<const O extends Options>(options: O) {
  const all = Object.entries(options).map(([key, option]) => {
    const name = flagOf(key).slice(2).replaceAll("-", "_").toUpperCase()
    return [key, { ...option, env: `LEADDB_${name}` }]
  })
  return Object.fromEntries(all) as { readonly [K in keyof O]: O[K] & { env: string } }
}

/** The settings of a running service. */
export const OPTIONS = settings({
  data: { value: "FOLDER", default: "./data", about: "folder that holds leads.db", schema: Folder },
  database: {
    value: "URL",
    secret: true,
    about: "a PostgreSQL database in place of the file",
    schema: v.optional(PostgresUrl),
  },
  databaseDirect: {
    value: "URL",
    secret: true,
    about: "its address past a pooler",
    schema: v.optional(PostgresUrl),
  },
  databaseRead: {
    value: "URLS",
    secret: true,
    about: "its replicas, which lists and exports read",
    default: "",
    schema: PostgresUrls,
  },
  databaseConnections: {
    value: "N",
    default: "12",
    about: "connections to it at most",
    schema: wholeText(8, 500),
  },
  host: { value: "ADDRESS", default: "127.0.0.1", about: "address to listen on", schema: Host },
  lan: { default: "0", about: "listen on the local network, too", schema: ZeroOrOne },
  port: { value: "N", default: "8080", about: "port of the REST API", schema: Port },
  mcpPort: { value: "N", default: "8081", about: "port of the MCP server", schema: Port },
  workers: {
    value: "N",
    default: "0",
    about: "processes beside this one that answer reads",
    schema: wholeText(0, 16),
  },
  publicUrl: {
    value: "URL",
    about: "address of the REST API as clients see it",
    schema: v.optional(RestUrl),
  },
  mcpPublicUrl: {
    value: "URL",
    about: "address of the MCP server as clients see it",
    schema: v.optional(McpUrl),
  },
  allowedHosts: {
    value: "NAMES",
    default: "",
    about: "more host names that the service answers to",
    schema: HostNames,
  },
  corsOrigins: {
    value: "ORIGINS",
    default: "",
    about: "web pages that may use the REST API, by origin; * is all",
    schema: Origins,
  },
  trustedProxies: {
    value: "RANGES",
    default: "",
    about: "proxies whose client addresses are trusted",
    schema: Cidrs,
  },
  proxySecret: {
    value: "TEXT",
    secret: true,
    about: "trust roles only on requests with this X-Proxy-Secret",
    schema: v.optional(HeaderText),
  },
  secretKey: {
    value: "TEXT",
    secret: true,
    about: "encrypts the secrets in the database",
    schema: v.optional(SecretKey),
  },
  emailMx: {
    value: "MODE",
    default: "auto",
    about: "whether domains of emails take mail: auto, off",
    schema: choice(["auto", "off"]),
  },
  webhookPrivate: {
    value: "MODE",
    default: "auto",
    about: "private targets: auto, allow, block",
    schema: choice(["auto", "allow", "block"]),
  },
  webhookAllowCidrs: {
    value: "RANGES",
    default: "",
    about: "private ranges that are allowed anyway",
    schema: Cidrs,
  },
  log: {
    value: "MODE",
    default: "pretty",
    about: "log lines: json, pretty, off",
    schema: choice(["json", "pretty", "off"]),
  },
  listStyle: {
    value: "STYLE",
    default: "array",
    about: "lists that keys get: array, or object",
    schema: choice(LIST_STYLES),
  },
  metrics: {
    value: "MODE",
    default: "local",
    about: "who may read /metrics: local, all, off",
    schema: choice(["local", "all", "off"]),
  },
  backupDir: {
    value: "FOLDER",
    about: "folder for automatic backups; none are made without it",
    schema: v.optional(Folder),
  },
  backupEvery: { value: "TIME", default: "24h", about: "how often: 30m, 6h, 7d", schema: Span },
  backupKeep: { value: "N", default: "7", about: "how many of them are kept", schema: wholeText(1, 10_000) },
  changesKeep: {
    value: "TIME",
    default: "forever",
    about: "how long changes are kept, like 90d",
    schema: KeepTime,
  },
  bootstrap: {
    value: "0|1",
    default: "1",
    about: "create an account and key if there is none",
    schema: ZeroOrOne,
  },
  oidcIssuer: {
    value: "URL",
    about: "provider of OpenID Connect that people sign in with",
    schema: v.optional(Issuer),
  },
  oidcClientId: { value: "ID", about: "id of this service at the provider", schema: v.optional(Text) },
  oidcClientSecret: {
    value: "TEXT",
    secret: true,
    about: "its secret there; none for a public client",
    schema: v.optional(Text),
  },
  oidcRoleClaim: {
    value: "NAME",
    default: "role",
    about: "claim that is owner, editor or viewer",
    schema: Text,
  },
  oauth: {
    value: "on|off",
    default: "on",
    about: "let MCP clients sign in through a browser",
    schema: OnOrOff,
  },
})

/** A running service's settings, checked; `file` is the database file. */
export type Config = Readonly<Values<typeof OPTIONS> & { file: string }>

/** Flags as they were typed, by the option's key; a switch has the text `"1"`. */
export type Given = Readonly<Record<string, string | undefined>>
export type Environment = Readonly<Record<string, string | undefined>>

/** Where the database file of a data folder is. */
export function databaseFile(folder: string): string {
  return join(folder, "leads.db")
}

/** Checks that the settings of a service agree. Throws `bad_request`. */
export function toConfig(values: Values<typeof OPTIONS>): Config {
  if (values.port !== 0 && values.port === values.mcpPort) {
    throw badRequest(`--port and --mcp-port must differ, both are ${values.port}`)
  }
  if ((values.oidcIssuer === undefined) !== (values.oidcClientId === undefined))
    throw badRequest("LEADDB_OIDC_ISSUER and LEADDB_OIDC_CLIENT_ID belong together: set both or neither")
  if (values.workers > 0 && values.database !== undefined) {
    throw badRequest(
      "--workers are for a database file: with LEADDB_DATABASE, run several instances on the same database instead",
    )
  }
  if (values.workers > 0 && platform() !== "linux") {
    throw badRequest("--workers need Linux, where several processes can share a port: leave it at 0 here")
  }
  const host = values.lan && isLoopbackHost(values.host) ? "0.0.0.0" : values.host
  return Object.freeze({ ...values, host, file: databaseFile(values.data) })
}

export const isLoopbackHost = (host: string) =>
  host === "::1" || host === "localhost" || host.startsWith("127.")

/** Flags over environment over defaults. Throws `bad_request` that names the flag or variable and what it may be. */
export function readConfig(given: Given, env: Environment): Config {
  return toConfig(readOptions(OPTIONS, given, env))
}

/** The values of a command's options, as `readConfig`. Empty variables count as unset. */
export function readOptions<O extends Options>(options: O, given: Given, env: Environment): Values<O> {
  const texts = Object.entries(options).map(([key, option]) => [
    key,
    given[key] ?? fromEnv(option, env) ?? option.default,
  ])
  const entries = Object.entries(options).map(([key, { schema }]) => [key, schema])
  const result = v.safeParse(v.object(Object.fromEntries(entries) as Entries<O>), Object.fromEntries(texts))
  if (result.success) return result.output
  const issue = result.issues[0]
  const key = String(issue.path?.[0]?.key)
  const option = options[key]!
  if (issue.input === undefined)
    throw badRequest(`${flagOf(key)} ${option.value} is required: ${option.about}`)
  const source = given[key] === undefined && option.env ? option.env : flagOf(key)
  const shown = option.secret ? "" : `, not "${excerpt(String(Object.fromEntries(texts)[key]))}"`
  throw badRequest(`${source} ${issue.message}${shown}`)
}

function fromEnv({ env: name }: Option, env: Environment): string | undefined {
  return (name && env[name]) || undefined
}

/** The texts of an option that is given several times, undefined without it; no command line holds a NUL. */
export const SeveralOrNone = v.optional(
  v.pipe(
    v.string(),
    v.transform((texts) => texts.split("\0")),
  ),
)
/** The same, with an empty list where it is not given. */
export const Several = v.pipe(
  SeveralOrNone,
  v.transform((texts) => texts ?? []),
)

/** `mcpPort` as it is typed: `--mcp-port`. */
export function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** True for an option that a command cannot do without. */
export function isRequired({ value, default: fallback, schema }: Option): boolean {
  return value !== undefined && fallback === undefined && schema.type !== "optional"
}

/** A sentence for each environment variable that looks like ours and means nothing. */
export function unknownSettings(env: Environment): string[] {
  const names: string[] = Object.values(OPTIONS).map((option) => option.env)
  const unknown = Object.keys(env).filter((name) => name.startsWith("LEADDB_") && !names.includes(name))
  return unknown.map((name) => {
    const near = closest(name, names)
    return `${name} is not a setting and is ignored; ${near ? `did you mean ${near}?` : `settings: ${names.join(", ")}`}`
  })
}

function isBareUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !["http:", "https:"].includes(url.protocol)) return false
  return url.username === "" && url.password === "" && url.search === "" && url.hash === ""
}

function isCidr(text: string): boolean {
  const [address = "", bits, more] = text.split("/")
  if (isIP(address) === 0 || more !== undefined) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128)
}
