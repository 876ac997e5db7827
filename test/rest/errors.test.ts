import { describe, expect } from "bun:test"
import { operations } from "../../src/domain/operations/index.ts"
import { appTest, openTestAccount, openTestAccountForReading, openTestApp, test } from "../support/app.ts"
import { whileTimeStands } from "../support/clock.ts"
import { sqlBeside } from "../support/database.ts"
import { errorBody, LEAST, NO_LEAD } from "../support/lead.ts"
import { sendRaw } from "../support/raw.ts"
import { until } from "../support/until.ts"

const MIB = 1024 * 1024
const badRequest = (message: string | RegExp) => errorBody("Bad Request", "bad_request", message)

/** The methods of every path. */
const METHODS = new Map<string, Set<string>>()
for (const route of operations.flatMap(({ http }) => [http ?? []].flat())) {
  const [method = "", path = ""] = route.split(" ")
  METHODS.set(path, (METHODS.get(path) ?? new Set()).add(method))
}

describe("a body", () => {
  /** A lead's JSON of exactly so many bytes. */
  const sized = (bytes: number) => {
    const json = JSON.stringify(LEAST)
    return json + " ".repeat(bytes - json.length)
  }

  test("of 1 MiB is taken, with one byte more it answers 413", async ({ call }) => {
    expect((await call("POST", "/leads", sized(MIB))).status).toBe(201)
    const { status, body } = await call("POST", "/leads", sized(MIB + 1))
    expect(status).toBe(413)
    expect(body).toEqual(errorBody("Payload Too Large", "bad_request", /1 MiB/))
    const { id } = (await call("GET", "/leads")).body.leads[0]
    expect((await call("PUT", `/leads/${id}`, sized(MIB + 1))).status).toBe(413)
    expect((await call("GET", "/leads")).body.count).toBe(1)
  })

  test("that comes in chunks without a length has the same limit", async ({ app, key, call }) => {
    const send = (bytes: number) => {
      const text = new TextEncoder().encode(sized(bytes))
      const body = new ReadableStream({
        start(controller) {
          for (let at = 0; at < text.length; at += 100_000) controller.enqueue(text.slice(at, at + 100_000))
          controller.close()
        },
      })
      return fetch(`${app.url}/leads`, { method: "POST", headers: { "X-API-Key": key }, body })
    }
    expect((await send(MIB)).status).toBe(201)
    expect((await send(MIB + 1)).status).toBe(413)
    expect((await call("GET", "/leads")).body.count).toBe(1)
  })

  test("that is announced as too large is refused without waiting long for it", async () => {
    const { app, key, call } = await openTestAccount()
    const head = `POST /api/v1/leads HTTP/1.1\r\nX-API-Key: ${key}\r\nContent-Length: ${5 * MIB}`
    const answer = await sendRaw(app.url, head)
    expect(answer.status).toBe(413)
    expect(answer.headers.connection).toBe("close")
    expect((await call("GET", "/leads")).status).toBe(200)
  })

  test("that is not UTF-8 is refused", async ({ app, key }) => {
    for (const bytes of [
      [0xff],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
      [0xc0, 0xaf],
    ]) {
      const body = Buffer.concat([
        Buffer.from('{"source":"s","name":"'),
        Buffer.from(bytes),
        Buffer.from('"}'),
      ])
      const response = await fetch(`${app.url}/leads`, {
        method: "POST",
        headers: { "X-API-Key": key },
        body,
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual(badRequest(/UTF-8/))
    }
  })

  test("may begin with a byte order mark", async ({ call }) => {
    const { status, body } = await call("POST", "/leads", `\ufeff${JSON.stringify(LEAST)}`)
    expect(status).toBe(201)
    expect(body.name).toBe("Acme")
  })

  test("is JSON whatever its content type says", async ({ call }) => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
    ]) {
      expect((await call("POST", "/leads", LEAST, { "Content-Type": type })).status).toBe(201)
    }
  })

  const notObjects: [string, string | RegExp][] = [
    ["", "name is required"],
    ["{}", "name is required"],
    ["  ", /not valid JSON/],
    ["{", /not valid JSON/],
    ["{'name':'x'}", /not valid JSON/],
    ['{"name":"x",}', /not valid JSON/],
    ['{"name":NaN}', /not valid JSON/],
    ['{"name":"a\nb"}', /not valid JSON/],
    ['{"name":"x"} x', /not valid JSON/],
    ["name=x&source=y", /not valid JSON/],
    ["[]", "The body must be a JSON object"],
    ["null", "The body must be a JSON object"],
    ["5", "The body must be a JSON object"],
    ['"text"', "The body must be a JSON object"],
    ["true", "The body must be a JSON object"],
  ]
  test.for(notObjects)("of %j is refused", async ([text, message], { call }) => {
    const { status, body } = await call("POST", "/leads", text)
    expect(status).toBe(400)
    expect(body).toMatchObject(badRequest(message))
    const { id } = (await call("POST", "/leads", LEAST)).body
    if (message !== "name is required") expect((await call("PUT", `/leads/${id}`, text)).status).toBe(400)
  })

  test("with a name twice: the last one counts", async ({ call }) => {
    const { body } = await call("POST", "/leads", '{"name":"a","source":"s","name":"b"}')
    expect(body.name).toBe("b")
  })

  appTest("that was refused unread does not hold up a stop", async (opened) => {
    for (const [method, path, headers, expected] of [
      ["POST", "/leads", {}, 413],
      ["POST", "/leads", { "X-API-Key": "" }, 401],
      ["POST", "/leads", { "X-Member-Role": "viewer" }, 403],
      ["POST", "/nothing", {}, 404],
      ["PUT", "/leads", {}, 405],
      ["DELETE", `/leads/${NO_LEAD}`, {}, 404],
    ] as const) {
      expect((await opened.call(method, path, sized(3 * MIB), headers)).status).toBe(expected)
    }
    // Nothing is waited for that would be given up after a while.
    await whileTimeStands(opened.close)
  })

  test("where none is taken is passed over", async ({ call }) => {
    const { id } = (await call("POST", "/leads", LEAST)).body
    expect((await call("DELETE", `/leads/${id}`, "{ not JSON")).status).toBe(204)
  })
})

