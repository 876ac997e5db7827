import { raw } from "hono/html"
import { type Html, html } from "./html.ts"

/** The Markdown that the document's descriptions use: paragraphs, tables, bold, code. */
export function markdown(text: string): Html {
  return html`${text.split("\n\n").map((block) => (block.startsWith("|") ? table(block) : paragraph(block)))}`
}

function paragraph(text: string): Html {
  return html`<p>${inline(text)}</p>\n`
}

function table(text: string): Html {
  const [heads = [], , ...rows] = text.split("\n").map(cells)
  return html`<div class="wide"><table>
${heads.some(Boolean) ? html`<thead><tr>${heads.map((cell) => html`<th>${inline(cell)}</th>`)}</tr></thead>` : ""}
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`
}

function cells(row: string): string[] {
  return row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim())
}

/** Code and bold within a line. */
export function inline(text: string): Html {
  const marked = escaped(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<b>$1</b>")
  return html`${raw(marked)}`
}

/** JSON with its parts marked, for colours. */
export function jsonCode(value: unknown): Html {
  const marked = escaped(JSON.stringify(value, null, 2)).replaceAll(
    /(&quot;(?:\\.|(?!&quot;).)*&quot;)(:?)|\b(true|false|null|-?\d[\d.e+-]*)\b/g,
    (_, text: string | undefined, colon: string | undefined, other: string | undefined) =>
      text === undefined
        ? `<span class="n">${other}</span>`
        : `<span class="${colon ? "k" : "s"}">${text}</span>${colon ?? ""}`,
  )
  return html`${raw(marked)}`
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
