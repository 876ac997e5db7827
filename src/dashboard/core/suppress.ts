// Putting emails, phones and domains on the do-not-contact list, with the way back.
import { post, remove } from "./api.ts"
import { t } from "./text.ts"
import { attempt, say, sayUndo } from "./toast.ts"
import type { Suppressed } from "./types.ts"

/** Values of one request at most. */
const SENT = 1_000

/** Puts the values on the list, says `text`, and runs `done`, also after an undo. What was on the list before stays on it. */
export function suppress(values: readonly string[], text: string, done: () => void): Promise<boolean> {
  return attempt(async () => {
    const fresh: string[] = []
    for (let at = 0; at < values.length; at += SENT) {
      const body = { suppressions: values.slice(at, at + SENT).map((value) => ({ value })) }
      const { suppressions, added } = await post<Suppressed>("/suppressions", body)
      // Ids are in the order in which entries were made.
      fresh.push(
        ...suppressions
          .map(({ id }) => id)
          .toSorted()
          .slice(suppressions.length - added),
      )
    }
    const undo = async () => {
      for (const id of fresh) await remove(`/suppressions/${id}`)
      say(t("Off the do-not-contact list again"))
      done()
    }
    if (fresh.length > 0) sayUndo(text, undo)
    else say(text)
    done()
  })
}
