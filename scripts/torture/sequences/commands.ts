// Commands of clients to one account, one after the other.
import type { ModelAttribute, ModelInput } from "../../../test/support/model.ts"
import type { Way } from "../ask.ts"
import type { Query } from "../lists/queries.ts"

/** Which lead, note or attribute is meant: one of those that are there, else a removed, a foreign or no one. */
export type Target = number

export type Command =
  | { do: "push"; lead: ModelInput }
  | { do: "refused push"; lead: Record<string, unknown> }
  | { do: "batch push"; leads: (ModelInput | { bad: unknown })[] }
  | { do: "update"; lead: Target; changes: ModelInput }
  | { do: "send back"; lead: Target }
  | { do: "batch update"; leads: Target[]; changes: ModelInput }
  | { do: "remove" | "get" | "changes" | "attributes" | "notes"; lead: Target }
  | { do: "batch remove"; leads: Target[] }
  | { do: "tag"; lead: Target; tag: string }
  | { do: "merge"; lead: Target; losers: Target[] }
  | { do: "undo"; merge: Target }
  | { do: "add attribute"; lead: Target; attribute: ModelAttribute }
  | { do: "set attribute"; lead: Target; at: Target; value: ModelAttribute["value"] }
  | { do: "drop attribute"; lead: Target; at: Target }
  | { do: "add note"; lead: Target; content: string }
  | { do: "set note"; note: Target; content: string }
  | { do: "drop note"; note: Target }
  | { do: "add rule"; rule: number; weight: number; priority: number }
  | { do: "set rule"; at: Target; rule: number; weight: number }
  | { do: "drop rule"; at: Target }
  | { do: "score"; lead: Target }
  | { do: "score all" | "rules" | "stats" | "cities" | "index" }
  | { do: "list"; query: Query; between: Command[] }

export type Taken = Command & { way: Way }

/** One account's life: how many leads it may keep, and what is done to it. */
export interface Sequence {
  limit: number | null
  commands: Taken[]
}
