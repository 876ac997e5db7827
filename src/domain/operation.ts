import * as v from "valibot"
import type { Account, Role } from "../access/rights.ts"
import type { SignedIn } from "../access/signed-in.ts"
import { NO_FILTER } from "../filters/lead-query.ts"
import type { Words } from "../lead/described.ts"
import { Id } from "../lead/fields.ts"
import { parse } from "../lead/parse.ts"
import type { Clock, Ids } from "../runtime/clock.ts"
import { AppError, type ErrorKind } from "../runtime/errors.ts"
import type { EventLoop } from "../runtime/event-loop.ts"
import type { KeptFiles } from "../runtime/kept-files.ts"
import type { BatchRef, Store } from "../store/contract/store.ts"
import type { Calendar } from "../text/dates.ts"
import type { Download, EventStream, FileLink, JsonText } from "../text/json-text.ts"
import { UTC } from "../text/time-zone.ts"
import { outOfBounds } from "./bounds/membership.ts"
import { boundStore } from "./bounds/store.ts"
import type { Example } from "./examples.ts"
import type { FileReaders } from "./file-readers.ts"
import { type Naming, namesOwner, withOwnerIds } from "./owners.ts"
import type { ApiChapter } from "./tags.ts"

/** The authenticated caller. */
export interface Caller {
  account: Account
  /** The public id of the API key. */
  keyId: string
  role: Role
  /** The actor in the audit trail: the proxy's member, else the key. */
  actorId: string
  /** Whether the dashboard's proxy named the actor, by its secret. */
  isProxied?: true
  /** The public id of the browser session. */
  session?: string
  /** Requests that the account has left, where a tool was called and the plan limits them. */
  requests?: RequestsLeft
  /** Calls of tools show what they would do before they do harm. */
  isGuarded?: true
  /** The public id of the signed-in member. */
  memberId?: string
  /** The public id of the member who made the key. */
  keyMaker?: string
  /** The public id of the segment that the key is bound to: it sees and writes these leads alone. */
  segment?: string
}

/** Remaining requests of an account. */
interface RequestsLeft {
  limit: number
  left: number
  /** Unix seconds. */
  resets_at: number
}

/** The client of an HTTP request. */
export interface Visit {
  address: string
  /** The origin at which the client reaches the service, such as `https://leads.example.com`. */
  origin: string
  /** The client's User-Agent. */
  agent: string
  /** The id of the mark that stands for the request's `Idempotency-Key` until there is an answer. */
  mark?: Uint8Array
  /** Aborted when the client goes away before it has the answer. */
  gone?(): AbortSignal
  /** The value of `If-Match`: the request is only for the thing as the client read it. */
  ifMatch?: string | undefined
}

/** What dates of a request are read by. */
export const calendarOf = ({ caller, now }: Pick<Context, "caller" | "now">): Calendar => ({
  zone: caller.account.time_zone,
  now,
})

/** Dependencies of operations besides the caller; created once by app.ts. */
export interface Services {
  store: Store
  ids: Ids
  clock: Clock
  eventLoop: EventLoop
  /** Signs data that clients hold for us, such as cursors. */
  secret: Uint8Array
  scoring: ScoringRunner
  webhooks: WebhookRules
  /** Files stored for background work. */
  files: KeptFiles
  /** Processes that read files of clients. */
  readers: FileReaders
  /** Answers questions that may read more than a page of the database. */
  questions: Questions
  /** The origin of REST and the dashboard, such as `https://leads.example.com`; undefined without a listener. */
  origin(): string | undefined
  /** Origins by which other machines of the local network reach it; empty where only this machine does. */
  network(): readonly string[]
  /** Begins and ends to listen on the local network; undefined where the configuration decides that. */
  lan?: LanSwitch | undefined
}

export interface LanSwitch {
  isOn: boolean
  /** Keeps the choice and starts the service again with it, once the requests under way are answered. */
  set(isOn: boolean): void
}

/** Context of a question: reads alone, so that another thread can answer it. */
export interface ReadContext extends Pick<Context, "caller" | "now" | "secret" | "eventLoop"> {
  store: Pick<Store, "read" | "readThrough">
}

/**
 * A read that may look at more than a page of the database. Input and answer travel between threads: plain data, and as
 * answers a `JsonText` or a `Download`, too.
 */
export interface Question<I, O> {
  /** Unique among all questions. */
  name: string
  run(ctx: ReadContext, input: I): Promise<O>
}

export function question<I, O>(definition: Question<I, O>): Question<I, O> {
  return definition
}

