import type { StoredLead } from "../../../store/contract/store.ts"

/** Joins the JSON texts of leads with `between`, from `before` to `behind`: these three are ASCII. */
export function joinLeads(
  leads: readonly StoredLead[],
  { before, between, behind }: Record<"before" | "between" | "behind", string>,
): Uint8Array<ArrayBuffer> {
  const more = between.length
  const room = leads.reduce((sum, lead) => sum + lead.room + more, before.length + behind.length)
  const out = Buffer.allocUnsafeSlow(room)
  let at = out.write(before, 0, "latin1")
  for (const [i, lead] of leads.entries()) {
    if (i > 0) at += out.write(between, at, "latin1")
    at = lead.writeJson(out, at)
  }
  at += out.write(behind, at, "latin1")
  return out.subarray(0, at)
}
