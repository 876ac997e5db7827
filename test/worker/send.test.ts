import { afterEach, describe, expect, spyOn, test } from "bun:test"
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { type Outcome, send } from "../../src/worker/deliveries/send.ts"
import { answering, dribbling, flooding, openRaw, type RawHook } from "../support/hook.ts"
import { deliveryTo, isWithoutIpv6 } from "./delivery-to.ts"

/** Nobody listens there; a port that was free a moment ago may be anybody's by now. */
const NOBODY = "http://127.0.0.1:1/"
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

describe("what is sent", () => {
  test("is a POST of the very bytes, with the headers and the name that was asked for", async () => {
    const seen: { method: string; path: string; headers: Record<string, string>; sha: string }[] = []
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const sha = createHash("sha256")
          .update(await request.bytes())
          .digest("hex")
        seen.push({ method: request.method, path: pathname + search, headers: request.headers.toJSON(), sha })
        return new Response("thanks", { status: 201 })
      },
    })
    const body = crypto.getRandomValues(new Uint8Array(2000))
    const url = `http://hooks.example.test:${server.port}/a%20b?c=d#e`
    const lookup = async () => [{ address: "127.0.0.1" }]
    const outcome = await send(
      deliveryTo(url, { body, lookup, headers: { "X-Service-Event": "lead.created" } }),
    )

    expect(outcome).toMatchObject({ ok: true, code: 201, error: null, answer: "thanks", retryAfter: null })
    expect(Number.isInteger(outcome.milliseconds)).toBe(true)
    const host = `hooks.example.test:${server.port}`
    expect(seen).toEqual([
      {
        method: "POST",
        path: "/a%20b?c=d",
        headers: expect.objectContaining({ host, "x-service-event": "lead.created" }),
        sha: createHash("sha256").update(body).digest("hex"),
      },
    ])
    expect(seen[0]!.headers).not.toHaveProperty("accept-encoding")
  })

  test("takes the time from the clock that is passed in", async () => {
    await using receiver = await answering(OK)
    const times = [1000, 1234.4]
    const outcome = await send(deliveryTo(receiver.url, { clock: { monotonic: () => times.shift()! } }))
    expect(outcome.milliseconds).toBe(234)
  })
})

