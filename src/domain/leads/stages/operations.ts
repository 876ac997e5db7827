// Stages of an account's own: their names, order, colours, and the status that each belongs to.
import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { Id, ignored, Line, oneOf, RequiredLine, whole } from "../../../lead/fields.ts"
import { STATUSES } from "../../../lead/lead.ts"
import { type Stage, stageNamed } from "../../../lead/stage.ts"
import { AppError, notFound } from "../../../runtime/errors.ts"
import type { Transaction } from "../../../store/contract/store.ts"
import { Color } from "../../../text/color.ts"
import type { JsonText } from "../../../text/json-text.ts"
import { excerpt } from "../../../text/text.ts"
import { BATCH_ID, JOB_ID, STAGE_ID } from "../../examples.ts"
import { workAnswer } from "../../job-kind.ts"
import { type Context, operation } from "../../operation.ts"
import { FOLLOW_STAGE } from "../bulk/actions.ts"
import { workThrough } from "../bulk/bulk.ts"
import { idsOf } from "../list/whole.ts"

const STAGES_MAX = 50
const NAME_MAX = 100

const Name = v.maxLength<string, typeof NAME_MAX, string>(NAME_MAX, `must be at most ${NAME_MAX} characters`)
const Position = v.optional(whole(0, STAGES_MAX - 1))

const stageEntries = {
  id: v.string(),
  name: v.string(),
  status: oneOf(STATUSES),
  color: v.string(),
  position: whole(0),
}
const stageWords = {
  name: "Unique in the account, ignoring case.",
  status: "The status of all leads in it.",
  color: "A colour's name, or `#rrggbb`.",
  position: "Its place among the stages: the least comes first.",
}
const StageOutput = named("Stage", v.strictObject(stageEntries), stageWords)

const work = {
  leads: v.optional(whole(0)),
  batch_id: v.optional(v.string()),
  job: v.optional(v.string()),
}
const workWords = {
  leads: "Leads that were in it and change with it.",
  batch_id: "The batch of their changes, for `POST /changes/revert`.",
  job: "Id of the job that changes them, for more than 1,000: see `GET /jobs/{id}`.",
}

const example = { id: STAGE_ID, name: "Offer sent", status: "qualified", color: "teal", position: 2 } as const

export const listStages = operation({
  name: "list_stages",
  about: "List the account's own stages, each with the status that it belongs to",
  tag: "Stages",
  note: "In the order of boards. An account has at most 50.",
  example: { answers: { 200: [example] } },
  access: "read",
  forSegments: true,
  http: "GET /stages",
  tool: { set: "stages" },
  output: v.array(StageOutput),
  run: (ctx) => ctx.store.read.stages.list(ctx.caller.account.key),
})

const toolWords = {
  name: "Unique in the account",
  status: "The status of its leads",
  color: "Colour's name or #rrggbb",
  position: "Place on boards, from 0",
}

export const createStage = operation({
  name: "create_stage",
  about: "Add a stage that leads go through",
  tag: "Stages",
  errors: ["conflict"],
  note: "The last one unless `position` says otherwise. A lead is put into it by its field `stage`.",
  example: { body: { name: "Offer sent", status: "qualified" }, answers: { 201: example } },
  access: "write",
  http: "POST /stages",
  tool: { set: "stages", words: toolWords },
  input: described(
    v.strictObject({
      id: ignored,
      name: v.pipe(RequiredLine, Name),
      status: oneOf(STATUSES),
      color: v.optional(Color),
      position: Position,
    }),
    stageWords,
  ),
  output: StageOutput,
  status: 201,
  run: (ctx, { name, status, color = "gray", position }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const stages = await tx.stages.list(ctx.caller.account.key)
      if (stages.length >= STAGES_MAX)
        throw new AppError("conflict", `An account has at most ${STAGES_MAX} stages: delete one first`)
      refuseTaken(stages, name)
      const stage = { id: tx.newId("stg_"), name, status, color }
      return place(ctx, tx, stages, stage, position)
    }),
})

