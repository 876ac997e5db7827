// The 24 ways to look for leads of row 6: rare, common and matching nothing, over every kind of field and sort.

import { generateLeads } from "../seed/leads.ts"

export interface Selected {
  name: string
  filter: string[]
  sort_by: string
  sort_order: "ASC" | "DESC"
}

/** One of the first leads of every dataset. */
const KNOWN = [...generateLeads(100, 1)].find(({ email }) => email)!
const BERLIN = "52.52,13.405"

/** `filter` holds `logic.operator.field.value`, several joined by blanks around a `+`. */
function select(name: string, filter: string, sort: string): Selected {
  const [sort_by = "", order] = sort.split(" ")
  return {
    name,
    filter: filter.split(" + "),
    sort_by,
    sort_order: order === "desc" ? "DESC" : "ASC",
  }
}

export const SELECTIONS: readonly Selected[] = [
  // Texts, equal
  select("a common city", "and.eq.city.Berlin", "rating desc"),
  select("an email that one lead has", `and.eq.email.${KNOWN.email}`, "name"),
  select("a city without leads", "and.eq.city.Atlantis", "created_at desc"),
  select("almost all by status", "and.neq.status.new", "score desc"),
  select("one of three categories", "and.in.category.Florist,Optician,Wine Shop", "name"),
  select("without an email", "and.is_empty.email.", "rating desc"),
  // Texts, parts of them
  select("a common part of names", "and.contains.name.trattoria", "created_at desc"),
  select("a rare part of names", `and.contains.name.${KNOWN.name}`, "rating desc"),
  select("a part that no name has", "and.contains.name.qqzzqq", "name"),
  select("a part that no description has", "and.contains.description.qqzzqq", "created_at desc"),
  select("a beginning of names", "and.starts_with.name.bä", "created_at"),
  select("an ending of emails", "and.ends_with.email..it", "score desc"),
  // Tags
  select("a common tag", "and.array_contains.tags.hot", "created_at desc"),
  select("two rare tags at once", "and.array_contains_all.tags.клиент,gastro", "name"),
  select("a tag without leads", "and.array_contains.tags.nowhere", "score desc"),
  // Attributes
  select("a range of a number attribute", "and.gt.attr:employees.400", "attr:employees desc"),
  select("one value of a number attribute", "and.eq.attr:founded.1987", "rating desc"),
  select("a text attribute", "and.eq.attr:industry.Retail", "attr:founded"),
  select("an attribute that no lead has", "and.eq.attr:planet.Mars", "created_at desc"),
  // Places
  select("within 10 km", `and.within_radius.location.${BERLIN},10`, "rating desc"),
  select("within 5 km of nothing", "and.within_radius.location.0.1,-30.1,5", "name"),
  // Ranges, and everything together
  select("two ranges", "and.gte.rating.4.9 + and.gt.review_count.2000", "created_at desc"),
  select(
    "one of two, and a range",
    "or.eq.city.Berlin + or.array_contains.tags.vip + and.gte.rating.4.5",
    "score desc",
  ),
  select(
    "everything, matching nothing",
    "and.eq.status.converted + and.lt.rating.1.2 + and.contains.name.zz + or.eq.source.yelp + or.eq.city.Paris",
    "attr:employees desc",
  ),
]
