import { STATUSES, type Status } from "../../../lead/lead.ts"
import type { Stage } from "../../../lead/stage.ts"
import { type Preset, plainName, STATUS_WORDS } from "./vocabulary.ts"

/** The stage of the account that a text names. */
export type StageOf = (text: string) => Stage | undefined

/** The status that a text stands for. */
export type StatusOf = (text: string) => Status | undefined

const BY_WORD = new Map<string, Status>(
  STATUSES.flatMap((status) =>
    STATUS_WORDS[status]
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word): [string, Status] => [word, status]),
  ),
)

/** Returns the status of a text in files of a preset; the mapping's words take precedence. */
export function statusParser(preset: Preset | undefined, said: ReadonlyMap<string, Status>): StatusOf {
  const own = new Map(Object.entries(preset?.statuses ?? {}))
  return (text) => {
    const plain = plainName(text)
    return said.get(plain) ?? own.get(plain) ?? BY_WORD.get(plain)
  }
}
