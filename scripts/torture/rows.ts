// The torture table: a line for each row.

import { kill } from "./01-kill.ts"
import { powerCut } from "./02-power-cut.ts"
import { diskFull } from "./03-disk-full.ts"
import { migrations } from "./04-migrations.ts"
import { processes } from "./05-processes.ts"
import { isolation } from "./06-isolation.ts"
import { fuzz } from "./07-fuzz.ts"
import { sequences } from "./08-sequences.ts"
import { lists } from "./09-lists.ts"
import { overload } from "./11-overload.ts"
import { soak } from "./12-soak.ts"
import { feed } from "./16-feed.ts"
import { takeover } from "./17-takeover.ts"
import { merges } from "./19-merges.ts"
import { failover } from "./21-failover.ts"
import { derived } from "./22-derived.ts"
import { abuse } from "./31-abuse.ts"
import type { Row } from "./row.ts"

export const ROWS: readonly Row[] = [
  kill,
  powerCut,
  diskFull,
  migrations,
  processes,
  isolation,
  fuzz,
  sequences,
  lists,
  overload,
  soak,
  feed,
  takeover,
  merges,
  failover,
  derived,
  ...abuse,
]
