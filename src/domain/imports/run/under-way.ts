// Files that are put on the disk for an import count against their account from the first byte, and until the import has
// ended: against the storage of its plan, and against its half of the room that the disk has left. Each process claims
// room in the database before bytes take it, so that those of all processes count together, and claims it some at a time.

import { packingOf } from "../../../formats/kinds.ts"
import { beginning } from "../../../formats/text.ts"
import { AppError } from "../../../runtime/errors.ts"
import { Upload } from "../../../runtime/upload.ts"
import type { Transaction } from "../../../store/contract/store.ts"
import { grouped } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"
import { ALIVE_MS, RENEW_MS } from "./cut-off.ts"
import { IMPORT_KIND } from "./records.ts"

/** Background imports of one account at a time, those whose file is still coming included. */
const RUNNING_MAX = 3
/** Bytes that are claimed ahead: a quarter of what came, within these. */
const AHEAD_MIN = 256 * 1024
const AHEAD_MAX = 8 * 1024 * 1024

/** What an account's uploads take in this process. */
interface Uploads {
  uploads: number
  /** Files that are to be imported in the background. */
  files: number
  /** Bytes that came, and those that were announced and have not come yet. */
  written: number
  announced: number
  /** Bytes for which room was found. */
  claimed: number
  renewing: Timer
}

/** The name of this process, and its accounts with uploads. */
const processes = new WeakMap<object, { name: string; accounts: Map<number, Uploads> }>()

function processOf({ store }: Context): { name: string; accounts: Map<number, Uploads> } {
  const process = processes.get(store) ?? { name: crypto.randomUUID(), accounts: new Map() }
  processes.set(store, process)
  return process
}

/** An upload that counts. */
interface Counted {
  /** Throws `conflict`, `storage_limit_reached` and `storage_full` where there is no room for what was announced. */
  begin(): Promise<void>
  /** Counts bytes before they are written, and throws as `begin`. */
  comes(bytes: number): Promise<void>
  /** Bytes that came. */
  size(): number
  /** It no longer counts, or as the file of a running import. */
  end(): Promise<void>
}

type UnderWay = Pick<Counted, "size" | "end"> & { bytes: AsyncIterable<Uint8Array> }

/**
 * Counts a file that is to be imported in the background. Throws `conflict` when the account has as many as it may, and
 * `storage_limit_reached` and `storage_full` for the size that was announced, as its bytes do for more.
 */
export async function uploadUnderWay(ctx: Context, file: Upload): Promise<UnderWay> {
  const upload = count(ctx, file.size, "background")
  await upload.begin()
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.bytes) {
      await upload.comes(piece.length)
      yield piece
    }
  }
  return { ...upload, bytes: bytes() }
}

/** Counts a file that is imported while it comes, if it is packed: it is put on the disk before it is read. */
export function spooledUnderWay(ctx: Context, file: Upload): { file: Upload; end(): Promise<void> } {
  if (file.blob) return { file, end: async () => undefined }
  let upload: Counted | undefined
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let isFirst = true
    for await (const piece of beginning(file.bytes)) {
      if (isFirst && packingOf(piece) === "zip") upload = count(ctx, file.size)
      isFirst = false
      await upload?.comes(piece.length)
      yield piece
    }
  }
  const { contentType, fileName, size } = file
  return { file: new Upload(bytes(), contentType, fileName, undefined, size), end: async () => upload?.end() }
}

/** Throws `conflict` when no import can be started beside so many. */
export function refuseTooManyRunning(imports: number): void {
  if (imports >= RUNNING_MAX)
    throw new AppError("conflict", `${RUNNING_MAX} imports are under way already: wait for one to end`)
}

