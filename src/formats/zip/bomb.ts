/** A part that unpacks to so many times its size, and to so many bytes, is no table that anybody saved. */
const RATIO_MAX = 200
const RATIO_FROM = 32 * 1024 * 1024

/** True for so many unpacked bytes out of so few packed ones as no table has. */
export function isBomb(size: number, packed: number): boolean {
  return size > RATIO_FROM && size > RATIO_MAX * packed
}
