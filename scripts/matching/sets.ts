// Labelled data sets, read and pushed as the service is pushed to: exact criteria merge first.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { similarity } from "../../src/domain/leads/write/dedup.ts"
import type { MatchableLead } from "../../src/matching/matcher/index.ts"
import { fold, phoneKey } from "../../src/text/text.ts"

export const FOLDER = resolve(import.meta.dir, "../../../shared/matching")

export interface LabelledSet {
  name: string
  kind: "business" | "person"
  records: { rid: string; lead: MatchableLead }[]
  /** True, false, or undefined for a pair that nobody judged. */
  truth(a: number, b: number): boolean | undefined
  truePairs: [number, number][]
}

export function readSets(folder = FOLDER): LabelledSet[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readSet(join(folder, name), name))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function lines(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean)
}

function readSet(folder: string, name: string): LabelledSet {
  const about = JSON.parse(readFileSync(join(folder, "about.json"), "utf8"))
  const records = lines(join(folder, "leads.ndjson")).map((line) => JSON.parse(line))
  const at = new Map<string, number>(records.map(({ rid }, i) => [rid, i]))
  const clusters = join(folder, "clusters.csv")
  if (existsSync(clusters)) {
    const cluster: string[] = []
    const members = new Map<string, number[]>()
    for (const line of lines(clusters)) {
      const [rid, id] = line.split(",") as [string, string]
      cluster[at.get(rid)!] = id
      members.getOrInsertComputed(id, () => []).push(at.get(rid)!)
    }
    const truePairs = [...members.values()].flatMap((all) =>
      all.flatMap((a, i) => all.slice(i + 1).map((b): [number, number] => [a, b])),
    )
    return { name, kind: about.kind, records, truth: (a, b) => cluster[a] === cluster[b], truePairs }
  }
  const judged = new Map<string, boolean>()
  const truePairs: [number, number][] = []
  for (const line of lines(join(folder, "pairs.csv"))) {
    const [left, right, same] = line.split(",") as [string, string, string]
    const pair = [at.get(left)!, at.get(right)!].sort((a, b) => a - b) as [number, number]
    judged.set(pair.join(" "), same.trim() === "1")
    if (same.trim() === "1") truePairs.push(pair)
  }
  const others = about.judged.includes("all others differ") ? false : undefined
  const truth = (a: number, b: number) => judged.get(a < b ? `${a} ${b}` : `${b} ${a}`) ?? others
  return { name, kind: about.kind, records, truth, truePairs }
}

/** The leads that are left when records are pushed in order; `leadOf` tells which one a record went into. */
export interface Pushed {
  leads: MatchableLead[]
  leadOf: number[]
  members: number[][]
}

export function pushAll(records: readonly { lead: MatchableLead }[]): Pushed {
  const leads: MatchableLead[] = []
  const leadOf: number[] = []
  const members: number[][] = []
  const byEmail = new Map<string, number>()
  const bySourceId = new Map<string, number>()
  const byPhone = new Map<string, number[]>()
  for (const [record, { lead }] of records.entries()) {
    const at = findExact(lead) ?? leads.push({ ...lead }) - 1
    if (at < members.length) overwrite(leads[at]!, lead)
    else members.push([])
    members[at]!.push(record)
    leadOf.push(at)
    index(leads[at]!, at)
  }
  return { leads, leadOf, members }

  function findExact(lead: MatchableLead): number | undefined {
    const exact =
      (lead.email ? byEmail.get(fold(lead.email)) : undefined) ??
      (lead.source_id ? bySourceId.get(lead.source_id) : undefined)
    if (exact !== undefined) return exact
    const key = lead.phone ? phoneKey(lead.phone) : undefined
    let best: number | undefined
    let most = 0.8
    for (const at of key === undefined ? [] : (byPhone.get(key) ?? [])) {
      if (phoneKey(leads[at]!.phone ?? "") !== key) continue
      const same = similarity(fold(lead.name.trim()), fold(leads[at]!.name.trim()))
      if (same <= most) continue
      most = same
      best = at
    }
    return best
  }

  function index(lead: MatchableLead, at: number): void {
    for (const [email, owner] of byEmail)
      if (owner === at && email !== fold(lead.email ?? "")) byEmail.delete(email)
    if (lead.email) byEmail.set(fold(lead.email), at)
    if (lead.source_id) bySourceId.set(lead.source_id, at)
    const key = lead.phone ? phoneKey(lead.phone) : undefined
    if (key === undefined) return
    const all = byPhone.getOrInsertComputed(key, () => [])
    if (!all.includes(at)) all.push(at)
  }
}

/** Last Touch Wins. */
function overwrite(lead: MatchableLead, pushed: MatchableLead): void {
  const attributes = new Map((lead.attributes ?? []).map((one) => [one.name, one]))
  for (const one of pushed.attributes ?? []) attributes.set(one.name, one)
  for (const [field, value] of Object.entries(pushed))
    if (value !== null && value !== "") Object.assign(lead, { [field]: value })
  lead.attributes = [...attributes.values()]
}
