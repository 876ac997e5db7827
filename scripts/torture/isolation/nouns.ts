// Store calls that no request of the row comes to: signing in, sending deliveries, jobs and what is cleared away.
import { blankForm } from "../../../src/domain/forms/form.ts"
import type { Form, Store } from "../../../src/store/contract/store.ts"
import type { Estate } from "./estates.ts"

const HOUR = 3_600
const bytes = (nth: number) => new Uint8Array(32).fill(nth)

/** Runs the statements of signing in, of sending and of clearing away, on the rows of an account. */
export async function exerciseNouns(store: Store, estate: Estate): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  await signIn(store, estate, now)
  await signInByBrowser(store, estate, now)
  await importLeads(store, estate, now)
  await runJob(store, estate, now)
  await sendDeliveries(store, estate, now)
  await fillForms(store, estate, now)
  await shareAndErase(store, estate, now)
  await lookAcross(store, estate)
}

async function shareAndErase(store: Store, { account, ids }: Estate, now: number): Promise<void> {
  const erasure = { id: "era_1", reason: "request", rule_id: null, rule_name: null, count: 1 } as const
  await store.write(account, async (tx) => {
    await tx.links.findByHash(bytes(6))
    await tx.links.removeOf(account, ids.segments)
    await tx.retention.lease(account, ids["retention-rules"], now, now + HOUR)
    await tx.retention.release(account, ids["retention-rules"])
    await tx.erasures.record(account, { ...erasure, actor_id: "key_1", key_id: null, created_at: now })
    await tx.erasures.list(account, { limit: 1 })
    await tx.enrichment.queue(account, [ids.leads])
    await tx.enrichment.queued(account, 10)
    await tx.enrichment.take(account, ids.leads, now)
    const segment = await tx.segments.find(account, ids.segments)
    if (segment) await tx.segments.setEnriched(account, segment)
  })
}

async function signIn(store: Store, { account, ids }: Estate, now: number): Promise<void> {
  const passkey = { id: "passkey", public_key: bytes(1), counter: 0, transports: [] }
  const session = { role: "owner", key_id: null, member_id: ids.members, agent: "", created_at: now } as const
  await store.write(account, async (tx) => {
    await tx.members.findByInvite(bytes(2), now)
    await tx.members.setInvite(account, ids.members, {
      hash: bytes(2),
      expires_at: now + HOUR,
      by: ids["api-keys"],
    })
    await tx.members.endInvites(account, ids["api-keys"])
    await tx.members.join(account, ids.members, "hash", now)
    await tx.members.findByName("bea", 10)
    await tx.members.findBySubject("subject")
    await tx.members.findUnlinked(account, "bea")
    await tx.accounts.setDomains(account, ["corp.example"])
    await tx.accounts.domains(account)
    await tx.accounts.findByDomain("corp.example")
    await tx.members.addPasskey(account, ids.members, passkey, now)
    await tx.members.findByPasskey(passkey.id)
    await tx.members.countPasskey(passkey.id, 1)
    await tx.members.useChallenge("challenge", now + HOUR, now)
    await tx.sessions.insert(
      account,
      { ...session, id: "ses_1", hash: bytes(3), expires_at: now + HOUR },
      now - HOUR,
    )
    await tx.sessions.touch(new Map([["ses_1", now + 1]]))
    await tx.sessions.removeOfMember(account, ids.members)
    await tx.members.remove(account, ids.members)
  })
}

async function signInByBrowser(store: Store, { account, ids }: Estate, now: number): Promise<void> {
  const ends = { created_at: now, expires_at: now + HOUR }
  const client = { id: "client", name: "client", redirect_uris: ["https://client.example"], ...ends }
  const grant = {
    client_id: client.id,
    client_name: client.name,
    redirect_uri: "https://client.example",
    ...ends,
  }
  const rights = {
    resource: null,
    challenge: "challenge",
    role: "owner",
    signer_id: ids["api-keys"],
  } as const
  const login = {
    selector: "selector",
    account,
    hash: "hash",
    role: "owner",
    expires_at: now + HOUR,
  } as const
  await store.write(account, async (tx) => {
    await tx.oauth.insertClient(client, 10)
    await tx.oauth.findClient(client.id, now)
    await tx.oauth.keepClient(client.id, now, now + HOUR)
    await tx.oauth.insertGrant(account, bytes(4), { ...grant, ...rights })
    await tx.oauth.redeemGrant(bytes(4), ids["api-keys"])
    await tx.oauth.findGrant(bytes(4), now)
    await tx.oauth.clientOfKey(ids["api-keys"])
    await tx.oauth.insertLogin(login, 3, now)
    await tx.oauth.tryLogin(login.selector, now)
    await tx.oauth.removeLogin(login.selector)
  })
}

