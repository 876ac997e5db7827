// The API reference as one page, made from the OpenAPI document.
import type { Context, Hono } from "hono"
import { raw } from "hono/html"
import { fixedText } from "../http/fixed-text.ts"
import { OPENAPI_PATH } from "../openapi/route.ts"
import type {
  Answered,
  Method,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Ref,
  Schema,
} from "../openapi/types.ts"
import type { RestEnv } from "../ops/observer.ts"
import BASE from "./base.css" with { type: "text" }
import SCRIPT from "./docs.client.js" with { type: "text" }
import { about, fieldList, refName, resolve, type Schemas, typeOf } from "./fields.ts"
import { type Html, html, ICON, pageHeaders } from "./html.ts"
import { inline, jsonCode, markdown } from "./markdown.ts"
import REFERENCE from "./reference.css" with { type: "text" }

export interface Addresses {
  /** Of the REST API. */
  url: string
  mcpUrl: string
}

const METHODS: readonly Method[] = ["get", "post", "put", "patch", "delete"]

function referencePage(document: OpenApiDocument, style: string, script: string): Html {
  const { info, tags } = document
  const routes = routesOf(document)
  const of = (tag: string) => routes.filter(({ operation }) => operation.tags.includes(tag))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${info.title}</title>
<link rel="icon" href="${ICON}">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#start">Skip to the text</a>
${topBar(info.version)}
<div class="frame">
${contents(tags, of)}
<main>
${introduction(document)}
${tags.map(
  ({ name, description }) => html`<section class="tag" id="tag-${slug(name)}">
<h2>${name}</h2>
<p class="lead">${inline(description)}</p>
${of(name).map((route) => routeArticle(document, route))}
</section>\n`,
)}
${events(document)}
${schemas(document)}
${errors(document)}
</main>
</div>
<script>${raw(script)}</script>
</body>
</html>
`
}

function slug(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-")
}

function routesOf({ paths }: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const there = METHODS.flatMap((method): [string, OperationObject][] => {
      const operation = item[method]
      return operation ? [[method.toUpperCase(), operation]] : []
    })
    // PATCH does what PUT does: one article for both.
    const isTwin = (method: string) => method === "PATCH" && item.put !== undefined
    return there
      .filter(([method]) => !isTwin(method))
      .map(([method, operation]) => ({
        methods: method === "PUT" && item.patch ? [method, "PATCH"] : [method],
        path,
        operation,
      }))
  })
}

function topBar(version: string): Html {
  return html`<header class="top">
<a class="brand" href="./">lead<b>db</b></a> <span class="version">${version}</span>
<label class="key"><span>API key</span><input id="key" class="secret" type="text" placeholder="ldb_... to try requests"
 autocomplete="off" spellcheck="false"></label>
</header>`
}

function contents(tags: OpenApiDocument["tags"], of: (tag: string) => DocumentedRoute[]): Html {
  return html`<nav aria-label="Contents"><details id="contents" open><summary class="unfold">Contents</summary>
<input id="find" class="find" type="search" placeholder="Find..." aria-label="Find a request">
<ul><li><a class="to" href="#start">Start</a></li></ul>
${tags.map(
  ({ name }) => html`<div class="group"><a class="to" href="#tag-${slug(name)}">${name}</a><ul>
${of(name).map(
  ({ methods, path, operation }) =>
    html`<li><a class="to" href="#${operation.operationId}" title="${operation.summary}"><span class="method ${methods[0]!.toLowerCase()}">${methods[0]}</span> <span class="at">${breakable(path)}</span></a></li>\n`,
)}</ul></div>\n`,
)}
<div class="group"><span class="to">More</span><ul><li><a class="to" href="#events">Events</a></li><li><a class="to" href="#schemas">Objects</a></li><li><a class="to" href="#errors">Errors</a></li></ul></div>
</details></nav>`
}

/** A path that may break after its slashes. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}`
}

function introduction({ info, servers }: OpenApiDocument): Html {
  return html`<section id="start" class="intro">
<h1>${info.summary}</h1>
${markdown(info.description)}
<dl class="facts">
<div><dt>Address</dt><dd><code class="base">${servers[0]?.url}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="api/v1/openapi.json">openapi.json</a>, for generators and tools</dd></div>
<div><dt>Key</dt><dd>Printed at the very first start; <code>leaddb keys create --name ...</code> makes more. Pasted above, it stays in this tab and goes nowhere but into the requests you send.</dd></div>
</dl>
</section>`
}

