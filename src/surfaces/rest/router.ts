// Finds what answers a path of the API: word by word, with the path's words as they came.
import { tryDecodeURIComponent } from "hono/utils/url"

interface Found<H> {
  /** Handlers of the path, by method. */
  methods: ReadonlyMap<string, H>
  /** What stands in the place of names, in their order. */
  values: readonly string[]
}

export interface Router<H> {
  /** A handler for a method of a path such as `/leads/:id`. */
  add(method: string, path: string, handler: H): void
  find(method: string, path: string): Found<H> | undefined
}

interface Node<H> {
  words: Map<string, Node<H>>
  named: Node<H> | undefined
  methods: Map<string, H>
}

const newNode = <H>(): Node<H> => ({ words: new Map(), named: undefined, methods: new Map() })

/** An id like any other where it has no handler of its own: that of the session that asks. */
const CURRENT = "current"

/** All paths begin with `base`. A fixed word goes before a name in its place: `GET /leads/batch` is no lead of that id. */
export function createRouter<H>(base: string): Router<H> {
  const root = newNode<H>()

  function find(
    node: Node<H>,
    method: string,
    path: string,
    from: number,
    values: string[],
  ): Node<H> | undefined {
    if (from >= path.length) return node.methods.size > 0 ? node : undefined
    const end = path.indexOf("/", from + 1)
    const word = path.slice(from + 1, end < 0 ? undefined : end)
    const next = end < 0 ? path.length : end
    const fixed = node.words.get(word)
    const found = fixed && find(fixed, method, path, next, values)
    if (!node.named || word === "" || (found && word !== CURRENT) || found?.methods.has(method)) return found
    values.push(word)
    const named = find(node.named, method, path, next, values)
    if (named && (!found || named.methods.has(method))) return named
    values.pop()
    return found
  }

  return {
    add(method, path, handler) {
      let node = root
      for (const word of path.slice(base.length).split("/").slice(1)) {
        if (word.startsWith(":")) node = node.named ??= newNode()
        else {
          const next = node.words.get(word) ?? newNode()
          node.words.set(word, next)
          node = next
        }
      }
      node.methods.set(method, handler)
    },
    find(method, path) {
      const values: string[] = []
      const node = find(root, method, path, base.length, values)
      if (path.includes("%"))
        for (const [i, value] of values.entries()) values[i] = tryDecodeURIComponent(value)
      return node && { methods: node.methods, values }
    },
  }
}
