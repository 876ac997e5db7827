import type { Clock } from "../../core/clock.ts"
import type { ClientDocuments } from "./client-documents.ts"

/**
 * The document of the client that most often has one. Clients with documents do not fall back to registering, so
 * they are invited to use theirs only while this one can be had.
 */
const SAMPLE = "https://claude.ai/oauth/claude-code-client-metadata"
/** Milliseconds that a finding is good for. */
const GOOD_FOR = { works: 600_000, fails: 60_000 }
/** Milliseconds that an answer waits for a finding; it goes out without, and the next one has it. */
const PATIENCE = 1_000

/** Tells whether documents can be fetched; sends requests only when asked. */
export function createOutboundCheck(documents: ClientDocuments, clock: Clock): () => Promise<boolean> {
  let works = false
  let goodUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      works = "client" in (await documents.load(SAMPLE, async () => true))
    } finally {
      goodUntil = clock.monotonic() + (works ? GOOD_FOR.works : GOOD_FOR.fails)
      looking = undefined
    }
  }

  return async () => {
    if (clock.monotonic() >= goodUntil) {
      looking ??= look()
      await Promise.race([looking, Bun.sleep(PATIENCE)])
    }
    return works
  }
}
