// What is carried from one engine to the other, and back: every table that is not made of others, as both engines know it.

import { DATA_NUMBER_FIELDS, DATA_TIME_FIELDS } from "../../core/lead.ts"
import { COLUMNS } from "../shared/lead-columns.ts"

/** Whole number, number, text, bytes, yes or no. */
export type Kind = "int" | "float" | "text" | "bytes" | "bool"

export interface MovedTable {
  name: string
  /** Its columns, in the order of a line. */
  columns: readonly Column[]
  /** Those that tell a row from all others. */
  key: readonly string[]
}

export interface Column {
  name: string
  kind: Kind
}

const LETTERS: Readonly<Record<string, Kind>> = { i: "int", f: "float", t: "text", b: "bytes", o: "bool" }

/** Columns as words, each behind the letter of its kind; in capitals where it is one of the key. */
function table(name: string, columns: string): MovedTable {
  const each = columns.trim().split(/\s+/)
  return {
    name,
    columns: each.map((one) => ({ name: one.slice(2), kind: LETTERS[one[0]!.toLowerCase()]! })),
    key: each.filter((one) => one[0]! < "a").map((one) => one.slice(2)),
  }
}

const NUMBERS: ReadonlySet<string> = new Set([...DATA_NUMBER_FIELDS, ...DATA_TIME_FIELDS])
/** What is searched and sorted by. */
const FOUND_BY = COLUMNS.map((name) => `${NUMBERS.has(name) ? "f" : "t"}:${name}`).join(" ")

/**
 * In this order: a row comes behind those it points at, and notes before leads, whose words are made of both. Counts and
 * numbers that an engine works out of rows are not here, nor is what only helps to find them.
 */
export const MOVED: readonly MovedTable[] = [
  table(
    "accounts",
    `I:key t:id t:name t:plan i:leads_limit i:requests_limit i:batch_limit i:storage_limit i:lead_count i:stored_bytes
     i:trail_head i:trail_floor i:rules_revision i:segments_heard i:changes_keep t:default_country t:phones_from t:scoring_lease
     i:scoring_leased_until i:created_at`,
  ),
  table(
    "api_keys",
    `I:rid i:account_id t:id b:hash t:name t:prefix t:role t:kind t:issued_by i:created_at i:last_used_at i:expires_at`,
  ),
  table(
    "members",
    `I:rid i:account_id t:id t:name t:name_key t:role t:password b:invite_hash i:invite_expires_at i:created_at
     i:joined_at`,
  ),
  table("passkeys", "T:id i:member_rid b:public_key i:counter t:transports i:created_at"),
  table("passkey_challenges", "T:challenge i:expires_at"),
  table(
    "sessions",
    "I:rid i:account_id t:id b:hash t:role i:key_rid i:member_rid t:agent i:created_at i:used_at i:expires_at",
  ),
  table("oauth_clients", "T:id t:name t:redirect_uris i:created_at i:used_at i:expires_at"),
  table(
    "oauth_grants",
    `B:code_hash i:account_id t:client_id t:client_name t:redirect_uri t:resource t:challenge t:role t:signer_id
     i:created_at i:expires_at i:key_rid`,
  ),
  table("oauth_logins", "T:selector i:account_id t:hash t:role i:tries_left i:expires_at"),
  table(
    "admin_log",
    "I:rid i:account_id t:id t:action t:key_id t:actor_id t:target_id t:details i:created_at",
  ),
  table(
    "scoring_rules",
    "I:rid i:account_id t:id t:name t:expression f:weight i:priority i:created_at i:updated_at",
  ),
  table(
    "segments",
    "I:rid i:account_id t:id t:name t:filter t:q t:sort_by t:sort_order i:created_at i:updated_at",
  ),
  table("segment_moves", "I:account_id T:segment T:lead o:entered"),
  table("notes", "I:rid i:account_id t:id i:lead_rid t:lead_id t:content i:created_at i:updated_at"),
  table(
    "leads",
    `I:account_id I:rid ${FOUND_BY} f:last_note_at f:note_count f:last_contacted_at f:contacted_at i:tags i:shape t:data`,
  ),
  table("lead_scores", "I:account_id I:rid f:score i:version t:activity"),
  table("lead_tags", "I:account_id T:tag I:rid"),
  table("lead_attributes", "I:account_id T:name I:rid I:item t:type t:text f:number"),
  table("lead_aliases", "I:account_id T:kind T:value i:rid"),
  table("known_words", "I:account_id T:word"),
  table(
    "trail",
    `I:account_id I:seq t:id t:lead_id t:action t:reason t:actor_id t:key_id t:batch_id t:import_id i:created_at t:facts
     f:score_before f:score_after t:pushed t:state t:notes`,
  ),
  table("duplicate_queue", "I:account_id I:rid i:turn t:before"),
  table("duplicate_due", "I:account_id I:rid"),
  table("duplicate_keys", "I:account_id I:key I:rid"),
  table("duplicate_terms", "I:account_id I:term i:leads"),
  table(
    "duplicate_pairs",
    "I:rid i:account_id i:a i:b i:state f:probability t:reasons t:evidence i:merge_rid i:created_at",
  ),
  table("duplicate_dismissals", "I:account_id T:low T:high I:merge_rid i:created_at"),
  table(
    "duplicate_decisions",
    "I:rid i:account_id i:pair_rid i:is_same f:probability t:evidence i:created_at",
  ),
  table(
    "duplicate_accounts",
    `I:account_id f:auto_merge_above i:learning t:weights i:decided i:learned t:pass t:pass_place i:pass_to i:pass_left
     i:compared i:index_version`,
  ),
  table("merges", "I:rid i:account_id t:id t:survivor_id t:data i:created_at i:undone_at"),
  table(
    "webhooks",
    `I:rid i:account_id t:id t:url t:events t:secret t:previous_secret i:previous_until o:active o:removed
     t:disabled_reason i:failing_since i:created_at i:updated_at`,
  ),
  table("events", "I:rid i:account_id t:id t:event t:body i:created_at"),
  table(
    "deliveries",
    `I:rid i:account_id t:id i:webhook_rid i:event_rid t:status i:attempts i:due_at i:leased_until t:lease i:code t:error
     i:milliseconds t:answer i:turn i:created_at i:updated_at`,
  ),
  table(
    "jobs",
    `I:rid i:account_id t:id t:kind t:state t:progress i:done i:total i:failed t:errors t:batch_id t:import_id t:key_id t:actor_id
     t:role i:created_at i:started_at i:ended_at t:lease i:leased_until`,
  ),
  table("job_inputs", "I:rid i:account_id t:input"),
  table("idempotent_answers", "I:account_id B:key b:request b:answer i:created_at"),
  table(
    "imports",
    `I:rid i:account_id t:id t:name t:file_name t:state t:actor_id t:key_id t:job t:undo_job i:done i:total t:report
     i:created_at i:ended_at i:undone_at`,
  ),
  table("import_leads", "I:account_id I:lead I:import"),
  table("import_mappings", "I:rid i:account_id t:name t:header t:options i:created_at i:used_at"),
  table("kept_files", "T:name I:part b:bytes"),
  table("settings", "T:name b:value"),
]

/** The settings that go along; others tell of the database itself. */
export const MOVED_SETTINGS = ["secret", "trail_epoch", "sealing"] as const

/** Bytes of a kept file in one row. */
export const FILE_PART = 1 << 20
