import { useState } from "preact/hooks"
import { plural } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, sayUndo } from "../core/toast.ts"
import type { DuplicateGroup } from "../core/types.ts"
import { Score } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Check } from "../parts/fields.tsx"
import { Compare, keptOf } from "./compare.tsx"
import { dismissPair, LOSERS_MOST, merge, reopen, requestUndo } from "./merges.ts"

/** Pairs are dismissed by a request each. */
const APART_MOST = 100

interface Props {
  group: DuplicateGroup
  onDone: () => void
  onUndone: () => void
}

/** Leads that are probably all the same, side by side: one of them stays, the others go into it. */
export function GroupView({ group, onDone, onUndone }: Props) {
  const { leads, pairs, probability } = group
  const [survivor, setSurvivor] = useState(leads[0]!.id)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const isSurvivor = ({ id }: { id: string }) => id === survivor
  const merged = leads.filter((lead) => isSurvivor(lead) || !left.has(lead.id))
  const losers = merged.flatMap(({ id }) => (id === survivor ? [] : id))
  const name = leads.find(isSurvivor)?.name ?? ""
  const mergeAll = () => {
    if (losers.length === 0) return
    void attempt(async () => {
      const id = await merge(survivor, losers)
      onDone()
      const leads = plural(Math.min(losers.length, LOSERS_MOST), "lead")
      sayUndo(t("{leads} merged into {name}", { leads, name }), () => requestUndo(id), onUndone)
    })
  }
  const tellApart = () =>
    void attempt(async () => {
      for (const pair of pairs) await dismissPair(pair)
      onDone()
      const undo = async () => {
        for (const pair of pairs) await reopen(pair)
      }
      sayUndo(t("{pairs} marked as not duplicates", { pairs: plural(pairs.length, "pair") }), undo, onUndone)
    })
  useShortcuts(
    canWrite.value
      ? [
          { keys: "m", about: t("Merge"), run: mergeAll },
          ...(pairs.length <= APART_MOST ? [{ keys: "n", about: t("Not the same"), run: tellApart }] : []),
          ...leads.slice(0, 9).map(({ id }, i) => ({
            keys: String(i + 1),
            about: t("Lead {i} of a group is the one that stays", { i: i + 1 }),
            run: () => setSurvivor(id),
          })),
        ]
      : [],
  )
  return (
    <section class="card tile" aria-label={t("The group")}>
      <header class="card-head">
        <h2>
          {t("{leads}, {probability} % the same", {
            leads: plural(leads.length, "lead"),
            probability: Math.round(probability * 100),
          })}
        </h2>
      </header>
      {canWrite.value && (
        <p class="row">
          <Button class="primary" disabled={losers.length === 0} onClick={mergeAll}>
            {t("Merge {leads} into {name}", { leads: plural(losers.length, "lead"), name })} <kbd>m</kbd>
          </Button>
          {pairs.length <= APART_MOST && (
            <Button onClick={tellApart}>
              {t("None are the same")} <kbd>n</kbd>
            </Button>
          )}
        </p>
      )}
      <p class="muted">{t("Green is what the lead that stays will have.")}</p>
      <Compare
        label={t("Leads of the group")}
        leads={leads}
        kept={(field) => keptOf([...merged.filter(isSurvivor), ...merged], field)}
        head={(lead) => (
          <GroupHead
            lead={lead}
            isSurvivor={isSurvivor(lead)}
            isMerged={!left.has(lead.id)}
            onSurvivor={() => setSurvivor(lead.id)}
            onToggle={() => {
              const next = new Set(left)
              if (!next.delete(lead.id)) next.add(lead.id)
              setLeft(next)
            }}
          />
        )}
      />
    </section>
  )
}

interface HeadProps {
  lead: DuplicateGroup["leads"][number]
  isSurvivor: boolean
  /** It is merged into the survivor. */
  isMerged: boolean
  onSurvivor: () => void
  onToggle: () => void
}

function GroupHead({ lead: { id, name, score }, isSurvivor, isMerged, onSurvivor, onToggle }: HeadProps) {
  return (
    <span class="survivor">
      <a href={href(`leads/${id}`)}>{name}</a> <Score value={score} />
      {canWrite.value && (
        <>
          <label class="check">
            <input type="radio" name="survivor" checked={isSurvivor} onChange={onSurvivor} />
            {t("stays")}
          </label>
          {!isSurvivor && <Check label={t("goes into it")} checked={isMerged} onChange={onToggle} />}
        </>
      )}
    </span>
  )
}
