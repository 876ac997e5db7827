// The document of a service whose keys get the object style of lists.
import { LIST_NAMES, WITH_WEBHOOK_TIMES } from "../rest/list-style.ts"
import type { Media, OpenApiDocument, OperationObject, Schema } from "./types.ts"

const ABOUT = `**List style.** Keys of this service get lists in objects (\`{"notes": [...]}\`) and times of webhooks as ISO texts, unless the key or the header \`X-List-Style\` asks for arrays. Browser sessions get arrays.`
const TIME: Schema = { type: "string", format: "date-time" }

/** The document with answers as this service gives them to a key without a style of its own. */
export function documentInObjectStyle(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  return {
    ...document,
    info: { ...document.info, description: `${document.info.description}\n\n${ABOUT}` },
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
      ? { ...answer, content: mapValues(answer.content, (media) => styledMedia(media, list, hasTimes)) }
      : answer,
  )
  return { ...operation, responses }
}

function styledMedia({ schema, example }: Media, list: string | undefined, hasTimes: boolean): Media {
  const shown = hasTimes ? isoExample(example) : example
  return {
    schema:
      list === undefined ? schema : { type: "object", properties: { [list]: schema }, required: [list] },
    ...(example !== undefined && { example: list === undefined ? shown : { [list]: shown } }),
  }
}

function withIsoTimes(webhook: Schema): Schema {
  return { ...webhook, properties: { ...webhook.properties, created_at: TIME, updated_at: TIME } }
}

function isoExample(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(isoExample)
  if (typeof example !== "object" || example === null) return example
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) =>
      /^(created|updated)_at$/.test(name) && typeof value === "number"
        ? [name, new Date(value * 1000).toISOString()]
        : [name, value],
    ),
  )
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
