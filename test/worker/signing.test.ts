import { describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { version } from "../../package.json"
import { signatureHeaders } from "../../src/worker/deliveries/attempt.ts"

const body = '{"event":"lead.created","timestamp":1700000000,"data":{"name":"Żółw 🐢"}}'
const timestamp = Math.floor(Date.now() / 1000)
const sign = (secret: string | null, sent: string | Uint8Array = body) => {
  return signatureHeaders({ id: "dlv_1", event: "lead.created", timestamp, body: sent, secret })
}
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64")

const fixed = {
  "Content-Type": "application/json",
  "User-Agent": `leaddb/${version}`,
  "X-Service-Event": "lead.created",
  "X-Service-Delivery": "dlv_1",
  "webhook-id": "dlv_1",
  "webhook-timestamp": String(timestamp),
}

describe("signatureHeaders", () => {
  test.each([null, ""])("without a secret (%j) has no signatures", (secret) => {
    expect(sign(secret)).toEqual(fixed)
  })

  test("with a secret adds exactly the two signatures", () => {
    const { "X-Service-Signature": hex, "webhook-signature": standard, ...rest } = sign("s3cret")
    expect(rest).toEqual(fixed)
    expect(hex).toBe(createHmac("sha256", "s3cret").update(body, "utf8").digest("hex"))
    expect(standard).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  })

  test("agrees with an HMAC-SHA256 known from elsewhere (RFC 4231, test case 2)", () => {
    const { "X-Service-Signature": hex } = sign("Jefe", "what do ya want for nothing?")
    expect(hex).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  })

  test("is the same for text and for its bytes", () => {
    expect(sign("s3cret", new TextEncoder().encode(body))).toEqual(sign("s3cret"))
  })
})

describe("a receiver with the standardwebhooks package", () => {
  const whsec = `whsec_${base64("twenty-four bytes of key")}`

  test.each([
    ["a whsec_ secret as it is", whsec, whsec],
    ["the base64 of a plain secret", "s3cret", base64("s3cret")],
    ["the base64 of a plain secret that is not ASCII", "pässwörd 🐢", base64("pässwörd 🐢")],
    ["the base64 of a plain secret that looks like base64", "c2VjcmV0", base64("c2VjcmV0")],
    ["the base64 of a whsec_ secret that is not base64", "whsec_not base64!", base64("whsec_not base64!")],
    ["the base64 of a whsec_ secret without padding", "whsec_c2VjcmV", base64("whsec_c2VjcmV")],
    ["the base64 of a bare whsec_", "whsec_", base64("whsec_")],
  ])("passes %s", (_, secret, passed) => {
    expect(new Webhook(passed).verify(body, sign(secret))).toEqual(JSON.parse(body))
  })

  test("notices a changed body, id and time", () => {
    const receiver = new Webhook(base64("s3cret"))
    const headers = sign("s3cret")
    expect(() => receiver.verify(body.replace("Ż", "Z"), headers)).toThrow("No matching signature found")
    expect(() => receiver.verify(body, { ...headers, "webhook-id": "dlv_2" })).toThrow(
      "No matching signature found",
    )
    const later = { ...headers, "webhook-timestamp": String(timestamp + 1) }
    expect(() => receiver.verify(body, later)).toThrow("No matching signature found")
  })
})
