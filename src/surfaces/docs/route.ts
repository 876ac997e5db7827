// One route of the API as an article: what it takes, what it answers, how it is called, and a form to try it.
import type { Answered, OpenApiDocument, OperationObject, Parameter, Ref, Schema } from "../openapi/types.ts"
import { about, fieldList, refName, resolve, type Schemas, typeOf } from "./fields.ts"
import { type Html, html } from "./html.ts"
import { inline, jsonCode, markdown } from "./markdown.ts"

/** One route; PATCH where it is the same as PUT goes with that. */
export interface DocumentedRoute {
  methods: string[]
  path: string
  operation: OperationObject
}

const isParameter = (parameter: Parameter | Ref): parameter is Parameter => "name" in parameter

export function routeArticle(document: OpenApiDocument, { methods, path, operation }: DocumentedRoute): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const { schemas } = document.components
  const own = parameters.filter(isParameter)
  const types = Object.keys(requestBody?.content ?? {})
  const isUpload = types.includes("multipart/form-data")
  const body = requestBody?.content[isUpload ? (types[0] ?? "") : "application/json"]
  const [method = ""] = methods
  return html`<article class="route" id="${operationId}">
<div class="words">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="path">${methods.map((one) => html`<span class="method ${one.toLowerCase()}">${one}</span> `)}<code>${path}</code></p>
${description ? markdown(description) : ""}
${own.length > 0 ? html`<h4>Parameters</h4>${parameterList(own)}` : ""}
${body ? html`<h4>Body</h4>${isUpload ? fileTypes(types) : fieldList(schemas, body.schema)}` : ""}
<h4>Answers</h4>
${answerList(document, responses)}
</div>
<div class="code">
${curl(document, method, path, isUpload ? undefined : body?.example, own, isUpload ? types[0] : undefined)}
${tryForm(method, path, own, body?.example, isUpload ? types[0] : undefined)}
${usualFirst(responses).map(([status, answer], i) => exampleOf(status, answer, i === 0))}
</div>
</article>\n`
}

function fileTypes(types: readonly string[]): Html {
  return html`<p>A file: ${types.map((type, i) => html`${i > 0 ? ", " : ""}<code>${type}</code>`)}.</p>`
}

/** Sorts answers: creations before updates, whole successes before partial ones, errors last. */
function usualFirst(responses: OperationObject["responses"]): [string, Answered | Ref][] {
  const rank = (status: string) => (status === "201" ? 199 : Number(status))
  return Object.entries(responses).toSorted(([a], [b]) => rank(a) - rank(b))
}

function parameterList(parameters: readonly Parameter[]): Html {
  return html`<dl class="fields">
${parameters.map(
  ({ name, in: place, required, schema, description = "" }) =>
    html`<div><dt><code>${name}</code> <span class="type">${typeOf(schema)}, in the ${place}</span>${
      required && place !== "path" ? html` <span class="required">required</span>` : ""
    }</dt><dd>${about({ ...schema, description })}</dd></div>\n`,
)}
</dl>`
}

function answerList({ components }: OpenApiDocument, responses: OperationObject["responses"]): Html {
  const all = usualFirst(responses)
  const good = all.filter((entry): entry is [string, Answered] => "description" in entry[1])
  const bad = all.flatMap(([status, answer]) =>
    "$ref" in answer ? [[status, refName(answer)] as const] : [],
  )
  return html`<dl class="fields answers">
${good.map(
  ([status, answer]) => html`<div><dt><b class="ok">${status}</b> ${answerTypes(answer)}</dt>
<dd>${inline(answer.description)}${unnamed(components.schemas, answer)}</dd></div>\n`,
)}
</dl>
<p class="errors">Errors: ${bad.map(
    ([status, name]) =>
      html`<a href="#error-${name}" title="${components.responses[name]?.description ?? ""}">${status}</a> `,
  )}</p>`
}

function answerTypes({ content = {} }: Answered): Html {
  return html`${Object.entries(content).map(([type, { schema }], i) =>
    type === "application/json"
      ? html`<span class="type">${i > 0 ? ", " : ""}${typeOf(schema)}</span>`
      : html`<span class="type">${i > 0 ? ", " : ""}${type}</span>`,
  )}`
}

/** The fields of an answer that has no name to look up. */
function unnamed(schemas: Schemas, { content = {} }: Answered): Html | string {
  const schema: Schema | undefined = content["application/json"]?.schema
  const object = schema?.type === "array" ? schema.items : schema
  if (!object?.properties) return ""
  return html`<details><summary>Fields</summary>${fieldList(schemas, resolve(schemas, object))}</details>`
}

function exampleOf(status: string, answer: Answered | Ref, isOpen: boolean): Html | string {
  const example = "content" in answer ? answer.content?.["application/json"]?.example : undefined
  if (example === undefined) return ""
  return html`<details class="example"${isOpen ? html` open` : ""}>
<summary>Answer <b>${status}</b></summary><pre tabindex="0"><code>${jsonCode(example)}</code></pre></details>\n`
}

/** The call as it is typed; `.base` is put right by the page's script. */
function curl(
  { servers }: OpenApiDocument,
  method: string,
  path: string,
  body: unknown,
  parameters: readonly Parameter[],
  fileType: string | undefined,
): Html {
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema }) => `${name}=${schema.enum?.[0] ?? ""}`)
  const address = html`<span class="base">${servers[0]?.url}</span>${path}${query.length > 0 ? `?${query.join("&")}` : ""}`
  const verb =
    method === "GET" || (method === "POST" && (body !== undefined || fileType)) ? "" : `-X ${method} `
  const file =
    fileType && html` \\\n  -H "Content-Type: ${fileType}" --data-binary @leads.${fileType.split("/")[1]}`
  const data = file ?? (body === undefined ? "" : html` \\\n  -d '${jsonCode(body)}'`)
  return html`<div class="call"><button type="button" class="copy">Copy</button><pre><code>curl ${verb}"${address}" \\
  -H "X-API-Key: $KEY"${data}</code></pre></div>\n`
}

/** A form that sends the request from the page; of no use, and not shown, without its script. */
function tryForm(
  method: string,
  path: string,
  parameters: readonly Parameter[],
  body: unknown,
  type = "application/json",
): Html {
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" data-type="${type}">
${parameters.map(input)}
${body === undefined ? "" : html`<label>Body<textarea name="body" rows="${rows(body)}" spellcheck="false">${text(body)}</textarea></label>`}
<p><button class="send ${method.toLowerCase()}">Send ${method}</button> <span class="outcome" role="status"></span></p>
<pre class="answer" hidden tabindex="0"></pre>
</form></details>`
}

/** A file's text as it is, anything else as JSON. */
function text(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2)
}

function rows(body: unknown): number {
  return Math.min(14, text(body).split("\n").length + 1)
}

function input({ name, in: place, required, schema }: Parameter): Html {
  const attributes = html`name="${name}" data-in="${place}"${required ? html` required` : ""}`
  return html`<label><code>${name}</code>${control(schema, attributes)}</label>\n`
}

function control({ type, enum: choices }: Schema, attributes: Html): Html {
  const options = choices ?? (type === "boolean" ? ["true", "false"] : undefined)
  if (options) {
    return html`<select ${attributes}><option></option>${options.map((one) => html`<option>${String(one)}</option>`)}</select>`
  }
  if (type === "array")
    return html`<textarea ${attributes} rows="2" placeholder="one on each line"></textarea>`
  return html`<input ${attributes} autocomplete="off" spellcheck="false"${type === "integer" ? html` inputmode="numeric"` : ""}>`
}
