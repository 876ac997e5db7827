// The report of an import.

import * as v from "valibot"
import { IMPORT_FORMATS } from "../../../formats/kinds.ts"
import { named, wordsIn } from "../../../lead/described.ts"
import { count, LeadInput } from "../../../lead/fields.ts"
import { IMPORT_STATES, type Overlay } from "../../../store/contract/store.ts"
import type { Pushed } from "../../leads/write/push.ts"
import { ColumnOutput, DroppedOutput, GuessOutput, WarningOutput } from "../cells/told.ts"
import { WARNING_KINDS } from "../cells/values.ts"
import type { ConvertedRow } from "../convert/draft.ts"

// The merges of a dry run: how many there are, and what the first ones change.

/** Merges that are told with their changes. */
const SAMPLES_MAX = 100
/** Lines of created leads that are remembered until the samples are complete: some 20 MB. */
const LINES_MAX = 200_000

/** `changes` are `[before, after]` by field. */
const MergesOutput = v.strictObject({
  within_file: count,
  into_leads: count,
  samples: v.array(
    v.strictObject({
      rows: v.array(count),
      lead_id: v.optional(v.string()),
      name: v.string(),
      reason: v.string(),
      changes: v.record(v.string(), v.pipe(v.array(v.any()), v.length(2))),
    }),
  ),
})
export type PlannedMerges = v.InferOutput<typeof MergesOutput>

const MERGES_WORDS = {
  "merges.within_file": "Rows that repeat an earlier row of the file.",
  "merges.into_leads": "Rows that repeat a lead of the account.",
  "merges.samples[].rows": "Lines of the file: of the row, behind that of the earlier row which it repeats.",
  "merges.samples[].lead_id": "The lead that it repeats; absent within the file.",
  "merges.samples[].name": "Name of the lead before the merge.",
  "merges.samples[].reason": "What they have in common.",
  "merges.samples[].changes": "By field, the value before and after the merge.",
  "merges.samples": "The first 100, in the order of the file.",
  merges: "The merges of a dry run; null in an import.",
}

export function noMerges(): PlannedMerges {
  return { within_file: 0, into_leads: 0, samples: [] }
}

/** Counts the merges of a dry run's rows into `merges`. */
export function mergeCounter(merges: PlannedMerges, overlay: Overlay) {
  const lines = new Map<string, number>()
  const isComplete = () => merges.samples.length >= SAMPLES_MAX
  return {
    isComplete,
    note(
      { line, lead }: { line: number; lead: ConvertedRow },
      { id, merged, changed = {}, isSkipped, nameBefore }: Pushed,
    ): void {
      if (!merged) {
        if (!isComplete() && lines.size < LINES_MAX) lines.set(id, line)
        return
      }
      if (isSkipped) return
      const isWithin = overlay.isCreated(id)
      merges[isWithin ? "within_file" : "into_leads"]++
      if (isComplete()) return void lines.clear()
      const first = isWithin ? lines.get(id) : undefined
      const value = "lead" in lead ? lead.lead[merged] : undefined
      merges.samples.push({
        rows: [...(first === undefined ? [] : [first]), line],
        ...(!isWithin && { lead_id: id }),
        name: nameBefore ?? "",
        reason: `same ${merged}${value ? ` (${value})` : ""}${merged === "phone" ? " and a similar name" : ""}`,
        changes: Object.fromEntries(Object.entries(changed).map(([field, [a, b]]) => [field, [a, b]])),
      })
    },
  }
}

export const exampleReport = {
  ...{ id: null, dry_run: true, format: "csv", preset: null, mapping: null, sheet: null, decimal: "dot" },
  ...{ total: 2, created: 0, merged: 1, merged_by: { email: 1, source_id: 0, phone: 0 } },
  ...{ skipped: 0, potential_duplicates: 0, rejected: 1 },
  errors: [
    {
      line: 3,
      message:
        "name is required: no column of the row has one, nor a company, a website, an email or a phone",
    },
  ],
  ...{ errors_truncated: false, warnings: [], warnings_truncated: false },
  columns: [
    { column: "Company", target: "name", example: "Trattoria Da Nino", filled: 1 },
    { column: "E-Mail", target: "email", example: "nino@example.com", filled: 1 },
    { column: "City", target: "city", example: "Berlin", filled: 2 },
    { column: "Seats", target: "attr:Seats:number", example: "40", filled: 1 },
    { column: "Rating", target: "attr:Rating:text", example: "great", filled: 1 },
  ],
  preview: [
    {
      ...{ name: "Trattoria Da Nino", source: "fair", email: "nino@example.com", city: "Berlin" },
      attributes: [
        { name: "Seats", type: "number", value: 40 },
        { name: "Rating", type: "text", value: "great" },
      ],
    },
  ],
  ...{ guesses: [], dropped: [] },
  merges: {
    ...{ within_file: 0, into_leads: 1 },
    samples: [
      {
        ...{ rows: [2], lead_id: "cl_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3", name: "Nino" },
        reason: "same email (nino@example.com)",
        changes: {
          ...{ name: ["Nino", "Trattoria Da Nino"], source: ["web", "fair"], city: [null, "Berlin"] },
          ...{ "attr:Seats": [null, 40], "attr:Rating": [null, "great"] },
        },
      },
    ],
  },
  summary: {
    ...{ rows: 2, created: 0, merged: 1, skipped: 0, rejected: 1, without_room: 0, warnings: {}, room: null },
  },
}

/** The room that a plan has for leads. */
export const roomEntries = { plan: v.string(), leads_limit: count, leads_used: count, leads_left: count }

/** Words for the counts of an import. */
export const COUNT_WORDS = {
  ...{ created: "New leads.", merged: "Rows that were merged." },
  ...{ skipped: "Skipped rows.", rejected: "Rows that were not imported." },
}