/** Where questions are answered. */
export interface Questions {
  /**
   * Answers a question from all that was committed when it was asked. Throws what its `run` throws, AppError
   * `rate_limit_exceeded` when the account has too many questions under way, `bad_request` for one that takes too much
   * time, and `unavailable`.
   */
  ask<I, O>(question: Question<I, O>, ctx: ReadContext & Pick<Context, "visit">, input: I): Promise<O>
}

/** Answers a question about all leads of an account: of a small one here, as that takes no time. */
export async function askAtOnce<I, O>(ctx: Context, asked: Question<I, O>, input: I): Promise<O> {
  const isLittle = ctx.store.read.leads.readsLittle(ctx.caller.account.key, NO_FILTER)
  return isLittle ? asked.run(ctx, input) : ctx.questions.ask(asked, ctx, input)
}

/** Answers questions where they are asked: within transactions, and on the thread that others ask. */
export const ANSWERED_HERE: Questions = {
  ask: (question, ctx, input) => question.run(ctx, input),
}

/** Leads of a scoring run with their new scores. */
export interface ScoredLeads {
  count: number
  /** A JSON list of `{id, score}`. */
  json: string
}

/** Evaluates an account's rules over all its leads on the worker thread, and writes the scores that differ. */
export interface ScoringRunner {
  /**
   * Leads that change during the run keep their score. With `tellMax`, `tell` is called with all leads, at most that
   * many at a time, once their scores are written; 0 means that no event is sent. Returns the number of leads and of
   * written scores. `now` is in Unix seconds. `progress` is called with the number of leads scored so far; an error
   * that it throws ends the run.
   */
  score(
    run: { account: number; now: number; tellMax: number },
    tell: (leads: ScoredLeads) => Promise<void>,
    progress: (count: number) => void,
  ): Promise<{ count: number; changed: number }>
}

/** The targets that webhooks may have, by configuration. */
export interface WebhookRules {
  /**
   * The reason why a URL is refused, such as `address 10.0.0.1 is private and not allowed`; undefined when it is
   * allowed.
   */
  refuse(url: string): Promise<string | undefined>
}

export interface Context extends Services {
  caller: Caller
  /** Unix seconds, frozen for the request. */
  now: number
  /** The batch of the changes made here; undefined for a single change. */
  batch?: BatchRef
  /** The client's address and origin; undefined outside REST. */
  visit?: Visit | undefined
}

/**
 * Required rights: `read` for every role, `write` for editors and owners, `owner` for owners. `self` concerns only
 * the caller; `open` works without credentials, for signing in.
 */
export type Access = "read" | "write" | "owner" | "self" | "open"

/** The caller of open operations: without an account and without rights to read or write. */
export const NOBODY: Caller = {
  account: {
    ...{ key: 0, id: "", name: "", plan: "", default_country: null, time_zone: UTC },
    limits: { leads: 0, requests: 0, batch: 0, storage: 0 },
  },
  keyId: "",
  role: "viewer",
  actorId: "",
}

/** Leads that a call would write to, with a sample. */
interface Preview {
  matched: number
  sample: readonly unknown[]
  /** How many things are sent again. */
  retried?: number
}

/** An operation as a tool: its words, its risks, and what differs from REST. */
interface ToolPart {
  /** Its name, where another operation has that of its route. */
  name?: string
  /** Offered only to clients that request this toolset; without one, to all. */
  set?: string
  /** At most 80 characters, where the operation's own line does not fit the tool. */
  about?: string
  /**
   * Parameters in at most 40 characters, as clients pay for each word in tokens, by path: `attributes[].type`. A part of a
   * JSON Schema says more than a description.
   */
  words?: Words
  /** By the path of an object, those of its fields that the tool's input names: it takes the others, too. */
  named?: Readonly<Record<string, readonly string[]>>
  /** A repeated call changes nothing more, though its route is no PUT or DELETE. */
  isRepeatable?: true
  /** A parameter by which data leaves the account, which a safe client is not offered. */
  wayOut?: string
  /** It makes the service send requests to other hosts. */
  isOutward?: true
  /** The page that clients which can do so show for its answers. */
  page?: "duplicates" | "import"
  /** Calls that ask first where the client or its key wants that: `always`, or where they write to many leads. */
  guard?(input: Readonly<Record<string, unknown>>): "always" | "many" | undefined
  /** Counts and shows what a call is about, where the operation has no dry run. Throws as the call would. */
  preview?(ctx: Context, input: unknown): Promise<Preview>
  /** Fields of its leads that are null are left out: most of a lead is. */
  isSparse?: true
  /** The answer has no `data` around it, as its clients expect. */
  bare?: true
  /** Whether its own work may begin a job with this input. */
  mayBeginJob?(input: Readonly<Record<string, unknown>>): boolean
  /** Bytes of the largest call, where it is not that of the REST body. */
  bodyMax?: number
  /** The tool's own input and work, where they differ from REST. */
  input?: v.GenericSchema
  run?(ctx: Context, input: unknown): Promise<unknown>
}