describe("answers", () => {
  test.each([
    ["200 OK", null],
    ["202 Accepted", null],
    ["299 Odd", null],
    ["300 Multiple Choices", "answered 300"],
    ["304 Not Modified", "answered 304"],
    ["400 Bad Request", "answered 400"],
    ["410 Gone", "answered 410"],
    ["500 Internal Server Error", "answered 500"],
    ["999 Odd", "answered 999"],
  ])("%s: %p", async (line, error) => {
    await using receiver = await answering(`HTTP/1.1 ${line}\r\nContent-Length: 4\r\n\r\ntext`)
    const outcome = await send(deliveryTo(receiver.url))
    expect(outcome).toMatchObject({ ok: error === null, code: Number.parseInt(line, 10), error })
    expect(receiver.connections()).toBe(1)
  })

  test("204 has no text", async () => {
    await using receiver = await answering("HTTP/1.1 204 No Content\r\n\r\n")
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true, code: 204, answer: "" })
  })

  test.each([301, 302, 303, 307, 308])("%d is not followed", async (code) => {
    await using elsewhere = await answering(OK)
    await using receiver = await answering(
      `HTTP/1.1 ${code} Moved\r\nLocation: ${elsewhere.url}\r\nContent-Length: 0\r\n\r\n`,
    )
    const outcome = await send(deliveryTo(receiver.url))
    expect(outcome).toMatchObject({ ok: false, code, error: `answered ${code} (redirects are not followed)` })
    expect(elsewhere.connections()).toBe(0)
  })

  test("carry their Retry-After", async () => {
    await using receiver = await answering(
      "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n",
    )
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ error: "answered 503", retryAfter: "120" })
  })

  test("after informational ones are the ones that count", async () => {
    await using receiver = await answering(`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}`)
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true, code: 200 })
  })

  test.each([
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "answered 101 (no upgrade was asked for)"],
    ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n", "answer is not valid HTTP"],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
      "answer is not valid HTTP",
    ],
    ["300 headers", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(300)}\r\n`, "answer is not valid HTTP"],
  ])("that are %s fail", async (_, bytes, error) => {
    await using receiver = await answering(bytes)
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: false, code: null, error })
    expect(receiver.connections()).toBe(1)
  })

  test("with an endless header are cut off", async () => {
    await using receiver = await flooding("HTTP/1.1 200 OK\r\nX: ", "a".repeat(65_536))
    const outcome = await send(deliveryTo(receiver.url))
    expect(outcome).toMatchObject({ ok: false, error: "answer has too many headers" })
  })

  test("that end before their length fail", async () => {
    await using receiver = await answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    expect(await send(deliveryTo(receiver.url))).toMatchObject({
      ok: false,
      code: 200,
      error: "answered 200, then connection reset",
    })
    expect(receiver.connections()).toBe(1)
  })
})

describe("the kept text", () => {
  const answerWith = (body: string | Uint8Array, headers = "") => {
    const head = `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`
    return answering(Buffer.concat([Buffer.from(head), Buffer.from(body as string)]))
  }

  test.each([1023, 1024, 1025, 100_000])("of %d bytes ends after 1 KiB", async (length) => {
    await using receiver = await answerWith("x".repeat(length))
    const { ok, answer } = await send(deliveryTo(receiver.url))
    expect(ok).toBe(true)
    expect(answer).toBe("x".repeat(Math.min(length, 1024)))
  })

  test.each([
    ["fast", () => flooding("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(65_536))],
    ["slow", () => dribbling(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(2000)}`, "x")],
  ])("of a %s endless answer ends after 1 KiB, and the connection with it", async (_, open) => {
    await using receiver = await open()
    const { ok, answer } = await send(deliveryTo(receiver.url))
    expect({ ok, length: answer.length }).toEqual({ ok: true, length: 1024 })
    await receiver.closed
  })

  test("does not end within a character", async () => {
    await using receiver = await answerWith(`x${"é".repeat(1000)}`)
    expect((await send(deliveryTo(receiver.url))).answer).toBe(`x${"é".repeat(511)}`)
  })

  test("shows what is not text as U+FFFD", async () => {
    await using receiver = await answerWith(
      Uint8Array.of(0x61, 0, 0x1b, 0x7f, 0xff, 0xed, 0xa0, 0x80, 9, 10, 13, 0x62),
    )
    const { answer } = await send(deliveryTo(receiver.url))
    expect(answer).toMatch(/^a\u{fffd}{5,}\t\n\rb$/u)
    expect(answer.isWellFormed()).toBe(true)
  })

  test("of a compressed answer is not unpacked", async () => {
    await using receiver = await answerWith(gzipSync("x".repeat(20_000_000)), "Content-Encoding: gzip\r\n")
    const { ok, answer } = await send(deliveryTo(receiver.url))
    expect(ok).toBe(true)
    expect(answer.length).toBeLessThanOrEqual(1024)
    expect(answer).not.toContain("xxx")
  })
})

