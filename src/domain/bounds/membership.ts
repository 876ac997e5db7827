// Whether leads are in the segment that a key is bound to: as a filter of lists, and of a lead at hand.
import type { Account } from "../../access/rights.ts"
import { compileFilter, conditionsOf, type Holds } from "../../filters/conditions.ts"
import type { LeadFilter } from "../../filters/lead-query.ts"
import { SeenLead } from "../../filters/seen-lead.ts"
import { AppError } from "../../runtime/errors.ts"
import type {
  LeadReads,
  LeadRow,
  NoteReads,
  SegmentReads,
  SuppressionReads,
} from "../../store/contract/store.ts"
import { excerpt } from "../../text/text.ts"
import { parseFilters } from "../leads/list/filter.ts"
import { parseSearch } from "../leads/list/search-words.ts"
import { isSuppressed } from "../leads/list/suppressed.ts"

/** A caller whose key is bound to a segment. */
export interface Bound {
  account: Account
  /** The public id of the segment. */
  segment: string
  /** Unix seconds. */
  now: number
}

export interface Membership {
  /** The conditions of the segment. Throws `forbidden` when it was deleted. */
  filter(): Promise<LeadFilter>
  /** Whether a lead is in the segment. */
  has(row: LeadRow): Promise<boolean>
  /** Throws `forbidden` for a lead that a write would leave outside; undefined is a lead that is gone. */
  require(row: LeadRow | undefined): Promise<void>
}

interface Definition {
  name: string
  filter: LeadFilter
  holds: Holds
  asksNotes: boolean
  asksSuppressed: boolean
  imports: string[]
}

/** Query that tells the members of a segment. */
interface MembershipReads {
  segments: Pick<SegmentReads, "find">
  leads: Pick<LeadReads, "count">
  notes: Pick<NoteReads, "list">
  suppressions: Pick<SuppressionReads, "kinds" | "having">
}

/** Notes of a lead that its words are looked for in, as in the events of segments. */
const NOTES_MAX = 1_000

/** The segment is read once, when it is asked for first. Typing errors in its search are not forgiven. */
export function membershipOf(reads: MembershipReads, { account, segment, now }: Bound): Membership {
  let reading: Promise<Definition> | undefined
  const definition = () => (reading ??= read())

  async function read(): Promise<Definition> {
    const row = await reads.segments.find(account.key, segment)
    if (!row)
      throw new AppError(
        "forbidden",
        "The segment that this API key is bound to was deleted: create a key for another segment",
      )
    const filter = parseFilters(row.filter, { zone: account.time_zone, now })
    if (row.q !== null) filter.all.push(parseSearch(row.q))
    const conditions = conditionsOf(filter)
    return {
      ...{ name: row.name, filter, holds: compileFilter(filter) },
      asksNotes: conditions.some(({ on }) => on === "words"),
      asksSuppressed: conditions.some(({ on }) => on === "suppressed"),
      imports: conditions.flatMap((one) => (one.on === "import" ? one.id : [])),
    }
  }

  async function importsOf(id: string, asked: readonly string[]): Promise<ReadonlySet<string>> {
    const brought = new Set<string>()
    for (const one of new Set(asked)) {
      const filter: LeadFilter = {
        all: [
          { on: "ids", not: false, values: [id] },
          { on: "import", not: false, id: one },
        ],
        any: [],
      }
      if ((await reads.leads.count(account.key, filter)) > 0) brought.add(one)
    }
    return brought
  }

  async function has(row: LeadRow): Promise<boolean> {
    const { holds, asksNotes, asksSuppressed, imports } = await definition()
    const data = row.data()
    const notes = asksNotes ? await reads.notes.list(account.key, row) : []
    return holds(
      new SeenLead(data, row.score, {
        activity: row.activity,
        notes: notes
          .slice(-NOTES_MAX)
          .map(({ content }) => content)
          .reverse(),
        imports: await importsOf(data.id, imports),
        defaultCountry: account.default_country,
        isSuppressed: asksSuppressed && (await isSuppressed(account, reads.suppressions, data)),
      }),
    )
  }

  return {
    filter: async () => (await definition()).filter,
    has,
    async require(row) {
      if (!row || (await has(row))) return
      const { name } = await definition()
      throw new AppError(
        "forbidden",
        `The lead would not be in the segment "${excerpt(name)}", which this API key is bound to: nothing was saved`,
      )
    },
  }
}

/** The error of what is not for keys that are bound to a segment. */
export function outOfBounds(what: string): AppError {
  return new AppError(
    "forbidden",
    `This API key is bound to a segment: ${what} not for it. Use a key of the whole account`,
  )
}

/** The filter that holds where both do. */
export function both(one: LeadFilter, other: LeadFilter): LeadFilter {
  const all = [...one.all, ...other.all]
  if (one.any.length > 0 && other.any.length > 0)
    return { all: [...all, { on: "any", not: false, conditions: other.any }], any: one.any }
  return { all, any: [...one.any, ...other.any] }
}
