import { kill } from "../../scripts/torture/01-kill.ts"
import { powerCut } from "../../scripts/torture/02-power-cut.ts"
import { diskFull } from "../../scripts/torture/03-disk-full.ts"
import { migrations } from "../../scripts/torture/04-migrations.ts"
import { feed } from "../../scripts/torture/16-feed.ts"
import { takeover } from "../../scripts/torture/17-takeover.ts"
import { derived } from "../../scripts/torture/22-derived.ts"
import { testShort } from "./run-short.ts"

testShort("a kill -9 loses no acknowledged write, nor its audit and outbox rows", kill)
testShort("a power cut loses no acknowledged write and damages nothing", powerCut)
testShort("a full disk refuses writes clearly, loses nothing, and is got over", diskFull)
testShort("a migration that is killed is finished by the next start; a newer file is refused", migrations)
testShort("a copy kept from the feed alone misses nothing and takes nothing twice, whatever is killed", feed)
testShort("jobs and requests that are killed on the way are done once and whole", takeover)
testShort("searches by an index as a kill has left it find what one finds that is made anew", derived)
