// Clients of a service that may be killed at any moment.
import type { Answer } from "../../test/support/answer.ts"
import { ask } from "../../test/support/ask.ts"
import type { Random } from "../seed/random.ts"

/** Undefined when no answer came, or when the service says that it has too much to do. */
export async function attempt(...asked: Parameters<typeof ask>): Promise<Answer | undefined> {
  const answer = await ask(...asked).catch(() => undefined)
  return answer?.status === 503 ? undefined : answer
}

export type Request = [method: string, path: string, body?: object]

/** Ids of the leads that writers pushed, and of batches. */
export interface Known {
  ids: readonly string[]
  batches: readonly string[]
}

interface Writing {
  /** Where the service is by now. */
  url(): string
  key: string
  /** One for each writer. */
  randoms: readonly Random[]
  signal: AbortSignal
  next(random: Random, known: Known): Request
}

export interface Writers {
  /** Requests that were answered with success. */
  acked: number
  /** Answers that no request may get. */
  wrong: string[]
  /** Resolves when all have ended. */
  ended: Promise<unknown>
}

/** Starts to write until the signal comes, through whatever happens to the service. */
export function startWriters({ url, key, randoms, signal, next }: Writing): Writers {
  const writers: Writers = { acked: 0, wrong: [], ended: Promise.resolve() }
  const batches: string[] = []
  async function writeOn(random: Random): Promise<void> {
    const ids: string[] = []
    while (!signal.aborted) {
      const [method, path, body] = next(random, { ids, batches })
      const answer = await attempt({ url: url() }, key, method, path, body)
      // The service is being killed, or has too much to do.
      if (!answer) await Bun.sleep(10)
      else if (answer.status >= 500)
        writers.wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      else if (answer.status < 300) {
        writers.acked++
        take(answer.body ?? {}, ids, batches)
      }
    }
  }
  writers.ended = Promise.all(randoms.map(writeOn))
  return writers
}

interface Pushed {
  id?: string
  batch_id?: string
  created?: { id: string }[]
}

/** Keeps the last of what an answer tells of. */
function take({ id, batch_id, created = [] }: Pushed, ids: string[], batches: string[]): void {
  if (id?.startsWith("cl_")) ids.push(id)
  ids.push(...created.map((lead) => lead.id))
  if (batch_id !== undefined) batches.push(batch_id)
  for (const list of [ids, batches]) if (list.length > 200) list.splice(0, 100)
}
