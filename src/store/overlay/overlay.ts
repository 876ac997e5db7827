// A dry run's pushes: they find what an account has stored, and what they write stays here.
import type { Account } from "../../access/rights.ts"
import { fold } from "../../text/text.ts"
import { ASKED_MAX } from "../contract/duplicates.ts"
import type { DuplicateReads, Overlay, PushTransaction, Reads } from "../contract/store.ts"
import { overlayLeads } from "./overlay-leads.ts"

// Pairs that a dry run would open, over those that an account has stored.

/** Pairs that are remembered: some 20 MB. */
const PAIRS_MAX = 100_000

function overlayAsked(
  account: number,
  stored: Pick<DuplicateReads, "askedNamesake">,
  leads: Pick<PushTransaction["leads"], "findByRef">,
): Pick<PushTransaction["duplicates"], "askedNamesake" | "ask"> {
  /** Partners of a lead, in the order of their creation. */
  const partners = new Map<number, number[]>()
  let pairs = 0

  function add(one: number, other: number): void {
    const ofOne = partners.get(one)
    if (!ofOne) partners.set(one, [other])
    else if (ofOne.length < ASKED_MAX) ofOne.push(other)
  }

  async function isNamed(ref: number, name: string): Promise<boolean> {
    const row = await leads.findByRef(account, ref)
    return row !== undefined && fold(row.data().name) === name
  }

  return {
    async askedNamesake(_account, lead, name) {
      const before = await stored.askedNamesake(account, lead, name)
      if (before !== undefined && (await isNamed(before, name))) return before
      for (const ref of partners.get(lead) ?? []) if (await isNamed(ref, name)) return ref
      return undefined
    },
    async ask(_account, one, other) {
      if (++pairs > PAIRS_MAX) return
      add(one, other)
      add(other, one)
    },
  }
}

/** Ids that no stored lead has: their time is the beginning of all. */
const CREATED = "00000000"
/** As long as ids are. */
const ZEROS = `${CREATED}-0000-0000-0`
const FIRST = 1e15

/** Opens an overlay over what `read` finds. `folder` takes a temporary file. */
export function openOverlay(read: Reads, account: Account, folder: string): Overlay {
  const leads = overlayLeads(account, read.leads, folder)
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
      countLeads: async () => (await totals()).leads + leads.created(),
      storedBytes: async () => (await totals()).bytes + leads.bytes(),
    },
    leads: leads.leads,
    rules: { list: read.rules.list, revision: async () => revision },
    attributeDefinitions: read.attributeDefinitions,
    stages: read.stages,
    companies: read.companies,
    notes: read.notes,
    duplicates: { ...overlayAsked(account.key, read.duplicates, leads.leads), addAliases: leads.addAliases },
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
    attempt: leads.attempt,
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
    close: leads.close,
  }
}

async function totalsOf({ accounts }: Reads, account: number): Promise<{ leads: number; bytes: number }> {
  return { leads: await accounts.countLeads(account), bytes: await accounts.storedBytes(account) }
}
