import type { BatchRef } from "../store/contract/store.ts"
import type { Context } from "./operation.ts"

/**
 * The context of work with several changes: they share a `batch_id`, by which they are listed and reverted together.
 * Work within a batch joins it.
 */
export function inBatch(ctx: Context, importId?: string): Context & { batch: BatchRef } {
  return { ...ctx, batch: ctx.batch ?? { id: ctx.ids.uuid(), import_id: importId } }
}
