// Migrates a file and is killed before one of the statements: bun child.ts FILE NUMBER. With 0 it does all of it and
// prints how many statements there were.
import { Database } from "bun:sqlite"
import { migrate } from "../../../src/store/sqlite/file/migrations.ts"
import { stepwise } from "./statements.ts"

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