export const updateStage = operation({
  name: "update_stage",
  about: "Change the name, colour, place or status of a stage",
  tag: "Stages",
  errors: ["conflict"],
  note: "Only the fields to change. With another `status` all leads in the stage get it: up to 1,000 in the request, more as a job, each with its record in the trail.",
  example: {
    body: { position: 1 },
    answers: {
      200: { ...example, position: 1 },
      202: { ...example, leads: 3_918, job: JOB_ID, batch_id: BATCH_ID },
    },
  },
  access: "write",
  http: ["PUT /stages/:id", "PATCH /stages/:id"],
  tool: { set: "stages", words: { ...toolWords, id: "Stage id, from list_stages" } },
  input: described(
    v.strictObject({
      id: Id,
      name: v.optional(v.pipe(Line, v.nonEmpty("cannot be cleared"), Name)),
      status: v.optional(oneOf(STATUSES)),
      color: v.optional(Color),
      position: Position,
    }),
    stageWords,
  ),
  output: named("ChangedStage", v.strictObject({ ...stageEntries, ...work }), {
    ...stageWords,
    ...workWords,
  }),
  otherStatuses: [202],
  async run(ctx, { id, ...changes }) {
    const account = ctx.caller.account.key
    const { before, after } = await ctx.store.write(account, async (tx) => {
      const stages = await tx.stages.list(account)
      const before = stageWithId(stages, id)
      const others = stages.filter((one) => one !== before)
      if (changes.name !== undefined) refuseTaken(others, changes.name)
      const { name = before.name, status = before.status, color = before.color } = changes
      const position = changes.position ?? before.position
      return { before, after: await place(ctx, tx, others, { ...before, name, status, color }, position) }
    })
    return before.status === after.status ? after : withLeads(ctx, id, after)
  },
})

export const deleteStage = operation({
  name: "delete_stage",
  about: "Delete a stage; its leads keep their status",
  tag: "Stages",
  note: "Leads in it are in no stage then: up to 1,000 in the request, more as a job. Reverting the batch brings the stage back with them.",
  example: {
    answers: {
      200: { id: STAGE_ID, deleted: true, leads: 12, batch_id: BATCH_ID },
      202: { id: STAGE_ID, deleted: true, leads: 3_918, job: JOB_ID, batch_id: BATCH_ID },
    },
  },
  access: "write",
  http: "DELETE /stages/:id",
  tool: { set: "stages", words: { id: "Stage id, from list_stages" } },
  output: described(v.strictObject({ id: v.string(), deleted: v.literal(true), ...work }), {
    deleted: "Always true.",
    ...workWords,
  }),
  otherStatuses: [202],
  async run(ctx, { id }) {
    const account = ctx.caller.account.key
    await ctx.store.write(account, async (tx) => {
      const stages = await tx.stages.list(account)
      stageWithId(stages, id)
      await tx.stages.remove(account, id)
    })
    return withLeads(ctx, id, { id, deleted: true })
  },
})

function stageWithId(stages: readonly Stage[], id: string): Stage {
  const stage = stages.find((one) => one.id === id)
  if (!stage) throw notFound("Stage")
  return stage
}

function refuseTaken(stages: readonly Stage[], name: string): void {
  if (stageNamed(stages, name))
    throw new AppError("conflict", `Duplicate name: there is a stage "${excerpt(name)}" already`)
}

/**
 * Keeps a stage at its place, behind the others by default. One that moves down lets those that it passes move up; where
 * its place is taken, the others from there on make room.
 */
async function place(
  { caller }: Context,
  tx: Transaction,
  others: readonly Stage[],
  stage: Omit<Stage, "position"> & { position?: number },
  position = (others.at(-1)?.position ?? -1) + 1,
): Promise<Stage> {
  const put = (one: Stage) => tx.stages.put(caller.account.key, one)
  const from = stage.position ?? Number.POSITIVE_INFINITY
  let taken = position
  for (const one of others) {
    if (one.position > from && one.position <= position) await put({ ...one, position: one.position - 1 })
    else if (one.position === taken) await put({ ...one, position: ++taken })
  }
  const placed = { ...stage, position }
  await put(placed)
  return placed
}

/** The answer, once the leads of a stage follow what became of it. */
async function withLeads(ctx: Context, id: string, answer: object): Promise<JsonText> {
  const ids = await idsOf(ctx, { filter: [`and.eq.stage.${id}`] })
  if (ids.length === 0) return workAnswer({ ...answer, leads: 0 })
  const { job, batch_id } = await workThrough(ctx, { action: FOLLOW_STAGE, ids })
  return workAnswer({ ...answer, leads: ids.length, job, batch_id })
}
