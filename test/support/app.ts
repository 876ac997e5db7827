import { afterAll, beforeAll, mock, onTestFinished } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { type App, openApp } from "../../src/app.ts"
import { type Clock, createIds, systemClock } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import type { Store } from "../../src/store/contract/store.ts"
import type { Config } from "../../src/surfaces/cli/config.ts"
import { addAccount, addAccountTo, type NewAccount } from "./account.ts"
import type { Answer } from "./answer.ts"
import { ask } from "./ask.ts"
import { type HeldClock, heldClock } from "./clock.ts"
import { databaseOf, forgetDatabase, openBeside } from "./database.ts"
import { checkDocumented } from "./documented.ts"
import { writeEmptyDatabase } from "./empty-database.ts"
import { temporaryFolder } from "./folder.ts"
import { testWith } from "./test-with.ts"

export type { Answer } from "./answer.ts"

// Threads and children of a service in this process start from what a whole run of the tests has built.
const built = process.env.LEADDB_TEST_ENTRY
if (built !== undefined) {
  const program = { entry: () => built, program: () => [process.execPath, built] }
  mock.module("../../src/worker/program.ts", () => program)
}

/** A request as one client; `body` is sent as JSON, a text as it is. Headers may replace the key. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** An account of a running service. */
export interface TestAccount {
  app: Pick<App, "url" | "mcpUrl">
  /** The owner key of the enterprise account. */
  key: string
  /** A request with the owner key. */
  call: Call
  /** A request with another key. */
  as(key: string): Call
  /** Makes another account of this service. */
  addAccount(options?: NewAccount): Promise<{ id: string; key: string }>
}

export interface TestApp extends TestAccount {
  app: App
  config: Config
  /** Closes it before the test ends: for a test that opens many. */
  close(): Promise<void>
}

/**
 * A service of its own: real listeners on free ports, a database in a temporary folder, closed after the test that
 * opens it. A hook of this module would not do: bun runs those for the first file alone that imports it.
 */
export async function openTestApp(
  changes: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<TestApp> {
  const opened = await startTestApp(changes, clock)
  onTestFinished(opened.close)
  return opened
}

/** A service that tests of this process share, with its data opened from outside to add accounts. */
interface Shared {
  app: TestApp
  beside: Store
}

let shared: Promise<Shared> | undefined

/** As `shared`, with a clock that is held. */
let held: Promise<Shared> | undefined
const sharedClock = heldClock()

/** Accounts that were made of both. */
let accounts = 0

async function openShared(clock: Clock): Promise<Shared> {
  const app = await startTestApp({ trustedProxies: ["127.0.0.1"], webhookPrivate: "allow" }, clock)
  process.on("exit", () => rmSync(app.config.data, { recursive: true, force: true }))
  return { app, beside: await openBeside(app.config.file, createIds(systemClock)) }
}

/**
 * A new enterprise account of the service that tests of this process share: for a test that looks at one account's data
 * through the API alone, which starts in a tenth of the time of `openTestApp`.
 */
export async function openTestAccount(): Promise<TestAccount> {
  shared ??= openShared(systemClock)
  return newTestAccount(await shared)
}

/** Tests that take a new account, one whose clock is held, or a service of their own, as the function opens it. */
export const test = testWith(openTestAccount)
export const heldTest = testWith(openHeldAccount)
export const appTest = testWith(() => openTestApp())
export const heldAppTest = testWith(openHeldApp)

/**
 * As `openTestAccount`, with a clock that stands still until the test lets it go on: it begins where the test before has
 * left it, and may not go back.
 */
export async function openHeldAccount(): Promise<TestAccount & { clock: HeldClock }> {
  held ??= openShared(sharedClock)
  return { ...(await newTestAccount(await held)), clock: sharedClock }
}

/** As `openTestApp`, with a clock that is held. */
export async function openHeldApp(): Promise<TestApp & { clock: HeldClock }> {
  const clock = heldClock()
  return { ...(await openTestApp({}, clock)), clock }
}

async function newTestAccount({ app, beside }: Shared): Promise<TestAccount> {
  const addAccount = (options?: NewAccount) => addAccountTo(beside, options)
  const { key } = await addAccount()
  const n = ++accounts
  // Failures to sign in are counted by address: those of one test are nobody else's.
  const as = callsOf(app.app.url, { "X-Forwarded-For": `10.${n >> 16}.${(n >> 8) % 256}.${n % 256}` })
  return { app: app.app, key, call: as(key), as, addAccount }
}

/** An account that the tests of one `describe` only read from, filled once before them. Returns what gives it. */
export function openTestAccountForReading(
  fill: (account: TestAccount) => Promise<unknown>,
): () => TestAccount {
  let opened: TestAccount
  beforeAll(async () => {
    opened = await openTestAccount()
    await fill(opened)
  })
  return () => opened
}

/** As `openTestAccountForReading`, with a service of its own. */
export function openTestAppForReading(
  fill: (app: TestApp) => Promise<unknown>,
  changes: Partial<Config> = {},
  clock: Clock = systemClock,
): () => TestApp {
  let opened: TestApp
  beforeAll(async () => {
    opened = await startTestApp(changes, clock)
    await fill(opened)
  })
  afterAll(() => opened.close())
  return () => opened
}

/** As `openTestApp`, for a hook, which closes it itself. */
export async function startTestApp(
  changes: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<TestApp> {
  const folder = temporaryFolder()
  const config: Config = {
    data: folder,
    file: join(folder, "leads.db"),
    databaseRead: [],
    databaseConnections: 12,
    host: "127.0.0.1",
    lan: false,
    port: 0,
    mcpPort: 0,
    workers: 0,
    webhookPrivate: "auto",
    emailMx: "off",
    webhookAllowCidrs: [],
    allowedHosts: [],
    corsOrigins: [],
    trustedProxies: [],
    log: "pretty",
    listStyle: "array",
    metrics: "local",
    backupEvery: 24 * 60 * 60 * 1000,
    backupKeep: 7,
    changesKeep: 0,
    bootstrap: true,
    oauth: true,
    oidcRoleClaim: "role",
    database: await databaseOf(changes.file ?? join(folder, "leads.db")),
    ...changes,
  }
  if (!config.database && config.file === join(folder, "leads.db")) writeEmptyDatabase(config.file)
  // Only what goes wrong inside is worth showing.
  const log = createLog(config.log, (line) => line.includes(" ERROR ") && process.stderr.write(line))
  const app = await openApp(config, log, clock)
  const key = app.firstKey ?? ""
  const as = callsOf(app.url)
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await app.stop()
    await forgetDatabase(join(folder, "leads.db"))
    rmSync(folder, { recursive: true })
  }
  return {
    ...{ app, config, key, call: as(key), as, close: () => (closed ??= close()) },
    addAccount: (options) => addAccount(config.file, options),
  }
}

/** Requests to a service, by the keys that send them, held against their documents; `always` are headers of each. */
export function callsOf(url: string, always: Record<string, string> = {}): (key: string) => Call {
  return (key) => async (method, path, body, headers) => {
    const answer = await ask({ url }, key, method, path, body, { ...always, ...headers })
    checkDocumented(method, path, answer)
    return answer
  }
}
