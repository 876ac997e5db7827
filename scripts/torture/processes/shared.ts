// Leads that everybody adds to, through whatever process: each addition must still be there at the end.
import { Database } from "bun:sqlite"
import { ask } from "../../../test/support/ask.ts"
import type { Service } from "../../../test/support/service.ts"
import { isOverload } from "../load/clients.ts"
import { type Account, token } from "../load/lead.ts"
import type { ToolClient } from "./stdio.ts"

/** A lead, and what was acknowledged of it. */
export interface Shared {
  email: string
  attributes: string[]
  tags: string[]
  /** How many rows its trail must have. */
  changes: number
}

/** Adds to a lead what nobody else adds. Resolves when it is acknowledged, rejects when it is refused. */
type Push = (shared: Shared) => Promise<void>

/** Additions that one lead takes before another is begun; 200 attributes and 100 tags are all it can have. */
const ADDITIONS = 60

function inputOf({ email }: Shared, attribute: string): object {
  const attributes = [{ name: attribute, type: "text", value: attribute }]
  return { name: `Lead ${email}`, source: "shared", email, attributes }
}

export function restPush(service: Service, { apiKey }: Account): Push {
  async function call(method: string, path: string, sent: object): Promise<{ id: string }> {
    const { status, body } = await ask({ url: service.url() }, apiKey, method, path, sent)
    if (isOverload(status, JSON.stringify(body))) {
      await Bun.sleep(100)
      return call(method, path, sent)
    }
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  let times = 0
  return async (shared) => {
    const attribute = token()
    const { id } = await call("POST", "/leads", inputOf(shared, attribute))
    shared.attributes.push(attribute)
    shared.changes++
    if (++times % 3 > 0) return
    await call("PUT", `/leads/${id}`, { job_title: token() })
    shared.changes++
  }
}

export function toolPush(tools: ToolClient): Push {
  return async (shared) => {
    const attribute = token()
    const { id } = await tools.call("create_lead", inputOf(shared, attribute))
    shared.attributes.push(attribute)
    shared.changes++
    const tag = token()
    await tools.call("create_lead_tag", { id, tag })
    shared.tags.push(tag)
    shared.changes++
  }
}

/** Has everybody push until the signal comes. Resolves with the milliseconds of the slowest addition. */
export async function share(all: Shared[], pushes: readonly Push[], signal: AbortSignal): Promise<number> {
  let additions = 0
  let slowest = 0
  async function work(push: Push): Promise<void> {
    while (!signal.aborted) {
      if (additions++ % ADDITIONS === 0)
        all.push({ email: `${token()}@example.com`, attributes: [], tags: [], changes: 0 })
      const began = performance.now()
      await push(all.at(-1)!)
      slowest = Math.max(slowest, performance.now() - began)
    }
  }
  await Promise.all(pushes.map(work))
  return slowest
}

/** Additions that are not in the file, and rows of a trail that are missing or too many. */
export function findLostUpdates(file: string, all: readonly Shared[]): string[] {
  using db = new Database(file, { readonly: true })
  const find = db.query<{ data: string; changes: number }, [string]>(
    `SELECT d.data, (SELECT count(*) FROM trail t JOIN trail_leads k ON k.key = t.lead WHERE k.account_id = l.account_id AND k.lead_id = unhex(substr(replace(l.id, '-', ''), 4))) AS changes
     FROM leads l JOIN lead_documents d ON d.rid = l.rid WHERE l.email = ?`,
  )
  return all
    .filter(({ changes }) => changes > 0)
    .flatMap(({ email, attributes, tags, changes }) => {
      const rows = find.all(email)
      if (rows.length !== 1) return [`there are ${rows.length} leads ${email}`]
      const document = JSON.parse(rows[0]!.data)
      const names = new Set(document.attributes.map(({ name }: { name: string }) => name))
      const lost = [
        ...attributes.filter((name) => !names.has(name)),
        ...tags.filter((tag) => !document.tags.includes(tag)),
      ]
      const problems = lost.map((what) => `${what} of lead ${email} is lost`)
      if (rows[0]!.changes !== changes) {
        problems.push(`the trail of lead ${email} has ${rows[0]!.changes} rows, not ${changes}`)
      }
      return problems
    })
}
