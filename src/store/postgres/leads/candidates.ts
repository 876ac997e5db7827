// Which leads pushed ones may repeat, asked for a whole batch at once.

import type { LeadKeys } from "../../../lead/lead-keys.ts"
import type { Candidates } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { SingleLead } from "../../tables/leads/stored-lead.ts"

/** Leads with one phone that are looked at from each end: the others are of a placeholder. */
const PHONE_MAX = 100
/** Leads of one name, or name and city, that are looked at from each end for the oldest, which a restored one may be. */
const NAMESAKES_MAX = 10
/** Rows that are read for each of them: an index has only the beginnings of long texts. */
const READ = 2

const FOUND = `leads d JOIN lead_scores s ON s.account_id = d.account_id AND s.rid = d.rid WHERE d.account_id = $1`
const NONE = "o.email IS NULL AND o.source IS NULL"

/** Leads of one key: what an index finds them by, its columns before the rid, and what must hold besides. */
interface Indexed {
  where: string
  by: readonly string[]
  test: string
}
/** In the same writing, unless both numbers are known and differ. */
const SAME_PHONE: Indexed = {
  where: `left(l.phone_key, 100) = left(p.phone, 100) AND ${NONE} AND p.only_name IS NULL`,
  by: ["left(l.phone_key, 100)"],
  test: "l.phone_key = p.phone AND (p.number IS NULL OR l.phone_number IS NULL OR l.phone_number IN ('', p.number))",
}
const SAME_NUMBER: Indexed = {
  where: `l.phone_number > '' AND left(l.phone_number, 100) = left(p.number, 100) AND ${NONE} AND p.only_name IS NULL`,
  by: ["left(l.phone_number, 100)"],
  test: "l.phone_number = p.number",
}
const SAME_PHONE_AND_NAME: Indexed = {
  where: `left(l.name, 640) = left(p.only_name, 640) AND ${NONE}`,
  by: ["left(l.name, 640)"],
  test: `l.name = p.only_name AND (${SAME_PHONE.test} OR l.phone_number > '' AND ${SAME_NUMBER.test})`,
}
const SAME_NAME_AND_CITY: Indexed = {
  where: `left(l.name, 300) = left(p.name, 300) AND left(l.city, 300) = left(p.city, 300) AND l.city IS NOT NULL AND ${NONE}`,
  by: ["left(l.name, 300)", "left(l.city, 300)"],
  test: "l.name = p.name AND l.city = p.city",
}

function fromBothEnds({ where, by, test }: Indexed, most = PHONE_MAX): string {
  const part = (direction: "ASC" | "DESC") => {
    const order = [...by, "l.rid"].map((one) => `${one} ${direction}`).join(", ")
    const read = `SELECT l.rid, l.id, l.name, l.city, l.phone_key, l.phone_number FROM leads l
      WHERE l.account_id = $1 AND ${where} ORDER BY ${order} LIMIT ${READ * most}`
    return `(SELECT l.rid, l.name, l.id FROM (${read}) l WHERE ${test} LIMIT ${most})`
  }
  return `${part("ASC")} UNION ${part("DESC")}`
}

/** Leads with the phone besides their first: in the same writing unless both numbers are known and differ, or the number. */
const FURTHER_PHONES = `(SELECT l.rid, l.name, l.id FROM lead_contacts c JOIN leads l ON l.account_id = $1 AND l.rid = c.rid
  WHERE h.contacts AND ${NONE} AND c.account_id = $1 AND (
    (left(c.key, 100) = left(p.phone, 100) AND c.key = p.phone AND (p.number IS NULL OR c.number IS NULL OR c.number = p.number))
    OR (left(c.number, 100) = left(p.number, 100) AND c.number = p.number))
    AND (p.only_name IS NULL OR l.name = p.only_name) LIMIT ${PHONE_MAX})`

/**
 * For each of the pushed ones a row, in their order. `OFFSET 0` keeps what was found from being looked for at every use, and
 * leads that are found by their rid from being joined by their account alone: among many small accounts the database takes
 * each for small, and would read a whole large one.
 */
