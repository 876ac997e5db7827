// People on the do-not-contact list are sent by every way that a lead comes in by; none of them may get in.
import { join } from "node:path"
import { onPostgres } from "../../test/support/database.ts"
import { hasPostgres, newDatabase } from "../../test/support/postgres.ts"
import { createService, type Service } from "../../test/support/service.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"
import {
  asLead,
  type Client,
  clientOf,
  type Person,
  type Prepared,
  WAYS,
  type Way,
} from "./suppressed/ways.ts"

/** People of the long and of the short form. */
const LONG = 10_000
const SHORT = 300
const KINDS = ["email", "domain", "phone", "hash"] as const
/** Every so many of each way were stored once and are erased: their entries are hashes. */
const ERASED_EVERY = 8

export const suppressed: Row = {
  number: 32,
  name: "suppressed",
  must: "of 10,000 people on the do-not-contact list 0 get in by pushes, batches, imports, forms, merges, reverts, tools, a restore and a move",
  seconds: 900,
  run,
}

/** Somebody whom nothing stops: what looks for people who came in must see them. */
const FREE = { name: "Free", email: "free@example.com" }

/** A person with the entry that stops them; an erased one has none that is sent. */
type Listed = Person & { entry: string }

/** A person whom an entry of this kind stops. */
function personAt(i: number): Listed {
  const kind = KINDS[i % ERASED_EVERY === 0 ? 3 : i % 3]
  const base = { name: `Person ${i}`, source: "torture" }
  const phone = `+49 30 ${2_000_000 + i}`
  if (kind === "phone") return { ...base, phone, entry: `phone,${phone.replace("+49 30", "0049 (30)")}` }
  const domain = `d${i}.blocked.example`
  const email = `Person.${i}@${kind === "domain" ? "mail." : ""}${domain}`
  if (kind === "hash") return { ...base, email, phone, entry: "" }
  return { ...base, email, entry: kind === "domain" ? `domain,${domain}` : `email,${email.toLowerCase()}` }
}

async function run(options: RowOptions): Promise<RowResult> {
  const { folder, program, short } = options
  const env = onPostgres ? { LEADDB_DATABASE: await newDatabase() } : {}
  let service = createService({ program, folder, env: { ...env, LEADDB_TRUSTED_PROXIES: "127.0.0.1" } })
  await service.start()
  try {
    let client = clientOf(service, service.key())
    const people = Array.from({ length: short ? SHORT : LONG }, (_, i) => personAt(i))
    const erased = people.filter((_, i) => i % ERASED_EVERY === 0)
    const listed = people.filter((_, i) => i % ERASED_EVERY !== 0)
    const share = (way: Way, all: readonly Person[]) =>
      all.filter((_, i) => i % WAYS.length === WAYS.indexOf(way))

    const prepared = new Map<Way, Prepared>()
    for (const way of WAYS) prepared.set(way, (await way.prepare?.(client, share(way, listed))) ?? [])
    const backup = onPostgres ? undefined : await backedUp(service, folder)
    await erase(client, erased)
    await list(client, listed)

    // Leads that were stored before their entry stay: what counts is what comes to be stored since.
    const { id: free } = await client.made("POST", "/leads", { ...FREE, source: "torture" })
    const before = await contactsStored(client)
    if (!before.has(`${free} ${FREE.email}`)) throw new Error("a lead that came in is not seen")
    const inside = new Set<string>()
    const look = async (way: string) => {
      for (const one of await contactsStored(client)) if (!before.has(one)) inside.add(`${way}: ${one}`)
    }
    let tried = 0
    for (const way of WAYS) {
      const sent = [...share(way, listed), ...share(way, erased)]
      await way.send(client, sent, prepared.get(way)!)
      tried += sent.length
      await look(way.name)
      options.progress(`${way.name}: ${tried} people tried, ${inside.size} are in`)
    }
    const again = async (how: string) => {
      for (const one of await contactsStored(client)) before.add(one)
      await WAYS[0]!.send(client, people, [])
      tried += people.length
      await look(how)
    }
    if (backup) {
      await service.stop()
      await done(service, ["restore", backup, "--force"])
      await service.start()
      await again("restore")
    }
    // Last: what was moved away is not served any more.
    const moved = hasPostgres || onPostgres
    if (moved) {
      await service.stop()
      const to = onPostgres ? join(folder, "moved", "leads.db") : await newDatabase()
      await done(service, ["move", "--to", to])
      const env = onPostgres ? { LEADDB_DATA: join(folder, "moved") } : { LEADDB_DATABASE: to }
      service = createService({ program, folder, env })
      await service.start()
      client = clientOf(service, client.key)
      await again("move")
    }
    for (const one of [...inside].slice(0, 10)) console.error(`wrong: ${one}`)
    const result = `${people.length} people on the list, ${tried} tries by ${WAYS.length} ways${backup ? ", after a restore" : ""}${moved ? ", after a move" : ""}: ${inside.size} got in`
    return { ok: inside.size === 0, result, numbers: { people: people.length, tried, inside: inside.size } }
  } finally {
    await service.kill()
  }
}

async function backedUp(service: Service, folder: string): Promise<string> {
  const file = join(folder, "before.db")
  await done(service, ["backup", file])
  return file
}

/** Runs a command that must succeed. */
async function done(service: Service, args: readonly string[]): Promise<void> {
  const { code, err } = await service.run(args)
  if (code !== 0) throw new Error(`${args[0]}: ${err}`)
}

/** Stores people and erases them, which leaves hashes on the list. */
async function erase(client: Client, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    const { id } = await client.made("POST", "/leads", asLead(person))
    await client.made("DELETE", `/leads/${id}?erase=true`)
  }
}

async function list(client: Client, people: readonly Listed[]): Promise<void> {
  const rows = people.map(({ entry }) => entry)
  const csv = ["kind,value", ...rows, ""].join("\n")
  const { added } = await client.made("POST", "/suppressions/import", csv, { "Content-Type": "text/csv" })
  if (added !== people.length) throw new Error(`${added} of ${people.length} entries were added`)
}

/** Every email and phone of every stored lead, with the lead's id. */
async function contactsStored(client: Client): Promise<Set<string>> {
  const found = new Set<string>()
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `limit=1000&fields=email,phone,emails,phones${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const page = await client.made("GET", `/leads?${query}`)
    for (const { id, email, phone, emails = [], phones = [] } of page.leads) {
      const further = [...emails, ...phones].map(({ value }: { value: string }) => value)
      for (const value of [email, phone, ...further]) if (value) found.add(`${id} ${value}`)
    }
    cursor = page.next_cursor
  }
  return found
}
