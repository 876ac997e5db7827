// What the derived file keeps of a lead for comparing: its row, the keys that it is looked up by and looks up, its terms.

import type { MatchEntries, MatchProbe } from "../../contract/duplicates.ts"

export interface LeadEntries extends MatchEntries {
  /** The keys that it is kept under. */
  keys: readonly number[]
  data: Uint8Array
}

const HEAD = 3

/** Entries with their bytes, as integers: three counts, the row, keys with their weights, terms. */
export function packed({ row, probes, terms }: MatchEntries): LeadEntries {
  const all = new Int32Array(HEAD + row.length + 2 * probes.length + terms.length)
  all.set([row.length, probes.length, terms.length])
  all.set(row, HEAD)
  let at = HEAD + row.length
  for (const { key, weight, isOwn } of probes) {
    all[at] = key
    all[at + probes.length] = weight | (isOwn ? 128 : 0)
    at++
  }
  all.set(terms, at + probes.length)
  return { row, probes, terms, keys: ownKeys(probes), data: new Uint8Array(all.buffer) }
}

/** The same from the bytes of `data`. */
export function readEntries(data: Uint8Array): LeadEntries {
  const all = integersIn(data)
  const [rows, count, terms] = all as unknown as [number, number, number]
  const keysAt = HEAD + rows
  const probes = Array.from({ length: count }, (_, i): MatchProbe => {
    const measures = all[keysAt + count + i]!
    return { key: all[keysAt + i]!, weight: measures & 127, isOwn: (measures & 128) !== 0 }
  })
  const termsAt = keysAt + 2 * count
  return {
    row: all.subarray(HEAD, keysAt),
    probes,
    terms: [...all.subarray(termsAt, termsAt + terms)],
    keys: ownKeys(probes),
    data,
  }
}

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