const CANDIDATES = `
  SELECT o.is_email_alias, o.is_source_alias,
    e.rid AS email_ref, e.data AS email_text, e.shape AS email_shape, e.activity AS email_done, e.score AS email_score, e.version AS email_version,
    i.rid AS source_ref, i.data AS source_text, i.shape AS source_shape, i.activity AS source_done, i.score AS source_score, i.version AS source_version,
    ph.found::text AS phone, nc.id AS same_name_and_city
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    WITH ORDINALITY AS p (email, source_id, phone, name, city, number, only_name, n)
  CROSS JOIN (SELECT EXISTS (SELECT 1 FROM lead_contacts WHERE account_id = $1) AS contacts) h
  CROSS JOIN LATERAL (SELECT
    (SELECT l.rid FROM leads l WHERE l.account_id = $1 AND md5(l.email) = md5(p.email) AND l.email = p.email) AS email,
    (SELECT l.rid FROM leads l WHERE l.account_id = $1 AND md5(l.source_id_exact) = md5(p.source_id)
      AND l.source_id_exact = p.source_id) AS source,
    CASE WHEN h.contacts THEN (SELECT c.rid FROM lead_contacts c WHERE c.account_id = $1 AND c.kind = 'email'
      AND left(c.text, 400) = left(p.email, 400) AND c.text = p.email LIMIT 1) END AS email_further,
    (SELECT a.rid FROM lead_aliases a WHERE a.account_id = $1 AND a.kind = 'email'
      AND md5(a.value) = md5(p.email) AND a.value = p.email) AS email_alias,
    (SELECT a.rid FROM lead_aliases a WHERE a.account_id = $1 AND a.kind = 'source_id'
      AND md5(a.value) = md5(p.source_id) AND a.value = p.source_id) AS source_alias
    OFFSET 0
  ) k
  CROSS JOIN LATERAL (SELECT
    coalesce(k.email, k.email_further, k.email_alias) AS email, coalesce(k.source, k.source_alias) AS source,
    k.email IS NULL AND coalesce(k.email_further, k.email_alias) IS NOT NULL AS is_email_alias,
    k.source IS NULL AND k.source_alias IS NOT NULL AS is_source_alias
  ) o
  LEFT JOIN LATERAL (SELECT d.rid, d.data, d.shape, s.activity, s.score, s.version FROM ${FOUND} AND d.rid = o.email OFFSET 0) e ON true
  LEFT JOIN LATERAL (SELECT d.rid, d.data, d.shape, s.activity, s.score, s.version FROM ${FOUND} AND d.rid = o.source OFFSET 0) i ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_array(f.rid, f.name) ORDER BY f.id) AS found
    FROM (${fromBothEnds(SAME_PHONE)} UNION ${fromBothEnds(SAME_NUMBER)} UNION ${fromBothEnds(SAME_PHONE_AND_NAME, NAMESAKES_MAX)}
      UNION ${FURTHER_PHONES}) f
  ) ph ON p.phone IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT min(f.id) AS id FROM (${fromBothEnds(SAME_NAME_AND_CITY, NAMESAKES_MAX)}) f
  ) nc ON p.city IS NOT NULL
  ORDER BY p.n`

interface Row {
  is_email_alias: boolean
  is_source_alias: boolean
  email_ref: number | null
  email_text: string
  email_shape: number
  email_done: string | null
  email_score: number
  email_version: number
  source_ref: number | null
  source_text: string
  source_shape: number
  source_done: string | null
  source_score: number
  source_version: number
  phone: string | null
  same_name_and_city: string | null
}

export async function findCandidates(
  db: Db,
  account: number,
  pushed: readonly LeadKeys[],
): Promise<Candidates[]> {
  const column = (
    name: keyof Omit<LeadKeys, "defaultCountry" | "isFax" | "isNameExact" | "listKeys" | "more">,
  ) => pushed.map((keys) => keys[name])
  const rows = await db.all<Row>(CANDIDATES, [
    account,
    column("email"),
    column("source_id"),
    column("phone"),
    column("name"),
    column("city"),
    column("number"),
    pushed.map(({ name, isNameExact }) => (isNameExact ? name : null)),
  ])
  return rows.map(candidatesOf)
}

function candidatesOf(row: Row): Candidates {
  const phone: [number, string][] = row.phone === null ? [] : JSON.parse(row.phone)
  return {
    email:
      row.email_ref === null
        ? undefined
        : SingleLead.of({
            ref: row.email_ref,
            text: row.email_text,
            shape: row.email_shape,
            done: row.email_done,
            score: row.email_score,
            version: row.email_version,
          }),
    source_id:
      row.source_ref === null
        ? undefined
        : SingleLead.of({
            ref: row.source_ref,
            text: row.source_text,
            shape: row.source_shape,
            done: row.source_done,
            score: row.source_score,
            version: row.source_version,
          }),
    aliases: { email: row.is_email_alias, source_id: row.is_source_alias },
    phone: phone.map(([ref, name]) => ({ ref, name })),
    nameAndCity: row.same_name_and_city === null ? undefined : { id: row.same_name_and_city },
  }
}
