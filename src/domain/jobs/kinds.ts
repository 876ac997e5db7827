import { revertJob } from "../changes/revert.ts"
import { mergeDuplicatesJob } from "../duplicates/merge-many.ts"
import { rescanJob } from "../duplicates/status.ts"
import { importJob } from "../imports/run/background.ts"
import type { JobKind } from "../job-kind.ts"
import { bulkJob } from "../leads/bulk/job.ts"
import { eraseAgainJob } from "../privacy/erasing/erase.ts"
import { scoreJob } from "../scoring/score-all.ts"

/** All kinds of jobs. */
export const JOB_KINDS: readonly JobKind[] = [
  revertJob,
  bulkJob,
  rescanJob,
  mergeDuplicatesJob,
  importJob,
  scoreJob,
  eraseAgainJob,
]
