import { abuse } from "../../scripts/torture/31-abuse.ts"
import { testShort } from "./run-short.ts"

// The last is all of them at once, which takes a minute.
for (const row of abuse.slice(0, -1))
  testShort(`${row.name} is answered or refused, and another account loses nothing`, row, {
    wrong: 0,
    lost: 0,
  })