export const ImportOutput = named(
  "ImportReport",
  v.strictObject({
    state: v.optional(v.picklist(IMPORT_STATES)),
    error: v.optional(v.string()),
    id: v.nullable(v.string()),
    dry_run: v.boolean(),
    format: v.picklist(IMPORT_FORMATS),
    preset: v.nullable(v.string()),
    mapping: v.nullable(
      v.strictObject({
        name: v.nullable(v.string()),
        is_reused: v.boolean(),
        options: v.optional(v.record(v.string(), v.any())),
      }),
    ),
    sheet: v.nullable(v.string()),
    decimal: v.picklist(["dot", "comma"]),
    ...{ total: count, created: count, merged: count },
    merged_by: v.strictObject({ email: count, source_id: count, phone: count }),
    ...{ skipped: count, potential_duplicates: count, asked: v.optional(count), rejected: count },
    errors: v.array(v.strictObject({ line: count, message: v.string() })),
    errors_truncated: v.boolean(),
    warnings: v.array(WarningOutput),
    warnings_truncated: v.boolean(),
    warning_groups: v.optional(
      v.array(
        v.strictObject({
          ...{ kind: v.picklist(WARNING_KINDS), column: v.string(), value: v.nullable(v.string()) },
          ...{ count, line: count, message: v.string() },
        }),
      ),
    ),
    columns: v.array(ColumnOutput),
    guesses: v.array(GuessOutput),
    dropped: v.array(DroppedOutput),
    preview: v.array(LeadInput),
    merges: v.nullable(MergesOutput),
    summary: v.strictObject({
      ...{ rows: count, created: count, merged: count, skipped: count, rejected: count },
      ...{ without_room: count, warnings: v.record(v.string(), count) },
      room: v.nullable(v.strictObject({ ...roomEntries, fits: v.boolean() })),
    }),
  }),
  {
    state: "Only in a repeat of a request that was cut off: how its import ended.",
    error: "Only in a repeat of a request that was cut off: why its import ended before its last row.",
    id: "Id of the import; null for a dry run.",
    dry_run: "Nothing was changed.",
    format: "Detected format.",
    preset: "The program whose files look so; null for any other.",
    "mapping.name": "Null when it was only remembered.",
    "mapping.is_reused": "True when it was reused because a file with the same header was imported before.",
    "mapping.options": "Only with `details`: the options of the mapping.",
    mapping: "The mapping that the import went by.",
    sheet: "The sheet of the workbook that was read.",
    decimal: "Decimal separator of the file.",
    total: "Rows that were read; blank ones do not count.",
    created: "New leads.",
    merged: "Rows that were merged into the leads they repeat.",
    "merged_by.email": "Same email.",
    "merged_by.source_id": "Same source_id.",
    "merged_by.phone": "Same phone and a similar name.",
    merged_by: "Merged rows by criterion.",
    skipped:
      "Skipped rows: the lead already exists and `on_duplicate` is `skip`, or it is on the do-not-contact list and `on_suppressed` is `skip`.",
    potential_duplicates: "New leads with the name and city of another.",
    asked:
      "New leads that are a pair of the duplicates queue instead of a merge, as `on_duplicate=ask` and guessed columns make them; else left out where there are none.",
    rejected: "Rows that were not imported.",
    "errors[].line": "Line of the file where the row begins, from 1; the row of the sheet in XLSX.",
    "errors[].message": "The problem with the row.",
    errors: "Why, for the first 1,000.",
    errors_truncated: "Whether more rows were rejected than `errors` names.",
    "warnings[].line": "Line of the file, as in `errors`.",
    "warnings[].column": "As the file names it.",
    "warnings[].value": "The value in the file.",
    "warnings[].kind": "How the value was handled.",
    "warnings[].message": "Explanation for people.",
    warnings: "Warnings about imported rows, the first 1,000.",
    warnings_truncated: "Whether there are more than `warnings` names.",
    "warning_groups[].kind": "How the values were handled.",
    "warning_groups[].column": "As the file names it.",
    "warning_groups[].value": "The value that all of them have; null where they differ.",
    "warning_groups[].count": "How many warnings there are.",
    "warning_groups[].line": "Line of the first.",
    "warning_groups[].message": "Explanation of the first.",
    warning_groups: "Only with `details`: the warnings by kind, column and value, commonest first.",
    columns: "Where each column went, at most 1,000.",
    "guesses[].column": "As the file names it.",
    "guesses[].what": "What its values were taken for.",
    "guesses[].reason": "Why, and what to say if it is wrong.",
    "guesses[].example": "A value of the file, and what it becomes.",
    guesses: "Readings that the file does not decide, at most 100.",
    "dropped[].column": "As the file names it.",
    "dropped[].count": "How many of its values were left out.",
    "dropped[].example": "The first of them.",
    dropped: "Words for no value, such as `NULL`, that were left out.",
    preview: "The first three leads of the file.",
    ...MERGES_WORDS,
    ...wordsIn("summary", { rows: "Rows that were read.", ...COUNT_WORDS }),
    "summary.without_room": "Rejected rows that the plan has no room for.",
    "summary.warnings": "How many warnings there are of each kind.",
    "summary.room.plan": "Name of the plan.",
    "summary.room.leads_limit": "Leads that it keeps.",
    "summary.room.leads_used": "Leads it had before the import.",
    "summary.room.leads_left": "Leads it could still take.",
    "summary.room.fits": "Whether all new leads fit.",
    "summary.room": "Room that the plan had left before the first row; null without a limit.",
    summary: "The numbers at a glance.",
  },
)
export type ImportReport = v.InferOutput<typeof ImportOutput>
