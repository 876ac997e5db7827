import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { oneOf, whole } from "../../lead/fields.ts"
import { unixSeconds } from "../../runtime/clock.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { EventStream, JsonText } from "../../text/json-text.ts"
import { heldKey } from "../access/api-keys.ts"
import { BATCH_ID, type ExampleFields, LEAD_ID, NOW } from "../examples.ts"
import { feedOf } from "../feed.ts"
import { PAGE, pageInput } from "../leads/list/cursor.ts"
import { ChangeFeedOutput } from "../leads/list/lead-output.ts"
import { type Context, operation, toolOf } from "../operation.ts"
import { BatchFeedOutput, batchPage } from "./batches.ts"
import { exampleChange } from "./of-lead.ts"
import {
  beginReading,
  type ChangeView,
  cursorAt,
  filterEntries,
  filterToolWords,
  filterWords,
  ORDERS,
  positionOf,
  type RenderedChanges,
  readChangePage,
  type TrailReading,
  VIEWS,
} from "./query.ts"

const exampleFeedChange: ExampleFields = {
  id: exampleChange.id!,
  lead_id: LEAD_ID,
  user_id: exampleChange.user_id!,
  actor_id: exampleChange.actor_id!,
  action: "updated",
  reason: null,
  created_at: NOW,
  diff: { status: ["new", "qualified"], updated_at: [NOW - 60, NOW] },
  key_id: exampleChange.actor_id!,
  batch_id: BATCH_ID,
  import_id: null,
}

const WAIT_MAX_S = 25

/** Interval of comments in a quiet stream, so that proxies and clients keep the connection. */
const HEARTBEAT_MS = 15_000
/** Changes that a stream reads at once. */
const STREAM_PAGE = 100

const entries = {
  ...filterEntries,
  order: v.optional(oneOf(ORDERS)),
  ...pageInput(1_000, PAGE),
}
const Input = v.strictObject({
  ...entries,
  view: v.optional(oneOf([...VIEWS, "batches"]), "full"),
  wait: v.optional(whole(0, WAIT_MAX_S), 0),
})
type Input = v.InferOutput<typeof Input>
/** A request for changes themselves. */
type ChangesInput = Omit<Input, "view"> & { view: ChangeView }

/** Characters of a page in a tool's answer. */
const TOOL_CHARACTERS = 40_000

/** The change log for tools, with short records. */
const listChangesTool = toolOf({
  name: "list_changes",
  about: "What changed, newest first: who did what to which lead, as differences",
  set: "audit",
  words: {
    ...filterToolWords,
    order: "asc is oldest first",
    limit: "How many at most, 1-1000",
    cursor: "next_cursor",
    view: "batches: what was done together",
  },
  input: v.strictObject({ ...entries, view: v.optional(oneOf([...VIEWS, "batches"]), "diff") }),
  run: async (ctx, input) =>
    (await batchesOf(ctx, { ...input, wait: 0 })) ??
    listPage(ctx, { ...input, wait: 0, view: viewOf(input) }, TOOL_CHARACTERS),
})

export const listAccountChanges = operation({
  name: "list_account_changes",
  about: "The audit trail of all leads, in the order of commits; also as a feed",
  tag: "Changes",
  errors: ["cursor_expired"],
  note: `Newest first, unless \`order=asc\`. Read with \`order=asc\`, the trail is a feed: pages follow the order of commits; a saved cursor misses no change and repeats none, and \`next_cursor\` is there even at the end. \`wait\` holds the request until there is a change. With \`Accept: text/event-stream\` every change is an event whose id is the cursor after it, for \`Last-Event-ID\`. \`cursor=now\` starts at the end.

\`view=diff\` shows what differs instead of whole leads. A page may end before \`limit\` when many changes were examined: see \`has_more\`. After a restore, cursors answer 410.`,
  example: {
    answers: {
      200: {
        changes: [exampleFeedChange],
        next_cursor: "aBcD012345678901WzAsImE3Il0",
        has_more: false,
        count: 1,
      },
    },
  },
  access: "read",
  http: "GET /changes",
  tool: listChangesTool,
  input: described(Input, {
    ...filterWords,
    lead_id: "Only records of this lead.",
    batch_id: "Only changes with this batch id.",
    import_id: "Only changes by this import.",
    order: "`desc` (default) is newest first; `asc` is the order of commits, for reading a feed.",
    view: "Whole leads (`full`), differences (`diff`), or `batches`: what was done together, as one entry.",
    wait: "With `order=asc`: seconds to wait until there is a change.",
  }),
  output: v.union([ChangeFeedOutput, BatchFeedOutput]),
  run: async (ctx, input) =>
    (await batchesOf(ctx, input)) ?? listPage(ctx, { ...input, view: viewOf(input) }),
  stream: async (ctx, input) => streamOf(ctx, { ...input, view: viewOf(input) }),
})

/** The batches of a request for them; undefined for any other. */
async function batchesOf(ctx: Context, { view, order, limit, cursor, wait, ...filter }: Input) {
  if (view !== "batches") return undefined
  if (order === "asc" || wait > 0) throw badRequest("view=batches is newest first: leave order and wait out")
  return batchPage(ctx, filter, { limit, cursor })
}

