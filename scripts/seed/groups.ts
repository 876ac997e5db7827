import type { LeadInput } from "../../src/core/fields.ts"

/** A lead and the place of its group. */
export interface Grouped {
  lead: LeadInput
  node: number
}

/**
 * Sorts leads into groups that can't touch each other: two leads are in one group when they share an email, a
 * source_id, a phone, or name and city, or are linked by a chain of leads that do. Whatever a push finds, changes or
 * conflicts with was made by leads of its own group, so leads of different groups may be pushed in any order.
 */
export interface Groups {
  add(lead: LeadInput): Grouped
  same(a: Grouped, b: Grouped): boolean
}

export function createGroups(): Groups {
  // A forest (union-find): each node points towards the root that stands for its group.
  const parents: number[] = []
  const nodes = new Map<string, number>()

  function find(node: number): number {
    let at = node
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!
      at = parents[at]!
    }
    return at
  }

  function nodeOf(key: string): number {
    const known = nodes.get(key)
    if (known !== undefined) return known
    nodes.set(key, parents.length)
    return parents.push(parents.length) - 1
  }

  function add(lead: LeadInput): Grouped {
    const [first, ...rest] = keysOf(lead).map(nodeOf)
    for (const node of rest) parents[find(node)] = find(first!)
    return { lead, node: first! }
  }

  return { add, same: (a, b) => find(a.node) === find(b.node) }
}

/** What a lead may be recognised by, coarser than the service compares: it's no harm to hold two leads for linked. */
function keysOf({ name, city, email, source_id, phone }: LeadInput): string[] {
  const keys = [`name ${coarse(name)} ${coarse(city ?? "")}`]
  if (email) keys.push(`email ${coarse(email)}`)
  if (source_id) keys.push(`source_id ${coarse(source_id)}`)
  if (phone)
    keys.push(
      `phone ${phone
        .replace(/[^\p{L}\p{N}]/gu, "")
        .toLowerCase()
        .replace(/^0+/, "")}`,
    )
  return keys
}

function coarse(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase()
}