async function importLeads(store: Store, { account }: Estate, now: number): Promise<void> {
  const whose = { actor_id: "key_1", key_id: "key_1", job: null, undo_job: null }
  const ended = { created_at: now, ended_at: now, undone_at: null, alive_until: null }
  const row = {
    id: "imp_1",
    name: "x",
    file_name: null,
    state: "done",
    done: 0,
    total: 0,
    report: {},
  } as const
  const mapping = { name: "saved", header: "a,b", options: {}, created_at: now, used_at: now }
  await store.write(account, async (tx) => {
    await tx.imports.insert(account, { ...row, ...whose, ...ended })
    await tx.imports.update(account, row.id, { state: "undone" })
    await tx.imports.addLeads(account, row.id, [1])
    await tx.imports.saveMapping(account, mapping)
    await tx.imports.saveMapping(account, { ...mapping, name: null })
    await tx.imports.mapping(account, mapping.name)
    await tx.imports.mappingOf(account, mapping.header)
    await tx.imports.removeMapping(account, mapping.name)
    await tx.imports.countRunning(account)
  })
}

async function runJob(store: Store, { account }: Estate, now: number): Promise<void> {
  const job = { id: "job_nouns", kind: "revert", input: null, of: null, batch_id: null, import_id: null }
  const whose = { key_id: "key_1", actor_id: "key_1", role: "owner", created_at: now } as const
  const done = { state: "done", progress: null, done: 1, failed: 0, errors: [], at: now, until: 0 } as const
  await store.write(account, async (tx) => {
    await tx.jobs.insert(account, { ...job, ...whose })
    await tx.jobs.inputs(job.kind)
    const open = (await tx.jobs.open(now * 1_000)).find((other) => other.account === account)!
    await tx.jobs.take(open.ref, { name: "lease", now: now * 1_000, until: (now + HOUR) * 1_000 })
    await tx.jobs.save(open.ref, "lease", done)
    await tx.jobs.prune(now + HOUR)
  })
}

async function sendDeliveries(store: Store, { account, ids }: Estate, now: number): Promise<void> {
  const at = (now + HOUR) * 1_000
  const outcome = { due_at: null, code: 500, error: "x", milliseconds: 1, answer: "", url: "http://x", at }
  await store.write(account, async (tx) => {
    const [first] = await tx.outbox.waiting()
    const [ref = 0, next = 0] = await tx.outbox.due(first!.webhook, at, 10)
    await tx.outbox.claim([ref, next], { lease: "a/1", now: at, until: at + 1_000 })
    await tx.outbox.load({ ref, lease: "a/1" })
    await tx.outbox.release([{ ref: next, lease: "a/1" }])
    const health = await tx.outbox.record({ ref, lease: "a/1", status: "failed", ...outcome })
    await tx.deliveries.retry(ref, at)
    await tx.deliveries.retryFailed(account, ids.webhooks, { since: 0, at, limit: 10 })
    await tx.outbox.setFailing(health!.ref, at)
    await tx.outbox.disable(health!.ref, "gone", at)
    await tx.outbox.reschedule({ now: at, back: 1_000, longest: [1_000], lease: 1_000 })
    await tx.webhooks.remove(account, ids.webhooks)
    await tx.outbox.prune({ before: now + 2 * HOUR, after: 0, limit: 10 })
    await tx.outbox.pruneRemoved(10)
  })
  await store.read.outbox.lastTurn()
  await store.read.outbox.attempts(0, 10)
}

async function fillForms(store: Store, { account }: Estate, now: number): Promise<void> {
  const form: Form = {
    ...blankForm("Nouns"),
    ...{ id: "form_nouns", fields: [], created_at: now, updated_at: now },
  }
  const post = {
    ...{ id: "fp_1", form_id: form.id, reason: null, email: "a@b.c" },
    ...{ created_at: now, ends_at: now, sender: "s" },
  }
  const lead = { name: "x", source: "s" }
  await store.write(account, async (tx) => {
    await tx.forms.insert(account, form)
    await tx.forms.update(account, form)
    for (const state of ["spam", "waiting"] as const) {
      await tx.forms.keepPost(account, { ...post, id: `fp_${state}`, state, lead }, 1, 1_000)
      await tx.forms.posts(account, form.id, { state, limit: 1 })
      await tx.forms.countPosts(account, form.id, { state, limit: 1 })
    }
    await tx.forms.findPost(account, form.id, post.id)
    await tx.forms.countPosts(account, form.id, { state: "waiting", email: "a@b.c", limit: 1 })
    await tx.forms.confirmPost(account, "fp_waiting")
    await tx.forms.removePost(account, "fp_spam")
    await tx.forms.removePosts(account, form.id)
    await tx.forms.forgetPosts(now - HOUR)
  })
  await store.read.forms.findPublic(form.id)
  await store.write(account, (tx) => tx.forms.remove(account, form.id))
}

/** Reads of the command line and of the service itself. */
async function lookAcross({ read }: Store, { account }: Estate): Promise<void> {
  await read.accounts.list()
  await read.adminLog.list(null, { limit: 10 })
  await read.adminLog.list(account, { limit: 10 })
  await read.duplicates.isAnyWaiting()
  await read.duplicates.autoMerging()
}