/** The preview of a tool that is about one thing, which `find` finds. */
export function previewOne<I>(
  find: (ctx: Context, input: I) => Promise<unknown>,
): NonNullable<ToolPart["preview"]> {
  return async (ctx, input) => ({ matched: 1, sample: [await find(ctx, input as I)] })
}

/** The preview of a tool that is about what its input lists. */
export function previewListed<I>(list: (input: I) => readonly unknown[]): NonNullable<ToolPart["preview"]> {
  return async (_, input) => {
    const all = list(input as I)
    return { matched: all.length, sample: all }
  }
}

/** Declares the tool of an operation whose tool takes another input than its route. */
export function toolOf<S extends v.GenericSchema>(
  part: Omit<ToolPart, "input" | "run"> & {
    input: S
    run(ctx: Context, input: v.InferOutput<S>): Promise<unknown>
  },
): ToolPart {
  return part as ToolPart
}

/** The name by which an operation's tool is called. */
export const toolName = ({ name, tool }: Pick<Operation, "name" | "tool">): string => tool?.name ?? name

/** An operation with a tool that another module declares, as the tool's work needs more than the route's. */
export function withTool<S extends v.GenericSchema>(operation: Operation<S>, tool: ToolPart): Operation<S> {
  return { ...operation, tool }
}

export interface Operation<S extends v.GenericSchema = v.GenericSchema> {
  /** The tool's name and the OpenAPI operationId. */
  name: string
  /** One line, at most 80 characters: every agent reads it in the list of tools. */
  about: string
  /** The chapter of the API's document that it stands in. */
  tag: ApiChapter
  /**
   * The error kinds that `run` may throw beyond those of every operation (`declaredErrors`), and beyond `not_found` where
   * its route has the id of a thing. A test provokes each of them, and fails on an undeclared one.
   */
  errors?: readonly ErrorKind[]
  /** Markdown for the API reference, beyond the one line. */
  note?: string
  /** Descriptions of answers by status, where the default says too little. */
  says?: Readonly<Record<number, string>>
  example?: Example
  access: Access
  /**
   * Works for keys bound to a segment: it reaches leads through `ctx.store` alone, which then holds those of the segment.
   * Any other refuses such keys.
   */
  forSegments?: true
  /** `METHOD /path/:param` under the base URL; several when one operation answers to several methods. */
  http?: string | readonly string[]
  /** Its filters are kept for whoever reads them: `me` would be another one each time. */
  keepsFilters?: true
  /** Present when it is offered as a tool with its name. */
  tool?: ToolPart
  input: S
  /** Normalises raw input before validation, where clients write values in ways that a schema cannot express. */
  prepare?(input: unknown): unknown
  /** The input for tools and the OpenAPI document, where `input` is looser because items are validated one by one. */
  toolInput?: v.GenericSchema
  /** The shape of the answer, for the OpenAPI document and its tests. */
  output?: v.GenericSchema
  /** Inputs that come from the query string of a request with a body. */
  query?: readonly string[]
  /** A path parameter that is also in the body must have the same value there; otherwise the body's is ignored. */
  pathNamesAgree?: true
  /** The input that is a REST body of these content types, streamed as an `Upload`. */
  upload?: { name: string; types: readonly string[] }
  /** The input that a REST body becomes which is a bare list. */
  bodyList?: string
  /** Bytes of the largest REST body; the default is 1 MiB. */
  bodyMax?: number
  /** Uses several transactions or yields between them, so it cannot be part of one. */
  paced?: true
  run(ctx: Context, input: v.InferOutput<S>): Promise<unknown>
  /**
   * Answers a repeat of a paced request without a kept answer, by the import that it ran: it was cut off, or its answer is
   * large. Undefined while the import may still be under way.
   */
  becameOf?(ctx: Context, importId: string): Promise<unknown>
  /** Answers a GET that accepts `text/event-stream`; `Last-Event-ID` is then its `cursor`. */
  stream?(ctx: Context, input: v.InferOutput<S>): Promise<EventStream>
  /** The REST status; the default is 200, or 204 for undefined. A JsonText may carry its own. */
  status?: number
  /** Further statuses that its JsonText may carry. */
  otherStatuses?: readonly number[]
  /** Its answers have an ETag, by which clients ask whether a thing is still the same, and change it only then. */
  isTagged?: true
  /** Content types of the file that it answers with; `output` is then the shape of the JSON one. */
  files?: readonly string[]
}