function events({ webhooks }: OpenApiDocument): Html {
  const all = Object.entries(webhooks)
  const [first] = all
  const headers = (first?.[1].post.parameters ?? []).filter((one: Parameter | Ref) => "name" in one)
  const example = first?.[1].post.requestBody?.content["application/json"]?.example
  return html`<section id="events" class="tag"><h2>Events</h2>
<article class="route"><div class="words">
<p>What webhooks get: one POST for each event, at least once. Answer with 2xx within 5 seconds.</p>
<div class="wide"><table><thead><tr><th>Event</th><th>Sent when</th><th>Body</th></tr></thead><tbody>
${all.map(
  ([name, { post }]) =>
    html`<tr><td><code>${name}</code></td><td>${post.summary}</td><td>${typeOf(post.requestBody?.content["application/json"]?.schema ?? {})}</td></tr>\n`,
)}</tbody></table></div>
<h4>Headers</h4>
<dl class="fields">${headers.map(
    ({ name, description = "" }) =>
      html`<div><dt><code>${name}</code></dt><dd>${inline(description)}</dd></div>\n`,
  )}</dl>
</div><div class="code"><details class="example" open><summary>Body of <b>${first?.[0]}</b></summary><pre><code>${jsonCode(example)}</code></pre></details></div></article>
</section>`
}

function schemas({ components }: OpenApiDocument): Html {
  return html`<section id="schemas" class="tag"><h2>Objects</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<details class="object" id="schema-${name}"><summary>${name}</summary>
${schema.properties || schema.oneOf ? fieldList(components.schemas, schema) : html`<p>${inline(schema.description ?? "")} ${typeOf(schema)}.</p>`}
</details>\n`,
)}
</section>`
}

function errors({ components, paths }: OpenApiDocument): Html {
  const statuses = statusesOf(paths)
  return html`<section id="errors" class="tag"><h2>Errors</h2>
<p>The body of every error is an ${typeOf({ $ref: "#/components/schemas/Error" })}.</p>
${Object.entries(components.responses).map(([name, { description, content = {} }]) => {
  const example = content["application/json"]?.example
  return html`<article class="route" id="error-${name}"><div class="words"><h3>${statuses.get(name)} ${spaced(name)}</h3><p>${inline(description)}</p></div>
<div class="code"><pre><code>${jsonCode(example)}</code></pre></div></article>\n`
})}
</section>`
}

/** The status that each shared response goes with. */
function statusesOf(paths: OpenApiDocument["paths"]): Map<string, string> {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
  const all = operations.flatMap(({ responses }) => Object.entries(responses))
  return new Map(all.flatMap(([status, answer]) => ("$ref" in answer ? [[refName(answer), status]] : [])))
}

/** `NotFound` as `Not Found`. */
function spaced(name: string): string {
  return name.replaceAll(/(?<!^)([A-Z])/g, " $1")
}

const STYLE = BASE + REFERENCE

interface DocsParts {
  document: () => Promise<OpenApiDocument>
  /** Where the service is; asked when the first page is. */
  addresses: () => Addresses
  version: string
}

/** Adds the API reference at /docs; the root leads people to the dashboard and tells programs where everything is. */
export function mountDocs(app: Hono<RestEnv>, { document, addresses, version }: DocsParts): void {
  const reference = fixedText(
    async () => String(await referencePage(await document(), STYLE, SCRIPT)),
    pageHeaders(STYLE, SCRIPT),
  )
  const at = (path: string, answer: (c: Context<RestEnv>) => Response | Promise<Response>) =>
    app.get(path, (c) => {
      c.env.trace.route = path
      return answer(c)
    })
  at("/docs", (c) => reference(c.req.raw))
  at("/docs/", (c) => c.redirect("../docs", 308))
  at("/", (c) => {
    if (c.req.header("accept")?.includes("text/html")) return c.redirect("/app", 302)
    const { url, mcpUrl } = addresses()
    return c.json({ name: "leaddb", version, api: url, mcp: mcpUrl, docs: "/docs", openapi: OPENAPI_PATH })
  })
}

// One route of the API as an article: what it takes, what it answers, how it is called, and a form to try it.

/** One route; PATCH where it is the same as PUT goes with that. */
interface DocumentedRoute {
  methods: string[]
  path: string
  operation: OperationObject
}

const isParameter = (parameter: Parameter | Ref): parameter is Parameter => "name" in parameter

function routeArticle(document: OpenApiDocument, { methods, path, operation }: DocumentedRoute): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const { schemas } = document.components
  const ofOperation = parameters.filter(isParameter)
  const types = Object.keys(requestBody?.content ?? {})
  const isUpload = types.includes("multipart/form-data")
  const body = requestBody?.content[isUpload ? (types[0] ?? "") : "application/json"]
  const [method = ""] = methods
  return html`<article class="route" id="${operationId}">
<div class="words">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="path">${methods.map((one) => html`<span class="method ${one.toLowerCase()}">${one}</span> `)}<code>${path}</code></p>
${description ? markdown(description) : ""}
${ofOperation.length > 0 ? html`<h4>Parameters</h4>${parameterList(ofOperation)}` : ""}
${body ? html`<h4>Body</h4>${isUpload ? fileTypes(types) : fieldList(schemas, body.schema)}` : ""}
<h4>Answers</h4>
${answerList(document, responses)}
</div>
<div class="code">
${curl(document, method, path, isUpload ? undefined : body?.example, ofOperation, isUpload ? types[0] : undefined)}
${tryForm(method, path, ofOperation, body?.example, isUpload ? types[0] : undefined)}
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
