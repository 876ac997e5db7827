// One command, whatever it is.

import type { Command } from "./commands.ts"
import * as leads from "./leads.ts"
import { list } from "./lists.ts"
import type { Run } from "./run.ts"
import * as scores from "./scores.ts"
import * as sides from "./sides.ts"

type Takes = { [Do in Command["do"]]: (run: Run, command: Command & { do: Do }) => Promise<void> }

const TAKES: Takes = {
  push: leads.push,
  "refused push": leads.refusedPush,
  "batch push": leads.batchPush,
  update: leads.update,
  "send back": leads.sendBack,
  "batch update": leads.batchUpdate,
  remove: leads.remove,
  "batch remove": leads.batchRemove,
  tag: leads.tag,
  get: leads.get,
  changes: leads.changes,
  attributes: sides.listAttributes,
  "add attribute": sides.addAttribute,
  "set attribute": sides.setAttribute,
  "drop attribute": sides.dropAttribute,
  notes: sides.listNotes,
  "add note": sides.addNote,
  "set note": sides.setNote,
  "drop note": sides.dropNote,
  "add rule": scores.addRule,
  "set rule": scores.setRule,
  "drop rule": scores.dropRule,
  rules: scores.listRules,
  score: scores.score,
  "score all": scores.scoreAll,
  stats: scores.stats,
  cities: scores.cities,
  index: (run) => run.index(),
  list: (run, { query, between }) => list(run, query, between, take),
}

/** Takes a command on the service and on the model. Throws when they come to something else. */
export function take(run: Run, command: Command): Promise<void> {
  const one = TAKES[command.do] as (run: Run, command: Command) => Promise<void>
  return one(run, command)
}
