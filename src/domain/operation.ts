import type * as v from "valibot"
import type { Account, Role } from "../core/access.ts"
import type { Clock } from "../core/clock.ts"
import { AppError, type ErrorKind } from "../core/errors.ts"
import type { EventLoop } from "../core/event-loop.ts"
import type { Ids } from "../core/ids.ts"
import type { Download, EventStream, FileLink, JsonText } from "../core/json-text.ts"
import type { KeptFiles } from "../core/kept-files.ts"
import { parse } from "../core/parse.ts"
import type { SignedIn } from "../core/signed-in.ts"
import type { BatchRef, Store } from "../store/contract/store.ts"
import type { Example } from "./examples.ts"
import type { Tag } from "./tags.ts"

/** Who asks. */
export interface Caller {
  account: Account
  /** The public id of the API key. */
  keyId: string
  role: Role
  /** The actor in the audit trail: the proxy's member, else the key. */
  actorId: string
  /** The public id of the session of a browser that asks. */
  session?: string
  /** The public id of the member that is signed in. */
  memberId?: string
}

/** Where a request over HTTP comes from. */
export interface Visit {
  address: string
  /** The origin under which the client sees the service, such as `https://leads.example.com`. */
  origin: string
  /** What the client calls itself. */
  agent: string
}

/** What operations work with besides the caller; made once by app.ts. */
export interface Services {
  store: Store
  ids: Ids
  clock: Clock
  eventLoop: EventLoop
  /** Signs what clients carry for us, such as cursors. */
  secret: Uint8Array
  scoring: ScoringRunner
  webhooks: WebhookRules
  /** Files that are kept for work that goes on behind its answer. */
  files: KeptFiles
  /** Where clients reach REST and the dashboard, such as `https://leads.example.com`; undefined where nothing listens. */
  origin(): string | undefined
}

/** Leads of a scoring run with the scores that they have now. */
export interface ScoredLeads {
  count: number
  /** A JSON list of `{id, score}`. */
  json: string
}

/** Evaluates an account's rules over all its leads on the worker thread, and writes the scores that differ. */
export interface ScoringRunner {
  /**
   * A lead that changes meanwhile keeps its score. With a `tellMax`, `tell` is called with all leads, so many at a
   * time, as soon as their scores are written; 0 for a run that nobody is told of. Returns how many leads there were
   * and how many scores were written. `now` is in Unix seconds. `progress` hears now and then how many leads have been
   * looked at; when it throws, the run ends with that.
   */
  score(
    run: { account: number; now: number; tellMax: number },
    tell: (leads: ScoredLeads) => Promise<void>,
    progress: (count: number) => void,
  ): Promise<{ count: number; changed: number }>
}

/** Where webhooks may point, decided by configuration. */
export interface WebhookRules {
  /** Why a URL is refused, such as `address 10.0.0.1 is private and not allowed`; undefined when it is allowed. */
  refuse(url: string): Promise<string | undefined>
}

export interface Context extends Services {
  caller: Caller
  /** Unix seconds, frozen for the request. */
  now: number
  /** What the changes made here belong to; a change that stands alone needs none. */
  batch?: BatchRef
  /** Where the request comes from; not there where it is no request over REST. */
  visit?: Visit | undefined
}

/**
 * Who may call: `read` everyone of the account, `write` editors and owners, `owner` owners alone. `self` is for what
 * concerns nobody but the caller, `open` for those who are about to sign in: it works without credentials.
 */
export type Access = "read" | "write" | "owner" | "self" | "open"

/** Who asks for what is open: of no account, and nothing may be read or written for them. */
export const NOBODY: Caller = {
  account: {
    ...{ key: 0, id: "", name: "", plan: "", default_country: null },
    limits: { leads: 0, requests: 0, batch: 0, storage: 0 },
  },
  keyId: "",
  role: "viewer",
  actorId: "",
}

export interface Operation<S extends v.GenericSchema = v.GenericSchema> {
  /** The tool's name and the OpenAPI operationId. */
  name: string
  /** One line, at most 80 characters: every agent reads it in the list of tools. */
  about: string
  /** The chapter of the API's document that it stands in. */
  tag: Tag
  /**
   * Errors that `run` may answer with, beyond those that every operation shares (`declaredErrors`). A test provokes each,
   * and fails on one that is not declared.
   */
  errors?: readonly ErrorKind[]
  /** Markdown for the API's document: whatever the one line leaves out. */
  note?: string
  /** Words for its answers by status, where the usual ones say too little. */
  says?: Readonly<Record<number, string>>
  example?: Example
  access: Access
  /** `METHOD /path/:param` under the base URL; several when one operation answers to several methods. */
  http?: string | readonly string[]
  /** Shown as a tool with this name. */
  tool?: boolean
  /** A tool only for clients that ask for this set. */
  toolset?: string
  input: S
  /** Makes a raw input ready for its check, where clients write things in ways that a schema cannot say. */
  prepare?(input: unknown): unknown
  /** Shown to tools and the OpenAPI document in place of `input` where that is looser, as it checks each item itself. */
  toolInput?: v.GenericSchema
  /** The shape of the answer, for the OpenAPI document and its tests. */
  output?: v.GenericSchema
  /** Names of inputs that come from the query string of a request with a body. */
  query?: readonly string[]
  /** A name of the path that stands in a REST body too must say the same there; else it is passed over. */
  pathNamesAgree?: true
  /** The input that is a REST body of these content types, read while it comes, as an `Upload`. */
  upload?: { name: string; types: readonly string[] }
  /** The largest REST body in bytes; 1 MiB unless told. */
  bodyMax?: number
  /** It works in several transactions, or lets others have their turn between: it cannot be part of one. */
  paced?: true
  run(ctx: Context, input: v.InferOutput<S>): Promise<unknown>
  /** Its tool answers without `data` around it, as the clients that it is for expect. */
  bare?: true
  /** Answers a GET that accepts `text/event-stream`; `Last-Event-ID` is then its `cursor`. */
  stream?(ctx: Context, input: v.InferOutput<S>): Promise<EventStream>
  /** The REST status of an answer; 200 unless told, 204 for undefined. A JsonText may carry its own. */
  status?: number
  /** Every other status that its JsonText may carry. */
  otherStatuses?: readonly number[]
  /** The content types of the file that answers; `output` is then the shape of the one that is JSON. */
  files?: readonly string[]
}

/** Declares an operation; the one place where its name, rights, input, answer and route stand. */
export function operation<S extends v.GenericSchema>(definition: Operation<S>): Operation<S> {
  return definition
}

export type Answer = undefined | JsonText | Download | FileLink | EventStream | SignedIn | object

/**
 * The only way to an operation's `run`: role, then input, then the work, with the time frozen for all of it.
 * Throws AppError `forbidden` or `bad_request`, and what `run` throws.
 */
export async function execute(
  services: Services,
  operation: Operation,
  caller: Caller,
  input: unknown,
  visit?: Visit,
): Promise<Answer> {
  authorise(operation.access, caller)
  const parsed = parse(operation.input, operation.prepare ? operation.prepare(input) : input)
  const now = Math.floor(services.clock.now() / 1000)
  return (await operation.run({ ...services, caller, now, visit }, parsed)) as Answer
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
