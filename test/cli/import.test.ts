import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { openSqliteReads } from "../../src/store/sqlite/index.ts"
import { runCli } from "../../src/surfaces/cli/cli.ts"
import { addAccount } from "../support/account.ts"
import { openPlace, type Place, PROGRAM } from "../support/service.ts"
import { until } from "../support/until.ts"
import { ioOf } from "./io.ts"

async function placeWith(files: Record<string, string>): Promise<Place> {
  const place = openPlace()
  await addAccount(join(place.folder, "data/leads.db"))
  for (const [name, text] of Object.entries(files)) await Bun.write(join(place.folder, name), text)
  return place
}
const leadsOf = async (place: Place) => (await place.run(["export", "--format", "json"])).json

describe("leaddb import", () => {
  test("imports beside the running service, and writes rejected rows to be corrected and imported", async () => {
    await using place = await placeWith({
      "leads.csv": "Firm;E-Mail;City;Seats\nAda;ada@x.de;Köln;4\n;;Bonn;\nAda B;ADA@x.de;;5\n;;Ulm\n",
    })
    const service = await place.serve()
    const options = ["--source", "fair", "--map", "Firm:name", "--map", "Seats:attr:seats:number"]
    const { code, out } = await place.run(["import", "leads.csv", ...options])
    expect(code).toBe(1)
    expect(out).toMatch(/^Imported leads\.csv: 4 rows in [\d.]+ s \([\d,]+ rows\/s\)\.\nCreated +1\n/)
    expect(out).toContain("Merged    1  email 1, source_id 0, phone 0\n")
    expect(out).toContain("leads.csv.rejected.csv\n")
    expect(out).toContain("  line 3  name is required: no column of the row has one, nor a company")
    const rejected = join(place.folder, "leads.csv.rejected.csv")
    const text = await Bun.file(rejected).text()
    const why =
      '"line N: name is required: no column of the row has one, nor a company, a website, an email or a phone"'
    expect(text).toBe(
      `rejected_because,Firm,E-Mail,City,Seats\n${why.replace("N", "3")},,,Bonn,\n${why.replace("N", "5")},,,Ulm\n`,
    )
    await Bun.write(rejected, text.replace(",,,Bonn", ",Bea,,Bonn").replace(",,,Ulm", ",Cy,,Ulm"))
    const again = await place.run(["import", "leads.csv.rejected.csv", ...options, "--json"])
    expect([again.code, again.json.import]).toEqual([
      0,
      expect.objectContaining({ created: 2, rejected: 0, rejected_file: null, stopped: false }),
    ])
    expect(await leadsOf(place)).toMatchObject([
      {
        name: "Ada B",
        source: "fair",
        city: "Köln",
        attributes: [{ name: "seats", type: "number", value: 5 }],
      },
      { name: "Bea" },
      { name: "Cy" },
    ])
    service.signal("SIGTERM")
    expect((await service.ended).err).toBe("")
  })

  test("a dry run writes nothing, beside the file neither", async () => {
    await using place = await placeWith({ "leads.csv": "name,source\nA,w\n,w\n" })
    const { code, out } = await place.run(["import", "leads.csv", "--dry-run"])
    expect(code).toBe(1)
    expect(out).toContain("Would be created   1\n")
    expect(readdirSync(place.folder).toSorted()).toEqual(["data", "leads.csv"])
    expect(await leadsOf(place)).toEqual([])
  })

  test("columns that no field takes are attributes; refused with flags to paste for who wants that", async () => {
    await using place = await placeWith({ "leads.csv": "name,source,Seats taken\nA,w,4\n" })
    const { code, err } = await place.run(["import", "leads.csv", "--unknown", "refuse"])
    expect(code).toBe(2)
    expect(err).toContain(
      "\"Seats taken\" is no lead field. Take it as attributes with --unknown attributes or --map 'Seats taken:attr:Seats taken:number'",
    )
    expect((await place.run(["import", "leads.csv"])).code).toBe(0)
    expect(await leadsOf(place)).toMatchObject([
      { attributes: [{ name: "Seats taken", type: "number", value: 4 }] },
    ])
  })

  test("on a terminal it shows the mapping and leads, takes changes of columns, and shows how far it is", async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `Lead ${i},w,${i},x`)
    await using place = await placeWith({ "leads.csv": `name,source,seats,junk\n${rows.join("\n")}\n` })
    let shown = ""
    const show = (data: Uint8Array) => {
      shown += Buffer.from(data).toString()
    }
    const child = Bun.spawn([...PROGRAM, "import", "leads.csv"], {
      cwd: place.folder,
      env: {},
      terminal: { cols: 120, rows: 30, data: (_, data) => show(data) },
    })
    const asked = (times: number) => until("the question", () => shown.split("Import? [y]es").length > times)
    await asked(1)
    expect(shown).toMatch(/seats +0 +attr:seats:number +3000/)
    expect(shown).toMatch(/Lead 1\r?\n +name +Lead 0\r?\n +source +w\r?\n +attr:seats +0/)
    expect(shown).toContain("Would be 3,000 created, 0 merged, 0 rejected.")
    child.terminal!.write("seats:nowhere\n")
    await asked(2)
    expect(shown).toContain('"nowhere" is no lead field')
    child.terminal!.write("junk:-\n")
    await asked(3)
    expect(shown).toMatch(/junk +x +left out/)
    child.terminal!.write("y\n")
    expect(await child.exited).toBe(0)
    expect(shown).toMatch(/\[#*-*\] +\d+ % {2}[\d,]+ rows {2}[\d,]+ rows\/s {2}\d+:\d\d left/)
    expect(shown).toContain("Created   3,000")
    expect((await leadsOf(place))[0].attributes).toMatchObject([{ name: "seats", type: "number", value: 0 }])
  }, 120_000)

  test("a dry run tells columns, leads, merges and warnings; what the plan has no room for is told before", async () => {
    await using place = await placeWith({
      "one.csv": "name,email\nAda,ada@x.de\n",
      "leads.csv": "Firma;E-Mail;Bewertung;Sitze\nAda L;ADA@x.de;gut;4\nBea;;4,5;5\nCy;;3,5;6\n",
    })
    expect((await place.run(["import", "one.csv"])).code).toBe(0)
    const { out, code } = await place.run(["import", "leads.csv", "--dry-run"])
    expect(code).toBe(0)
    expect(out).toMatch(/Read as CSV, a comma before fractions: 3 rows\./)
    expect(out).toMatch(
      /COLUMN +EXAMPLE +GOES TO +FILLED\nFirma +Ada L +name +3\nE-Mail +ADA@x\.de +email +1\n/,
    )
    expect(out).toMatch(/Sitze +4 +attr:Sitze:number +3/)
    expect(out).toMatch(/line 2 +Ada +cl_[\w-]+ +same email/)
    expect(out).toMatch(/1 +values left out\n +line 2 +Bewertung "gut" is no number: left out/)
    const small = ["--account", "another", "--plan", "free", "--leads-limit", "2"]
    const { code: changed } = await place.run(["accounts", "set-plan", ...small])
    expect(changed).toBe(0)
    const { err } = await place.run(["import", "leads.csv"])
    expect(err).toMatch(
      /The free plan keeps 2 leads and has room for 1: 1 of 2 new leads fit\. More room: leaddb accounts set-plan --account acc_\S+ --plan enterprise/,
    )
  }, 120_000)

  test("reads standard input, keeps JSON as JSON in what it rejects", async () => {
    await using place = await placeWith({
      "leads.json": '[{"name":"A","source":"w"},\n{"source":"w","city":"Ulm"}]',
    })
    const piped = Bun.spawnSync([...PROGRAM, "import", "-", "--format", "ndjson", "--json"], {
      cwd: place.folder,
      env: {},
      stdin: Buffer.from('{"name":"P","source":"w"}\n'),
    })
    expect(JSON.parse(piped.stdout.toString()).import).toMatchObject({ created: 1, rejected: 0 })
    expect((await place.run(["import", "leads.json"])).code).toBe(1)
    const [line = ""] = (await Bun.file(join(place.folder, "leads.json.rejected.ndjson")).text()).split("\n")
    expect(JSON.parse(line)).toEqual({
      rejected_because: "line 2: name is required",
      source: "w",
      city: "Ulm",
    })
  })

  test("Ctrl-C ends it after the rows under way and says what is in", async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `Lead ${i},w,lead${i}@x.de`)
    await using place = await placeWith({ "leads.csv": `name,source,email\n${rows.join("\n")}\n` })
    const started = place.start(["import", "leads.csv", "--json"])
    const { read, close } = openSqliteReads(join(place.folder, "data/leads.db"))
    const count = async () => (await read.accounts.list())[0]!.leads
    await until("the first rows are in", async () => (await count()) > 0)
    started.signal("SIGINT")
    const { code, err, json } = await started.ended
    expect(code).toBe(130)
    expect(err).toMatch(/stopped: [\d,]+ rows are in; import the file again to go on/)
    expect(json.import.stopped).toBe(true)
    expect(await count()).toBe(json.import.created)
    close()
  })

  test("refuses what it cannot do, saying why", async () => {
    await using place = await placeWith({ "leads.csv": "name,source\nA,w\n", "notes.md": "x" })
    const cases: [args: string[], why: string, exit: number][] = [
      [["nope.csv"], "there is no file nope.csv", 1],
      [["data"], "FILE must be a file, and data is a folder", 2],
      [["notes.md"], 'the name "notes.md" does not say what the file is', 2],
      [["leads.csv", "--unknown", "drop"], "--unknown must be one of attributes, ignore, refuse, reject", 2],
      [["leads.csv", "--account", "a", "--account", "b"], "--account was given twice", 2],
      [[], "FILE is required: leaddb import FILE", 2],
    ]
    for (const [args, why, exit] of cases) {
      const { io, said } = ioOf({ LEADDB_DATA: join(place.folder, "data") })
      const paths = args.map((arg) => (/^(\w+\.\w+|data)$/.test(arg) ? join(place.folder, arg) : arg))
      expect(await runCli(["import", ...paths], io)).toBe(exit)
      expect(said().err.replaceAll(`${place.folder}/`, "")).toContain(why)
    }
  })
})
