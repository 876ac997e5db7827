import { useState } from "preact/hooks"
import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import { words } from "../core/format.ts"
import { revert } from "../core/lead-writes.ts"
import { useGet } from "../core/loading.ts"
import { canWrite } from "../core/session.ts"
import { language, t, tx } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Change, FeedChange, Lead, Origin, ReadLead } from "../core/types.ts"
import { actorName } from "./actors.ts"
import { Ago, Button } from "./bits.tsx"
import { useShownLead } from "./shown-lead.ts"
import { Fact } from "./things.tsx"

/** The changes of a lead, newest first, each with its differences and a way to revert it. */
export function History() {
  const { lead, turn, renew } = useShownLead()
  const { data } = useGet<{ changes: Change[] }>(`/leads/${lead.id}/changes`, {}, [turn])
  if (!data || data.changes.length === 0) return null
  return (
    <section class="panel-section">
      <h3>{t("History")}</h3>
      <ol class="timeline">
        {data.changes.map((change) => (
          <li key={change.id}>
            <p class="timeline-head">
              {tx("{b} by {actorName} {time}", {
                b: <b>{words(change.action)}</b>,
                actorName: actorName(change.actor_id),
                time: <Ago at={change.created_at} />,
              })}
              {change.reason && <span class="tag">{reasonText(change.reason)}</span>}
            </p>
            <Differences change={change} />
            {canWrite.value && change.action !== "created" && (
              <Button
                label={t("Put back")}
                class="link small"
                work={async () => {
                  say(await revert({ change_ids: [change.id] }))
                  renew()
                }}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A field within a sentence. */
const fieldName = (name: string) => {
  const text = words(name)
  return language === "en" ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

/** Why a lead was changed, in words: `dedup:phone` as `same phone`. */
export function reasonText(reason: string): string {
  const [kind, what = ""] = reason.split(":")
  if (kind === "dedup") return t("same {field}", { field: fieldName(what) })
  if (kind === "activity") return t("contact logged")
  if (kind === "merge_company") return t("companies merged")
  return kind === "revert" ? t("put back") : reason
}

const MOVING = new Set([
  ...["updated_at", "last_interaction_at", "score", "id", "created_at"],
  ...["last_note_at", "note_count", "last_contacted_at", "last_touched_at"],
])

export function Differences({ change: { before, after } }: { change: Pick<FeedChange, "before" | "after"> }) {
  if (!before || !after) return null
  const names = Object.keys({ ...before, ...after }).filter(
    (name) =>
      !MOVING.has(name) && JSON.stringify(sideOf(before, name)) !== JSON.stringify(sideOf(after, name)),
  )
  if (names.length === 0) return null
  return (
    <dl class="differences">
      {names.slice(0, 12).map((name) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>
            <del>{said(name, sideOf(before, name))}</del> <span aria-hidden="true">→</span>{" "}
            <ins>{said(name, sideOf(after, name))}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const sideOf = (lead: Partial<Lead>, name: string) => (lead as Record<string, unknown>)[name]

const said = (name: string, value: unknown) => fieldText(name, value).slice(0, 200) || t("nothing")

/** Where each value of a lead comes from, once a person asks. */
export function OriginsCard() {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="panel-section" aria-label={t("Where values come from")}>
      {isOpen ? (
        <List />
      ) : (
        <Button
          label={t("Where do these values come from?")}
          class="link small"
          onClick={() => setOpen(true)}
        />
      )}
    </section>
  )
}

function List() {
  const { lead, turn } = useShownLead()
  const { data } = useGet<ReadLead>(`/leads/${lead.id}`, { include: "origins" }, [turn])
  if (!data) return <p class="muted">…</p>
  return (
    <>
      <h3>{t("Where values come from")}</h3>
      <dl class="facts">
        {Object.entries(data.origins ?? {}).map(([name, origin]) => (
          <Fact key={name} label={fieldOf(name).label}>
            <span>
              {originText(origin)} <Ago at={origin.at} />
            </span>
          </Fact>
        ))}
      </dl>
    </>
  )
}

/** Says who set a value, such as `Enrichment from clearbit, 90 % sure, by the key Sync`. */
function originText({ kind, source, actor_id, confidence }: Origin): string {
  const from = source === null ? "" : t(" from {source}", { source })
  const sure =
    confidence === null ? "" : t(", {confidence} % sure", { confidence: Math.round(confidence * 100) })
  const by = actor_id === null ? "" : t(", by {actor}", { actor: actorName(actor_id) })
  return `${KINDS[kind]}${from}${sure}${by}`
}

const KINDS: Readonly<Record<Origin["kind"], string>> = {
  push: t("Push"),
  import: t("Import"),
  change: t("Edited"),
  merge: t("Merged lead"),
  enrichment: t("Enrichment"),
}
