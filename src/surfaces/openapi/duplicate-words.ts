// What the document says of duplicates: fields and parameters in words, and examples.
import type { Json } from "../../core/lead.ts"
import { LEAD_FIELDS } from "../../core/lead-fields.ts"

export const DUPLICATE_FIELDS: Readonly<Record<string, string>> = {
  "parameter.min_probability": "Only pairs that are as probable, 0 to 1; 0.5 unless told.",
  "parameter.state": "Which pairs: `open` unless told.",
  min_probability: "Only pairs that are as probable, 0 to 1.",
  "Duplicate.id": "`dup_` and a number.",
  "Duplicate.probability": "That both are the same, 0 to 1.",
  "Duplicate.reasons": "What speaks for it and against it, the most telling first.",
  "Duplicate.reasons[].field": "The lead's field, `distance` or `attributes`.",
  "Duplicate.reasons[].text": "For people.",
  "Duplicate.reasons[].bits":
    "How much it tells: each bit doubles the odds, below 0 it halves them. Together they make the probability.",
  "Duplicate.a": "The older lead.",
  "Duplicate.b": "The other lead.",
  "Duplicate.state":
    "`merged` when one went into the other, `dismissed` when somebody said that they are not the same.",
  "Duplicate.created_at": "When the pair was found, Unix seconds.",
  "DuplicatePage.duplicates": "The pairs, the most probable first; not with `view=groups`.",
  "DuplicatePage.groups": "With `view=groups`.",
  "DuplicatePage.groups[].probability": "The mean over all pairs of its leads.",
  "DuplicatePage.groups[].leads": "The oldest first, at most 20.",
  "DuplicatePage.groups[].pairs": "Ids of the pairs among them.",
  "get_duplicate_status.waiting": "Leads that have yet to be compared; 0 when all have been.",
  "get_duplicate_status.open": "Open pairs with a probability of 0.5 and more.",
  "get_duplicate_status.by_probability": "How many of them there are from each probability up to the next.",
  "get_duplicate_status.by_probability[].from": "The least probability.",
  "get_duplicate_status.by_probability[].pairs": "How many.",
  "get_duplicate_status.rescan": "While all leads are compared again.",
  "get_duplicate_status.rescan.done": "Leads that are done.",
  "get_duplicate_status.rescan.of": "All of them.",
  "update_duplicate.state": "`dismissed` or `open`.",
  "merge_leads.survivor": "The lead that stays; in the answer as it now is.",
  "merge_leads.losers": "The leads that go into it, at most 50.",
  "merge_leads.fields": "By field: the id of the lead whose value it gets, or a value.",
  "merge_leads.rule":
    "Whose values come first: of the newest, the oldest or the most complete lead, or by source. The survivor's unless told.",
  "merge_leads.sources": "With `rule=source_priority`: sources, the first before the others.",
  "merge_leads.dry_run": "Only says what would happen.",
  "merge_leads.merge_id": "For `POST /merges/{id}/undo`; null in a dry run.",
  "merge_leads.changed": "Fields of the survivor that changed; an attribute is `attr:<name>`.",
  "merge_leads.aliases": "Emails and source_ids by which pushes find the survivor from now on.",
  "merge_leads.aliases[].field": "`email` or `source_id`.",
  "merge_leads.aliases[].value": "An email in lower case.",
  "merge_leads.notes": "Notes that went along.",
  "undo_merge.merge_id": "The merge.",
  "undo_merge.survivor": "As it now is.",
  "undo_merge.losers": "The leads that came back.",
  "undo_merge.kept": "What could not go back, and why.",
  "undo_merge.kept[].field": "Its name; an attribute is `attr:<name>`.",
  "undo_merge.kept[].message": "Why.",
  "merge_duplicates.min_probability": "Pairs and groups as probable are merged.",
  "merge_duplicates.filter": "One of both leads of each pair must match, as in `GET /leads`.",
  "merge_duplicates.rule": "Whose values come first; the oldest lead's unless told.",
  "merge_duplicates.sources": "With `rule=source_priority`: sources, the first before the others.",
  "merge_duplicates.expect": "How many pairs these are; with another number nothing is done.",
  "merge_duplicates.dry_run": "Only counts.",
  "merge_duplicates.matched": "Pairs.",
  "merge_duplicates.groups": "Leads that stay.",
  "merge_duplicates.leads": "Leads that go into others.",
  "merge_duplicates.job": "The job, for `GET /jobs/{id}`.",
  "DuplicateModel.learning": "Whether weights learn from decisions.",
  "DuplicateModel.auto_merge_above":
    "Pairs from this probability on are merged by themselves; null for none.",
  "DuplicateModel.decisions": "Single merges and dismissals, the latest 2,000.",
  "DuplicateModel.decisions.same": "Merged.",
  "DuplicateModel.decisions.different": "Dismissed, or merges taken back.",
  "DuplicateModel.learned": "Whether the weights are your own.",
  "DuplicateModel.weights": "Bits by what is found of a pair.",
  "DuplicateModel.precision": "How many decided pairs were the same.",
  "DuplicateModel.precision[].from": "Pairs as probable.",
  "DuplicateModel.precision[].decisions": "Decisions on them.",
  "DuplicateModel.precision[].precision": "The share that was the same; null without decisions.",
  "update_duplicate_model.learning": "Whether weights learn from decisions.",
  "update_duplicate_model.auto_merge_above":
    "From 0.99 on, and only when 50 decisions show 99 %; null for none.",
  "rescan_duplicates.job": "The job, for `GET /jobs/{id}`.",
}

