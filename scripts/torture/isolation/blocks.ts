// SQL read far enough to see which tables a statement takes rows from, and what those rows are held to.

/** A table, or the result of an inner query, as a block names it. */
export interface Source {
  /** The table; undefined for an inner query. */
  table?: string
  alias: string
  inner?: Block
}

/** One SELECT, INSERT, UPDATE or DELETE with what stands in it; inner queries are blocks of their own. */
export interface Block {
  verb: "select" | "insert" | "update" | "delete"
  sources: Source[]
  /** Its own words, with `#` for each inner query. */
  text: string
  inner: Block[]
  outer?: Block
}

type Token = string

const WORD = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[a-z_][\w.]*|\?\d*|\d[\w.]*|<>|<=|>=|==|!=|->>|->|\|\||\S/giy

/** The blocks of a statement, outer ones before their inner ones; none for what touches no rows. */
export function readBlocks(sql: string): Block[] {
  const tokens = tokenize(sql)
  const found: Block[] = []
  read(tokens, 0, undefined, found)
  return found
}

function tokenize(sql: string): Token[] {
  const plain = sql.replace(/--.*$/gm, " ")
  WORD.lastIndex = 0
  const tokens: Token[] = []
  for (const match of plain.matchAll(new RegExp(WORD.source, "gi"))) {
    // The "+" before parameters and columns changes nothing but plans.
    if (match[0] !== "+") tokens.push(bare(match[0]))
  }
  return tokens
}

/** `"notes"."id"` arrives as two names around a dot: put together by `joined`. */
function bare(token: string): string {
  if (token.startsWith("'")) return token
  return token.replaceAll('"', "").toLowerCase()
}

const VERBS = new Set(["select", "insert", "update", "delete"])

/** Reads from a place to the closing bracket of its block; returns the place behind it. */
function read(tokens: readonly Token[], from: number, outer: Block | undefined, found: Block[]): number {
  let block: Block | undefined
  const words: string[] = []
  let depth = 0
  const own: Block[] = []
  function open(verb: string): Block {
    const opened: Block = { verb: verb as Block["verb"], sources: [], text: "", inner: [], ...(outer && { outer }) }
    found.push(opened)
    own.push(opened)
    return opened
  }
  let i = from
  for (; i < tokens.length; i++) {
    const token = tokens[i]!
    if (token === "(") {
      if (tokens[i + 1] === "select" || tokens[i + 1] === "with" || tokens[i + 1] === "values") {
        const holder = block ?? open("select")
        const before = found.length
        i = read(tokens, i + 1, holder, found)
        holder.inner.push(...found.slice(before).filter((one) => one.outer === holder))
        words.push(`#${found.indexOf(found[before]!)}`)
        continue
      }
      depth++
    } else if (token === ")") {
      if (depth === 0) break
      depth--
    }
    const isVerb = VERBS.has(token) && !(block?.verb === "insert" && token === "update") && words.at(-1) !== "do"
    if (isVerb && (block === undefined || ["select", "union", "all", "except", "intersect", ")"].some(() => startsBlock(words, block)))) {
      finish(block, words, found)
      block = open(token)
      words.length = 0
    }
    words.push(token)
  }
  finish(block, words, found)
  return i
}

/** A SELECT behind UNION, or behind INSERT INTO ... (columns), is a block of its own. */
function startsBlock(words: readonly string[], block: Block | undefined): boolean {
  const last = words.at(-1)
  return last === "union" || last === "all" || last === "except" || last === "intersect" || (block?.verb === "insert" && last === ")")
}

function finish(block: Block | undefined, words: readonly string[], found: readonly Block[]): void {
  if (!block) return
  const text = joined(words)
  block.text = text
  block.sources = sourcesOf(block, text, found)
}

/** Tokens with single spaces, and `a . b` as `a.b`. */
function joined(words: readonly string[]): string {
  return words.join(" ").replace(/(\w) \. (\w)/g, "$1.$2")
}

const KEYWORDS = "where|set|on|join|cross|left|inner|indexed|order|group|limit|values|union|returning|using|default|not"

function sourcesOf({ verb }: Block, text: string, found: readonly Block[]): Source[] {
  const name = `([a-z_]\\w*|#\\d+)`
  const alias = `(?: as)?(?: (?!(?:${KEYWORDS})\\b)([a-z_]\\w*))?`
  const sources: Source[] = []
  const add = (one: string, as: string | undefined) => {
    const inner = one.startsWith("#") ? found[Number(one.slice(1))] : undefined
    sources.push(inner ? { alias: as ?? "", inner } : { table: one, alias: as ?? one })
  }
  if (verb === "insert") {
    const into = new RegExp(`^insert(?: or \\w+)? into ${name}`).exec(text)
    if (into) add(into[1]!, undefined)
    return sources
  }
  if (verb === "update") {
    const updated = new RegExp(`^update(?: or \\w+)? ${name}`).exec(text)
    if (updated) add(updated[1]!, undefined)
  }
  for (const match of text.matchAll(new RegExp(`\\b(?:from|join) ${name}${alias}`, "g"))) add(match[1]!, match[2])
  for (const match of text.matchAll(new RegExp(`\\bfrom [^()]*?, ${name}${alias}`, "g"))) add(match[1]!, match[2])
  return sources
}
