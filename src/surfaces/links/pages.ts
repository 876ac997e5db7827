// The pages of public lists. They work without scripts, and what leads hold is escaped.
import { html, raw } from "hono/html"
import type { SharedList } from "../../domain/links/shared-list.ts"
import type { SharedRows } from "../../domain/links/shared-rows.ts"
import { counted } from "../../text/text.ts"
import { column, type HtmlPage, respondPage } from "../oauth/page.ts"

/** Style of a list beyond that of every page: the whole width, and a table that scrolls within it. */
const LIST_STYLE = `
.list { width: 100%; max-width: 90rem; align-self: flex-start; margin: 0 auto; }
.list header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: .75rem; }
.list header h1, .list header p { margin: 0; }
.list .button { display: inline-block; margin: 0; color: var(--accent); background: none; }
.list header .button { margin-left: auto; }
.table { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .625rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; overflow-wrap: normal; }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td { min-width: 6rem; max-width: 24rem; overflow-wrap: anywhere; }
tbody tr:last-child td { border-bottom: 0; }
`

/** Browsers send no Origin with a form of a page without referrer, and then it could not be told from a foreign one. */
const HEADERS = { "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "same-origin" }

const page = ({ headers, ...more }: HtmlPage) =>
  respondPage({ ...more, style: LIST_STYLE, headers: { ...HEADERS, ...headers } })

export function linkProblemPage(
  problem: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const title = "Not available"
  const body = column(html`<h1>${title}</h1>\n<p role="alert">${problem}.</p>`)
  return page({ title, status, headers, body })
}

export function passwordPage({ segment }: SharedList, problem?: string): Promise<Response> {
  const body = column(html`<h1>${segment.name}</h1>
<p class="soft">This list is protected by a password.</p>
<form method="post">
<label for="password">Password</label>
<input type="password" id="password" name="password" required autofocus autocomplete="current-password" maxlength="200">
${problem === undefined ? "" : html`<p class="problem" role="alert">${problem}</p>`}
<div class="buttons"><button class="main">Show the list</button></div>
</form>`)
  return page({ title: segment.name, status: problem === undefined ? 200 : 403, body })
}

/** The table of one page of leads, at this path. */
export function sharedListPage(
  { segment }: SharedList,
  { headers, rows, next, total }: SharedRows,
  path: string,
): Promise<Response> {
  const title = segment.name
  const later =
    next === null ? "" : html`<a class="button" rel="next" href="${path}?cursor=${next}">Next page</a>`
  const first = total === undefined ? html`<a class="button" href="${path}">First page</a>` : ""
  const body = html`<div class="list">
<header><h1>${title}</h1>
<p class="soft">${total === undefined ? "" : counted(total, "lead")}</p>
<a class="button" href="${path}?format=csv" download>Download CSV</a></header>
<div class="table" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${raw(headers.map((name) => `<th scope="col">${Bun.escapeHTML(label(name))}</th>`).join(""))}</tr></thead>
<tbody>
${raw(rows.map((cells) => `<tr>${cells.map(cell).join("")}</tr>`).join("\n"))}
</tbody>
</table></div>
${rows.length === 0 ? html`<p class="soft">There are no leads in this list.</p>` : ""}
<nav class="buttons" aria-label="Pages">${first}${later}</nav>
</div>`
  return page({ title, body })
}

/** The name of a column for people. */
function label(name: string): string {
  const words = name.startsWith("attr:") ? name.slice(5) : name.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function cell(value: SharedRows["rows"][number][number]): string {
  if (value === null) return "<td></td>"
  const text = Bun.escapeHTML(String(value))
  if (typeof value !== "string" || !/^https?:\/\//i.test(value) || !URL.canParse(value))
    return `<td>${text}</td>`
  return `<td><a href="${text}" rel="noopener noreferrer nofollow">${text}</a></td>`
}
