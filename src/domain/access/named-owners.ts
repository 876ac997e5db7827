// Leads that an import left with the name of their owner go to the member of that name, once there is one.
import { runBulk } from "../leads/bulk/bulk.ts"
import type { Context } from "../operation.ts"

/** Gives a new member the leads whose owner is their name, or an email of it: here or, where they are many, by a job. */
export async function giveNamed(
  ctx: Context,
  { id, name, email = name }: { id: string; name: string; email?: string | undefined },
): Promise<void> {
  const words = name.trim().split(/\s+/)
  const filter = [
    ...new Set([`or.eq.owner.${name}`, `or.eq.owner.${email}`]),
    ...(words.length > 1 ? [".", "_", "-"].map((sign) => `or.starts_with.owner.${words.join(sign)}@`) : []),
  ]
  await runBulk(ctx, { filter }, "update", { owner: id })
}
