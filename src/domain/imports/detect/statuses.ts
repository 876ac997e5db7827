import { badRequest } from "../../../core/errors.ts"
import { STATUSES, type Status } from "../../../core/lead.ts"
import { excerpt } from "../../../core/text.ts"
import { plainName } from "./plain-name.ts"
import type { Preset } from "./preset.ts"
import { STATUS_WORDS } from "./vocabulary.ts"

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

/** Parses status words from `WORD=STATUS`. Throws `bad_request`. */
export function parseMapValue(texts: readonly string[]): Map<string, Status> {
  const said = new Map<string, Status>()
  for (const text of texts) {
    const at = Math.max(text.lastIndexOf("="), text.lastIndexOf(":"))
    const status = STATUSES.find((one) => one === text.slice(at + 1).trim())
    if (at <= 0 || !status)
      throw badRequest(
        `map_value must be WORD=STATUS with one of ${STATUSES.join(", ")}, got "${excerpt(text)}"`,
      )
    said.set(plainName(text.slice(0, at)), status)
  }
  return said
}
