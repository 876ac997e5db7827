import { describe, expect, test } from "bun:test"
import { createLog, type RequestLine } from "../../src/runtime/log.ts"

const NOON = Date.UTC(2026, 10, 21, 12)
const REQUEST: RequestLine = {
  id: "r-1",
  method: "GET",
  path: "/api/v1/leads",
  address: "127.0.0.1",
  key: "key_1",
}

/** A log at noon and what it has written, one entry for each write. */
function open(mode: "json" | "pretty" | "off") {
  const written: string[] = []
  return {
    written,
    log: createLog(
      mode,
      (lines) => written.push(lines),
      () => NOON,
    ),
  }
}
const turn = () => new Promise(setImmediate)

describe("a request's line", () => {
  test("for people", () => {
    const { log, written } = open("pretty")
    log.request(REQUEST, 200, 1.25)
    log.flush()
    expect(written).toEqual([
      "2026-11-21T12:00:00.000Z INFO  GET /api/v1/leads 200 in 1.3 ms key=key_1 from=127.0.0.1 request_id=r-1\n",
    ])
  })

  test("for programs is what JSON.stringify would write, whatever the path holds", () => {
    const { log, written } = open("json")
    const { key: _, ...unknown } = { ...REQUEST, path: '/a"b\\c\u0007/é' }
    log.request(unknown, 404, 0.04)
    log.flush()
    expect(JSON.parse(written[0]!)).toEqual({
      ...{ time: "2026-11-21T12:00:00.000Z", level: "info", msg: "request", method: "GET" },
      ...{ path: '/a"b\\c\u0007/é', status: 404, ms: 0, from: "127.0.0.1", request_id: "r-1" },
    })
  })

  test("never shows a key that was put into the path, and cuts long paths", () => {
    const { log, written } = open("pretty")
    log.request({ ...REQUEST, path: "/x/ldb_aB3/ldb_c" }, 404, 1)
    log.request({ ...REQUEST, path: `/${"y".repeat(5_000)}` }, 404, 1)
    log.flush()
    expect(written[0]).toContain("GET /x/ldb_***/ldb_*** 404")
    expect(written[0]!.length).toBeLessThan(600)
  })

  test("never shows an email or another value that a lead is found by", () => {
    const { log, written } = open("json")
    const shown = (path: string) => {
      log.request({ ...REQUEST, path: `/api/v1${path}` }, 200, 1)
      log.flush()
      return JSON.parse(written.at(-1)!).path.slice("/api/v1".length)
    }
    expect(shown("/leads/by/email/ada%40x.de")).toBe("/leads/by/email/***")
    expect(shown("/leads/by/email/not-an-address/more")).toBe("/leads/by/email/***")
    expect(shown("/leads/by/source_id/4711")).toBe("/leads/by/source_id/***")
    expect(shown("/leads/ada@x.de/notes")).toBe("/leads/***/notes")
    expect(shown(`/leads/by/email/${"a".repeat(300)}@x.de`)).toBe("/leads/by/email/***")
    expect(shown("/leads/by/email")).toBe("/leads/by/email")
  })

  test("is not made when the log is off", async () => {
    const { log, written } = open("off")
    log.request(REQUEST, 200, 1)
    log.flush()
    await turn()
    expect(written).toEqual([])
  })
})

describe("lines of requests", () => {
  test("of one turn of the event loop are written together at its end", async () => {
    const { log, written } = open("pretty")
    for (let i = 0; i < 3; i++) log.request(REQUEST, 200, 1)
    expect(written).toEqual([])
    await turn()
    expect(written).toHaveLength(1)
    expect(written[0]!.split("\n")).toHaveLength(4)
    log.request(REQUEST, 200, 1)
    await turn()
    expect(written).toHaveLength(2)
  })

  test("come before what happened after them", () => {
    const { log, written } = open("pretty")
    log.request(REQUEST, 200, 1)
    log.error("trouble")
    expect(written.map((lines) => lines.match(/INFO|ERROR/)![0])).toEqual(["INFO", "ERROR"])
  })
})
