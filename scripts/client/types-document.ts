// The part of the OpenAPI document that the client's types are made from, and the types' common part.

/**
 * The document as JSON, without its examples and without the headers of answers, which a client reads from the answer
 * itself and not by a type.
 */
export function typesDocument(document: object): string {
  return JSON.stringify(slim(document, ""))
}

/** `parent` is the key that leads to the node: below `properties` and `schemas` keys are names, and all are kept. */
function slim(node: unknown, parent: string): unknown {
  if (typeof node !== "object" || node === null) return node
  if (Array.isArray(node)) return node.map((item) => slim(item, parent))
  const holdsNames = parent === "properties" || parent === "schemas"
  const kept = Object.entries(node).filter(([key]) => holdsNames || (key !== "example" && key !== "headers"))
  return Object.fromEntries(kept.map(([key, value]) => [key, slim(value, key)]))
}

/** The headers that every request may carry, as the generator writes them for each path and each operation. */
const HEADER_BLOCK = /^( +)header\?: \{\n[\s\S]*?\n\1\};\n/gm

/** The types with those headers declared once, as `RequestHeaders`. */
export function withSharedHeaders(types: string): string {
  const [block] = types.match(HEADER_BLOCK) ?? []
  if (!block) return types
  const body = block.slice(block.indexOf("{")).replace(/;\n$/, "")
  const indent = block.length - block.trimStart().length
  const declared = body.replaceAll(`\n${" ".repeat(indent)}`, "\n")
  const shared = types.replace(HEADER_BLOCK, (found, spaces: string) =>
    sameText(found, block) ? `${spaces}header?: RequestHeaders;\n` : found,
  )
  return `${shared}/** The headers that every request may carry. */\nexport interface RequestHeaders ${declared}\n`
}

function sameText(a: string, b: string): boolean {
  return a.replaceAll(/\s+/g, " ") === b.replaceAll(/\s+/g, " ")
}
