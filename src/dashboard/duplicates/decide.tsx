import { useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { foundIn, plural } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say, sayUndo } from "../core/toast.ts"
import type { Duplicate, DuplicateGroup, Lead, ShortLead } from "../core/types.ts"
import { Button, Score } from "../parts/bits.tsx"
import { Check } from "../parts/fields.tsx"
import { Compare, keptOf } from "./compare.tsx"
import { dismissPair, findMerge, LOSERS_MOST, merge, reopen, requestUndo } from "./merges.ts"

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

interface PairProps {
  pair: Duplicate
  /** It is dealt with. */
  onDone: () => void
  onUndone: () => void
}

export function PairView({ pair, onDone, onUndone }: PairProps) {
  const { state, reasons, probability } = pair
  return (
    <section class="card tile" aria-label={t("The pair")}>
      <header class="card-head">
        <h2>
          {t("{probability} % the same{more}", {
            probability: Math.round(probability * 100),
            more: state !== "open" && `, ${state === "merged" ? t("merged") : t("dismissed")}`,
          })}
        </h2>
        {canWrite.value && state === "dismissed" && (
          <Back
            label={t("Open again")}
            run={async () => {
              await reopen(pair.id)
              say(t("{name} and {name2} may be the same again", { name: pair.a.name, name2: pair.b.name }))
              onDone()
            }}
          />
        )}
        {canWrite.value && state === "merged" && (
          <Back
            label={t("Undo the merge")}
            run={async () => {
              const id = await findMerge(pair)
              if (id === undefined) throw new Error(t("The trail does not name this merge any more"))
              await requestUndo(id)
              onDone()
            }}
          />
        )}
      </header>
      <p class="reasons">
        {foundIn(reasons).map(({ field, text }) => (
          <span class="tag" key={field + text}>
            {text}
          </span>
        ))}
      </p>
      {state === "open" ? (
        <OpenPair pair={pair} onDone={onDone} onUndone={onUndone} />
      ) : (
        <Compare label={t("Both leads")} leads={[pair.a, pair.b]} head={head} />
      )}
    </section>
  )
}

const head = ({ id, name, score }: Pick<ShortLead, "id" | "name" | "score">) => (
  <>
    <a href={href(`leads/${id}`)}>{name}</a> <Score value={score} />
  </>
)

function Back({ label, run }: { label: string; run: () => Promise<void> }) {
  const back = () => void attempt(run)
  useShortcuts([{ keys: "u", about: label, run: back }])
  return (
    <Button class="primary" onClick={back}>
      {label} <kbd>u</kbd>
    </Button>
  )
}

/** A pair to decide on: values are chosen, then the leads become one, or are told apart. */
function OpenPair({ pair, onDone, onUndone }: PairProps) {
  const { a, b } = pair
  const whole = useLoaded(
    (signal) =>
      Promise.all([get<Lead>(`/leads/${a.id}`, {}, signal), get<Lead>(`/leads/${b.id}`, {}, signal)]),
    [pair.id],
  )
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const mergeThem = () =>
    void attempt(async () => {
      const id = await merge(a.id, [b.id], chosen)
      onDone()
      const text = t("{name} is merged into {name2}", { name: b.name, name2: a.name })
      sayUndo(text, () => requestUndo(id), onUndone)
    })
  const tellApart = () =>
    void attempt(async () => {
      await dismissPair(pair.id)
      onDone()
      const text = t("{name} and {name2} are not the same", { name: a.name, name2: b.name })
      sayUndo(text, () => reopen(pair.id), onUndone)
    })
  useShortcuts(
    canWrite.value
      ? [
          { keys: "m", about: t("Merge"), run: mergeThem },
          { keys: "n", about: t("Not the same"), run: tellApart },
        ]
      : [],
  )
  return (
    <>
      {canWrite.value && (
        <p class="row">
          <Button class="primary" onClick={mergeThem}>
            {t("Merge")} <kbd>m</kbd>
          </Button>
          <Button onClick={tellApart}>
            {t("Not the same")} <kbd>n</kbd>
          </Button>
        </p>
      )}
      <Compare<Pick<Lead, "id" | "name" | "score">>
        label={t("Both leads")}
        leads={whole.data ?? [a, b]}
        head={head}
        kept={(field) => chosen[field]}
        {...(canWrite.value && {
          onKeep: (field: string, id: string) => setChosen({ ...chosen, [field]: id }),
        })}
      />
    </>
  )
}
