// What goes on behind the requests, waited for.
import type { Call } from "./app.ts"
import { until } from "./until.ts"

/** The job when it is over; throws where it did not go well. */
export async function jobDone(call: Call, id: string) {
  const job = await until(
    `the job ${id} is over`,
    async () => {
      const { body } = await call("GET", `/jobs/${id}`)
      return body.ended_at !== null && body
    },
    120_000,
  )
  if (job.state !== "done") throw new Error(`the job is ${job.state}: ${JSON.stringify(job)}`)
  return job
}

/** The record of an import that went on behind its answer, when it is over; throws where it did not go well. */
export async function importDone(call: Call, id: string) {
  const record = await until(
    `the import ${id} is over`,
    async () => {
      const { body } = await call("GET", `/imports/${id}`)
      return body.state !== "running" && body
    },
    120_000,
  )
  if (record.state !== "done") throw new Error(`the import is ${record.state}: ${JSON.stringify(record)}`)
  return record
}

/** Resolves when all leads have been compared: a test that looks at pairs waits for it. */
export const compared = (call: Call) =>
  until("all leads are compared", async () => (await call("GET", "/duplicates/status")).body.waiting === 0)
