// Whether the time that an answer takes tells a foreign id from one that nothing has.
import { restRequest } from "../ask.ts"
import type { Inside } from "../in-process.ts"
import type { Estate } from "./estates.ts"

/** The median times of `GET /leads/{id}`, foreign over missing; asked in turns. 1 when they are the same. */
export async function timeForeign(
  service: Inside,
  own: Estate,
  other: Estate,
  times: number,
): Promise<number> {
  const ids = [other.ids.lead, `${other.ids.lead.slice(0, -6)}000000`] as const
  const taken: [number[], number[]] = [[], []]
  for (let i = 0; i < times; i++) {
    // Which of them comes first changes, too.
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const request = restRequest(own.key, "get_lead", { id: ids[which] })
      const began = performance.now()
      await (await service.fetch(request)).text()
      taken[which].push(performance.now() - began)
    }
  }
  const [foreign, missing] = taken.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!)
  return foreign! / missing!
}
