import { useState } from "preact/hooks"
import { type ApiError, address, get } from "../core/api.ts"
import { leadValue } from "../core/filters.ts"
import { reasonText } from "../core/format.ts"
import { revert, startBulk } from "../core/lead-writes.ts"
import { useLive, useLiveLoaded } from "../core/live.ts"
import { useGet } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { copy, copyCurl, say, sayUndo } from "../core/toast.ts"
import type { DuplicatePage, Lead } from "../core/types.ts"
import { Attributes } from "./attributes.tsx"
import { Button, FailureNote, Score } from "./bits.tsx"
import { ContactLinks } from "./cell.tsx"
import { saveTyped } from "./cell-editor.tsx"
import { CompanyDialog, setCompany } from "./company-dialog.tsx"
import { History, OriginsCard } from "./history.tsx"
import { Icon } from "./icons.tsx"
import { Contacts, Fields, NextStep, StatusFields } from "./lead-facts.tsx"
import { SuppressButton, Suppressed, useSuppressions, WhyScore } from "./lead-standing.tsx"
import { LogKeys, LogMenu } from "./log-contact.tsx"
import { ContactLog, Notes } from "./notes.tsx"
import { ConfirmDialog, MenuItem, openDialog, Popover, useClose, useFocusAfter } from "./overlay.tsx"
import { LeadContext, type ShownLead, useShownLead } from "./shown-lead.ts"

interface Props {
  id: string
  /** A page of its own instead of a part of one. */
  isWhole?: boolean
  onClose: () => void
  onChanged?: (lead: Lead) => void
  onDeleted?: (id: string) => void
}

/** Everything about one lead. */
export function LeadPanel({ id, isWhole = false, onClose, onChanged, onDeleted }: Props) {
  useFocusAfter()
  const lead = useLiveLoaded(
    (signal) => get<Lead>(`/leads/${id}`, {}, signal),
    [id],
    ({ lead_id }) => lead_id === id,
  )
  const [turn, setTurn] = useState(0)
  const next = () => setTurn((before) => before + 1)
  useLive(({ changes, isTouched }) => {
    if (isTouched || changes.some(({ lead_id }) => lead_id === id)) next()
  })
  const suppressions = useSuppressions(id, turn)
  const mayContact = suppressions?.length === 0
  const { data } = lead
  if (lead.error) {
    const { merged_into: into } = ((lead.error as Partial<ApiError>).body ?? {}) as { merged_into?: string }
    return (
      <Frame isWhole={isWhole} label={t("Lead")}>
        <div class="panel-head">
          {into === undefined ? (
            <FailureNote error={lead.error} again={lead.again} />
          ) : (
            <p>
              {t("The lead was merged.")} <a href={href(`leads/${into}`)}>{t("Open the lead that stays")}</a>
            </p>
          )}
          <CloseButton isWhole={isWhole} onClose={onClose} />
        </div>
      </Frame>
    )
  }
  if (!data) {
    return (
      <Frame isWhole={isWhole} label={t("Lead")}>
        <div class="panel-head" aria-busy="true" />
      </Frame>
    )
  }
  function renew() {
    lead.again()
    next()
  }
  function changed(after: Lead) {
    lead.set(after)
    next()
    onChanged?.(after)
  }
  const save: ShownLead["save"] = (field, text, before = leadValue(data, field.name)) =>
    saveTyped({
      ...{ lead: data, field, text, before, changed },
      said: t("{label} changed", { label: field.label }),
    })
  return (
    <Frame isWhole={isWhole} label={data.name}>
      <LeadContext.Provider value={{ lead: data, turn, mayContact, renew, save }}>
        <div class="panel-head">
          <div class="panel-title">
            <Score value={data.score} />
            {isWhole ? <h1>{data.name}</h1> : <h2>{data.name}</h2>}
            <p class="muted">
              {[data.job_title, data.company, data.category, data.city].filter(Boolean).join(" · ")}
            </p>
            {data.company_id !== null && (
              <a href={href(`companies/${data.company_id}`)}>{t("All of this company")}</a>
            )}
            <Suppressed entries={suppressions ?? []} />
            <QuickActions />
          </div>
          <div class="panel-actions">
            {!isWhole && (
              <a
                class="button quiet square"
                href={href(`leads/${id}`)}
                aria-label={t("Open as a page")}
                title={t("Open as a page")}
              >
                <Icon name="right" />
              </a>
            )}
            <Popover
              label={t("Actions of this lead")}
              class="quiet square"
              align="end"
              button={<Icon name="more" />}
            >
              <LeadMenu onDeleted={onDeleted ?? onClose} />
            </Popover>
            <CloseButton isWhole={isWhole} onClose={onClose} />
          </div>
        </div>
        <div class="panel-body">
          {isWhole && <h2 class="unseen">{t("Details")}</h2>}
          <div class="panel-column">
            <StatusFields />
            <NextStep />
            <ContactLog />
            <Notes />
            <WhyScore />
            <SameAs />
          </div>
          <div class="panel-column">
            <Fields />
            <Contacts />
            <Attributes />
            <OriginsCard />
            <History />
          </div>
        </div>
      </LeadContext.Provider>
      {isWhole && <LogKeys find={() => data} onDone={renew} />}
    </Frame>
  )
}

