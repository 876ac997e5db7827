// A process that brings a file's trail up to date and then, in the same transaction, does not end.
import { Database } from "bun:sqlite"
import { MIGRATIONS, migrate } from "../../src/store/sqlite/file/migrations.ts"
import { convertTrail } from "../../src/store/sqlite/trail/convert.ts"

const db = new Database(process.argv[2]!)
// Rows go to the log before the commit.
db.run("PRAGMA cache_size = 1")
migrate(
  db,
  MIGRATIONS.map((one) => ({
    ...one,
    ...(one.work === convertTrail && {
      work(db: Database) {
        convertTrail(db)
        process.stdout.write("converting\n")
        for (;;) Bun.sleepSync(1_000)
      },
    }),
  })),
)
