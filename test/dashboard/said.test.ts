// What an import says of a file is among the sentences that its page tells in German.
import { expect, test } from "bun:test"
import { SAID } from "../../src/dashboard/texts/german/said.ts"
import { TABLES } from "../../src/dashboard/texts/german/tables.ts"
import { sentenceTranslator } from "../../src/dashboard/texts/sentences.ts"
import { openTestAccount } from "../support/app.ts"

const FILES: readonly string[] = [
  "Company,Erreichbar,Start,Seats\nA,030 1234567,03/04/2024,1.200\nB,030 1234568,05/04/2024,1.300\nC,040 7654321,05/06/2024,2.400\n",
  "Company,Start,End\nA,03/04/2024,03/31/2024\n",
  "Company,Country,Start\nA,USA,03/04/2024\n",
  "Company,Country,Start\nA,France,03/04/2024\n",
  "Company,Score\nA,4.5\nB,3.5\nC,5.0\n",
  'Company,City,Note\nA,Ulm,"x\nB,Bonn,y\nC,Kiel,z\nD,Jena\nTotal,,3\n',
  "Board\nGroup A\nName,Status,Email\nAcme,new,a@x.example\n\nGroup B\nName,Status,Email\nBeta,new,b@x.example\n",
  "Name,Email\n,c@x.example\n",
  `Name,City\nA,${"x".repeat(1_200)}\n`,
]

const FORMS = Object.keys(SAID).map((one) => {
  const parts = one.split(/\{\w+\}/).map(RegExp.escape)
  return new RegExp(`^${parts.join(".*")}(?:; \\w+(?:=\\w+)? says otherwise| unless map says \\w+)?$`, "s")
})

test("each guess and remark is one that the page knows", async () => {
  const { call } = await openTestAccount()
  const kept: string[] = []
  let told = 0
  for (const [i, file] of FILES.entries()) {
    const { body } = await call("POST", `/leads/import?dry_run=true&name=${i}.csv`, file, {
      "Content-Type": "text/csv",
    })
    const { guesses, warnings } = body as Record<"guesses" | "warnings", Record<string, string>[]>
    expect([...guesses, ...warnings]).not.toEqual([])
    const texts = [...guesses.flatMap(({ reason }) => reason!), ...warnings.map(({ message }) => message!)]
    kept.push(...texts.filter((text) => !FORMS.some((form) => form.test(text))))
    told += texts.length
  }
  expect(kept).toEqual([])
  expect(told).toBeGreaterThan(10)
})

const german = sentenceTranslator(Object.assign({}, ...TABLES), Object.keys(SAID))

test.each([
  ["email must look like name@example.com", "E-Mail muss aussehen wie name@example.com"],
  ["leads[3].job_title must be at most 1,000 characters", "Position hat höchstens 1.000 Zeichen"],
  ['attribute "Budget" must be a number, as its type is number', "Attribut „Budget“: muss eine Zahl sein"],
  ["tags[0] must not be empty", "Tags darf nicht leer sein"],
  ["answered 502, then connection reset", "Antwort 502, dann Verbindung unterbrochen"],
  ["conflict: expect says 3", "Das geht gerade nicht: expect says 3"],
  ["of another program", undefined],
])("%s is told in German", (english, told) => {
  expect(german(english)).toBe(told!)
})
