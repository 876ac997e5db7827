import { isolation } from "../../scripts/torture/06-isolation.ts"
import { keys } from "../../scripts/torture/13-keys.ts"
import { oauth } from "../../scripts/torture/14-oauth.ts"
import { attacks } from "../../scripts/torture/20-attacks.ts"
import { testShort } from "./run-short.ts"

testShort(
  "another account's ids are answered as missing ones, and every statement is bound to an account",
  isolation,
)
testShort("requests need a good key and get no further than its role allows", keys, { successes: 0 })
testShort("the sign-in withstands every threat of RFC 9700 that applies to it", oauth, { successes: 0 })
testShort(
  "an account that attacks in every way is answered or refused, and no other account is refused",
  attacks,
)
