// Takes people out of texts that may name them without their leads: reports of imports, posts to forms, errors of jobs.
import type { LeadInput } from "../../../lead/fields.ts"
import { erasedKeys, everyContactOf } from "../../../lead/suppression-keys.ts"
import { SEARCHED, type SearchedTable, type Trace, type Transaction } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"
import type { ErasedPerson } from "./erased-person.ts"
import { type Recogniser, recogniserOf } from "./recognising.ts"

/** What stands in the place of a text that told of somebody. */
const ERASED_TEXT = "(erased)"

interface Sought {
  people: Recogniser
  /** Imports that made or changed their leads: what they left out stands in the report alone. */
  imports: ReadonlySet<string>
  /** Keys of all emails and phones. */
  keys: ReadonlySet<string>
  defaultCountry: string | null
}

type Texts<Table extends SearchedTable> = Trace<Table>["texts"]
/** A row's texts without the people, "gone" where the row is theirs; the same object where it does not tell of them. */
type Eraser<Table extends SearchedTable> = (trace: Trace<Table>, sought: Sought) => Texts<Table> | "gone"

const ERASERS: { [Table in SearchedTable]: Eraser<Table> } = {
  imports: eraseFromImport,
  form_posts: ({ texts }, sought) =>
    texts.lead && isOwnPost(JSON.parse(texts.lead), sought) ? "gone" : texts,
  jobs: ({ texts }, { people }) => {
    const errors: { message: string }[] = JSON.parse(texts.errors ?? "[]")
    const shown = errors.map((error) =>
      people.tells(error.message) ? { ...error, message: ERASED_TEXT } : error,
    )
    return shown.every((error, i) => error === errors[i]) ? texts : { errors: JSON.stringify(shown) }
  },
  // A file without titles has its first row in their place.
  import_mappings: ({ texts }, { people }) =>
    Object.values(texts).some((text) => text !== null && people.isNamed(text)) ? "gone" : texts,
}

/** Whether one of the people sent a post: by an email or phone, or by the name with another value of theirs. */
function isOwnPost(lead: LeadInput, { keys, people, defaultCountry }: Sought): boolean {
  if (erasedKeys(everyContactOf(lead), defaultCountry).some((key) => keys.has(key))) return true
  const { name, attributes, ...fields } = lead
  const others = [...Object.values(fields), ...(attributes ?? []).map(({ value }) => value)]
  return (
    people.isNamed(name ?? "") && others.some((value) => typeof value === "string" && people.tells(value))
  )
}

/** Erases people from all searched texts of the account, row by row. */
export async function eraseTraces(ctx: Context, people: readonly ErasedPerson[]): Promise<void> {
  const { key: account, default_country } = ctx.caller.account
  const contacts = people.flatMap((one) => [...one.contacts.values()].map(everyContactOf))
  const sought: Sought = {
    people: recogniserOf(people),
    imports: new Set(people.flatMap((one) => [...one.imports])),
    keys: new Set(contacts.flatMap((one) => erasedKeys(one, default_country))),
    defaultCountry: default_country,
  }
  for (const table of Object.keys(SEARCHED) as SearchedTable[]) {
    const gone = await eraseFromTable(ctx, account, table, sought)
    if (table === "form_posts") for (const { posts } of people) for (const key of gone) posts.add(String(key))
  }
}

async function eraseFromTable<Table extends SearchedTable>(
  ctx: Context,
  account: number,
  table: Table,
  sought: Sought,
): Promise<(string | number)[]> {
  const gone: (string | number)[] = []
  const erase: Eraser<Table> = ERASERS[table]
  for (let after: string | number | undefined; ; ) {
    const rows = await ctx.store.read.traces.list(account, table, after)
    for (const row of rows) {
      await ctx.eventLoop.yield()
      if (erase(row, sought) === row.texts) continue
      const work = (tx: Transaction) => eraseFromRow(tx, account, table, row.key, erase, sought)
      if (await ctx.store.write(account, work)) gone.push(row.key)
    }
    after = rows.at(-1)?.key
    if (after === undefined) return gone
  }
}

/** Looks again within the transaction: the work that a row tells of may go on. True where the row is gone. */
async function eraseFromRow<Table extends SearchedTable>(
  tx: Transaction,
  account: number,
  table: Table,
  key: string | number,
  erase: Eraser<Table>,
  sought: Sought,
): Promise<boolean> {
  const row = await tx.traces.find(account, table, key)
  if (!row) return false
  const texts = erase(row, sought)
  if (texts === "gone") await tx.traces.remove(account, table, key)
  else await tx.traces.rewrite(account, table, { key, texts })
  return texts === "gone"
}

/** Members of an import's report that are words of the service. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  "id",
  "format",
  "preset",
  "decimal",
  "state",
  "kind",
  "code",
  "plan",
])
/** Names that people give to things, more often after a word that leads share, such as a city, than after a person. */
const CALLED: ReadonlySet<string> = new Set(["name", "column", "target", "sheet"])

function eraseFromImport({ key, texts }: Trace<"imports">, { people, imports }: Sought): Texts<"imports"> {
  const tells = imports.has(String(key)) ? people.tellsBeside : people.tells
  let isTold = false
  const without = <T extends string | null>(text: T, isTheirs = tells): T | string => {
    if (text === null || !isTheirs(text)) return text
    isTold = true
    return ERASED_TEXT
  }
  /** Any text in the report may be one of the file: what is not named above is looked at. */
  function withoutThem(value: unknown, member: string): unknown {
    if (typeof value === "string")
      return OWN_WORDS.has(member) ? value : without(value, CALLED.has(member) ? people.isNamed : tells)
    if (Array.isArray(value)) {
      const textsLeft =
        member === "preview" ? value.filter((lead) => !people.isNamed(JSON.stringify(lead))) : value
      isTold ||= textsLeft.length < value.length
      return member === "preview" ? textsLeft : textsLeft.map((item) => withoutThem(item, member))
    }
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutThem(part, name)]))
  }
  const textsBefore: { report: object | null; error: string | null } = JSON.parse(texts.report ?? "{}")
  const left = {
    name: without(texts.name, people.isNamed),
    file_name: without(texts.file_name, people.isNamed),
    report: JSON.stringify({
      ...textsBefore,
      error: without(textsBefore.error ?? null),
      report: withoutThem(textsBefore.report ?? null, "report"),
    }),
  }
  return isTold ? left : texts
}
