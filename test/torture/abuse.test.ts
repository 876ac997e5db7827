import { abuse } from "../../scripts/torture/31-abuse.ts"
import { testShort } from "./run-short.ts"

testShort("each attack is answered or refused, and another account loses nothing", abuse.at(-1)!, {
  wrong: 0,
  lost: 0,
})
