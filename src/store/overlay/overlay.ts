// A dry run's pushes: they find what an account has stored, and what they write stays here.
import type { Account } from "../../core/access.ts"
import type { Overlay, PushTransaction, Reads } from "../contract/store.ts"
import { overlayAsked } from "./asked.ts"
import { overlayLeads } from "./leads.ts"

/** Ids that no stored lead has: their time is the beginning of all. */
const CREATED = "00000000"
/** As long as ids are. */
const ZEROS = `${CREATED}-0000-0000-0`
const FIRST = 1e15

/** Opens an overlay over what `read` finds. `folder` takes a temporary file. */
export function openOverlay(read: Reads, account: Account, folder: string): Overlay {
  const own = overlayLeads(account, read.leads, folder)
  let stored: Promise<{ leads: number; bytes: number }> | undefined
  const totals = () => {
    stored ??= totalsOf(read, account.key)
    return stored
  }
  let ids = FIRST
  let revision = 0
  let kinds = 0
  // No listener is told and no trail is kept.
  const tx: PushTransaction = {
    accounts: {
      countLeads: async () => (await totals()).leads + own.created(),
      storedBytes: async () => (await totals()).bytes + own.bytes(),
    },
    leads: own.leads,
    rules: { list: read.rules.list, revision: async () => revision },
    attributeDefinitions: read.attributeDefinitions,
    stages: read.stages,
    companies: read.companies,
    notes: read.notes,
    duplicates: { ...overlayAsked(account.key, read.duplicates, own.leads), addAliases: own.addAliases },
    changes: { record: async () => undefined },
    segments: {
      watchRevision: async () => 0,
      list: read.segments.list,
      find: read.segments.find,
      queueTransition: async () => undefined,
      takeTransitions: async () => [],
    },
    enrichment: { queue: async () => undefined },
    webhooks: { subscribed: async () => [] },
    deliveries: { publish: async () => [] },
    suppressions: { kinds: async () => kinds, having: read.suppressions.having },
    attempt: own.attempt,
    newId: (prefix = "") => `${prefix}${ZEROS}${++ids}`,
  }
  return {
    async write(work) {
      // Once a work: lead by lead it takes longer than looking for the lead's duplicates.
      revision = await read.rules.revision(account.key)
      kinds = await read.suppressions.kinds(account.key)
      return work(tx)
    },
    isCreated: (id) => id.includes(`_${CREATED}`),
    close: own.close,
  }
}

async function totalsOf({ accounts }: Reads, account: number): Promise<{ leads: number; bytes: number }> {
  return { leads: await accounts.countLeads(account), bytes: await accounts.storedBytes(account) }
}
