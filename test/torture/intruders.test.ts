import { isolation } from "../../scripts/torture/06-isolation.ts"
import { testShort } from "./run-short.ts"

testShort(
  "another account's ids are answered as missing ones, and every statement is bound to an account",
  isolation,
)
