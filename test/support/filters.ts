// Filters as of the first moment that there is, in UTC.
import { parseFilters as parse } from "../../src/domain/leads/list/filter.ts"

export const CALENDAR = { zone: "UTC", now: 0 }

export const parseFilters = (filters: readonly string[]) => parse(filters, CALENDAR)
