import type { ScoredPage } from "../core/operation.ts"
import { compileRules } from "../expression/index.ts"
import type { Reads } from "../store/store.ts"

/** Leads read at a time: a few milliseconds of work. */
const PAGE = 500

/**
 * Evaluates an account's present rules over all its leads, page by page in creation order. `give` takes a page and
 * resolves when the next may come. Returns how many leads there were.
 */
export async function scoreAccount(
  read: Reads,
  { account, now, wantsAll }: { account: number; now: number; wantsAll: boolean },
  give: (page: ScoredPage) => Promise<void>,
): Promise<number> {
  const rules = compileRules(await read.rules.list(account))
  let count = 0
  let after = ""
  for (;;) {
    const rows = await read.leads.scoringPage(account, rules, after, PAGE)
    if (rows.length === 0) return count
    const page: ScoredPage = { changed: [], all: [] }
    for (const { ref, id, version, score: stored, lead } of rows) {
      const score = rules.score(lead, now)
      if (score !== stored) page.changed.push({ ref, version, score })
      if (wantsAll) page.all.push({ id, score })
    }
    // Deliveries share this thread.
    await new Promise(setImmediate)
    count += rows.length
    after = rows.at(-1)!.id
    if (page.changed.length > 0 || page.all.length > 0) await give(page)
  }
}