function count(ctx: Context, size = 0, kind?: "background"): Counted {
  const uploads = uploadsOf(ctx)
  const file = kind === undefined ? 0 : 1
  let [came, left, isOver] = [0, size, false]
  const earlier = uploads.files
  uploads.uploads++
  uploads.files += file
  uploads.announced += left
  async function refuse(asked: { earlier?: number }): Promise<void> {
    try {
      await claim(ctx, uploads, asked)
    } catch (error) {
      // A refused upload no longer counts, even while its client goes on sending.
      await end()
      throw error
    }
  }
  async function end(): Promise<void> {
    if (isOver) return
    isOver = true
    uploads.uploads--
    uploads.files -= file
    uploads.announced -= left
    uploads.written -= came
    // A claim that cannot be written ends by itself.
    await claim(ctx, uploads).catch(() => undefined)
    const { accounts } = processOf(ctx)
    const { key } = ctx.caller.account
    if (uploads.uploads > 0 || accounts.get(key) !== uploads) return
    clearInterval(uploads.renewing)
    accounts.delete(key)
  }
  return {
    begin: () => refuse({ earlier }),
    async comes(bytes) {
      const part = Math.min(left, bytes)
      left -= part
      came += bytes
      uploads.announced -= part
      uploads.written += bytes
      if (uploads.written + uploads.announced > uploads.claimed) await refuse({})
    },
    size: () => came,
    end,
  }
}

function uploadsOf(ctx: Context): Uploads {
  const { accounts } = processOf(ctx)
  const { key } = ctx.caller.account
  const uploads = accounts.get(key)
  if (uploads) return uploads
  const renew = () => void claim(ctx, made).catch(() => undefined)
  const renewing = setInterval(renew, RENEW_MS)
  renewing.unref()
  const made: Uploads = { ...{ uploads: 0, files: 0, written: 0, announced: 0, claimed: 0 }, renewing }
  accounts.set(key, made)
  return made
}

/** Writes what the process holds of an account. Throws where there is no room for what is asked, as `Counted.begin`. */
async function claim(ctx: Context, uploads: Uploads, asked?: { earlier?: number }): Promise<void> {
  const { key } = ctx.caller.account
  const { name } = processOf(ctx)
  uploads.claimed = await ctx.store.write(key, async (tx) => {
    const taken = uploads.written + uploads.announced
    const most = taken + Math.min(AHEAD_MAX, Math.max(AHEAD_MIN, uploads.written / 4))
    const room = asked ? await roomFor(ctx, tx, uploads, asked.earlier) : Math.max(taken, uploads.claimed)
    const bytes = Math.floor(Math.min(most, room))
    const until = ctx.clock.now() + ALIVE_MS
    await tx.uploads.hold(key, name, uploads.uploads > 0 ? { files: uploads.files, bytes, until } : undefined)
    return bytes
  })
}

/**
 * Bytes that this process may hold of an account. Throws where it holds more, or has an upload more than it may beside
 * `earlier` ones.
 */
async function roomFor(ctx: Context, tx: Transaction, uploads: Uploads, earlier?: number): Promise<number> {
  const { key, plan, limits } = ctx.caller.account
  const others = await tx.uploads.ofOthers(key, processOf(ctx).name, ctx.clock.now())
  if (earlier !== undefined)
    refuseTooManyRunning((await tx.imports.countRunning(key)) + others.files + earlier)
  const stored = await tx.accounts.storedBytes(key)
  const inputs = (await tx.jobs.inputs(IMPORT_KIND)) as { account?: number; bytes?: number }[]
  const bytesStored = inputs.reduce((sum, { account, bytes = 0 }) => (account === key ? sum + bytes : sum), 0)
  const beside = bytesStored + others.bytes
  const files = beside + uploads.written + uploads.announced
  const storage = limits.storage === null ? Infinity : limits.storage - stored
  if (files > storage)
    throw new AppError(
      "storage_limit_reached",
      `The ${plan} plan keeps at most ${megabytes(limits.storage!)}: ${megabytes(stored)} are used, and files that are being ` +
        `imported take ${megabytes(files)}; import them one after the other, in parts, or move to a larger plan`,
    )
  const share = shareOf(uploads.written + beside, ctx.files.free())
  if (files > share)
    throw new AppError(
      "storage_full",
      `The disk has no room for ${megabytes(files)} of files that are being imported, beside what other accounts need: ` +
        "nothing was saved. Import them one after the other, or in parts",
    )
  return Math.min(storage, share) - beside
}

/** Bytes that an account's files may take: half of the room that was free without what they take already. */
export function shareOf(taken: number, free: number): number {
  return (free + taken) / 2
}

function megabytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`
}