/** The view of changes themselves. Throws `bad_request` for one that has none. */
function viewOf({ view }: Pick<Input, "view">): ChangeView {
  if (view === "batches")
    throw badRequest("view=batches is no stream: leave it out, or ask without text/event-stream")
  return view
}

async function listPage(ctx: Context, input: ChangesInput, most?: number): Promise<JsonText> {
  const { order = "desc", limit, cursor, view, wait, ...filter } = input
  if (wait > 0 && order !== "asc") throw badRequest("wait is for order=asc, where changes still come")
  const reading = await beginReading(ctx, filter, order)
  const after = cursor === undefined ? undefined : await positionOf(reading, cursor)
  const page =
    wait > 0
      ? await waitForPage(reading, { after, limit, view, wait })
      : await readChangePage(reading, { after, limit, view, most })
  const { changes, position, more } = page
  const next = more || order === "asc" ? JSON.stringify(cursorAt(reading, position)) : null
  const records = changes.map(({ text }) => text).join(",")
  const isCut = most !== undefined && more && changes.length < limit
  const message = isCut ? `,"message":${JSON.stringify(cutAt(changes.length, limit))}` : ""
  return new JsonText(
    `{"changes":[${records}],"next_cursor":${next},"has_more":${more},"count":${changes.length}${message}}`,
  )
}

/** What an answer to a tool says when it ends before its limit. */
const cutAt = (shown: number, limit: number) =>
  `${shown} of the ${limit} changes that were asked for fit into one answer of 10,000 tokens: call again with cursor set to next_cursor and the same filters, or narrow them`

type PageQuery = { after: number | undefined; limit: number; view: ChangeView }

/** Waits for a page that is not empty; returns an empty one when the time is over. */
async function waitForPage(
  reading: TrailReading,
  { wait, ...query }: PageQuery & { wait: number },
): Promise<RenderedChanges> {
  const { store, caller, clock } = reading.ctx
  const feed = feedOf(store)
  const watch = feed.enter(caller.account.key)
  try {
    const until = clock.monotonic() + wait * 1_000
    let hasWaited = false
    for (let after = query.after; ; ) {
      const page = await readChangePage(reading, { ...query, after })
      if (hasWaited && !(await mayGoOn(reading.ctx)))
        throw new AppError("unauthorized", "The key or session of this request has ended meanwhile")
      const left = until - clock.monotonic()
      if (page.changes.length > 0 || left <= 0) return page
      after = page.position
      if (!page.more && !(await watch.wait(left))) return page
      hasWaited = true
    }
  } finally {
    watch.end()
  }
}

/** Streams every change after a cursor as an event; the event's id is the cursor after it. */
async function streamOf(ctx: Context, input: ChangesInput): Promise<EventStream> {
  const { order = "asc", limit: _, cursor, view, wait: _wait, ...filter } = input
  if (order !== "asc") throw badRequest("a stream is in the order of commits: leave order out")
  const reading = await beginReading(ctx, filter, order)
  let after = cursor === undefined ? undefined : await positionOf(reading, cursor)
  const account = ctx.caller.account.key
  const feed = feedOf(ctx.store)
  const watch = feed.enter(account)
  await watch.ready
  let beaten = ctx.clock.monotonic()
  // The dashboard hears of what is in no trail, too.
  const isBrowser = ctx.caller.session !== undefined

  /** The next piece of the stream: changes, or a heartbeat. Undefined at its end. */
  async function next(): Promise<string | undefined> {
    for (;;) {
      if (feed.isClosed()) return undefined
      const page = await readChangePage(reading, { after, limit: STREAM_PAGE, view })
      // After the look: what was written behind the key's end is not told.
      if (!(await mayGoOn(ctx))) return undefined
      after = page.position
      const touched = isBrowser && watch.isTouched() ? "event: touched\ndata: {}\n\n" : ""
      const events = page.changes.map((change) => eventOf(reading, change)).join("") + touched
      if (events !== "") return events
      const left = beaten + HEARTBEAT_MS - ctx.clock.monotonic()
      if (left <= 0 || (!page.more && !(await watch.wait(left)) && !feed.isClosed())) return ": alive\n\n"
    }
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(Buffer.from("retry: 2000\n\n"))
      },
      async pull(controller) {
        try {
          const text = await next()
          beaten = ctx.clock.monotonic()
          if (text !== undefined) return controller.enqueue(Buffer.from(text))
          watch.end()
          controller.close()
        } catch (error) {
          watch.end()
          throw error
        }
      },
      cancel: watch.end,
    },
    { highWaterMark: 0 },
  )
  return new EventStream(stream)
}

function eventOf(reading: TrailReading, { text, position }: RenderedChanges["changes"][number]): string {
  return `id: ${cursorAt(reading, position)}\nevent: change\ndata: ${text}\n\n`
}

/** False once the key was revoked or has ended, or the browser's session has: the stream ends. */
export async function mayGoOn({
  store,
  caller,
  clock,
}: Pick<Context, "store" | "caller" | "clock">): Promise<boolean> {
  const { account, keyId, session } = caller
  if (keyId === "local") return true
  const now = unixSeconds(clock.now())
  if (session === undefined) return (await heldKey(store.read, account.key, keyId, now)) !== undefined
  const row = await store.read.sessions.find(account.key, session)
  return row !== undefined && row.expires_at > now
}
