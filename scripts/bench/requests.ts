// Requests for a lead, a page and a new lead.
import { freshLeads, type Kind } from "./dataset.ts"
import type { Service } from "./service.ts"
import { BASE_PATH } from "./service.ts"
import { NUMBER, type Sent } from "./wrk.ts"

/** Cities that fill a page of 50. */
export async function fullCities(service: Service): Promise<string[]> {
  const cities: { city: string; count: number }[] = await service.call("GET", "/stats/cities?limit=20")
  return cities.filter(({ count }) => count >= 50).map(({ city }) => city)
}

export function listRequests({ headers }: Pick<Service, "headers">, cities: readonly string[]): Sent[] {
  return cities.map((city) => {
    const query = new URLSearchParams({
      filter: `and.eq.city.${city}`,
      sort_by: "rating",
      sort_order: "DESC",
      limit: "50",
    })
    return { path: `${BASE_PATH}/leads?${query}`, headers }
  })
}

export function getRequests({ headers }: Service, ids: readonly string[]): Sent[] {
  return ids.map((id) => ({ path: `${BASE_PATH}/leads/${id}`, headers }))
}

/** Bodies of leads that are new as long as `NUMBER` is replaced by a number of its own; `series` as of `freshLeads`. */
export function newLeadBodies(count: number, series = 0, kind: Kind = "leads"): string[] {
  return freshLeads(count, series, kind).map((lead) =>
    JSON.stringify({
      ...lead,
      name: `${lead.name} ${NUMBER}`,
      email: `${NUMBER}@bench.example`,
      phone: `+49 ${NUMBER}`,
      source_id: `bench/${NUMBER}`,
    }),
  )
}

export function createRequests({ headers }: Pick<Service, "headers">, bodies = newLeadBodies(500)): Sent[] {
  const own = { ...headers, "Content-Type": "application/json" }
  return bodies.map((body) => ({
    method: "POST",
    path: `${BASE_PATH}/leads`,
    headers: own,
    body,
  }))
}