const NoInput = v.strictObject({})
const ById = v.strictObject({ id: Id })

type Routes = string | readonly string[]
type InputOf<H extends Routes> = H extends `${string}/:id${string}` ? typeof ById : typeof NoInput

/**
 * Declares an operation: its name, rights, input, answer and route in one place. Without `input` it takes the `:id` of its
 * route, or nothing.
 */
export function operation<const H extends Routes = "", S extends v.GenericSchema = InputOf<H>>({
  http,
  errors = [],
  ...definition
}: Omit<Operation<S>, "http" | "input"> & { http?: H; input?: S }): Operation<S> {
  const has = (id: RegExp) => [http ?? []].flat().some((route) => id.test(route))
  return {
    input: has(/\/:id\b/) ? ById : NoInput,
    ...definition,
    ...(http !== undefined && { http }),
    errors: has(/\/:(lead_)?id\b/) ? ["not_found", ...errors] : errors,
  } as unknown as Operation<S>
}

export type Answer = undefined | JsonText | Download | FileLink | EventStream | SignedIn | object

/** Chapters whose writes are in the trail, which those who wait for changes read. */
const TRAILED: ReadonlySet<ApiChapter> = new Set(["Leads", "Batches", "Attributes", "Imports", "Duplicates"])

/**
 * Runs an operation, the only way to its `run`: checks the role, validates the input, then runs it with the time
 * frozen. Throws AppError `forbidden` or `bad_request`, and what `run` throws.
 */
export async function execute(
  services: Services,
  operation: Operation,
  caller: Caller,
  input: unknown,
  visit?: Visit,
): Promise<Answer> {
  const ctx = contextOf(services, caller, visit)
  const parsed = checked(operation, ctx, input)
  const answer = (await operation.run(ctx, parsed instanceof Promise ? await parsed : parsed)) as Answer
  if (operation.access === "write" && !TRAILED.has(operation.tag)) services.store.touch(caller.account.key)
  return answer
}

/** The parsed input of an operation that the caller may run. Throws `forbidden` and `bad_request`. */
export function checked(operation: Operation, ctx: Context, sent: unknown): unknown {
  admit(operation, ctx.caller)
  const parsed = (input: unknown) =>
    parse(operation.input, operation.prepare ? operation.prepare(input) : input, calendarOf(ctx))
  return namesOwner(sent) ? withOwnerIds(sent, namingIn(operation, ctx)).then(parsed) : parsed(sent)
}

function namingIn({ keepsFilters }: Operation, { caller, store }: Context): Naming {
  const { account, actorId, keyId, session, memberId, keyMaker } = caller
  return {
    me: session !== undefined ? memberId : actorId === keyId ? keyMaker : actorId,
    refusesMe: keepsFilters === true,
    members: () => store.read.members.list(account.key),
  }
}

/** The context of what the service does in an account by itself; the trail names `actor`. */
export function ownContext(services: Services, account: Account, actor: string): Context {
  return contextOf(services, { account, keyId: actor, actorId: actor, role: "owner" })
}

/** The context of one request, whose time is frozen. */
export function contextOf(services: Services, caller: Caller, visit?: Visit): Context {
  const ctx = { ...services, caller, now: Math.floor(services.clock.now() / 1000), visit }
  const { account, segment } = caller
  return segment === undefined
    ? ctx
    : { ...ctx, store: boundStore(ctx.store, { account, segment, now: ctx.now }) }
}

/** Throws `forbidden` unless the caller may run the operation: by its role, and by the segment of its key. */
export function admit({ access, forSegments, name }: Operation, caller: Caller): void {
  authorise(access, caller)
  refuseBound(caller, `${name} is`, forSegments)
}

/** Throws `forbidden` for a key that is bound to a segment, unless that is no matter. */
export function refuseBound({ segment }: Caller, what: string, isBounded = false): void {
  if (segment !== undefined && !isBounded) throw outOfBounds(what)
}

/** Throws `forbidden` unless the caller's role has this access. */
export function authorise(access: Access, caller: Caller): void {
  if (access === "owner" && caller.role !== "owner") {
    throw new AppError("forbidden", "only the workspace owner can perform this action")
  }
  if (access === "write" && caller.role === "viewer") {
    throw new AppError("forbidden", "viewer role cannot modify data")
  }
}
