// SQL read far enough to see which tables a statement takes rows from, and what those rows are held to.

/** A source of a block's rows: a table, or an inner query with a name. */
export interface Source {
  table?: string
  alias: string
  /** Set when the rows are parameters of the statement: an inner query without tables, or a list as JSON. */
  isValues?: boolean
}

/** The names that WITH has given, and whether their rows are parameters. */
type Names = ReadonlyMap<string, boolean>

/** One SELECT, INSERT, UPDATE or DELETE; inner queries are blocks of their own. */
export interface Block {
  verb: string
  sources: Source[]
  /** Its own words in lower case, with `#` for each inner query, and `?` for one of parameters alone. */
  text: string
  outer?: Block
}

type Item = string | Item[]

const TOKENS =
  /"[^"]*"|'(?:[^']|'')*'|[a-z_]\w*(?:\.[a-z_]\w*)?|\?\d*|\d[\d.]*|<>|<=|>=|==|!=|->>|->|\|\||\S/gi

/** The blocks of a statement; none when it touches no rows. */
export function readBlocks(sql: string): Block[] {
  const blocks: Block[] = []
  readQuery(nest(tokenize(sql)), undefined, new Map(), blocks)
  return blocks
}

function tokenize(sql: string): string[] {
  const quoted = sql.replace(/--.*$/gm, " ").replace(/"(\w+)"\."(\w+)"/g, "$1.$2")
  // The "+" before parameters and columns changes nothing but plans.
  return (quoted.match(TOKENS) ?? []).flatMap((token) => (token === "+" ? [] : bare(token)))
}

function bare(token: string): string {
  return token.startsWith("'") ? "''" : token.replaceAll('"', "").toLowerCase()
}

/** Nests the tokens in brackets as lists. */
function nest(tokens: readonly string[]): Item[] {
  const stack: Item[][] = [[]]
  for (const token of tokens) {
    if (token === "(") stack.push([])
    else if (token === ")") {
      const inner = stack.pop()!
      stack.at(-1)!.push(inner)
    } else stack.at(-1)!.push(token)
  }
  return stack[0]!
}

const VERBS: readonly Item[] = ["select", "insert", "update", "delete"]
const COMPOUND: readonly Item[] = ["union", "except", "intersect"]

/** Reads a query with the names that WITH has given; `names` are not tables. */
function readQuery(items: readonly Item[], outer: Block | undefined, names: Names, blocks: Block[]): void {
  if (items[0] === "with") {
    const begin = items.findIndex((item) => VERBS.includes(item))
    const named = new Map(names)
    for (const [i, item] of items.slice(0, begin).entries()) {
      const isName =
        typeof item === "string" &&
        (items[i - 1] === "with" || items[i - 1] === "recursive" || items[i - 1] === ",")
      if (!isName || item === "recursive") continue
      named.set(item, isOfValues(items.slice(i, begin).find(isQuery) ?? [], named))
    }
    for (const item of items.slice(0, begin)) if (isQuery(item)) readQuery(item, outer, named, blocks)
    readQuery(items.slice(begin), outer, named, blocks)
    return
  }
  const compound = items.findIndex((item) => COMPOUND.includes(item))
  if (compound >= 0) {
    readQuery(items.slice(0, compound), outer, names, blocks)
    readQuery(items.slice(items[compound + 1] === "all" ? compound + 2 : compound + 1), outer, names, blocks)
    return
  }
  if (VERBS.includes(items[0]!)) readBlock(items, outer, names, blocks)
}

function isQuery(item: Item): item is Item[] {
  return Array.isArray(item) && (item[0] === "select" || item[0] === "with")
}

/** Whether a query reads nothing but parameters. */
function isOfValues(query: readonly Item[], names: Names): boolean {
  const blocks: Block[] = []
  readQuery(query, undefined, names, blocks)
  return blocks.length > 0 && blocks.every(({ sources }) => sources.every(({ isValues }) => isValues))
}

function readBlock(items: readonly Item[], outer: Block | undefined, names: Names, blocks: Block[]): void {
  const block: Block = { verb: items[0] as string, sources: [], text: "", ...(outer && { outer }) }
  blocks.push(block)
  const select = block.verb === "insert" ? items.indexOf("select") : -1
  const own = select < 0 ? items : items.slice(0, select)
  if (select >= 0) readQuery(items.slice(select), block, names, blocks)
  const inner: Item[][] = []
  block.text = flatten(own, inner, names)
  block.sources = sourcesOf(block, names)
  for (const query of inner) readQuery(query, block, names, blocks)
}

/** The words of a block; its inner queries are put aside. */
function flatten(items: readonly Item[], inner: Item[][], names: Names): string {
  return items
    .map((item) => {
      if (typeof item === "string") return item
      if (!isQuery(item)) return `( ${flatten(item, inner, names)} )`
      if (isOfValues(item, names)) return "?"
      inner.push(item)
      return "#"
    })
    .join(" ")
}

const NO_ALIAS =
  "where|set|on|join|cross|left|inner|indexed|order|group|limit|values|returning|using|default|not|having|select"
const NAME = "([a-z_]\\w*|#|\\?)"
const ALIAS = `(?: as)?(?: (?!(?:${NO_ALIAS})\\b)([a-z_]\\w*))?`
const FROM = new RegExp(
  `(?:\\bfrom|\\bjoin|(?<=\\bfrom (?:(?!\\b(?:where|order|group)\\b)[^()])*),) ${NAME}${ALIAS}`,
  "g",
)
const TARGET = new RegExp(`^(?:insert(?: or \\w+)? into|update(?: or \\w+)?) ${NAME}`)

function sourcesOf({ text }: Block, names: Names): Source[] {
  const target = TARGET.exec(text)
  const named = [...(target ? [target] : []), ...text.matchAll(FROM)]
  return named.map(([, name = "", alias]) => {
    if (name === "#") return { alias: alias ?? "" }
    if (name === "?") return { alias: alias ?? "", isValues: true }
    const isValues = name === "json_each" || names.get(name)
    const source = { alias: alias ?? name, ...(isValues && { isValues }) }
    return names.has(name) ? source : { table: name, ...source }
  })
}
