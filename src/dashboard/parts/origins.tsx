import { useState } from "preact/hooks"
import { fieldOf } from "../core/filters.ts"
import { useGet } from "../core/loading.ts"
import { t } from "../core/text.ts"
import type { Origin, ReadLead } from "../core/types.ts"
import { actorName } from "./actors.ts"
import { Ago } from "./bits.tsx"
import { Button } from "./button.tsx"

/** Where each value of a lead comes from, once a person asks. */
export function OriginsCard({ id, turn }: { id: string; turn: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="panel-section" aria-label={t("Where values come from")}>
      {isOpen ? (
        <List id={id} turn={turn} />
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

function List({ id, turn }: { id: string; turn: number }) {
  const { data } = useGet<ReadLead>(`/leads/${id}`, { include: "origins" }, [turn])
  if (!data) return <p class="muted">…</p>
  return (
    <>
      <h3>{t("Where values come from")}</h3>
      <dl class="facts">
        {Object.entries(data.origins ?? {}).map(([name, origin]) => (
          <div class="fact" key={name}>
            <dt>{fieldOf(name).label}</dt>
            <dd>
              <span>
                {said(origin)} <Ago at={origin.at} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Says who set a value, such as `Enrichment from clearbit, 90 % sure, by the key Sync`. */
function said({ kind, source, actor_id, confidence }: Origin): string {
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