describe("time", () => {
  const soon = { timeoutMs: 150 }
  const late = "timed out after 0.15 s"

  test.each<[string, () => Promise<RawHook>, (late: string) => Partial<Outcome>]>([
    ["silence", () => openRaw(() => {}), (error) => ({ code: null, error, answer: "" })],
    [
      "dribbled headers",
      () => dribbling("HTTP/1.1 200 OK\r\n", "a: b\r\n"),
      (error) => ({ code: null, error, answer: "" }),
    ],
    [
      "endless 100 Continue",
      () => dribbling("", "HTTP/1.1 100 Continue\r\n\r\n"),
      (error) => ({ code: null, error, answer: "" }),
    ],
    [
      "a dribbled body",
      () => dribbling("HTTP/1.1 200 OK\r\n\r\n", "x"),
      (late) => ({ code: 200, error: `answered 200, then ${late}`, answer: expect.stringMatching(/^x+$/) }),
    ],
    [
      "dribbled chunks",
      () => dribbling("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
      (late) => ({ code: 200, error: `answered 200, then ${late}`, answer: expect.stringMatching(/^x+$/) }),
    ],
    [
      "a body that never comes",
      () => openRaw((socket) => socket.write("HTTP/1.1 410 Gone\r\nContent-Length: 9\r\n\r\n")),
      () => ({ code: 410, error: "answered 410", answer: "" }),
    ],
  ])("runs out on %s, and the connection ends", async (_, open, expected) => {
    // Where the machine was too busy for what is sent to arrive in time, there is more time.
    for (let timeoutMs = 150; ; timeoutMs *= 4) {
      await using receiver = await open()
      const outcome = await send(deliveryTo(receiver.url, { timeoutMs }))
      const wanted = { ok: false, ...expected(`timed out after ${timeoutMs / 1000} s`) }
      const isCut = outcome.code !== wanted.code || (wanted.answer !== "" && outcome.answer === "")
      if ((isCut || receiver.connections() === 0) && timeoutMs < 10_000) continue
      expect(outcome).toMatchObject(wanted)
      expect(outcome.milliseconds).toBeGreaterThanOrEqual(timeoutMs - 1)
      expect(receiver.connections()).toBe(1)
      await receiver.closed
      return
    }
  })

  test("runs out on a body that is never read", async () => {
    await using receiver = await openRaw((socket) => socket.pause())
    const outcome = await send(deliveryTo(receiver.url, { ...soon, body: "x".repeat(20_000_000) }))
    expect(outcome.error).toBe(late)
  })

  test("runs out on a lookup without end", async () => {
    const lookup = () => new Promise<never>(() => {})
    const outcome = await send(deliveryTo("http://hooks.example.test/", { ...soon, lookup }))
    expect(outcome).toMatchObject({ ok: false, code: null, error: late })
  })

  test("is 5 seconds unless said otherwise", async () => {
    await using receiver = await answering(OK)
    const timers = spyOn(globalThis, "setTimeout")
    const { timeoutMs: _, ...request } = deliveryTo(receiver.url)
    expect(await send(request)).toMatchObject({ ok: true })
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 5000)
    timers.mockRestore()
  })

  test("ends when the caller stops", async () => {
    const stop = new AbortController()
    await using receiver = await openRaw((socket) => socket.once("data", () => stop.abort()))
    const outcome = await send(deliveryTo(receiver.url), stop.signal)
    expect(outcome).toMatchObject({ ok: false, code: null, error: "stopped before the answer came" })
    await receiver.closed
  })

  test("leaves nothing behind on the caller's signal", async () => {
    await using receiver = await answering(OK)
    const { signal } = new AbortController()
    const [added, removed] = [spyOn(signal, "addEventListener"), spyOn(signal, "removeEventListener")]
    await send(deliveryTo(receiver.url), signal)
    expect(added.mock.calls.map(([, listener]) => listener)).toEqual(
      removed.mock.calls.map(([, listener]) => listener),
    )
    expect(added).toHaveBeenCalledTimes(1)
  })

  test("does not begin when the caller has stopped", async () => {
    await using receiver = await answering(OK)
    const outcome = await send(deliveryTo(receiver.url), AbortSignal.abort())
    expect(outcome.error).toBe("stopped before the answer came")
    expect(receiver.connections()).toBe(0)
  })
})

