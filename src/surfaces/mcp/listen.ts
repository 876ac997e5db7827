// Subscriptions of protocol 2026-07-28: a client that listens is told when a segment or a task changes.
import {
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server"
import { mayGoOn } from "../../domain/changes/list.ts"
import { feedOf } from "../../domain/feed.ts"
import { readSegment } from "../../domain/leads/segments/resource.ts"
import { execute } from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"
import { INFO, SEGMENT_URI } from "./entry.ts"
import { protocolError } from "./errors.ts"
import { detailedTask, requireTasks } from "./jobs.ts"
import { agrees, isId, isWhole, META } from "./plain-call.ts"
import { type Abilities, abilitiesOf, countRequest, type Mcp, type ToolVisit } from "./visit.ts"

const LISTEN = "subscriptions/listen"
/** Milliseconds at least between two checks of what a client listens to. */
const PAUSE_MS = 1_000
/** Milliseconds after which it is checked without a change in the trail, where scores do not stand. */
const IDLE_MS = 15_000
/** Things that one subscription may name. */
const NAMED_MAX = 20

/** What a client asks to listen to. */
export interface ListenRequest {
  id: string | number
  resources: readonly string[]
  tasks: readonly string[]
  abilities: Abilities
}

type Message = Readonly<Record<string, unknown>>

/** Something that is listened to: how it is now, and the message that tells of it. */
interface Watched {
  now(): Promise<string>
  told(text: string): { method: string; params: object }
}

/**
 * Reads a message as a request to listen, when it is well formed and agrees with its headers. Undefined for every other
 * message, which the SDK answers.
 */
export function listenRequest(json: unknown, headers: Headers): ListenRequest | undefined {
  return agrees(headers, { "mcp-method": LISTEN }) ? listenMessage(json) : undefined
}

/** The same for a transport without headers. */
export function listenMessage(json: unknown): ListenRequest | undefined {
  if (!isObject(json) || json.jsonrpc !== "2.0" || json.method !== LISTEN || !isId(json.id)) return undefined
  const { _meta: meta, notifications: filter } = isObject(json.params) ? json.params : {}
  if (!isObject(filter) || !isObject(meta) || !isWhole(meta)) return undefined
  const { resourceSubscriptions: resources = [], taskIds: tasks = [] } = filter
  if (!isTexts(resources) || !isTexts(tasks)) return undefined
  const abilities = abilitiesOf(meta[`${META}clientCapabilities`])
  return { id: json.id, resources: [...new Set(resources)], tasks: [...new Set(tasks)], abilities }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string")
}

/**
 * The messages to a client that listens: first what of its request is granted, or an error; then each change, until `gone`,
 * the key ends or the service stops; then the end.
 */
export async function* listen(
  mcp: Mcp,
  visit: ToolVisit,
  request: ListenRequest,
  gone: AbortSignal,
): AsyncGenerator<Message> {
  let begun: Listening
  try {
    begun = await beginListening(mcp, visit, request)
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown
    const { code, message, data } = thrown
    const error = { code, message, ...(data !== undefined && { data }) }
    yield { jsonrpc: "2.0", id: request.id, error }
    return
  }
  yield begun.acknowledged
  yield* begun.follow(gone)
}

/** A subscription that has begun. */
interface Listening {
  acknowledged: Message
  follow(gone: AbortSignal): AsyncGenerator<Message>
}

async function beginListening(mcp: Mcp, visit: ToolVisit, request: ListenRequest): Promise<Listening> {
  if (request.tasks.length > 0) requireTasks(request.abilities)
  if (request.resources.length + request.tasks.length > NAMED_MAX)
    throw invalid(`A subscription may name ${NAMED_MAX} segments and tasks at most`)
  try {
    await countRequest(mcp, visit)
    return await begin(mcp, visit, request)
  } catch (thrown) {
    throw protocolError(thrown)
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

async function begin(
  mcp: Mcp,
  visit: ToolVisit,
  { id, resources, tasks }: ListenRequest,
): Promise<Listening> {
  const { services } = mcp
  const stamp = (params: object) => ({ ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } })
  const notification = ({ method, params }: { method: string; params: object }): Message => ({
    jsonrpc: "2.0",
    method,
    params: stamp(params),
  })
  const feed = feedOf(services.store)
  // Entered before the first look, so that no change falls between the two.
  const watch = feed.enter((await visit.caller).account.key)
  const last = new Map<Watched, string>()
  const granted = async (names: readonly string[], watchedOf: (name: string) => Watched) => {
    const places = await Promise.all(
      names.map(async (name) => {
        const watched = watchedOf(name)
        const text = await watched.now().catch(absent)
        if (text !== undefined) last.set(watched, text)
        return text === undefined ? [] : name
      }),
    )
    return places.flat()
  }
  try {
    const segments = await granted(
      resources.filter((uri) => uri.startsWith(SEGMENT_URI)),
      (uri) => watchedSegment(mcp, visit, uri),
    )
    const jobs = await granted(tasks, (task) => watchedTask(mcp, visit, task))
    const notifications = {
      ...(segments.length > 0 && { resourceSubscriptions: segments }),
      ...(jobs.length > 0 && { taskIds: jobs }),
    }
    const acknowledged = notification({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications },
    })
    return { acknowledged, follow }
  } catch (thrown) {
    watch.end()
    throw thrown
  }

  async function* follow(gone: AbortSignal): AsyncGenerator<Message> {
    const end = () => watch.end()
    gone.addEventListener("abort", end)
    try {
      while (last.size > 0 && !gone.aborted) {
        await watch.wait(tasks.length > 0 ? PAUSE_MS : IDLE_MS)
        if (gone.aborted || feed.isClosed()) break
        const news: Message[] = []
        for (const [watched, before] of last) {
          const text = await watched.now().catch(absent)
          if (text === before) continue
          if (text === undefined) last.delete(watched)
          else {
            last.set(watched, text)
            news.push(notification(watched.told(text)))
          }
        }
        // After the look: what was written behind the key's end is not told.
        if (!(await isAllowed(mcp, visit))) break
        yield* news
        await pause(gone)
      }
    } finally {
      gone.removeEventListener("abort", end)
      watch.end()
    }
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: INFO }
    yield { jsonrpc: "2.0", id, result: { resultType: "complete", _meta } }
  }
}

