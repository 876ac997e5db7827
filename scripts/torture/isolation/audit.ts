// Which statements could reach another account's rows. A row of a tenant's table has to be held to its account: by
// `account_id`, or through a row that is.
import { type Block, readBlocks, type Source } from "./blocks.ts"

/** A statement that is not bound to one account, and why that is right. */
export interface Exception {
  why: string
  /** How the statement reads, in lower case with single spaces; a part of it that no other has. */
  sql: string
  /** The tables it is right for; all of the statement's, unless told. */
  tables?: readonly string[]
}

interface Finding {
  table: string
  sql: string
}

/** Columns that lead from a row to the row of another table. */
const REFERENCE = "(?:rid|rowid|lead_rid|webhook_rid|event_rid|key_rid|member_rid|lead|import|ref)"

/** The tables that the trail's rows take repeated words from, each word an account's own, and the columns that name one. */
const DICTIONARIES: ReadonlySet<string> = new Set(["trail_leads", "trail_names", "trail_batches"])
const WORD = "(?:lead|reason|actor|key|batch|attributes)"

/** The tables without an account; every other one is a tenant's. */
export const SHARED: ReadonlySet<string> = new Set(["settings", "migrations", "oauth_clients"])

/** Finds the tenants' tables whose rows a statement does not bind to an account; `tables` are the tenants'. */
export function audit(statements: readonly string[], tables: ReadonlySet<string>): Finding[] {
  return statements.flatMap((sql) => {
    if (isDefinition(sql)) return []
    return readBlocks(sql).flatMap((block) =>
      unboundIn(block, tables).map((table) => ({ table, sql: plain(sql) })),
    )
  })
}

/** A statement as exceptions quote it. */
function plain(sql: string): string {
  return sql
    .replace(/--.*$/gm, " ")
    .replaceAll("+?", "?")
    .replaceAll('"', "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
}

function isDefinition(sql: string): boolean {
  return /^\s*(--.*\n\s*)*(create|alter|drop|pragma|begin|commit|rollback|release|savepoint|vacuum|analyze)\b/i.test(
    sql,
  )
}

function unboundIn(block: Block, tables: ReadonlySet<string>): string[] {
  const bound = new Set(outerSources(block).map(({ alias }) => alias))
  // An own name hides the outer one.
  for (const { alias } of block.sources) bound.delete(alias)
  for (let found = -1; found !== bound.size; ) {
    found = bound.size
    for (const source of block.sources) if (isBound(block, source, bound)) bound.add(source.alias)
  }
  return block.sources.flatMap(({ table, alias }) =>
    table && tables.has(table) && !bound.has(alias) ? table : [],
  )
}

function outerSources({ outer }: Block): Source[] {
  return outer ? [...outer.sources, ...outerSources(outer)] : []
}

/** Whether the rows of a source belong to one account; `bound` are the sources of which that is known. */
function isBound(block: Block, { table, alias }: Source, bound: ReadonlySet<string>): boolean {
  const { verb, text, sources } = block
  // An inner query is looked at for itself.
  if (table === undefined) return true
  if (verb === "insert") return /^insert(?: or \w+)? into \w+ \( [^)]*\baccount_id\b/.test(text)
  // Columns without a table belong to the only one there is.
  const own = sources.length === 1 ? `(?:${alias}\\.)?` : `${alias}\\.`
  const has = (pattern: string) => holdsAlways(text, new RegExp(`(?<![\\w.])${pattern}`))
  if (table === "accounts") return has(`${own}(?:key|id) = (?:\\?|\\w+\\.account_id)`)
  // A sum with 0, of which the sign is not in the text, keeps an index from being used.
  if (has(`${own}account_id (?:0 )?= \\?`)) return true
  if (has(`${own}account_low <= \\? and ${own}account_high >= \\?`)) return true
  if (has(`\\( (?:${own}\\w+ , )*${own}account_id (?:, ${own}\\w+ )*\\) in (?:#|\\?)`)) return true
  // Through an inner query that is bound, or a row that is.
  if (has(`(?:\\( )?${own}${REFERENCE} (?:\\) )?(?:=|in) #`)) return true
  const others = [...bound].filter((other) => other !== alias && other !== "")
  if (others.some((other) => has(`${own}account_id = ${other}\\.account_id\\b`))) return true
  // A parameter may name any row: it binds by the account alone.
  const values = [...sources, ...outerSources(block)].filter(({ isValues }) => isValues)
  const rows = others.filter((other) => !values.some((source) => source.alias === other))
  if (DICTIONARIES.has(table) && rows.some((other) => has(`${own}key = ${other}\\.${WORD}\\b`))) return true
  // Through a parameter that a bound row is held to as well.
  const isHeldTo = (row: string, value: string) => has(`${row}\\.${REFERENCE} = ${value}\\.${REFERENCE}\\b`)
  const named = values.filter((value) => isHeldTo(alias, value.alias))
  if (named.some((value) => rows.some((other) => isHeldTo(other, value.alias)))) return true
  return rows.some(
    (other) =>
      has(`${own}${REFERENCE} = ${other}\\.${REFERENCE}\\b`) ||
      has(`${other}\\.${REFERENCE} = ${own}${REFERENCE}\\b`),
  )
}

/** Whether a condition is there, and nowhere beside an OR that would let rows pass without it. */
function holdsAlways(text: string, condition: RegExp): boolean {
  if (!condition.test(text)) return false
  const levels = [{ holds: false, or: false }]
  for (const word of text.replace(new RegExp(condition, "g"), " @ ").split(" ")) {
    const level = levels.at(-1)!
    if (word === "(") levels.push({ holds: false, or: false })
    else if (word === "or") level.or = true
    else if (word === "@") level.holds = true
    else if (word === ")" && levels.length > 1) {
      levels.pop()
      if (level.holds && !level.or) levels.at(-1)!.holds = true
    }
  }
  return levels[0]!.holds && !levels[0]!.or
}

/** The findings that no exception explains, and the exceptions that explain nothing. */
export function unexplained(
  findings: readonly Finding[],
  exceptions: readonly Exception[],
): { findings: Finding[]; stale: Exception[] } {
  const explains = ({ sql, tables }: Exception, finding: Finding) =>
    finding.sql.includes(sql) && (tables?.includes(finding.table) ?? true)
  return {
    findings: findings.filter((finding) => !exceptions.some((exception) => explains(exception, finding))),
    stale: exceptions.filter((exception) => !findings.some((finding) => explains(exception, finding))),
  }
}
