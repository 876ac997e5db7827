import { isolation } from "../../scripts/torture/06-isolation.ts"
import { keys } from "../../scripts/torture/13-keys.ts"
import { testShort } from "./run-short.ts"

testShort(
  "another account's ids are answered as missing ones, and every statement is bound to an account",
  isolation,
)
testShort("requests need a good key and get no further than its role allows", keys, { successes: 0 })
