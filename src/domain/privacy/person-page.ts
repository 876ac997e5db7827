// Everything about a person as a page of its own, to be read by the person and printed. It loads nothing.

import type { Attribute } from "../../lead/lead.ts"
import { escapeHtml } from "../../text/html-text.ts"
import { Download } from "../../text/json-text.ts"
import type { Origins } from "../leads/write/origins.ts"
import type { Context } from "../operation.ts"

/** What the JSON holds, as far as the page shows it. */
export interface Person {
  exported_at: number
  lead: ({ name: string; attributes: Attribute[]; origins: Origins } & Record<string, unknown>) | null
  notes: readonly { content: string; created_at: number }[]
  activities: readonly {
    kind: string
    outcome: string | null
    text: string | null
    at: number
    author: string
  }[]
  changes: readonly {
    action: string
    actor_id: string
    reason: string | null
    created_at: number
    diff?: Readonly<Record<string, readonly unknown[]>>
  }[]
  deliveries: readonly { event: string; timestamp: number; data: unknown }[]
  duplicates: readonly { id: string; state: string; probability: number; other: string; created_at: number }[]
  complete: boolean
}

/** Characters that are sent at once. */
const CHUNK = 64_000
/** Fields of the lead that have a place of their own. */
const ELSEWHERE = new Set(["attributes", "origins"])
const TIME = /(_at|^timestamp)$/

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 2rem 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .375rem .75rem .375rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
p.note { opacity: .8; }
pre { margin: 0; font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
@media print { body { max-width: none; padding: 0; } }`

/** The page as a file. */
export function personPage(ctx: Context, id: string, person: Person): Download {
  const parts = partsOf(id, person)
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ""
        while (text.length < CHUNK) {
          const { done, value } = parts.next()
          if (done) {
            controller.enqueue(encoder.encode(text))
            controller.close()
            return
          }
          text += value
        }
        controller.enqueue(encoder.encode(text))
        await ctx.eventLoop.yield()
      },
    },
    { highWaterMark: 0 },
  )
  return new Download("text/html; charset=utf-8", `lead-${id}.html`, stream, { leads: 1 })
}

function* partsOf(id: string, person: Person): Generator<string, void> {
  const { lead, notes, activities, changes, deliveries, duplicates, exported_at, complete } = person
  const title = lead ? `Data about ${lead.name}` : `Data about the deleted lead ${id}`
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p class="note">As of ${time(exported_at)}.${complete ? "" : " Long lists are cut: the newest entries are shown."}</p>
`
  yield* section("What is stored", ["Field", "Value", "Where it comes from"], storedRows(lead))
  yield* section(
    "Notes",
    ["When", "Note"],
    notes.map((note) => [time(note.created_at), text(note.content)]),
  )
  yield* section(
    "Contacts",
    ["When", "What", "Outcome", "Text", "By"],
    activities.map((one) => [
      time(one.at),
      ...[one.kind, one.outcome ?? "", one.text ?? "", one.author].map(text),
    ]),
  )
  yield* section("Changes", ["When", "What", "From", "To", "By"], changeRows(changes))
  yield* section(
    "Sent to other systems",
    ["When", "Event", "Data"],
    mapped(deliveries, ({ timestamp, event, data }) => [time(timestamp), text(event), text(data)]),
  )
  yield* section(
    "Compared with other entries",
    ["When", "Other entry", "Probability of being the same", "Decision"],
    mapped(duplicates, ({ created_at, other, probability, state }) => [
      time(created_at),
      text(other),
      `${Math.round(probability * 100)} %`,
      text(state),
    ]),
  )
  yield "</body>\n</html>\n"
}

/** A heading with a table; cells are HTML. */
function* section(
  heading: string,
  columns: readonly string[],
  rows: Iterable<readonly string[]>,
): Generator<string, void> {
  yield `<h2>${heading}</h2>\n`
  let isEmpty = true
  for (const cells of rows) {
    if (isEmpty) yield `<table>\n<tr>${columns.map((name) => `<th scope="col">${name}</th>`).join("")}</tr>\n`
    isEmpty = false
    yield `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`
  }
  yield isEmpty ? "<p>Nothing.</p>\n" : "</table>\n"
}

function* mapped<T>(
  items: readonly T[],
  cells: (item: T) => readonly string[],
): Generator<readonly string[]> {
  for (const item of items) yield cells(item)
}

function* storedRows(lead: Person["lead"]): Generator<readonly string[]> {
  if (!lead) return
  for (const [name, value] of Object.entries(lead)) {
    const isEmpty = value == null || (Array.isArray(value) && value.length === 0)
    if (isEmpty || ELSEWHERE.has(name)) continue
    yield [label(name), shown(name, value), origin(lead.origins, name)]
  }
  for (const { name, value } of lead.attributes)
    yield [text(name), text(value), origin(lead.origins, `attr:${name}`)]
}

function origin(origins: Origins, name: string): string {
  const valueOrigin = origins[name]
  return valueOrigin
    ? `${label(valueOrigin.kind)}${valueOrigin.source ? `: ${text(valueOrigin.source)}` : ""}, ${time(valueOrigin.at)}`
    : ""
}

function* changeRows(changes: Person["changes"]): Generator<readonly string[]> {
  for (const { action, actor_id, reason, created_at, diff = {} } of changes) {
    const what = `${label(action)}${reason ? ` (${text(reason)})` : ""}`
    yield [time(created_at), what, "", "", text(actor_id)]
    for (const [name, [before = null, after = null]] of Object.entries(diff))
      yield ["", label(name), shown(name, before), shown(name, after), ""]
  }
}

/** The name of a field for people. */
function label(name: string): string {
  const words = name.startsWith("attr:") ? name.slice(5) : name.replaceAll("_", " ")
  return escapeHtml(words.charAt(0).toUpperCase() + words.slice(1))
}

function shown(name: string, value: unknown): string {
  return typeof value === "number" && TIME.test(name) ? time(value) : text(value)
}

function text(value: unknown): string {
  if (value == null) return ""
  if (typeof value !== "object") return escapeHtml(String(value))
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return escapeHtml(value.join(", "))
  return `<pre>${escapeHtml(JSON.stringify(value, null, 1))}</pre>`
}

function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`
}
