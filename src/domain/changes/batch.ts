import type { BatchRef } from "../../store/contract/store.ts"
import type { Context } from "../operation.ts"

/**
 * The context of work that changes several leads, or one several times: all its changes share a `batch_id`, by which
 * they are found and put back together. Work that is part of a batch already stays in it.
 */
export function inBatch(ctx: Context, importId?: string): Context & { batch: BatchRef } {
  return { ...ctx, batch: ctx.batch ?? { id: ctx.ids.uuid(), import_id: importId } }
}