describe("a long address", () => {
  const app = openTestAccountForReading(async () => {})
  const filters = (count: number, letters: number) =>
    Array.from(
      { length: count },
      () => `filter=${encodeURIComponent(`or.contains.city.${"ж".repeat(letters)}`)}`,
    )

  test("fits as far as filters do", async () => {
    const path = `/leads?${filters(15, 500).join("&")}`
    const status = await until("the limit of heads is raised", async () => {
      const answer = await fetch(app().app.url + path, { headers: { "X-API-Key": app().key } })
      return answer.status === 431 ? undefined : answer.status
    })
    expect(status).toBe(200)
    const { status: refused, body } = await app().call("GET", `/leads?${filters(16, 900).join("&")}`)
    expect([refused, body.message]).toEqual([
      400,
      "all filters together are at most 16 KiB, these are 29 KiB",
    ])
  })
})

describe("paths and methods", () => {
  const app = openTestAccountForReading(async () => {})

  test("an unknown path answers 404", async () => {
    for (const path of ["/nothing", "/lead", "/leads/x/y", "//leads", "/leads//", "/", ""]) {
      const { status, body } = await app().call("GET", path)
      expect([path, status]).toEqual([path, 404])
      expect(body).toEqual(errorBody("Not Found", "not_found", /^There is nothing at GET \/api\/v1/))
    }
  })

  test("a slash at the end is passed over", async () => {
    for (const path of ["/leads", "/scoring-rules", `/leads/${NO_LEAD}`, `/leads/${NO_LEAD}/changes`]) {
      const [plain, slashed] = [await app().call("GET", path), await app().call("GET", `${path}/`)]
      expect([path, slashed.status, slashed.body]).toEqual([path, plain.status, plain.body])
    }
  })

  test("a word in the place of an id is no lead of that id", async () => {
    for (const [method, path, allow] of [
      ["GET", "/leads/batch", "POST, PUT, DELETE"],
      ["PATCH", "/leads/batch", "POST, PUT, DELETE"],
      ["DELETE", "/leads/export", "GET, HEAD"],
    ] as const) {
      const { status, headers } = await app().call(method, path)
      expect([path, status, headers.get("allow")]).toEqual([
        path,
        405,
        expect.stringContaining(allow.split(", ")[0]!),
      ])
      expect(headers.get("allow")!.split(", ").toSorted()).toEqual(allow.split(", ").toSorted())
    }
  })

  test("OPTIONS answers without a key what a path takes", async () => {
    const answer = await fetch(`${app().app.url}/leads`, { method: "OPTIONS" })
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"])
    expect((await fetch(`${app().app.url}/nothing`, { method: "OPTIONS" })).status).toBe(401)
  })

  test("outside of the base path nothing answers, with a key or without", async () => {
    const { app: service, key } = app()
    const origin = new URL(service.url).origin
    for (const path of ["/nothing", "/api", "/api/v2/leads", "/api/v1leads", "/API/V1/leads", "/leads"]) {
      const response = await fetch(origin + path, { headers: { "X-API-Key": key } })
      expect([path, response.status]).toEqual([path, 404])
      expect((await response.json()) as unknown).toEqual(errorBody("Not Found", "not_found", /nothing/))
    }
  })

  test.each([...METHODS.keys()])(
    "%s with a method that it does not take answers 405 with Allow",
    async (path) => {
      const concrete = path.replace(/:\w+/g, NO_LEAD)
      const taken = METHODS.get(path)!
      // A path with fixed words may also be one with a name in their place; "current" is an id of its own.
      const alsoTaken = [...METHODS].flatMap(([other, methods]) => {
        const pattern = new RegExp(`^${other.replaceAll(/:\w+/g, "[^/]+")}$`)
        const isOfAnId = /:(id|lead_id)$/.test(other) && !path.endsWith("/current")
        return pattern.test(path) && !isOfAnId ? [...methods] : []
      })
      alsoTaken.push(...taken)
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (alsoTaken.includes(method)) continue
        const { status, body, headers } = await app().call(method, concrete)
        expect([method, status]).toEqual([method, 405])
        expect(body).toEqual(
          errorBody(
            "Method Not Allowed",
            "method_not_allowed",
            new RegExp(`^${method} is not for this path; it takes `),
          ),
        )
        const allowed = headers.get("allow")?.split(", ") ?? []
        for (const one of taken) expect(allowed).toContain(one)
      }
    },
  )

  test("a rare method answers 405, one that does not exist harms nothing", async () => {
    const { app: service, key, call } = app()
    const send = (method: string) =>
      sendRaw(service.url, `${method} /api/v1/leads HTTP/1.1\r\nX-API-Key: ${key}`)
    for (const method of ["TRACE", "CONNECT", "PROPFIND", "QUERY"]) {
      expect([method, (await send(method)).status]).toEqual([method, 405])
    }
    // Bun closes the connection.
    for (const method of ["BREW", "get", "GETX"])
      expect([method, (await send(method)).body]).toEqual([method, ""])
    expect((await call("GET", "/leads")).status).toBe(200)
  })

  test("HEAD answers as GET does, its length too, without a body", async () => {
    const { call } = app()
    for (const path of ["/leads", `/leads/${NO_LEAD}`, "/leads?limit=0", "/nothing"]) {
      const [get, head] = [await call("GET", path), await call("HEAD", path)]
      expect([path, head.status]).toEqual([path, get.status])
      expect(head.body).toBeUndefined()
      for (const name of ["content-type", "content-length"])
        expect([path, head.headers.get(name)]).toEqual([path, get.headers.get(name)])
    }
    expect((await call("HEAD", "/leads", undefined, { "X-API-Key": "" })).status).toBe(401)
  })

  test.each(["evil:99999", "é", "a b", ""])("a Host of %p is no unexpected error", async (host) => {
    const { app: service, key } = app()
    for (const method of ["GET", "HEAD"]) {
      const head = `${method} /api/v1/leads?limit=0 HTTP/1.1\r\nX-API-Key: ${key}`
      const { status } = await sendRaw(service.url, head, "", host)
      expect(status).toBe(421)
    }
  })

  test("a query where none is taken is refused, naming it", async () => {
    const { call } = app()
    for (const [method, path] of [
      ["GET", `/leads/${NO_LEAD}`],
      ["DELETE", `/leads/${NO_LEAD}`],
      ["POST", "/leads"],
      ["PUT", `/leads/${NO_LEAD}`],
      ["GET", "/api-keys"],
    ] as const) {
      const { status, body } = await call(method, `${path}?verbose=1`, method === "GET" ? undefined : LEAST)
      expect([method, path, status]).toEqual([method, path, 400])
      expect(body).toEqual(badRequest(/query parameter "verbose"/))
    }
  })

  describe("percent-encoding", () => {
    test("is undone in paths", async ({ call }) => {
      const { id } = (await call("POST", "/leads", LEAST)).body
      const encoded = [...id].map((c: string) => `%${c.charCodeAt(0).toString(16)}`).join("")
      expect((await call("GET", `/leads/${encoded}`)).body.id).toBe(id)
      expect((await call("GET", `/%6ceads/${id}`)).body.id).toBe(id)
      // Once, not twice.
      expect((await call("GET", `/leads/${encoded.replaceAll("%", "%25")}`)).status).toBe(404)
    })

    test.each([
      "%",
      "%zz",
      "%E0%A4%A",
      "%ff%fe",
      "%00",
      "%0d%0aX: y",
      "..%2f..%2fapi-keys",
      "%2e%2e",
      "a%2Fb",
      "%3Flimit=0",
      "%23",
      "+",
      "%25",
      "{id}",
      "x".repeat(8_000),
    ])("%s as an id is the id of nothing", async (id) => {
      const { app: service, key } = app()
      const answer = await sendRaw(
        service.url,
        `GET /api/v1/leads/${id.replace(" ", "%20")} HTTP/1.1\r\nX-API-Key: ${key}`,
      )
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.body)).toMatchObject({ error: "Not Found", code: "not_found" })
      expect(answer.headers).not.toHaveProperty("x")
    })

    test("dots and doubled slashes lead nowhere", async () => {
      const { app: service, key } = app()
      for (const path of [
        "/api/v1/../v1/leads",
        "/api/v1/./leads",
        "/api/v1//leads",
        "/api//v1/leads",
        "/api/v1/leads/../api-keys",
      ]) {
        const unsigned = await sendRaw(service.url, `GET ${path} HTTP/1.1`)
        expect([path, [401, 404].includes(unsigned.status)]).toEqual([path, true])
        const signed = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\nX-API-Key: ${key}`)
        expect([path, [200, 404].includes(signed.status)]).toEqual([path, true])
      }
    })

    test("of a query that is broken is taken as it stands", async () => {
      const { app: service, key } = app()
      for (const [query, status] of [
        ["filter=and.eq.city.%zz", 200],
        ["filter=and.eq.city.%E0%A4%A", 200],
        ["%6Cimit=1", 200],
        ["limit=%31", 200],
        ["limit=1&", 200],
        ["&&", 200],
        ["limit", 400],
        ["%00=1", 400],
      ] as const) {
        const answer = await sendRaw(service.url, `GET /api/v1/leads?${query} HTTP/1.1\r\nX-API-Key: ${key}`)
        expect([query, answer.status]).toEqual([query, status])
      }
    })
  })
})

test("a defect inside answers 500 internal_error and tells nothing of itself", async () => {
  const { call, config } = await openTestApp({ log: "off" })
  await call("POST", "/leads", LEAST)
  await sqlBeside(config.file, "ALTER TABLE lead_scores RENAME TO lead_scores_gone")
  for (const [method, path, body] of [
    ["GET", "/leads"],
    ["POST", "/leads", LEAST],
  ] as const) {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual(
      errorBody("Internal Server Error", "internal_error", /went wrong on our side/),
    )
    expect(JSON.stringify(answer.body)).not.toMatch(/lead_scores|SQL/i)
  }
  expect((await call("GET", "/api-keys")).status).toBe(200)
})
