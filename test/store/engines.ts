// Where the tables of an engine differ from the declared ones, and why. Everything named here stays behind in a move.
import { fieldsOfKind } from "../../src/lead/lead-fields.ts"
import type { Held } from "../../src/store/sql/schema/columns.ts"
import type { SCHEMA } from "../../src/store/sql/schema/index.ts"

type Declared = keyof typeof SCHEMA

export interface EngineSchema {
  /** Tables that are filled from others, or tell of this database alone, each with what it holds and is for. */
  own: Readonly<Record<string, readonly [held: Held, use: string]>>
  /** Columns that this engine has besides. */
  added: Partial<Record<Declared, readonly string[]>>
  /** What those of them hold that are texts or bytes. */
  addedHold: Readonly<Record<string, Held>>
  /** Declared columns that this engine has elsewhere, or works out. */
  missing: Partial<Record<Declared, readonly string[]>>
  /** Declared tables that this engine has otherwise. */
  without: readonly Declared[]
  /** Numbers that this engine keeps as whole numbers. */
  whole: Partial<Record<Declared, readonly string[]>>
}

export const ENGINES: Readonly<Record<"sqlite" | "postgres", EngineSchema>> = {
  sqlite: {
    own: {
      trail_leads: ["none", "the trail's leads as numbers"],
      trail_states: ["trail", "the trail's whole leads"],
      trail_names: ["none", "texts that the trail's rows share, as numbers"],
      trail_batches: ["none", "the trail's batches as numbers"],
      lead_documents: ["lead", "the JSON of leads, so that their rows stay narrow"],
      lead_locations: ["lead", "coordinates for searching by distance"],
      lead_head: ["none", "the highest rid of a removed lead, which may be given again"],
      lead_log: ["none", "changed leads, for the derived tables in their own file"],
      migrations: ["none", "which migrations the file has"],
      uploads: ["none", "what each process holds of uploads that are under way"],
    },
    added: {
      // Blob keys are found through the row's number.
      idempotent_answers: ["rid"],
      // Numbers in place of texts, and what is read most beside the JSON
      trail: [
        ...["lead", "action", "reason", "actor", "key", "batch", "touched", "moved"],
        ...["score", "same", "attributes", "facts"],
      ],
    },
    addedHold: { "trail.attributes": "trail", "trail.facts": "trail" },
    missing: {
      leads: ["tags", "shape", "data"],
      // Numbers of imports differ from account to account.
      import_leads: ["account_id"],
      trail: [
        ...["lead_id", "action", "reason", "actor_id", "key_id", "batch_id", "import_id"],
        ...["facts", "score_after", "pushed", "state", "notes"],
      ],
    },
    // Files beside the database
    without: ["kept_files"],
    whole: {
      leads: [...fieldsOfKind("integer", "moment", "time"), "contacted_at", "due_told_at", "enrich_told_at"],
    },
  },
  postgres: {
    own: {
      lead_words: ["lead", "words for searching"],
      lead_texts: ["lead", "trigrams for searching"],
      known_words: ["lead", "words that a mistyped one may mean"],
      duplicate_queue: ["none", "leads to index for comparing"],
      duplicate_due: ["none", "leads to compare"],
      match_keys: ["lead", "keys by which leads are compared"],
      match_terms: ["lead", "how common words and values are"],
      duplicate_keys: ["lead", "the same for instances of older versions"],
      duplicate_terms: ["lead", "the same for instances of older versions"],
      locks: ["none", "rows that transactions across accounts wait for"],
      matching_leases: ["none", "which process compares an account's leads"],
      request_counts: ["none", "requests that count against a limit, of all processes"],
      schema_lock: ["none", "the row that migrations wait for"],
      schema_versions: ["none", "which migrations the database has"],
      uploads: ["none", "what each process holds of uploads that are under way"],
    },
    added: {
      // The newest number and id that were given out, known under the account's lock
      accounts: ["lead_head", "last_id"],
      // Worked out of other columns, as in files
      leads: ["last_touched_at"],
      // Of the lead, where an index has it
      lead_scores: ["updated_at", "last_interaction_at"],
      kept_files: ["created_at"],
    },
    addedHold: { "accounts.last_id": "none" },
    missing: {},
    without: [],
    whole: {},
  },
}
