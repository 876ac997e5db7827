// What attributes an account's leads have, counted name by name and slice by slice.
import type { Database } from "bun:sqlite"
import type { AttributeType, LeadData } from "../../../core/lead.ts"
import { compareCodePoints, fold } from "../../../core/text.ts"
import type { CataloguedAttribute, LeadReads } from "../../store.ts"
import { prepare } from "../file/database.ts"
import { createSlices, type Slices } from "../queue/slices.ts"

/** Names that are counted; a client that makes up a name for each lead gets those first by name. */
const NAMES_MAX = 1_000
/** An attribute with more values than that is no category: none is told. */
const VALUES_MAX = 200
const VALUES_TOLD = 10

interface Seen {
  type: AttributeType
  text: string | null
  n: number
  leads: number
  min: number | null
  max: number | null
  oldest: number
}

type Tally = Omit<Seen, "text"> & { values: Map<string, { count: number; oldest: number }> | undefined }

export function attributeCatalogue(
  db: Database,
  slicesOf: () => Slices = createSlices,
): Pick<LeadReads, "attributeCatalogue" | "hasAttribute"> {
  const nextName = prepare<{ name: string | null }>(
    db,
    "SELECT min(name) AS name FROM lead_attributes WHERE account_id = ? AND name > ?",
  )
  const has = prepare<{ one: number }>(
    db,
    "SELECT 1 AS one FROM lead_attributes WHERE account_id = ? AND name = ? LIMIT 1",
  )
  const ahead = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM lead_attributes WHERE account_id = ? AND name = ? AND rid > ? ORDER BY rid LIMIT 1 OFFSET ?",
  )
  const counted = prepare<Seen>(
    db,
    `SELECT type, text, count(*) AS n, count(*) FILTER (WHERE item = 0) AS leads, min(number) AS min,
      max(number) AS max, min(rid) AS oldest FROM lead_attributes
      WHERE account_id = ? AND name = ? AND rid > ? AND rid <= ? GROUP BY type, text`,
  )
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )

  async function tallies(account: number, name: string, slices: Slices): Promise<Map<AttributeType, Tally>> {
    const types = new Map<AttributeType, Tally>()
    for (let low = 0; ; ) {
      const high = ahead.get(account, name, low, slices.size())?.rid ?? Number.MAX_SAFE_INTEGER
      for (const seen of counted.all(account, name, low, high)) add(types, seen)
      await slices.rest()
      if (high === Number.MAX_SAFE_INTEGER) return types
      low = high
    }
  }

  function toldOf(account: number, name: string, tally: Tally): CataloguedAttribute {
    const { type, leads, min, max, values } = tally
    const told = { name, type, leads }
    if (type === "number") return { ...told, min: min ?? 0, max: max ?? 0 }
    if (type === "bool" || !values || values.size === 0) return told
    const commonest = [...values].sort(([a, x], [b, y]) => y.count - x.count || compareCodePoints(a, b))
    return {
      ...told,
      values: commonest.slice(0, VALUES_TOLD).map(([value, { count, oldest }]) => ({
        value: writtenIn(document.get(account, oldest)?.data, name, value),
        count,
      })),
    }
  }

  return {
    async attributeCatalogue(account) {
      const slices = slicesOf()
      const all: CataloguedAttribute[] = []
      let name = nextName.get(account, "")?.name ?? null
      for (let n = 0; name !== null && n < NAMES_MAX; n++) {
        for (const tally of (await tallies(account, name, slices)).values())
          all.push(toldOf(account, name, tally))
        name = nextName.get(account, name)?.name ?? null
      }
      return all.sort((a, b) => b.leads - a.leads || compareCodePoints(a.name, b.name))
    },
    hasAttribute: async (account, name) => has.get(account, name) !== null,
  }
}

function add(types: Map<AttributeType, Tally>, seen: Seen): void {
  const tally = types.get(seen.type) ?? { ...seen, leads: 0, n: 0, values: new Map() }
  types.set(seen.type, tally)
  tally.leads += seen.leads
  if (seen.min !== null) tally.min = Math.min(tally.min ?? seen.min, seen.min)
  if (seen.max !== null) tally.max = Math.max(tally.max ?? seen.max, seen.max)
  if (!tally.values || seen.text === null || seen.text === "") return
  const known = tally.values.get(seen.text)
  if (known) known.count += seen.n
  else tally.values.set(seen.text, { count: seen.n, oldest: seen.oldest })
  if (tally.values.size > VALUES_MAX) tally.values = undefined
}

function writtenIn(data: string | undefined, name: string, folded: string): string {
  if (data === undefined) return folded
  const { attributes }: LeadData = JSON.parse(data)
  const value = attributes.find((attribute) => attribute.name === name)?.value
  const texts = Array.isArray(value) ? value : [value]
  return texts.find((text): text is string => typeof text === "string" && fold(text) === folded) ?? folded
}
