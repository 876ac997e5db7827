import { useState } from "preact/hooks"
import { get, post } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { usePaged } from "../core/paged.ts"
import { t } from "../core/text.ts"
import { attempt, sayUndo } from "../core/toast.ts"
import type { Companies, Company, Lead } from "../core/types.ts"
import { Button, FailureNote } from "./bits.tsx"
import { Dialog, useClose } from "./overlay.tsx"

interface Props {
  title: string
  /** The id of a company that is not offered. */
  without: string | null
  onChosen: (company: Company) => void
}

/** A field to search for companies, and those that it finds, all without a text. */
export function useCompanySearch(limit: number) {
  const [q, setQ] = useState("")
  const list = usePaged<Company>(
    async (cursor, signal) => {
      const query = { limit, ...(q && { q }), ...(cursor && { cursor }) }
      const page = await get<Companies>("/companies", query, signal)
      return { items: page.companies, next: page.next_cursor }
    },
    [q],
  )
  const field = (
    <input
      type="search"
      aria-label={t("Search companies")}
      placeholder={t("Search companies")}
      value={q}
      onInput={(event) => setQ(event.currentTarget.value)}
    />
  )
  return { list, field }
}

/** Lets a person search for a company and choose it. */
export function CompanyDialog({ title, without, onChosen }: Props) {
  const { list, field } = useCompanySearch(20)
  const close = useClose()
  const offered = list.data?.filter(({ id }) => id !== without)
  function choose(company: Company) {
    close()
    onChosen(company)
  }
  return (
    <Dialog title={title} size="small">
      {field}
      {list.error !== undefined && <FailureNote error={list.error} again={list.again} />}
      {offered?.length === 0 && <p class="muted">{t("No companies")}</p>}
      <ul class="hooks">
        {offered?.map((company) => (
          <li key={company.id}>
            <Button label={company.name} class="hook" onClick={() => choose(company)}>
              <small>{[company.domain, plural(company.leads, "lead")].filter(Boolean).join(" · ")}</small>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Puts a lead into a company, or takes it out of any, with the way back. */
export function setCompany(lead: Lead, company: Company | null, done: () => void): Promise<boolean> {
  const put = async (company_id: string | null) => {
    await post(`/leads/${lead.id}/company`, { company_id })
    done()
  }
  return attempt(async () => {
    await put(company?.id ?? null)
    const text = company
      ? t("{name} is with {company} now", { name: lead.name, company: company.name })
      : t("{name} is with no company now", { name: lead.name })
    sayUndo(text, () => put(lead.company_id))
  })
}
