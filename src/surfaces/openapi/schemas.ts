// valibot schemas as the JSON Schema of the document, with the shared ones named once.
import { toJsonSchema } from "@valibot/to-json-schema"
import type * as v from "valibot"
import { AttributeInput, LeadChanges, LeadInput } from "../../core/fields.ts"
import { AccountOutput } from "../../domain/access/account.ts"
import { AdminEntryOutput } from "../../domain/access/admin-log.ts"
import { ApiKeyOutput } from "../../domain/access/api-keys.ts"
import { InvitedOutput, MemberOutput } from "../../domain/access/members.ts"
import { ListedSessionOutput, SessionOutput } from "../../domain/access/sessions.ts"
import { ModelOutput } from "../../domain/duplicates/model.ts"
import { PairOutput, PairPageOutput, ShortLeadOutput } from "../../domain/duplicates/output.ts"
import { MappingOutput } from "../../domain/imports/mappings.ts"
import { ImportRecordOutput } from "../../domain/imports/records.ts"
import { ColumnOutput, ImportOutput } from "../../domain/imports/run/report.ts"
import { JobOutput } from "../../domain/jobs/jobs.ts"
import { NoteOutput } from "../../domain/leads/notes.ts"
import {
  AttributeOutput,
  BatchCreateOutput,
  BatchOutput,
  ChangeFeedOutput,
  ChangeOutput,
  FeedChangeOutput,
  LeadListOutput,
  LeadOutput,
  ListedLeadOutput,
  PushOutput,
} from "../../domain/leads/output.ts"
import { SegmentOutput } from "../../domain/leads/segments/segments.ts"
import { ScoringRuleOutput } from "../../domain/scoring/scoring-rules.ts"
import { StatsOutput } from "../../domain/stats.ts"
import { DeliveryOutput } from "../../domain/webhooks/deliveries.ts"
import { WebhookOutput } from "../../domain/webhooks/webhooks.ts"
import { byType, valueSchemas } from "./attributes.ts"
import { describeAll } from "./descriptions.ts"
import { type Side, tidy } from "./tidy.ts"
import type { Schema } from "./types.ts"

/** Where a named schema stands. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** The shared schemas; one that is part of another comes before it. */
const NAMED: readonly [name: string, side: Side, schema: v.GenericSchema][] = [
  ["Attribute", "output", AttributeOutput],
  ["AttributeInput", "input", AttributeInput],
  ["Lead", "output", LeadOutput],
  ["LeadInput", "input", LeadInput],
  ["LeadChanges", "input", LeadChanges],
  ["PushedLead", "output", PushOutput],
  ["ListedLead", "output", ListedLeadOutput],
  ["LeadPage", "output", LeadListOutput],
  ["BatchCreateResult", "output", BatchCreateOutput],
  ["BatchResult", "output", BatchOutput],
  ["ImportColumn", "output", ColumnOutput],
  ["ImportReport", "output", ImportOutput],
  ["Import", "output", ImportRecordOutput],
  ["ImportMapping", "output", MappingOutput],
  ["Change", "output", ChangeOutput],
  ["FeedChange", "output", FeedChangeOutput],
  ["ChangeFeed", "output", ChangeFeedOutput],
  ["ShortLead", "output", ShortLeadOutput],
  ["Duplicate", "output", PairOutput],
  ["DuplicatePage", "output", PairPageOutput],
  ["DuplicateModel", "output", ModelOutput],
  ["Job", "output", JobOutput],
  ["Note", "output", NoteOutput],
  ["Segment", "output", SegmentOutput],
  ["ScoringRule", "output", ScoringRuleOutput],
  ["Webhook", "output", WebhookOutput],
  ["Delivery", "output", DeliveryOutput],
  ["ApiKey", "output", ApiKeyOutput],
  ["Account", "output", AccountOutput],
  ["AdminEntry", "output", AdminEntryOutput],
  ["Session", "output", SessionOutput],
  ["ListedSession", "output", ListedSessionOutput],
  ["Member", "output", MemberOutput],
  ["InvitedMember", "output", InvitedOutput],
  ["Stats", "output", StatsOutput],
]

const names = new Map<string, string>()
const bare = new Map<string, Schema>()
for (const [name, side, schema] of NAMED) {
  const converted = plain(schema, side)
  bare.set(name, converted)
  names.set(JSON.stringify(converted), name)
}

/** The shared schemas of the document, described. */
export function namedSchemas(): Record<string, Schema> {
  const described = [...bare].map(([name, schema]): [string, Schema] => {
    const whole = describeAll(schema, name)
    return [name, name.startsWith("Attribute") ? byType(whole) : whole]
  })
  return { ...valueSchemas, ...Object.fromEntries(described) }
}

/** A schema of the document; what has a name is referred to. `path` is what descriptions of its parts go by. */
export function schemaOf(schema: v.GenericSchema, side: Side, path: string): Schema {
  return named(plain(schema, side), path)
}

/** A reference when this is a shared schema, else itself with descriptions. */
export function named(schema: Schema, path: string): Schema {
  const name = names.get(JSON.stringify(schema))
  return name ? ref(name) : describeAll(schema, path)
}

/** Without descriptions, so that the same shape is the same text wherever it stands. */
export function plain(schema: v.GenericSchema, side: Side): Schema {
  const json = toJsonSchema(schema, { typeMode: side, errorMode: "ignore", target: "draft-2020-12" })
  return tidy(json as Schema, side, refer)
}

function refer(schema: Schema): Schema {
  const name = names.get(JSON.stringify(schema))
  return name ? ref(name) : schema
}
