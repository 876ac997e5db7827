// Files that are put on the disk for an import count against their account from the first byte, and until the import has
// ended: against the storage of its plan, and against its half of the room that the disk has left.
import { AppError } from "../../../core/errors.ts"
import { grouped } from "../../../core/text.ts"
import { Upload } from "../../../core/upload.ts"
import { packingOf } from "../../../formats/kinds.ts"
import { beginning } from "../../../formats/text.ts"
import type { Context } from "../../operation.ts"
import { perStore } from "../../rule-sets.ts"
import { IMPORT_KIND } from "../records.ts"

/** Background imports of one account at a time, those whose file is still coming included. */
const RUNNING_MAX = 3
/** Bytes after which is read again what the account has stored. */
const LOOK_EVERY = 8 * 1024 * 1024

/** What an account's uploads take. */
interface Uploads {
  uploads: number
  /** Files that are to be imported in the background. */
  files: number
  /** Bytes that came, and those that were announced and have not come yet. */
  written: number
  announced: number
  /** What it had stored, and has in files of imports that run; undefined when it must be looked at again. */
  had: { stored: number; kept: number } | undefined
}
const uploads = new WeakMap<object, Map<number, Uploads>>()

/** An upload that counts. */
interface Counted {
  /** Throws `storage_limit_reached` and `storage_full` where there is no room for what came and what was announced. */
  refuse(): Promise<void>
  /** Counts bytes before they are written, and throws as `refuse`. */
  comes(bytes: number): Promise<void>
  /** Bytes that came. */
  size(): number
  /** It no longer counts, or as the file of a running import. */
  end(): void
}

export type UnderWay = Pick<Counted, "size" | "end"> & { bytes: AsyncIterable<Uint8Array> }

/**
 * Counts a file that is to be imported in the background. Throws `conflict` when the account has as many as it may, and
 * `storage_limit_reached` and `storage_full` for the size that was announced, as its bytes do for more.
 */
export async function uploadUnderWay(ctx: Context, file: Upload): Promise<UnderWay> {
  const running = await ctx.store.read.imports.countRunning(ctx.caller.account.key)
  const upload = count(ctx, file.size, running)
  await upload.refuse()
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.bytes) {
      await upload.comes(piece.length)
      yield piece
    }
  }
  return { ...upload, bytes: bytes() }
}

/** Counts a file that is imported while it comes, if it is packed: it is put on the disk before it is read. */
export function spooledUnderWay(ctx: Context, file: Upload): { file: Upload; end(): void } {
  if (file.blob) return { file, end: () => undefined }
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
  return { file: new Upload(bytes(), contentType, fileName, undefined, size), end: () => upload?.end() }
}

/** Throws `conflict` when no import can be started beside so many. */
export function refuseTooManyRunning(imports: number): void {
  if (imports >= RUNNING_MAX)
    throw new AppError("conflict", `${RUNNING_MAX} imports are under way already: wait for one to end`)
}

/** `running` are the imports that count with it, for one that is to go on in the background. Throws `conflict`. */
function count(ctx: Context, size = 0, running?: number): Counted {
  const { key } = ctx.caller.account
  const all = perStore(uploads, ctx)
  const own = all.get(key) ?? { uploads: 0, files: 0, written: 0, announced: 0, had: undefined }
  if (running !== undefined) refuseTooManyRunning(own.files + running)
  const file = running === undefined ? 0 : 1
  let [came, left, unlooked, isOver] = [0, size, 0, false]
  all.set(key, own)
  own.uploads++
  own.files += file
  own.announced += left
  async function refuse(): Promise<void> {
    try {
      own.had ??= await storedOf(ctx)
      refuseBeyond(ctx, own, own.had)
    } catch (error) {
      // What is refused counts no more, however long its client goes on sending.
      end()
      throw error
    }
  }
  function end(): void {
    if (isOver) return
    isOver = true
    own.uploads--
    own.files -= file
    own.announced -= left
    own.written -= came
    own.had = undefined
    if (own.uploads === 0) all.delete(key)
  }
  return {
    refuse,
    async comes(bytes) {
      const known = Math.min(left, bytes)
      left -= known
      came += bytes
      own.announced -= known
      own.written += bytes
      unlooked += bytes
      if (unlooked >= LOOK_EVERY) [unlooked, own.had] = [0, undefined]
      await refuse()
    },
    size: () => came,
    end,
  }
}

/** The input of an import's job, as far as it says what its file takes. */
interface KeptFile {
  account?: number
  bytes?: number
}

async function storedOf({ store, caller }: Context): Promise<{ stored: number; kept: number }> {
  const { key } = caller.account
  const stored = await store.read.accounts.storedBytes(key)
  const inputs = (await store.read.jobs.inputs(IMPORT_KIND)) as KeptFile[]
  const kept = inputs.reduce((sum, { account, bytes = 0 }) => (account === key ? sum + bytes : sum), 0)
  return { stored, kept }
}

function refuseBeyond(
  ctx: Context,
  { written, announced }: Uploads,
  { stored, kept }: { stored: number; kept: number },
): void {
  const { plan, limits } = ctx.caller.account
  const files = written + announced + kept
  if (limits.storage !== null && stored + files > limits.storage)
    throw new AppError(
      "storage_limit_reached",
      `The ${plan} plan keeps at most ${megabytes(limits.storage)}: ${megabytes(stored)} are used, and files that are being ` +
        `imported take ${megabytes(files)}; import them one after the other, in parts, or move to a larger plan`,
    )
  if (files > shareOf(written + kept, ctx.files.free()))
    throw new AppError(
      "storage_full",
      `The disk has no room for ${megabytes(files)} of files that are being imported, beside what other accounts need: ` +
        "nothing was saved. Import them one after the other, or in parts",
    )
}

/** Bytes that an account's files may take: half of the room that was free without what they take already. */
export function shareOf(taken: number, free: number): number {
  return (free + taken) / 2
}

function megabytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`
}
