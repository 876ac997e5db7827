import createClient, { type Client, type FetchResponse, type MaybeOptionalInit } from "openapi-fetch"
import { LeaddbError } from "./error.ts"
import { type Fetch, type Retry, retrying } from "./retry.ts"
import type { paths } from "./schema.ts"
import type {
  Delivery,
  DeliveryQuery,
  ExportQuery,
  ImportQuery,
  ImportReport,
  Lead,
  LeadQuery,
  ListedLead,
} from "./types.ts"

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`; `/api/v1` is added when it is not there. */
  baseUrl: string
  apiKey: string
  /** Requests that are retried, and how often; false for none. */
  retry?: Retry | false
  /** Headers for every request, such as X-Member-Role. */
  headers?: Record<string, string>
  /** In place of the global fetch. */
  fetch?: Fetch
}

export type ImportFile = string | Uint8Array | Blob | ReadableStream<Uint8Array>

type Method = "get" | "post" | "put" | "patch" | "delete"
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never
}[keyof paths]
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T]
type Init<T> = [RequiredKeys<T>] extends [never]
  ? [init?: T & Record<string, unknown>]
  : [init: T & Record<string, unknown>]
type Media = `${string}/${string}`
/** The body of a good answer; undefined for 204. */
type Data<D> = [Exclude<D, undefined>] extends [never] ? undefined : Exclude<D, undefined>
type Call<M extends Method> = <P extends PathsWith<M>, I extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: Init<I>
) => Promise<Data<FetchResponse<paths[P][M] & Record<string | number, unknown>, I, Media>["data"]>>

/** Requests throw LeaddbError when they are answered with 400 or above, and give the answer's body else. */
export interface LeaddbClient {
  get: Call<"get">
  post: Call<"post">
  put: Call<"put">
  patch: Call<"patch">
  delete: Call<"delete">
  /** All leads of a query, read page after page: whole ones, or with `fields` their ids and these. */
  leads(query?: LeadQuery & { fields?: undefined }): AsyncGenerator<Lead, void, undefined>
  leads(query: LeadQuery): AsyncGenerator<ListedLead, void, undefined>
  /** All deliveries of a webhook, newest first. */
  deliveries(webhookId: string, query?: DeliveryQuery): AsyncGenerator<Delivery, void, undefined>
  /** All leads of a query as a file, as it comes. */
  exportLeads(query: ExportQuery): Promise<ReadableStream<Uint8Array>>
  /**
   * Brings leads in from a file, such as a Blob or a stream: each row is pushed. It is never tried again, as a stream can
   * be read only once.
   */
  importLeads(file: ImportFile, query: ImportQuery): Promise<ImportReport>
  /** The openapi-fetch client beneath, for what is in the answer beside its body; it throws no LeaddbError. */
  raw: Client<paths>
}

/** A client of the REST API. It keeps no connection and needs no closing. */
export function createLeaddbClient(options: ClientOptions): LeaddbClient {
  const once = options.fetch ?? ((request) => fetch(request))
  const raw = createClient<paths>({
    baseUrl: apiUrl(options.baseUrl),
    headers: { ...options.headers, "X-API-Key": options.apiKey, "X-List-Style": "array" },
    fetch: retrying(once, options.retry === false ? { retries: 0 } : options.retry),
  })
  const calls = callsOf(raw)
  return { ...calls, ...readersOf(calls), importLeads: importerOf(calls, once), raw }
}

function callsOf(raw: Client<paths>): Pick<LeaddbClient, Method> {
  const calls = (method: Method) => async (path: string, init?: Record<string, unknown>) => {
    const { data, error, response } = await raw.request<"get", "/leads", object>(
      method as "get",
      path as "/leads",
      init,
    )
    if (!response.ok) throw new LeaddbError(response, error)
    return data
  }
  const all = { get: calls("get"), post: calls("post"), put: calls("put"), patch: calls("patch") }
  return { ...all, delete: calls("delete") } as Pick<LeaddbClient, Method>
}

type Readers = Pick<LeaddbClient, "leads" | "deliveries" | "exportLeads">

function readersOf({ get }: Pick<LeaddbClient, "get">): Readers {
  return {
    async *leads(query?: LeadQuery): AsyncGenerator<Lead, void, undefined> {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const params = { query: { ...query, ...(cursor && { cursor }) } }
        const page = await get("/leads", { params })
        yield* page.leads as Lead[]
        cursor = page.next_cursor
      }
    },
    async *deliveries(id, query) {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const params = { path: { id }, query: { ...query, ...(cursor && { cursor }) } }
        const page = await get("/webhooks/{id}/deliveries", { params })
        yield* page.deliveries
        cursor = page.next_cursor
      }
    },
    async exportLeads(query) {
      const file = await get("/leads/export", { params: { query }, parseAs: "stream" })
      return file as ReadableStream<Uint8Array>
    },
  }
}

const CONTENT_TYPES = {
  csv: "text/csv",
  json: "application/json",
  ndjson: "application/x-ndjson",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  vcf: "text/vcard",
} as const satisfies Record<ImportQuery["format"], string>

function importerOf({ post }: Pick<LeaddbClient, "post">, once: Fetch): LeaddbClient["importLeads"] {
  return async (file, query) => {
    const answer = await post("/leads/import", {
      params: { query },
      body: file as string,
      bodySerializer: (body) => body,
      headers: { "Content-Type": CONTENT_TYPES[query.format] },
      fetch: once,
      // Node sends a stream only when it is told so.
      duplex: "half",
    })
    // Without `background`, which the query's type leaves out, the answer is the report.
    return answer as ImportReport
  }
}

/** With the version in its path, however it was given. */
function apiUrl(baseUrl: string): string {
  const url = baseUrl.replace(/\/+$/, "")
  return url.endsWith("/api/v1") ? url : `${url}/api/v1`
}