function LeadMenu({ onDeleted }: { onDeleted: (id: string) => void }) {
  const close = useClose()
  const { lead, mayContact, renew } = useShownLead()
  const { id, name } = lead
  const path = `/leads/${id}/export`
  const link = `${location.origin}${href(`leads/${id}`)}`
  const drop = () =>
    openDialog(
      <ConfirmDialog
        title={t("Delete {name}?", { name })}
        action={t("Delete")}
        work={async () => {
          const { batch_id = "" } = await startBulk({ ids: [id] }, { action: "delete" }, 1)
          sayUndo(t("{name} deleted", { name }), async () => say(await revert({ batch_id })))
          onDeleted(id)
        }}
      >
        <p>{t("Its notes and attributes go with it. You can undo this.")}</p>
      </ConfirmDialog>,
    )
  const move = () =>
    openDialog(
      <CompanyDialog
        title={t("Put {name} into", { name })}
        without={lead.company_id}
        onChosen={(company) => void setCompany(lead, company, renew)}
      />,
    )
  return (
    <div class="menu">
      <Button icon="connect" size={16} label={t("Copy link")} onClick={() => copy(link, t("Link"))} />
      <a href={address(path)} download={`lead-${id}.json`} onClick={close}>
        <Icon name="export" />
        {t("Download everything")}
      </a>
      <a href={address(path, { format: "html" })} download={`lead-${id}.html`} onClick={close}>
        <Icon name="export" />
        {t("Download everything as a page")}
      </a>
      {canWrite.value && <MenuItem icon="team" label={t("Put into a company…")} onClick={move} />}
      {canWrite.value && mayContact && <SuppressButton />}
      <details>
        <summary>{t("Advanced")}</summary>
        <Button
          icon="copy"
          size={16}
          label={t("Copy as curl")}
          onClick={() => copyCurl(`/api/v1/leads/${id}`)}
        />
      </details>
      {canWrite.value && <MenuItem icon="trash" label={t("Delete…")} class="danger" onClick={drop} />}
    </div>
  )
}

interface FrameProps {
  isWhole: boolean
  label: string
  children: preact.ComponentChildren
}

function Frame({ isWhole, label, children }: FrameProps) {
  if (isWhole) return <article class="panel whole">{children}</article>
  return (
    <aside class="panel" aria-label={label}>
      {children}
    </aside>
  )
}

function CloseButton({ isWhole, onClose }: { isWhole: boolean; onClose: () => void }) {
  if (isWhole) {
    return (
      <a class="button" href={href("leads")}>
        {t("All leads")}
      </a>
    )
  }
  return <Button icon="close" class="quiet square" aria-label={t("Close lead")} onClick={onClose} />
}

/** What people do with a lead most, within reach of a thumb. */
function QuickActions() {
  const { lead, mayContact } = useShownLead()
  return (
    <div class="row">
      {mayContact && <ContactLinks lead={lead} />}
      {canWrite.value && (
        <Button
          label={t("Add a note")}
          class="small"
          onClick={(event) => {
            const form = event.currentTarget.closest(".panel")?.querySelector(".note-form")
            form?.querySelector("textarea")?.focus()
          }}
        />
      )}
      <LogMenu />
    </div>
  )
}

/** Leads that may be the same as this one, with why. */
function SameAs() {
  const { lead, turn } = useShownLead()
  const { id } = lead
  const { data } = useGet<DuplicatePage>(`/leads/${id}/duplicates`, { limit: 5 }, [turn])
  if (!data?.duplicates?.length) return null
  return (
    <section class="panel-section">
      <h3>{t("May be the same as")}</h3>
      <ul class="same-as">
        {data.duplicates.map(({ id: pair, probability, reasons, a, b }) => {
          const other = a.id === id ? b : a
          return (
            <li key={pair}>
              <a href={href(`leads/${other.id}`)}>{other.name}</a> <b>{Math.round(probability * 100)} %</b>
              <p class="muted">{reasonText(reasons)}</p>
            </li>
          )
        })}
      </ul>
      <a href={href("duplicates")}>{t("All duplicates")}</a>
    </section>
  )
}
