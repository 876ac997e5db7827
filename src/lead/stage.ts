import { fold } from "../text/text.ts"
import type { Status } from "./lead-fields.ts"

/** A stage of an account's own, within one of the five statuses. */
export interface Stage {
  id: string
  name: string
  status: Status
  /** A colour's name, or `#rrggbb`. */
  color: string
  /** Its place among the stages, from 0. */
  position: number
}

/** The stage with an id or a name; case makes no difference in names. */
export function stageNamed(stages: readonly Stage[], text: string): Stage | undefined {
  const name = fold(text.trim())
  return stages.find(({ id }) => id === text) ?? stages.find((stage) => fold(stage.name) === name)
}
