import { processes } from "../../scripts/torture/05-processes.ts"
import { fuzz } from "../../scripts/torture/07-fuzz.ts"
import { sequences } from "../../scripts/torture/08-sequences.ts"
import { lists } from "../../scripts/torture/09-lists.ts"
import { soak } from "../../scripts/torture/12-soak.ts"
import { merges } from "../../scripts/torture/19-merges.ts"
import { testShort } from "./run-short.ts"

testShort("processes that write to one file at once lose nothing and refuse nothing", processes)
testShort("no request of any route or tool causes a 500, hangs, or is answered unlike the document", fuzz)
testShort("after any commands, every account is what the model says", sequences)
testShort("lists with mutated filters, cursors and sort keys give what the model gives", lists)
testShort("ordinary work of every kind side by side fails nowhere and loses nothing", soak, { errors: 0 })
testShort("after any pushes, edits, merges and undos, every lead is what the model says", merges)
