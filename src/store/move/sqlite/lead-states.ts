// What leads were after changes, for who asks for one change after the other, the newest of a lead first.
import type { LeadData } from "../../../core/lead.ts"
import type { Step, trailChains } from "../../sqlite/trail/chain.ts"

/** Leads on whose way back it is remembered how far it is. */
const LEADS = 5_000

export function createLeadStates(chains: ReturnType<typeof trailChains>, account: number) {
  const ways = new Map<string, { steps: Iterator<Step>; last?: Step | undefined }>()
  return {
    after(id: string, seq: number): LeadData | undefined {
      let way = ways.get(id)
      if (!way || (way.last && way.last.seq < seq)) {
        const lead = chains.find(account, id)
        if (!lead) return undefined
        way = { steps: chains.steps(account, lead, seq) }
      }
      // The least lately asked for goes first.
      ways.delete(id)
      ways.set(id, way)
      if (ways.size > LEADS) ways.delete(ways.keys().next().value!)
      while (!way.last || way.last.seq > seq) {
        const { value, done } = way.steps.next()
        if (done) return undefined
        way.last = value
      }
      return way.last.seq === seq ? way.last.after?.data : undefined
    },
  }
}
