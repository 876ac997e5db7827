// A service that is killed while an import runs in the request that asked for it: the import ends as `interrupted`.
import { describe, expect, test } from "bun:test"
import type { Call } from "../support/app.ts"
import { hasPostgres, newDatabase, startPostgres } from "../support/postgres.ts"
import { openPlace, type Place } from "../support/service.ts"
import { until } from "../support/until.ts"

await startPostgres()

const HEADER = "name,email\n"
const rowsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `Lead ${from + i},l${from + i}@x.de\n`).join("")
/** More than two transactions of either engine. */
const SENT = 5_000
const WHOLE = HEADER + rowsOf(0, SENT + 1_000)
const KEYED = { "Idempotency-Key": "one import", "Content-Type": "text/csv" }

/** A file of which the first rows are sent, and the rest never. */
function unfinished(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(HEADER + rowsOf(0, SENT)))
    },
  })
}

describe.each([
  ["SQLite", async () => ({}), false],
  ["PostgreSQL", async () => ({ LEADDB_DATABASE: await newDatabase() }), !hasPostgres],
] as [string, () => Promise<Record<string, string>>, boolean][])("%s", (_, environment, isSkipped) => {
  test.skipIf(isSkipped)(
    "an import whose process was killed is interrupted, can be undone, and its key says what became of it",
    async () => {
      await using place: Place = openPlace()
      const env = { LEADDB_LOG: "off", ...(await environment()) }
      let service = await place.serve([], env)
      const call: Call = (...asked) => service.call(...asked)
      const importing = call("POST", "/leads/import?source=fair", unfinished(), KEYED)
      importing.catch(() => undefined)
      const id = await until("rows are in", async () => {
        const [one] = (await call("GET", "/imports")).body.imports
        return one?.progress.done > 0 && one.created === one.progress.done && (one.id as string)
      })
      expect((await call("POST", `/imports/${id}/undo`)).status).toBe(409)
      await service.kill()

      service = await place.serve([], env)
      const one = await until(
        "it is interrupted",
        async () => {
          const { body } = await call("GET", `/imports/${id}`)
          return body.state === "interrupted" && body
        },
        120_000,
      )
      const { total_leads: leads } = (await call("GET", "/stats")).body
      expect(leads).toBeGreaterThan(0)
      expect(one).toMatchObject({
        ...{ created: leads, merged: 0, rejected: 0, job: null, undone_at: null },
        error: expect.stringMatching(
          /^The import was cut off after [\d,]+ rows: the process that ran it ended/,
        ),
        progress: { done: leads, seconds_left: 0 },
        report: { id, total: leads, created: leads },
      })
      expect(one.ended_at).toBeGreaterThan(0)

      const again = () => call("POST", "/leads/import?source=fair", WHOLE, KEYED)
      const repeated = await again()
      expect([repeated.status, repeated.headers.get("idempotency-replayed")]).toEqual([200, "true"])
      expect(repeated.body).toEqual({ ...one.report, state: "interrupted", error: one.error })
      const other = await call("POST", "/leads/import?source=other", WHOLE, KEYED)
      expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"])

      const undone = await call("POST", `/imports/${id}/undo`)
      expect([200, 202]).toContain(undone.status)
      await until("its leads are gone", async () => (await call("GET", "/stats")).body.total_leads === 0)
      expect((await again()).body).toMatchObject({ id, state: "undone", created: leads })
      const { body } = await call("POST", "/leads/import", WHOLE, { "Content-Type": "text/csv" })
      expect(body.created).toBe(SENT + 1_000)
      expect(body).not.toHaveProperty("state")
    },
    240_000,
  )
})