describe("connections", () => {
  test("that are refused are tried three times", async () => {
    const outcome = await send(deliveryTo(NOBODY))
    expect(outcome).toMatchObject({ ok: false, code: null, error: "connection refused", answer: "" })
    expect(outcome.milliseconds).toBeGreaterThanOrEqual(499)
  })

  test("that are reset are tried three times", async () => {
    await using receiver = await openRaw((socket) => socket.once("data", () => socket.resetAndDestroy()))
    expect(await send(deliveryTo(receiver.url))).toMatchObject({
      ok: false,
      code: null,
      error: "connection reset",
    })
    expect(receiver.connections()).toBe(3)
  })

  test("that are reset once succeed at the next try", async () => {
    let tries = 0
    await using receiver = await openRaw((socket) => {
      socket.once("data", () => (++tries === 1 ? socket.resetAndDestroy() : socket.end(OK)))
    })
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true, code: 200 })
    expect(receiver.connections()).toBe(2)
  })

  test("are kept for the next delivery", async () => {
    await using receiver = await openRaw((socket) => socket.on("data", () => socket.write(OK)))
    for (let i = 0; i < 3; i++) expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true })
    expect(receiver.connections()).toBe(1)
  })

  test("that went stale since the last delivery are replaced", async () => {
    await using receiver = await openRaw((socket) => {
      socket.once("data", () => {
        socket.write(OK)
        socket.once("data", () => socket.resetAndDestroy())
      })
    })
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true })
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true })
  })

  test.skipIf(isWithoutIpv6)("go on to the host's next address", async () => {
    await using receiver = await openRaw((socket) => socket.once("data", () => socket.end(OK)), "::1")
    // No machine connects to the first: on 127.0.0.1 another program may listen on this port.
    const lookup = async () => [{ address: "255.255.255.255" }, { address: "::1" }]
    const policy = { allowPrivate: true, allowCidrs: ["255.255.255.255"], ownPorts: [] }
    const url = `http://two.example.test:${receiver.port}/`
    const outcome = await send(deliveryTo(url, { lookup, policy }))
    expect(outcome).toMatchObject({ ok: true, code: 200 })
  })

  test.skipIf(isWithoutIpv6)("to an IPv6 address work", async () => {
    await using receiver = await openRaw((socket) => socket.once("data", () => socket.end(OK)), "::1")
    expect(await send(deliveryTo(receiver.url))).toMatchObject({ ok: true })
  })
})

describe("the guard", () => {
  const strict = { allowPrivate: false, allowCidrs: [], ownPorts: [] }

  test.each([
    ["http://10.0.0.1/", "address 10.0.0.1 is private and not allowed"],
    [
      "http://169.254.169.254/latest/meta-data",
      "address 169.254.169.254 serves cloud metadata and is never allowed",
    ],
    ["http://user:pass@example.com/", "a URL with a user name or password is not allowed"],
    ["gopher://example.com/", "only http and https URLs are allowed"],
  ])("refuses %s", async (url, error) => {
    expect(await send(deliveryTo(url, { policy: strict }))).toMatchObject({ ok: false, code: null, error })
  })

  test("keeps a refused receiver from being touched", async () => {
    await using receiver = await answering(OK)
    const outcome = await send(deliveryTo(receiver.url, { policy: strict }))
    expect(outcome.error).toBe("address 127.0.0.1 is loopback and not allowed")
    expect(receiver.connections()).toBe(0)
  })

  test("asks once, however often the connection is tried", async () => {
    let asked = 0
    const lookup = async () => [{ address: ++asked === 1 ? "127.0.0.1" : "169.254.169.254" }]
    await using receiver = await openRaw((socket) => socket.once("data", () => socket.resetAndDestroy()))
    await send(deliveryTo(`http://rebind.example.test:${receiver.port}/`, { lookup }))
    expect([asked, receiver.connections()]).toEqual([1, 3])
  })

  test("says that a host is not found", async () => {
    const lookup = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }))
    expect((await send(deliveryTo("http://hooks.example.test/", { lookup }))).error).toBe("host not found")
  })
})

describe("proxies in the environment", () => {
  const NAMES = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"]
  const before = NAMES.map((name) => [name, process.env[name]] as const)
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  test("are ignored", async () => {
    await using proxy = await answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
    await using receiver = await answering(OK)
    for (const name of NAMES) delete process.env[name]
    process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${proxy.port}`
    expect(await (await fetch(receiver.url)).text()).toBe("proxy")
    expect((await send(deliveryTo(receiver.url))).answer).toBe("ok")
  })
})

test("a defect is thrown, not told as a failure", async () => {
  const broken = deliveryTo("http://127.0.0.1:1/", { headers: { "X-A": "a\nb" } })
  await expect(send(broken)).rejects.toThrow("invalid value")
})
