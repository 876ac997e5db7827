import { describe, expect, test } from "bun:test"
import type { AddressInfo } from "node:net"
import { createServer } from "node:tls"
import { send } from "../../src/worker/deliveries/send.ts"
import { answering } from "../support/hook.ts"
import { deliveryTo, isWithoutIpv6 } from "./delivery-to.ts"
import { authority, expired, foreign, selfSigned, trusted } from "./fixtures/certificates.ts"

const lookup = async () => [{ address: "127.0.0.1" }]

function serve(identity: { cert: string; key: string }, hostname = "127.0.0.1") {
  return Bun.serve({
    port: 0,
    hostname,
    tls: identity,
    fetch: (request) => new Response(request.headers.get("host")),
  })
}

describe("TLS", () => {
  test("is checked against the name, not against the pinned address", async () => {
    await using server = serve(trusted)
    const url = `https://hooks.example.test:${server.port}/`
    const outcome = await send(deliveryTo(url, { lookup, ca: authority }))
    expect(outcome).toMatchObject({ ok: true, code: 200, answer: `hooks.example.test:${server.port}` })
  })

  test.each([
    ["hooks.example.test", "hooks.example.test"],
    ["hooks.example.test.", "hooks.example.test"],
    ["127.0.0.1", false],
  ])("to %s names the server %p", async (host, expected) => {
    const { promise: named, resolve } = Promise.withResolvers<unknown>()
    const server = createServer(trusted, (socket) => {
      resolve(socket.servername)
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"))
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const url = `https://${host}:${(server.address() as AddressInfo).port}/`
    expect(await send(deliveryTo(url, { lookup, ca: authority }))).toMatchObject({ ok: true })
    expect(await named).toBe(expected)
    server.close()
  })

  test.each(isWithoutIpv6 ? ["127.0.0.1"] : ["127.0.0.1", "::1"])(
    "to the bare address %s is checked against the address",
    async (address) => {
      await using server = serve(trusted, address)
      const host = address.includes(":") ? `[${address}]` : address
      const outcome = await send(deliveryTo(`https://${host}:${server.port}/`, { ca: authority }))
      expect(outcome).toMatchObject({ ok: true, error: null })
    },
  )

  test.each([
    ["expired", expired, authority, "TLS certificate expired"],
    ["for another host", foreign, authority, "TLS certificate is for another host"],
    ["self-signed", selfSigned, authority, "TLS certificate not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)"],
    [
      "of an unknown authority",
      trusted,
      undefined,
      "TLS certificate not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
    ],
  ])("with a certificate that is %s fails", async (_, identity, ca, error) => {
    await using server = serve(identity)
    const url = `https://hooks.example.test:${server.port}/`
    const outcome = await send(deliveryTo(url, { lookup, ...(ca && { ca }) }))
    expect(outcome).toMatchObject({ ok: false, code: null, error })
  })

  test("does not reuse a connection that was made for another name", async () => {
    await using server = serve(trusted)
    const to = (name: string) =>
      send(deliveryTo(`https://${name}:${server.port}/`, { lookup, ca: authority }))
    expect(await to("hooks.example.test")).toMatchObject({ ok: true })
    expect(await to("bank.example.test")).toMatchObject({ error: "TLS certificate is for another host" })
    expect(await to("hooks.example.test")).toMatchObject({ ok: true })
  })

  test("to a receiver without TLS fails", async () => {
    await using receiver = await answering("HTTP/1.1 400 Bad Request\r\n\r\n")
    const outcome = await send(deliveryTo(`https://127.0.0.1:${receiver.port}/`))
    expect(outcome).toMatchObject({ ok: false, code: null, error: "TLS handshake failed" })
  })
})
