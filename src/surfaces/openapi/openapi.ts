// The OpenAPI 3.1 document, read from the list of operations.
import type { Operation } from "../../domain/operation.ts"
import { TAGS } from "../../domain/tags.ts"
import type { ListStyle } from "../../lead/list-style.ts"
import { BASE_PATH } from "../../runtime/paths.ts"
import { inObjectStyle, LIST_NAMES, WITH_WEBHOOK_TIMES } from "../rest/answer.ts"
import { eventItems, eventSchemas } from "./events.ts"
import { HEADERS, SHARED_PARAMETERS, SHARED_REFS } from "./headers.ts"
import { operationObject, routesOf } from "./operation.ts"
import { errorSchema, problemResponses } from "./problems.ts"
import { namedSchemas } from "./schemas.ts"
import type { Media, Method, OpenApiDocument, OperationObject, Schema } from "./types.ts"

const ABOUT = `An API-first database of business leads. Push leads from anywhere: duplicates are merged, every lead is scored by your rules, changes are kept as an audit trail and sent on as signed webhooks.

**Access.** Every request carries an API key in \`X-API-Key\`, or as \`Authorization: Bearer KEY\`. A key is an \`owner\`, an \`editor\` (no API keys) or a \`viewer\` (reads only). Objects of another account are not found.

**Bodies** are JSON. Unknown fields and parameters are refused by name, never dropped; fields that the service sets may be sent back and are ignored. Texts have at most 1,000 characters unless stated otherwise. Times are integers in Unix seconds.

**Errors** are \`{error, message, code}\`: programs go by \`code\`, people by \`message\`. A path that takes other methods answers 405 with \`Allow\`.

**Limits.** Requests are counted over a sliding window of 10 minutes; see the headers \`X-RateLimit-*\`. \`X-Request-Id\` names a request in the service's log; send your own to follow it through.`

interface DocumentSettings {
  version: string
  /** The service's address as clients see it, without \`/api/v1\`. */
  publicUrl?: string | undefined
  /** The style of lists that keys of the service get; the default is `array`. */
  listStyle?: ListStyle | undefined
}

/** The document of these operations; the same ones give the same document. */
export function openApiDocument(
  operations: readonly Operation[],
  { version, publicUrl = "", listStyle }: DocumentSettings,
): OpenApiDocument {
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    info: {
      title: "leaddb",
      version,
      summary: "A database of business leads",
      description: ABOUT,
      contact: { name: "leaddb" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl + BASE_PATH, description: "This service" }],
    security: [{ ApiKey: [] }, { Bearer: [] }, { ApiKey: [], ProxySecret: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations),
    webhooks: eventItems(),
    components: {
      securitySchemes: {
        ApiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "A key of the account: `ldb_` and 38 characters.",
        },
        Bearer: {
          type: "http",
          scheme: "bearer",
          description: "The same key as `Authorization: Bearer KEY`, where X-API-Key is not sent.",
        },
        ProxySecret: {
          type: "apiKey",
          in: "header",
          name: "X-Proxy-Secret",
          description:
            "Beside the key, from a dashboard proxy. Where the service has such a secret, X-Member-Role and X-Actor-Id count only with it.",
        },
      },
      parameters: SHARED_PARAMETERS,
      headers: HEADERS,
      responses: problemResponses(),
      schemas: { ...namedSchemas(), ...eventSchemas(), Error: errorSchema() },
    },
  }
  return listStyle === "object" ? documentInObjectStyle(document) : document
}

function pathsOf(operations: readonly Operation[]): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {}
  for (const route of routesOf(operations)) {
    paths[route.path] ??= { parameters: SHARED_REFS }
    paths[route.path]![route.method.toLowerCase() as Method] = operationObject(route)
  }
  return paths
}

// The document of a service whose keys get the object style of lists.

const STYLE_ABOUT = `**List style.** Keys of this service get lists in objects (\`{"notes": [...]}\`) and times of webhooks as ISO texts, unless the key or the header \`X-List-Style\` asks for arrays. Browser sessions get arrays.`
const TIME: Schema = { type: "string", format: "date-time" }

/** The document with answers as this service gives them to a key without a style of its own. */
function documentInObjectStyle(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  return {
    ...document,
    info: { ...document.info, description: `${document.info.description}\n\n${STYLE_ABOUT}` },
    paths: mapValues(document.paths, (item) => ({
      ...mapValues(item, (one) => (isOperation(one) ? styled(one) : one)),
      parameters: item.parameters,
    })),
    components: {
      ...document.components,
      schemas: { ...schemas, ...(schemas.Webhook && { Webhook: withIsoTimes(schemas.Webhook) }) },
    },
  }
}

function isOperation(one: object): one is OperationObject {
  return "operationId" in one
}

function styled(operation: OperationObject): OperationObject {
  const list = LIST_NAMES.get(operation.operationId)
  const hasTimes = WITH_WEBHOOK_TIMES.has(operation.operationId)
  if (list === undefined && !hasTimes) return operation
  const responses = mapValues(operation.responses, (answer) =>
    "content" in answer && answer.content
      ? { ...answer, content: mapValues(answer.content, (media) => styledMedia(media, list, operation)) }
      : answer,
  )
  return { ...operation, responses }
}

function styledMedia(
  { schema, example }: Media,
  list: string | undefined,
  { operationId: name }: OperationObject,
): Media {
  return {
    schema:
      list === undefined ? schema : { type: "object", properties: { [list]: schema }, required: [list] },
    ...(example !== undefined && { example: inObjectStyle({ name } as Operation, example) }),
  }
}

function withIsoTimes(webhook: Schema): Schema {
  return { ...webhook, properties: { ...webhook.properties, created_at: TIME, updated_at: TIME } }
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
