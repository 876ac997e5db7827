// The lanes of the board: the account's stages, else its statuses.
import { get } from "./api.ts"
import { knowStages } from "./stages.ts"
import { statusColor, statusName, statusOrder } from "./statuses.ts"
import { t } from "./text.ts"
import type { Groups, Lead, LeadPage, Stage } from "./types.ts"

const SHOWN = 50

export interface Lane {
  /** A stage's id, or a status; "" for leads without a stage. */
  key: string
  name: string
  color: string
  filter: string
  /** What a lead gets that is moved here. */
  data: { stage: string | null } | { status: Lead["status"] }
  /** Leads here are lost: a person is asked why. */
  isLost: boolean
  leads: Lead[]
  count: number
  /** What they are worth; null where none says it. */
  value: number | null
}

type Plan = Omit<Lane, "leads" | "count" | "value">

function plans(stages: readonly Stage[]): Plan[] {
  if (stages.length === 0)
    return statusOrder().map((status) => ({
      key: status,
      name: statusName(status),
      color: statusColor(status),
      filter: `and.eq.status.${status}`,
      data: { status },
      isLost: status === "disqualified",
    }))
  const none: Plan = {
    ...{ key: "", name: t("No stage"), color: "gray", filter: "and.is_empty.stage." },
    ...{ data: { stage: null }, isLost: false },
  }
  const ofStages = stages.map(
    ({ id, name, color, status }): Plan => ({
      ...{ key: id, name, color, filter: `and.eq.stage.${id}` },
      ...{ data: { stage: id }, isLost: status === "disqualified" },
    }),
  )
  return [none, ...ofStages]
}

/** The lanes of the leads that the filters match. */
export async function loadLanes(filters: readonly string[], signal: AbortSignal): Promise<Lane[]> {
  const stages = await get<Stage[]>("/stages", {}, signal)
  knowStages(stages)
  const by = stages.length > 0 ? "stage" : "status"
  const planned = plans(stages)
  const asked = { filter: filters, group_by: by, metrics: "count,sum:value" }
  const [{ groups }, ...pages] = await Promise.all([
    get<Groups>("/leads/aggregate", asked, signal),
    ...planned.map(({ filter }) => {
      const query = { filter: [filter, ...filters], sort_by: "score", sort_order: "DESC", limit: SHOWN }
      return get<LeadPage>("/leads", query, signal)
    }),
  ])
  return planned.map((lane, i): Lane => {
    const group = groups.find((one) => (one[by] ?? "") === lane.key)
    const value = group?.["sum:value"]
    return {
      ...lane,
      leads: pages[i]!.leads,
      count: Number(group?.count ?? 0),
      value: typeof value === "number" && value !== 0 ? value : null,
    }
  })
}

/** The lanes once a lead has gone from one to another. */
export function moved(lanes: readonly Lane[], lead: Lead, from: Lane, to: Lane): Lane[] {
  const worth = (lane: Lane, sign: number) =>
    lead.value === null ? lane.value : (lane.value ?? 0) + sign * lead.value
  return lanes.map((lane) => {
    const leads = lane.leads.filter(({ id }) => id !== lead.id)
    if (lane.key === from.key) return { ...lane, leads, count: lane.count - 1, value: worth(lane, -1) }
    if (lane.key !== to.key) return lane
    return { ...lane, leads: [lead, ...leads], count: lane.count + 1, value: worth(lane, 1) }
  })
}