/** Undefined for what is not there, or not for this caller; other errors are thrown. */
function absent(thrown: unknown): undefined {
  if (thrown instanceof AppError && thrown.status < 500) return undefined
  throw thrown
}

/** Waits, so that a busy account is not checked all the time. */
function pause(gone: AbortSignal): Promise<void> {
  return new Promise((goOn) => {
    const timer = setTimeout(goOn, PAUSE_MS)
    gone.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        goOn()
      },
      { once: true },
    )
  })
}

async function isAllowed({ services }: Mcp, visit: ToolVisit): Promise<boolean> {
  try {
    return await mayGoOn({ ...services, caller: await visit.caller })
  } catch {
    return false
  }
}

function watchedSegment({ services }: Mcp, visit: ToolVisit, uri: string): Watched {
  const input = { id: uri.slice(SEGMENT_URI.length) }
  return {
    async now() {
      const answer = await execute(services, readSegment, await visit.caller, input)
      return (answer as { text: string }).text
    },
    told: () => ({ method: "notifications/resources/updated", params: { uri } }),
  }
}

function watchedTask({ services }: Mcp, visit: ToolVisit, id: string): Watched {
  return {
    async now() {
      const { lastUpdatedAt: _, ...task } = await detailedTask(services, await visit.caller, id)
      return JSON.stringify(task)
    },
    told: (text) => ({
      method: "notifications/tasks",
      params: { ...JSON.parse(text), lastUpdatedAt: new Date().toISOString() },
    }),
  }
}
