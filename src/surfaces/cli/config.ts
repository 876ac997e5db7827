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

/** An option of the command line; its flag is its key in kebab case. */
export interface Option {
  /** For help, without a full stop. */
  about: string
  /** The value's placeholder in help. Without one the option is a switch: given or not. */
  value?: string
  /** The environment variable that is read when the flag is not given. */
  env?: string
  /** It has no flag, since other users of the machine can read command lines; its value is never shown. */
  secret?: true
  /** It may be given several times; its schema takes the texts with NUL between them: see `Several`. */
  many?: true
  /** The text when it is not given. */
  default?: string
  /** Takes the text, or texts joined with NUL. Messages are predicates ("must be ..."). */
  schema: v.GenericSchema<string | undefined, unknown>
}
export type Options = Readonly<Record<string, Option>>

/** An option with a value; `value` is its placeholder in help. */
export function option<Schema extends Option["schema"]>(
  value: string,
  about: string,
  schema: Schema,
  more: Pick<Option, "default" | "env" | "secret" | "many"> = {},
) {
  return { value, about, schema, ...more }
}

/** A switch: given or not. */
export const flag = (about: string) => ({ about, schema: Switch })

const Switch = v.pipe(
  v.optional(v.string(), "0"),
  v.transform((text) => text === "1"),
)

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
/** A whole number in this range; `more` ends the message for any other text. */
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
  data: option("FOLDER", "folder that holds leads.db", Folder, { default: "./data" }),
  database: option("URL", "a PostgreSQL database in place of the file", v.optional(PostgresUrl), {
    secret: true,
  }),
  databaseDirect: option("URL", "its address past a pooler", v.optional(PostgresUrl), { secret: true }),
  databaseRead: option("URLS", "its replicas, which lists and exports read", PostgresUrls, {
    default: "",
    secret: true,
  }),
  databaseConnections: option("N", "connections to it at most", wholeText(8, 500), { default: "12" }),
  host: option("ADDRESS", "address to listen on", Host, { default: "127.0.0.1" }),
  lan: { default: "0", about: "listen on the local network, too", schema: ZeroOrOne },
  port: option("N", "port of the REST API", Port, { default: "8080" }),
  mcpPort: option("N", "port of the MCP server", Port, { default: "8081" }),
  workers: option("N", "processes beside this one that answer reads", wholeText(0, 16), { default: "0" }),
  publicUrl: option("URL", "address of the REST API as clients see it", v.optional(RestUrl)),
  mcpPublicUrl: option("URL", "address of the MCP server as clients see it", v.optional(McpUrl)),
  allowedHosts: option("NAMES", "more host names that the service answers to", HostNames, { default: "" }),
  corsOrigins: option("ORIGINS", "web pages that may use the REST API, by origin; * is all", Origins, {
    default: "",
  }),
  trustedProxies: option("RANGES", "proxies whose client addresses are trusted", Cidrs, { default: "" }),
  proxySecret: option(
    "TEXT",
    "trust roles only on requests with this X-Proxy-Secret",
    v.optional(HeaderText),
    { secret: true },
  ),
  secretKey: option("TEXT", "encrypts the secrets in the database", v.optional(SecretKey), { secret: true }),
  emailMx: option("MODE", "whether domains of emails take mail: auto, off", choice(["auto", "off"]), {
    default: "auto",
  }),
  webhookPrivate: option("MODE", "private targets: auto, allow, block", choice(["auto", "allow", "block"]), {
    default: "auto",
  }),
  webhookAllowCidrs: option("RANGES", "private ranges that are allowed anyway", Cidrs, { default: "" }),
  log: option("MODE", "log lines: json, pretty, off", choice(["json", "pretty", "off"]), {
    default: "pretty",
  }),
  listStyle: option("STYLE", "lists that keys get: array, or object", choice(LIST_STYLES), {
    default: "array",
  }),
  metrics: option("MODE", "who may read /metrics: local, all, off", choice(["local", "all", "off"]), {
    default: "local",
  }),
  backupDir: option("FOLDER", "folder for automatic backups; none are made without it", v.optional(Folder)),
  backupEvery: option("TIME", "how often: 30m, 6h, 7d", Span, { default: "24h" }),
  backupKeep: option("N", "how many of them are kept", wholeText(1, 10_000), { default: "7" }),
  changesKeep: option("TIME", "how long changes are kept, like 90d", KeepTime, { default: "forever" }),
  bootstrap: option("0|1", "create an account and key if there is none", ZeroOrOne, { default: "1" }),
  oidcIssuer: option("URL", "provider of OpenID Connect that people sign in with", v.optional(Issuer)),
  oidcClientId: option("ID", "id of this service at the provider", v.optional(Text)),
  oidcClientSecret: option("TEXT", "its secret there; none for a public client", v.optional(Text), {
    secret: true,
  }),
  oidcRoleClaim: option("NAME", "claim that is owner, editor or viewer", Text, { default: "role" }),
  oauth: option("on|off", "let MCP clients sign in through a browser", OnOrOff, { default: "on" }),
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

/** The values of a command's options, read as in `readConfig`. Empty variables count as unset. */
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
/** The same, with an empty list when it is not given. */
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

/** A warning for each LEADDB_ variable that is not a setting. */
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
