import { hasPostgres } from "../../../test/support/postgres.ts"
import type { Group } from "../group.ts"
import { skipped } from "../harness.ts"
import { manyAccounts } from "../postgres/accounts.ts"
import { startCluster } from "../postgres/cluster.ts"
import { creates } from "../postgres/creates.ts"
import { reads } from "../postgres/reads.ts"
import { sizes } from "../postgres/sizes.ts"

/** Rows 28 to 33 and 38 to 41, on a PostgreSQL that keeps what it acknowledges. Service, database and load share the cores. */
export const postgres: Group = {
  name: "postgres",
  about:
    "get and list on PostgreSQL against pgbench, create against a bare service, instances, accounts, sizes",
  async run(bench) {
    if (!hasPostgres || process.platform !== "linux")
      return [28, 29, 30, 31, 32, 33, 38, 39, 40, 41].map((row) =>
        skipped(row, "leads on PostgreSQL", "needs PostgreSQL on Linux"),
      )
    await startCluster()
    const rates = [...(await reads(bench)), ...(await creates(bench)), ...(await manyAccounts(bench))]
    return [...rates, ...(await sizes(bench))]
  },
}
