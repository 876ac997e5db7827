// Longer work of the service: a request begins it, and GET /jobs/{id} says how far it is.

import { get, written } from "./api.ts"
import { t } from "./text.ts"
import type { JobStatus } from "./types.ts"

const LOOK_AGAIN_MS = 400

/** Resolves when a job is over; `tell` hears how far it is meanwhile. Throws when it failed. */
export async function jobDone(id: string, tell?: (job: JobStatus) => void): Promise<JobStatus> {
  for (;;) {
    const job = await get<JobStatus>(`/jobs/${id}`)
    tell?.(job)
    if (job.state === "failed") throw new Error(job.errors[0]?.message ?? t("The work broke off"))
    if (job.state === "done" || job.state === "stopped") {
      written.value++
      return job
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
