import { expect, test } from "bun:test"
import { openTestApp } from "../support/app.ts"
import { type Hook, openHook, openSilence } from "../support/hook.ts"
import { until } from "../support/until.ts"

const SILENT = 64

test("64 endpoints that never answer delay a healthy one by less than 250 ms, and get four attempts at most", async () => {
  const { call } = await openTestApp()
  const silent = Array.from({ length: SILENT }, openSilence)
  await using healthy = openHook()
  try {
    for (const { url } of silent) await call("POST", "/webhooks", { url })
    await call("POST", "/webhooks", { url: healthy.url })
    // Enough for each of the silent ones to hold all it can get.
    const make = (name: string) => call("POST", "/leads", { name, source: "s" })
    for (let i = 0; i < 6; i++) await make(`before ${i}`)
    await until("every endpoint has something to be silent about", () =>
      silent.every(({ hits }) => hits.length > 0),
    )
    await healthy.arrived(6)
    const waits: number[] = []
    for (let i = 0; i < 10; i++) {
      await make(`timed ${i}`)
      const committed = performance.now()
      const hits = await healthy.arrived(7 + i)
      waits.push(hits.at(-1)!.at - committed)
    }
    expect(Math.max(...waits)).toBeLessThan(250)
    for (const { hits } of silent) expect(hits.length).toBeLessThanOrEqual(4)
  } finally {
    await Promise.all(silent.map((hook: Hook) => hook.close()))
  }
})
