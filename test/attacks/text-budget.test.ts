// Small files that become gigabytes of leads: each row is as it should be, and there are many.
import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { addAccount } from "../support/account.ts"
import { openTestApp, openTestAppForReading, type TestApp } from "../support/app.ts"
import { until } from "../support/until.ts"
import { workbookOf } from "../support/workbook.ts"

const LONG = "word ".repeat(6_400)

/** A workbook whose rows all name one text. */
function workbook(rows: number, text = LONG): Promise<Uint8Array> {
  const cells = Array.from(
    { length: rows },
    (_, i) => `<row><c t="str"><v>Firm ${i}</v></c><c t="s"><v>0</v></c></row>`,
  )
  const head = '<row><c t="str"><v>name</v></c><c t="str"><v>description</v></c></row>'
  return workbookOf({ rows: head + cells.join(""), shared: `<si><t>${text}</t></si>` })
}

/** Cells of one digit under a hundred long names. */
function longNames(rows: number): string {
  const names = Array.from({ length: 100 }, (_, i) => `${i} ${"column ".repeat(20)}`)
  const cells = names.map(() => "7").join(",")
  const lines = Array.from({ length: rows }, (_, i) => `Firm ${i},${cells}`)
  return [`name,${names.join(",")}`, ...lines].join("\n")
}

interface Sent {
  file: () => Uint8Array | Promise<Uint8Array>
  name: string
  query?: string
}

const COSTLY: Record<string, Sent> = {
  "a workbook with one text in all of its rows": { file: () => workbook(20_000), name: "a.xlsx" },
  "the same in a column that goes nowhere": {
    file: () => workbook(20_000),
    name: "a.xlsx",
    query: "&map=description:-",
  },
  "packed cells under long names": { file: () => gzipSync(longNames(4_000)), name: "a.csv.gz" },
  "short rows that all get one source": {
    file: () => Buffer.from(`name\n${Array.from({ length: 60_000 }, (_, i) => i % 10).join("\n")}`),
    name: "a.csv",
    query: `&source=${"x".repeat(1_000)}`,
  },
}

async function send({ app, key }: TestApp, { file, name, query = "" }: Sent, more: string) {
  const form = new FormData()
  form.set("file", new File([(await file()) as BlobPart], name))
  const headers = { "X-API-Key": key }
  const answer = await fetch(`${app.url}/leads/import?${more}${query}`, {
    method: "POST",
    headers,
    body: form,
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe("a small file that becomes a multiple of itself", () => {
  const given = openTestAppForReading(async () => undefined)

  test.each(Object.entries(COSTLY))("%s is refused with what was counted", async (_, sent) => {
    const { status, body } = await send(given(), sent, "dry_run=true")
    expect(body).toMatchObject({
      code: "file_too_costly",
      message: expect.stringMatching(
        /^The first [\d,]+ rows of the file become [\d,]+ MiB of text, more than 200 times the file's [\d,]+ [KM]iB: save it as plain CSV, or split it/,
      ),
    })
    expect(status).toBe(400)
  })

  test("ends in the background before one row is in, and takes nothing of the next", async () => {
    const { call } = given()
    const { status, body } = await send(
      given(),
      COSTLY["a workbook with one text in all of its rows"]!,
      "background=true",
    )
    expect(status).toBe(202)
    const ended = await until("the import ends", async () => {
      const { body: one } = await call("GET", `/imports/${body.id}`)
      return one.state !== "running" && one
    })
    expect(ended).toMatchObject({ state: "failed", code: "file_too_costly" })
    expect((await call("POST", `/imports/${body.id}/undo`)).status).toBe(200)
  })

  test("an ordinary one of the same size is taken", async () => {
    const { status, body } = await send(
      given(),
      { file: () => workbook(900), name: "a.xlsx" },
      "dry_run=true",
    )
    expect(body).toMatchObject({ created: 900, rejected: 0 })
    expect(status).toBe(200)
  })
})

test("a file of many times the plan's storage is refused, however large it is itself", async () => {
  const opened = await openTestApp()
  const account = await addAccount(opened.config.file, { limits: { storage_limit: 1_000_000 } })
  const lines = Array.from({ length: 1_300 }, (_, i) => `Firm ${i},${LONG}`)
  const file = { file: () => Buffer.from(`name,description\n${lines.join("\n")}`), name: "a.csv" }
  const { body } = await send({ ...opened, key: account.key }, file, "dry_run=true")
  expect(body).toMatchObject({
    code: "file_too_costly",
    message: expect.stringContaining("more than 2 times the storage of the account's plan: split it"),
  })
})
