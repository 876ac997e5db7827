import type { WriteNews } from "./lease-book.ts"

/** Attempts by what came of them: it arrived, it is made again later, it was the last, with an answer or without. */
interface AttemptCounts {
  succeeded: number
  retried: number
  failed: number
  expired: number
}

/** Counts the attempts that are told of, once they are written down. */
export function countAttempts(tell: WriteNews): { tell: WriteNews; counts: AttemptCounts } {
  const counts = { succeeded: 0, retried: 0, failed: 0, expired: 0 }
  return {
    counts,
    async tell(news) {
      const claimed = await tell(news)
      if (claimed) {
        for (const { status } of news.attempts) counts[status === "pending" ? "retried" : status]++
      }
      return claimed
    },
  }
}
