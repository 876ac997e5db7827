import { expect, test } from "bun:test"
import { hashApiKey, looksLikeApiKey, newApiKey } from "../../src/access/api-key-text.ts"

test("a key is ldb_, 32 random base62 characters and 6 check characters", () => {
  const keys = Array.from({ length: 500 }, newApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^ldb_[0-9A-Za-z]{38}$/)
    expect(looksLikeApiKey(key)).toBe(true)
  }
  expect(new Set(keys).size).toBe(500)
  // Every character turns up at every place: 500 keys miss one of 62 somewhere with a chance below 1 in 1,000.
  const used = new Set(keys.flatMap((key) => [...key.slice(4, 36)]))
  expect(used.size).toBe(62)
})

test("a mistyped key is told from a real one", () => {
  const key = newApiKey()
  for (let i = 0; i < key.length; i++) {
    const other = key[i] === "a" ? "b" : "a"
    expect(looksLikeApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false)
  }
  for (let i = 4; i + 1 < key.length; i++) {
    if (key[i] === key[i + 1]) continue
    expect(looksLikeApiKey(key.slice(0, i) + key[i + 1] + key[i] + key.slice(i + 2))).toBe(false)
  }
  for (const bad of ["", "ldb_", key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    expect(looksLikeApiKey(bad)).toBe(false)
  }
})

test("its hash is the SHA-256 of the whole key", () => {
  expect(Buffer.from(hashApiKey("abc")).toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  )
})
