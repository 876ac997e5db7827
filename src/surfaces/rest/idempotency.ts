// `Idempotency-Key`: a request that is sent again is answered again, and done once. The answer is written in the
// transaction of the work, so that nothing can come between.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import {
  ANSWERED_HERE,
  type Caller,
  execute,
  type Operation,
  type Services,
  type Visit,
} from "../../domain/operation.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { Upload } from "../../runtime/upload.ts"
import { ANSWERS_KEPT_S } from "../../store/contract/idempotency.ts"
import type { KeptAnswer, Reads, Store, Transaction } from "../../store/contract/store.ts"

/** Addresses that one request may have looked up. */
const OUTSIDE_MAX = 8

/** Seconds for which a sign of life holds, and milliseconds between two. */
const ALIVE_S = 15
const RENEW_MS = 2_500

/** Bytes of an encrypted answer up to which it is kept as it is. */
const SMALL = 16 * 1024

/** An answer in its final form. */
export interface Rendered {
  status: number
  /** JSON. */
  body: string | null
}

interface Repeatable {
  services: Services
  operation: Operation
  caller: Caller
  visit: Visit
  /** The whole request. */
  method: string
  path: string
  input: unknown
  /** The header as it was sent. */
  key: string
  render(answer: unknown): Rendered
}

/** Requests under way that take several transactions, by account and key. */
const underWay = new WeakMap<Store, Map<string, Promise<unknown>>>()

/** Answers a request, or answers it again. Throws what the operation throws, which is not kept, and for a bad key. */
export async function answerOnce(request: Repeatable): Promise<Rendered & { isReplayed: boolean }> {
  if (!/^[\x20-\x7e]{1,255}$/.test(request.key)) {
    throw badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters")
  }
  return request.operation.paced ? answerPaced(request) : answerAtOnce(request)
}

/** All of the operation in the transaction that keeps its answer. */
async function answerAtOnce(request: Repeatable): Promise<Rendered & { isReplayed: boolean }> {
  const { services, operation, caller, visit, input, render } = request
  const { store } = services
  const names = namesOf(request)
  const hash = hashOf(request)
  const verdicts = new Map<string, string | undefined>()
  for (;;) {
    try {
      return await store.write(caller.account.key, async (tx) => {
        const now = Math.floor(services.clock.now() / 1000)
        const answer = await tx.idempotency.find(caller.account.key, names.id, now - ANSWERS_KEPT_S)
        if (answer) return { ...replayed(answer, hash, names.secret), isReplayed: true }
        const webhooks = { ...services.webhooks, refuse: lookedUp(verdicts) }
        // No other thread sees what the transaction has written.
        const within = { ...services, webhooks, store: storeWithin(store, tx), questions: ANSWERED_HERE }
        const rendered = render(await execute(within, operation, caller, input, visit))
        await tx.idempotency.put(caller.account.key, names.id, {
          request: hash,
          answer: await withinLimit(tx, request, { rendered, sealed: seal(rendered, names.secret) }),
          created_at: now,
        })
        return { ...rendered, isReplayed: false }
      })
    } catch (error) {
      if (!(error instanceof OutsideError) || verdicts.size >= OUTSIDE_MAX) throw error
      verdicts.set(error.url, await services.webhooks.refuse(error.url))
    }
  }
}

/** Thrown where the network has to be asked, which no transaction may wait for. */
class OutsideError extends Error {
  constructor(readonly url: string) {
    super("a transaction waits for nobody outside")
  }
}

function lookedUp(verdicts: ReadonlyMap<string, string | undefined>) {
  return async (url: string) => {
    if (!verdicts.has(url)) throw new OutsideError(url)
    return verdicts.get(url)
  }
}

/** The store as an operation sees it whose writes are all part of one transaction. */
function storeWithin(store: Store, tx: Transaction): Store {
  const read = tx as unknown as Reads
  return {
    ...store,
    read,
    readThrough: read,
    write: (_account, work) => tx.attempt(() => work(tx)),
    writeAcross: (work) => tx.attempt(() => work(tx)),
  }
}

