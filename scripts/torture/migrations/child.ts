// Migrates a file and is killed before one of the statements: bun child.ts FILE NUMBER. With 0 it does all of it and
// prints how many statements there were.
import { Database } from "bun:sqlite"
import { migrate } from "../../../src/store/sqlite/file/migrations.ts"

const [file = "", at = "0"] = process.argv.slice(2)
let statements = 0
const db = new Database(file, { create: true, readwrite: true, strict: true })
db.run("PRAGMA journal_mode = WAL")
db.run("PRAGMA synchronous = FULL")
migrate(
  stepwise(db, (number) => {
    statements = number
    if (number === Number(at)) process.kill(process.pid, "SIGKILL")
  }),
)
db.close()
console.log(statements)

// A connection that runs what it is given statement by statement, and dies before the one it is told to.

/** The statements of a script, one by one; a trigger's body stays with it. */
function statementsOf(script: string): string[] {
  const statements: string[] = []
  let open = ""
  for (const part of script.split(/(?<=;)/)) {
    open += part
    const bare = open.replaceAll(/--.*$/gm, "").trim()
    const isTrigger = /^CREATE\s+(TEMP\s+)?TRIGGER/i.test(bare)
    if (!bare.endsWith(";") || (isTrigger && !/\bEND\s*;$/i.test(bare))) continue
    if (bare !== ";") statements.push(open)
    open = ""
  }
  return open.replaceAll(/--.*$/gm, "").trim() === "" ? statements : [...statements, open]
}

/** `before` is called before each statement with its number, from 1. */
function stepwise(db: Database, before: (number: number) => void): Database {
  let number = 0
  return new Proxy(db, {
    get(target, name) {
      if (name === "run") {
        return (sql: string) => {
          for (const statement of statementsOf(sql)) {
            before(++number)
            target.run(statement)
          }
        }
      }
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