const short: Record<string, Json> = {
  id: LEAD_FIELDS.id.example,
  name: "Trattoria Da Nino",
  company: null,
  email: null,
  phone: "+49 30 1234567",
  website: null,
  address: "Torstr. 12",
  city: "Berlin",
  country: "DE",
  source: "google_maps",
  created_at: 1_795_176_000,
  score: 60,
}
const other: Record<string, Json> = {
  ...short,
  id: "cl_019aa6f2-9f07-7b18-8d24-c1a95e3b7f60",
  name: "Da Nino Trattoria GmbH",
  phone: "030 1234567",
  address: "Torstraße 12",
  source: "fair",
}
const pair: Record<string, Json> = {
  id: "dup_41",
  probability: 0.9981,
  reasons: [
    { field: "phone", text: "same phone", bits: 5.2 },
    { field: "address", text: "same address", bits: 4.1 },
  ],
  a: short,
  b: other,
  state: "open",
  created_at: 1_795_262_400,
}
const dismissed: Record<string, Json> = { ...pair, state: "dismissed" }
const model: Record<string, Json> = {
  learning: true,
  auto_merge_above: null,
  decisions: { same: 31, different: 6 },
  learned: true,
  weights: { "phone.same": 5.1, "name.same": 4.8 },
  precision: [{ from: 0.95, decisions: 30, precision: 0.967 }],
}
const page: Json = { duplicates: [pair], next_cursor: null, has_more: false, count: 1 }

export const DUPLICATE_EXAMPLES: Readonly<
  Record<string, { body?: Json; answers?: Readonly<Record<number, Json>> }>
> = {
  get_duplicate_status: {
    answers: {
      200: {
        waiting: 0,
        open: 3,
        by_probability: [
          { from: 0.5, pairs: 1 },
          { from: 0.9, pairs: 2 },
        ],
      },
    },
  },
  list_duplicates: { answers: { 200: page } },
  list_lead_duplicates: { answers: { 200: page } },
  get_duplicate: { answers: { 200: pair } },
  update_duplicate: { body: { state: "dismissed" }, answers: { 200: dismissed } },
  dismiss_duplicate: { answers: { 200: dismissed } },
  reopen_duplicate: { answers: { 200: pair } },
  merge_duplicates: {
    body: { min_probability: 0.97, filter: ["and.eq.city.Berlin"], dry_run: true },
    answers: {
      200: { matched: 212, groups: 180, leads: 195, dry_run: true },
      202: {
        matched: 212,
        groups: 180,
        leads: 195,
        job: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24",
        batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
      },
    },
  },
  get_duplicate_model: { answers: { 200: model } },
  update_duplicate_model: { body: { learning: false }, answers: { 200: { ...model, learning: false } } },
  rescan_duplicates: { answers: { 202: { job: "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24" } } },
}

export const DUPLICATE_NOTES: Readonly<Record<string, string>> = {
  list_duplicates:
    "Every lead is compared behind its push, which itself merges only by its four criteria; everything else that may be the same is here, with reasons. `filter` wants one of both leads to match, as in `GET /leads`. `view=groups` puts together what is probably all the same: by the mean over all pairs, never by a chain alone.",
  merge_leads:
    "Tags, attributes and notes of all go along, empty fields are filled from the losers, and every email and source_id of a loser leads to the survivor from then on: the next push of its scraper updates the survivor. One transaction, one `lead.merged` event. With `dry_run` the answer shows the lead that would be.",
  undo_merge:
    "The losers come back under their ids, with their notes, attributes, times and emails. Of the survivor only what the merge set and nobody changed since goes back; the rest is in `kept`. The pairs are remembered as not the same.",
  dismiss_duplicate:
    "The pair does not come back, whatever becomes of its leads, until it is opened again. Weights learn from it.",
  merge_duplicates:
    "Groups are merged whose pairs are on average as probable, each into its oldest lead; a chain of pairs is no group. Every merge can be taken back. Begin with `dry_run`, and send its `matched` as `expect`.",
  get_duplicate_model:
    "From 20 decisions on weights are fitted to them, close to those that leaddb came with.",
  update_duplicate_model:
    "`auto_merge_above` is refused below 0.99, and before 50 decisions on such pairs show that at least 99 % of them are the same.",
  rescan_duplicates:
    "Leads are compared anyway when they are pushed or changed; this is for all of them at once. Dismissed pairs stay dismissed.",
}