/** An operation with transactions of its own: a mark stands for it until its answer is there. */
async function answerPaced(request: Repeatable): Promise<Rendered & { isReplayed: boolean }> {
  const { services, operation, caller, visit, render } = request
  const { store } = services
  const account = caller.account.key
  const names = namesOf(request)
  const running = underWay.get(store) ?? new Map<string, Promise<unknown>>()
  underWay.set(store, running)
  const name = `${account} ${Buffer.from(names.id).toString("hex")}`
  // Several that waited go on one after the other.
  while (running.has(name)) await running.get(name)
  const { promise, resolve } = Promise.withResolvers<void>()
  running.set(name, promise)
  const upload = uploadIn(request.input)
  const mark = (hash: Uint8Array) =>
    store.write(account, async (tx) => {
      const now = Math.floor(services.clock.now() / 1000)
      const answer = await tx.idempotency.find(account, names.id, now - ANSWERS_KEPT_S)
      const usable = answer && isCutOffBefore(request, answer, now) ? undefined : answer
      if (!usable)
        await tx.idempotency.put(account, names.id, { request: hash, answer: null, created_at: now })
      return usable
    })
  try {
    // Its file is not read yet: the rest tells whether a repeat of a request that was cut off is the same one.
    const begun = hashOf(request, upload && { ...upload, digest: () => "" })
    const earlier = await mark(begun)
    if (earlier) {
      const { import_id } = earlier
      if (upload && (earlier.answer || import_id)) await upload.readAway()
      const became = import_id === null ? undefined : await becameOf(request, import_id)
      if (became !== undefined) {
        // A request that came to its end is known with its file.
        const whole = hashOf(request, upload)
        refuseOther(earlier, Buffer.from(earlier.request).equals(begun) ? begun : whole)
        return { ...render(became), isReplayed: true }
      }
      return { ...replayed(earlier, hashOf(request, upload), names.secret), isReplayed: true }
    }
    const renewing = operation.becameOf && renewEvery(request, names.id)
    try {
      const input = upload ? { ...(request.input as object), ...upload.input } : request.input
      const rendered = render(await execute(services, operation, caller, input, { ...visit, mark: names.id }))
      await store.write(account, (tx) => keepAnswer(tx, request, rendered, hashOf(request, upload)))
      return { ...rendered, isReplayed: false }
    } catch (error) {
      await store.write(account, (tx) => tx.idempotency.remove(account, names.id))
      throw error
    } finally {
      clearInterval(renewing)
    }
  } finally {
    running.delete(name)
    resolve()
  }
}

/** True for the mark of a request that was cut off before it had done anything: its key is free again. */
function isCutOffBefore({ operation }: Repeatable, answer: KeptAnswer, now: number): boolean {
  const isMark = answer.answer === null && answer.import_id === null
  return operation.becameOf !== undefined && isMark && answer.created_at < now - ALIVE_S
}

/** Renews the mark of an upload whose import has not begun: nothing else shows that it goes on. */
function renewEvery({ services: { store, clock }, caller }: Repeatable, id: Uint8Array): Timer {
  const account = caller.account.key
  const renew = () =>
    store.write(account, (tx) => tx.idempotency.renew(account, id, Math.floor(clock.now() / 1000)))
  // The next one makes up for one that fails.
  return setInterval(() => void renew().catch(() => undefined), RENEW_MS)
}

/**
 * Puts an answer in the place of its mark. A large one is not kept where it can be made again: by the import that it
 * reports on, or by running a dry run once more.
 */
async function keepAnswer(
  tx: Transaction,
  request: Repeatable,
  rendered: Rendered,
  hash: Uint8Array,
): Promise<void> {
  const { key: account } = request.caller.account
  const { id, secret } = namesOf(request)
  const { idempotency } = tx
  const now = Math.floor(request.services.clock.now() / 1000)
  const sealed = seal(rendered, secret)
  if (sealed.length > SMALL) {
    if ((request.input as { dry_run?: unknown }).dry_run === true) return idempotency.remove(account, id)
    const importId = (await idempotency.find(account, id, now - ANSWERS_KEPT_S))?.import_id
    if (importId && rendered.status === 200) {
      await idempotency.put(account, id, { request: hash, answer: null, created_at: now })
      return idempotency.runsImport(account, id, importId)
    }
  }
  const answer = await withinLimit(tx, request, { rendered, sealed })
  await idempotency.put(account, id, { request: hash, answer, created_at: now })
}

