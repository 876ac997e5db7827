import { join } from "node:path"
import { copyOf, createInTurns, dataset, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { check, note, percentile, ratios, spread } from "../harness.ts"

const CREATES = 400

/** Row 5: what a create costs where there are a million leads, against a thousand. In this process, one at a time. */
export const create: Group = {
  name: "create",
  about: "create at a million leads against a thousand, in process",
  async run({ scratch }) {
    const counts = { small: 1_000, large: 1_000_000 }
    const small = await openDataset(copyOf(await dataset(counts.small), join(scratch, "small")).file)
    const large = await openDataset(copyOf(await dataset(counts.large), join(scratch, "large")).file)
    const taken = await createInTurns({ small, large }, CREATES, 50)
    await Promise.all([small.close(), large.close()])
    const at = (name: "small" | "large", percent: number) =>
      taken[name].map((times) => percentile(times, percent) * 1_000)
    const work = "create at 1 M leads"
    const p99 = spread(at("large", 99).map((us) => us / 1_000))
    return [
      check(5, `${work} / at 1 k, p50`, ratios(at("large", 50), at("small", 50)), "<= 1.3", "x"),
      check(5, `${work}, p99`, p99, "<= 1.5", "ms"),
      note(`${work}, p50`, spread(at("large", 50)), "us"),
      note("create at 1 k leads, p50", spread(at("small", 50)), "us"),
      note("create at 1 k leads, p99", spread(at("small", 99).map((us) => us / 1_000)), "ms"),
    ]
  },
}
