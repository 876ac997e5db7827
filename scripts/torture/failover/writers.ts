// Clients that push leads through a proxy and send each again, under its Idempotency-Key, until it is answered.

export interface Writers {
  /** Names of leads that were acknowledged. */
  acked: Set<string>
  /** Names of leads that were sent. */
  sent: number
  /** Answers and broken connections that were not the acknowledgement. */
  refused: Map<string, number>
  /** The longest time without any acknowledgement since this was asked last, in milliseconds. */
  longestGap(): number
  stop(): Promise<void>
}

const PATIENCE_MS = 15_000

export function startWriters(url: string, key: string, count: number): Writers {
  const acked = new Set<string>()
  const refused = new Map<string, number>()
  const stopping = new AbortController()
  let [last, gap, sent] = [performance.now(), 0, 0]

  function acknowledged(name: string): void {
    acked.add(name)
    const now = performance.now()
    gap = Math.max(gap, now - last)
    last = now
  }

  async function push(name: string): Promise<boolean> {
    try {
      const response = await fetch(`${url}/leads`, {
        method: "POST",
        headers: { "X-API-Key": key, "Content-Type": "application/json", "Idempotency-Key": name },
        body: JSON.stringify({ name, source: "failover" }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.text()
      if (response.ok) return true
      const code = text.match(/"code":"(\w+)"/)?.[1] ?? String(response.status)
      refused.set(code, (refused.get(code) ?? 0) + 1)
      if (response.status < 500 && response.status !== 409 && response.status !== 429)
        throw new Error(`POST /leads was answered ${response.status}: ${text}`)
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("POST")) throw error
      refused.set("connection", (refused.get("connection") ?? 0) + 1)
    }
    return false
  }

  async function work(writer: number): Promise<void> {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const name = `w${writer} n${n}`
      sent++
      // Also after the end: whether it was kept is to be found out.
      while (!(await push(name))) await Bun.sleep(100)
      acknowledged(name)
    }
  }

  const all = Array.from({ length: count }, (_, i) => work(i))
  for (const one of all) one.catch(() => {})
  return {
    acked,
    get sent() {
      return sent
    },
    refused,
    longestGap() {
      const longest = Math.max(gap, performance.now() - last)
      gap = 0
      return longest
    },
    async stop() {
      stopping.abort()
      await Promise.all(all)
    },
  }
}

export interface Readers {
  /** Answers, and those of them that lacked a lead that had been acknowledged before the question. */
  asked: number
  stale: number
  stop(): Promise<void>
}

/** A client that counts all leads again and again, as replicas answer it. */
export function startReader(url: string, key: string, { acked }: Writers): Readers {
  let isOver = false
  const seen = { asked: 0, stale: 0 }
  const reading = (async () => {
    while (!isOver) {
      const before = acked.size
      try {
        const response = await fetch(`${url}/leads/aggregate?group_by=source&metrics=count`, {
          headers: { "X-API-Key": key },
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        if (response.ok) {
          seen.asked++
          if ((await response.json()).total < before) seen.stale++
        }
      } catch {
        // It is asked again.
      }
      await Bun.sleep(100)
    }
  })()
  return {
    get asked() {
      return seen.asked
    },
    get stale() {
      return seen.stale
    },
    async stop() {
      isOver = true
      await reading
    },
  }
}