/** An answer as it is kept: of a large one only that there was one, for an account at its limit of storage. */
async function withinLimit(
  tx: Transaction,
  request: Repeatable,
  { rendered, sealed }: { rendered: Rendered; sealed: Uint8Array },
): Promise<Uint8Array> {
  const { key, limits } = request.caller.account
  if (sealed.length <= SMALL || limits.storage === null) return sealed
  if ((await tx.accounts.storedBytes(key)) < limits.storage) return sealed
  const message = `The first request with this Idempotency-Key was done and answered with ${rendered.status}; its answer was not kept, as the account's storage is used up`
  const error = new AppError("conflict", message)
  return seal({ status: error.status, body: JSON.stringify(error.toRest()) }, namesOf(request).secret)
}

/** Outcome of the import of a request that was cut off. */
async function becameOf({ services, operation, caller, visit }: Repeatable, id: string): Promise<unknown> {
  const now = Math.floor(services.clock.now() / 1000)
  return operation.becameOf?.({ ...services, caller, now, visit }, id)
}

interface WatchedUpload {
  name: string
  /** The upload to be read in its place. */
  input: Record<string, Upload>
  readAway(): Promise<void>
  /** SHA-256 of the bytes that were read. */
  digest(): string
}

/** A file among the input, watched while it is read: what it holds is part of the request. */
function uploadIn(input: unknown): WatchedUpload | undefined {
  const entry = Object.entries(input as object).find(([, value]) => value instanceof Upload)
  if (!entry) return undefined
  const [name, upload] = entry as [string, Upload]
  const hasher = new Bun.CryptoHasher("sha256")
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of upload.bytes) {
      hasher.update(chunk)
      yield chunk
    }
  }
  const bytes = watched()
  let digest: string | undefined
  return {
    name,
    input: { [name]: new Upload(bytes, upload.contentType, upload.fileName, upload.blob, upload.size) },
    async readAway() {
      for await (const _ of bytes);
    },
    digest: () => (digest ??= hasher.digest("hex")),
  }
}

/** A hash of a request: its route and all of its input. */
function hashOf({ method, path, input }: Repeatable, upload?: WatchedUpload): Uint8Array {
  const whole = upload ? { ...(input as object), [upload.name]: upload.digest() } : input
  return Bun.SHA256.hash(JSON.stringify([method, path, whole])) as Uint8Array
}

function replayed(earlier: KeptAnswer, hash: Uint8Array, secret: Uint8Array): Rendered {
  if (earlier.answer === null) {
    throw new AppError(
      "conflict",
      "The first request with this Idempotency-Key is under way in another process, or was cut off: look at what it did before you send it with another key",
    )
  }
  refuseOther(earlier, hash)
  if (earlier.answer.length === 0) {
    throw new AppError(
      "conflict",
      "The first request with this Idempotency-Key was done; its answer was erased with a person that it may have told of",
    )
  }
  return unseal(earlier.answer, secret)
}

function refuseOther({ request }: KeptAnswer, hash: Uint8Array): void {
  if (Buffer.from(request).equals(hash)) return
  throw new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request: take a new key for each request, and the same only to send it again",
  )
}

/** The id under which an answer is kept, and what it is encrypted with: neither tells the key. */
function namesOf({ key, caller, services }: Repeatable): { id: Uint8Array; secret: Uint8Array } {
  const { account, segment } = caller
  const of = segment === undefined ? account.id : `${segment} ${account.id}`
  const digest = (use: string) =>
    new Bun.CryptoHasher("sha256", services.secret).update(`${use}:${of}:${key}`).digest()
  return { id: digest("idempotency id").subarray(0, 16), secret: digest("idempotency answer") }
}

function seal(rendered: Rendered, secret: Uint8Array): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", secret, nonce)
  const text = deflateRawSync(JSON.stringify(rendered))
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

function unseal(sealed: Uint8Array, secret: Uint8Array): Rendered {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
  return JSON.parse(inflateRawSync(text).toString())
}
