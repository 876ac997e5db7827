import { get, post } from "../core/api.ts"
import { formatNumber, moment, plural } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { revert } from "../core/lead-writes.ts"
import { useLiveLoaded } from "../core/live.ts"
import { href, place } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { suppress } from "../core/suppress.ts"
import { t } from "../core/text.ts"
import { attempt, say, sayUndo } from "../core/toast.ts"
import type { BulkAnswer, Company, Lead, LeadPage, Note } from "../core/types.ts"
import { Button, FailureNote, Head, Score, StatusBadge } from "../parts/bits.tsx"
import { CompanyDialog, setCompany, useCompanySearch } from "../parts/company-dialog.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { Table, Things } from "../parts/things.tsx"

/** Companies of a page. */
const LISTED = 50
/** Leads of a firm that are shown, and those whose notes are read. */
const SHOWN = 100
const NOTED = 10

export default function CompaniesPage() {
  const [, id] = place.value
  return id ? <CompanyView id={id} /> : <CompanyList />
}

function CompanyList() {
  const { list, field } = useCompanySearch(LISTED)
  return (
    <Things
      title={t("Companies")}
      loaded={list}
      above={<p class="row">{field}</p>}
      empty={[
        "team",
        t("No companies"),
        t("Leads with a website, an email of a firm or a company appear here."),
      ]}
    >
      {list.data && list.data.length > 0 && (
        <Table head={[t("Company"), t("Domain"), t("Leads"), t("Last touched"), t("Due")]} class="companies">
          {list.data.map((company) => (
            <tr key={company.id}>
              <td>
                <a href={href(`companies/${company.id}`)}>{company.name}</a>
              </td>
              <td>{company.domain}</td>
              <td>{formatNumber(company.leads)}</td>
              <td>{moment(company.last_touched_at)}</td>
              <td>{company.next_step_at === null ? "" : moment(company.next_step_at)}</td>
            </tr>
          ))}
        </Table>
      )}
      {list.hasMore && <Button label={t("Load more")} onClick={() => void list.more()} />}
    </Things>
  )
}

interface Firm {
  company: Company
  leads: readonly Lead[]
  notes: readonly (Note & { lead: Lead })[]
}

async function loadFirm(id: string, signal: AbortSignal): Promise<Firm> {
  const query = { filter: [`and.eq.company_id.${id}`], sort_by: "last_touched_at", sort_order: "DESC" }
  const [company, { leads }] = await Promise.all([
    get<Company>(`/companies/${id}`, {}, signal),
    get<LeadPage>("/leads", { ...query, limit: SHOWN }, signal),
  ])
  const noted = leads.filter(({ note_count }) => note_count > 0).slice(0, NOTED)
  const notes = await Promise.all(
    noted.map(async (lead) => {
      const ofLead = await get<Note[]>(`/leads/${lead.id}/notes`, {}, signal)
      return ofLead.map((note) => ({ ...note, lead }))
    }),
  )
  return { company, leads, notes: notes.flat().toSorted((a, b) => b.created_at - a.created_at) }
}

/** A firm with its people, what is next with them, and what was noted. */
function CompanyView({ id }: { id: string }) {
  const { data, error, again } = useLiveLoaded((signal) => loadFirm(id, signal), [id])
  if (error !== undefined || !data)
    return (
      <div class="page">
        <Head title={t("Company")} />
        {error !== undefined && <FailureNote error={error} again={again} />}
      </div>
    )
  const { company, leads, notes } = data
  const merge = (other: Company) =>
    attempt(async () => {
      const merged = await post<BulkAnswer>("/companies/merge", { ids: [id, other.id] })
      if (merged.job !== undefined) await jobDone(merged.job)
      sayUndo(t("{name} is part of {company} now", { name: other.name, company: company.name }), async () => {
        say(await revert({ batch_id: merged.batch_id! }))
        again()
      })
      again()
    })
  const due = leads
    .filter(({ next_step_at }) => next_step_at !== null)
    .toSorted((a, b) => a.next_step_at! - b.next_step_at!)
  return (
    <div class="page">
      <Head
        title={company.name}
        note={[company.domain !== company.name && company.domain, plural(company.leads, "lead")]
          .filter(Boolean)
          .join(" · ")}
      >
        {!company.contactable && <span class="status c-red">{t("Do not contact")}</span>}
        {canWrite.value && company.contactable && company.domain && (
          <Button
            label={t("Do not contact {domain}", { domain: company.domain })}
            onClick={() =>
              void suppress(
                [company.domain!],
                t("{name} is on the do-not-contact list", { name: company.domain }),
                again,
              )
            }
          />
        )}
        {canWrite.value && (
          <Button
            label={t("Merge with…")}
            onClick={() =>
              openDialog(
                <CompanyDialog
                  title={t("Merge {name} with", { name: company.name })}
                  without={company.id}
                  onChosen={(other) => void merge(other)}
                />,
              )
            }
          />
        )}
        <a class="button" href={href("leads", { filter: `and.eq.company_id.${company.id}` })}>
          {t("Show in the table")}
        </a>
      </Head>
      <section class="card tile" aria-label={t("People")}>
        <h2>{t("People")}</h2>
        <ul class="same-as people">
          {leads.map((lead) => (
            <li key={lead.id}>
              <Score value={lead.score} />
              <a href={href(`leads/${lead.id}`)}>{lead.name}</a>
              <span class="muted">
                {[lead.job_title, lead.email, lead.phone].filter(Boolean).join(" · ")}
              </span>
              <StatusBadge value={lead.status} />
              {canWrite.value && (
                <Button
                  label={t("Not of this company")}
                  class="link small"
                  onClick={() => void setCompany(lead, null, again)}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
      {due.length > 0 && (
        <section class="card tile" aria-label={t("Next step")}>
          <h2>{t("Next step")}</h2>
          <ul class="same-as">
            {due.map((lead) => (
              <li key={lead.id}>
                {moment(lead.next_step_at!)} <a href={href(`leads/${lead.id}`)}>{lead.name}</a>{" "}
                {lead.next_step}
              </li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section class="card tile" aria-label={t("Notes")}>
          <h2>{t("Notes")}</h2>
          <ul class="same-as">
            {notes.map(({ id: noteId, content, created_at, lead }) => (
              <li key={noteId}>
                <span class="muted">
                  {moment(created_at)} {lead.name}
                </span>{" "}
                {content}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

import "../parts/table.ts"
