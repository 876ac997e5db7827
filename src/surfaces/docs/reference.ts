// The API reference as one page, made from the OpenAPI document.
import { raw } from "hono/html"
import type { Method, OpenApiDocument, OperationObject, Parameter, Ref } from "../openapi/types.ts"
import { fieldList, refName, typeOf } from "./fields.ts"
import { type Html, head, html } from "./html.ts"
import { inline, jsonCode, markdown } from "./markdown.ts"
import { type DocumentedRoute, routeArticle } from "./route.ts"

const METHODS: readonly Method[] = ["get", "post", "put", "patch", "delete"]

export function referencePage(document: OpenApiDocument, style: string, script: string): Html {
  const { info, tags } = document
  const routes = routesOf(document)
  const of = (tag: string) => routes.filter(({ operation }) => operation.tags.includes(tag))
  return html`<!doctype html>
<html lang="en">
<head>
${head(`API reference · ${info.title}`, html`<style>${raw(style)}</style>`)}
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
