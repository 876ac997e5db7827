// Each way that a lead comes in by, as a client goes it.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Service } from "../../../test/support/service.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
type Answer = any

export interface Person {
  name: string
  source: string
  email?: string
  phone?: string
}

export interface Client {
  service: Service
  folder: string
  key: string
  /** Sends a request whatever comes of it. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The same, for what must succeed. */
  made(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  tool(name: string, args: object): Promise<void>
}

/** What a way has made before its people were put on the list: a text for each. */
export type Prepared = readonly string[]

export interface Way {
  name: string
  prepare?(client: Client, people: readonly Person[]): Promise<Prepared>
  send(client: Client, people: readonly Person[], prepared: Prepared): Promise<void>
}

export function clientOf(service: Service, key: string): Client {
  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
    const all = { "X-API-Key": key, "Content-Type": "application/json", ...headers }
    const response = await fetch(service.url() + path, { method, headers: all, body: text })
    const answer = await response.text()
    if (response.status >= 500)
      throw new Error(`${method} ${path}: ${response.status} ${answer.slice(0, 500)}`)
    return { ok: response.ok, answer: /^[{[]/.test(answer) ? JSON.parse(answer) : answer }
  }
  return {
    service,
    folder: service.folder,
    key,
    call: async (...asked) => (await send(...asked)).answer,
    async made(...asked) {
      const { ok, answer } = await send(...asked)
      if (!ok) throw new Error(`${asked[0]} ${asked[1]}: ${JSON.stringify(answer).slice(0, 500)}`)
      return answer
    },
    async tool(name, args) {
      const headers = {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      }
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
      const response = await fetch(service.mcpUrl(), {
        method: "POST",
        headers,
        body: JSON.stringify(message),
      })
      const answer = await response.text()
      if (!answer.includes("suppressed") && !answer.includes("do-not-contact") && !answer.includes("erased"))
        throw new Error(`${name}: ${response.status} ${answer.slice(0, 500)}`)
    },
  }
}

/** A lead without contacts, which gets or loses them. */
let carriers = 0
async function carrier({ made }: Client, more: object = {}): Promise<string> {
  return (await made("POST", "/leads", { name: `Carrier ${++carriers}`, source: "torture", ...more })).id
}
const contactOf = ({ email, phone }: Person) => (email ? { email } : { phone })
const csvOf = (people: readonly Person[]) =>
  [
    "name,email,phone",
    ...people.map(({ name, email = "", phone = "" }) => `${name},${email},${phone}`),
    "",
  ].join("\n")
const CSV = { "Content-Type": "text/csv" }

/** Sends each person alone. */
const each =
  (send: (client: Client, person: Person, i: number) => Promise<unknown>): Way["send"] =>
  async (client, people) => {
    for (const [i, person] of people.entries()) await send(client, person, i)
  }

/** Sends some to one lead that is there. */
const ontoOne =
  (send: (client: Client, id: string, person: Person) => Promise<unknown>): Way["send"] =>
  async (client, people) => {
    const id = await carrier(client)
    for (const person of people) await send(client, id, person)
  }

/** Puts back what was taken from leads before they were listed. */
const putBack: Way["send"] = async ({ call }, _, changes) => {
  for (let from = 0; from < changes.length; from += 100)
    await call("POST", "/changes/revert", { change_ids: changes.slice(from, from + 100), force: true })
}

async function lastChange({ made }: Client, id: string): Promise<string> {
  return (await made("GET", `/leads/${id}/changes?limit=1`)).changes[0].id
}

export const WAYS: readonly Way[] = [
  {
    name: "batch",
    async send({ call }, people) {
      for (let from = 0; from < people.length; from += 500)
        for (const query of ["", "?on_suppressed=skip"])
          await call("POST", `/leads/batch${query}`, { leads: people.slice(from, from + 500).map(asLead) })
    },
  },
  { name: "push", send: each(({ call }, person) => call("POST", "/leads", asLead(person))) },
  {
    name: "upsert",
    send: each(({ call }, person, i) =>
      person.email
        ? call("PUT", `/leads/by/email/${encodeURIComponent(person.email)}`, {
            name: person.name,
            source: "s",
          })
        : call("PUT", `/leads/by/source_id/torture-${i}`, asLead(person)),
    ),
  },
  {
    name: "push that is merged",
    async send(client, people) {
      await carrier(client, { source_id: "merged" })
      for (const person of people)
        await client.call("POST", "/leads", { ...asLead(person), source: "torture", source_id: "merged" })
    },
  },
  {
    name: "import",
    send: async ({ call }, people) => void (await call("POST", "/leads/import?source=s", csvOf(people), CSV)),
  },
  {
    name: "import by the command",
    async send({ service, folder }, people) {
      const file = join(folder, "people.csv")
      writeFileSync(file, csvOf(people))
      await service.run(["import", file, "--source", "s", "--yes"])
    },
  },
  {
    name: "form",
    async send({ made, call }, people) {
      const settings = { fields: ["name", "email", "phone"], limit_per_address: 60_000 }
      const form = await made("POST", "/forms", { name: "Torture", ...settings })
      for (const { name, email = "", phone = "" } of people.slice(0, people.length / 2))
        await fetch(form.url, { method: "POST", body: JSON.stringify({ name, email, phone }) })
      for (const { name, email = "", phone = "" } of people.slice(people.length / 2)) {
        const trapped = { name, email, phone, [form.honeypot]: "x" }
        await fetch(form.url, { method: "POST", body: JSON.stringify(trapped) })
        const { spam } = await made("GET", `/forms/${form.id}/spam?limit=1`)
        await call("POST", `/forms/${form.id}/spam/${spam[0].id}/release`)
      }
    },
  },
  {
    name: "update",
    send: ontoOne(({ call }, id, person) => call("PATCH", `/leads/${id}`, contactOf(person))),
  },
  {
    name: "batch and bulk update",
    send: ontoOne(async ({ call }, id, person) => {
      await call("PUT", "/leads/batch", { ids: [id], data: contactOf(person) })
      await call("POST", "/leads/bulk", { ids: [id], action: "update", data: contactOf(person) })
    }),
  },
  {
    name: "enrichment",
    send: ontoOne(({ call }, id, person) =>
      call("POST", `/leads/${id}/enrichments`, { source: "x", fields: contactOf(person) }),
    ),
  },
  {
    name: "merge",
    async send(client, people) {
      for (const person of people) {
        const [survivor, loser] = [await carrier(client), await carrier(client)]
        await client.call("POST", "/leads/merge", { survivor, losers: [loser], fields: contactOf(person) })
      }
    },
  },
  {
    name: "undo of a merge",
    async prepare(client, people) {
      const merges: string[] = []
      for (const person of people) {
        const survivor = await carrier(client)
        const { id } = await client.made("POST", "/leads", asLead(person))
        const { merge_id } = await client.made("POST", "/leads/merge", { survivor, losers: [id] })
        merges.push(merge_id)
      }
      return merges
    },
    async send({ call }, _, merges) {
      for (const id of merges) await call("POST", `/merges/${id}/undo`)
    },
  },
  {
    name: "revert of a deletion",
    async prepare(client, people) {
      const changes: string[] = []
      for (const person of people) {
        const { id } = await client.made("POST", "/leads", asLead(person))
        await client.made("DELETE", `/leads/${id}`)
        changes.push(await lastChange(client, id))
      }
      return changes
    },
    send: putBack,
  },
  {
    name: "revert of a change",
    async prepare(client, people) {
      const changes: string[] = []
      for (const person of people) {
        const { id } = await client.made("POST", "/leads", asLead(person))
        await client.made("PUT", `/leads/${id}`, { email: null, phone: null })
        changes.push(await lastChange(client, id))
      }
      return changes
    },
    send: putBack,
  },
  {
    name: "tools",
    send: each(({ tool }, person, i) =>
      i % 2 === 0
        ? tool("create_lead", asLead(person))
        : tool("batch_create_leads", { leads: [asLead(person)] }),
    ),
  },
]

/** The person as a lead. */
export function asLead({ name, source, email, phone }: Person): Person {
  return { name, source, ...(email && { email }), ...(phone && { phone }) }
}
