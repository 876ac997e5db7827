// What the derived file keeps of a lead for comparing: its row, the keys that it is looked up by and looks up, its terms.

import type { MatchEntries, MatchProbe } from "../../contract/matching.ts"

export interface LeadEntries extends MatchEntries {
  /** The keys that it is kept under. */
  keys: readonly number[]
  data: Uint8Array
}

const HEAD = 3

/** Entries with their bytes, as integers: three counts, the row, keys with their weights, terms. */
export function packed({ row, probes, terms }: MatchEntries): LeadEntries {
  const keysAt = HEAD + row.length
  const weightsAt = keysAt + probes.length
  const termsAt = weightsAt + integersFor(probes.length)
  const all = new Int32Array(termsAt + terms.length)
  all.set([row.length, probes.length, terms.length])
  all.set(row, HEAD)
  const weights = new Uint8Array(all.buffer, 4 * weightsAt)
  for (const [i, { key, weight, isOwn }] of probes.entries()) {
    all[keysAt + i] = key
    weights[i] = weight | (isOwn ? 128 : 0)
  }
  all.set(terms, termsAt)
  return { row, probes, terms, keys: ownKeys(probes), data: new Uint8Array(all.buffer) }
}

/** Reads entries back from the bytes of `data`. */
export function readEntries(data: Uint8Array): LeadEntries {
  const all = integersIn(data)
  const [rows, count, terms] = all as unknown as [number, number, number]
  const keysAt = HEAD + rows
  const weightsAt = keysAt + count
  const weights = new Uint8Array(all.buffer, all.byteOffset + 4 * weightsAt)
  const probes = Array.from({ length: count }, (_, i): MatchProbe => {
    const measures = weights[i]!
    return { key: all[keysAt + i]!, weight: measures & 127, isOwn: (measures & 128) !== 0 }
  })
  const termsAt = weightsAt + integersFor(count)
  return {
    row: all.subarray(HEAD, keysAt),
    probes,
    terms: [...all.subarray(termsAt, termsAt + terms)],
    keys: ownKeys(probes),
    data,
  }
}

/** Integers that so many weights of a byte take. */
const integersFor = (weights: number) => Math.ceil(weights / 4)

/** The row alone, which keeps nothing else in memory. */
export function rowIn(data: Uint8Array): Int32Array {
  const all = integersIn(data)
  return all.slice(HEAD, HEAD + all[0]!)
}

function integersIn(data: Uint8Array): Int32Array {
  const bytes = data.byteOffset % 4 === 0 ? data : data.slice()
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

const ownKeys = (probes: readonly MatchProbe[]) => probes.filter(({ isOwn }) => isOwn).map(({ key }) => key)
