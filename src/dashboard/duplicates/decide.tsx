import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { keptValue } from "../../lead/kept-value.ts"
import { get, post } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { FILTER_FIELDS, type Field } from "../core/filters.ts"
import { foundIn, plural } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say, sayUndo } from "../core/toast.ts"
import type {
  ChangeFeed,
  Duplicate,
  DuplicateGroup,
  Lead,
  MergeAnswer,
  ShortLead,
  UndoneMerge,
} from "../core/types.ts"
import { Button, Score } from "../parts/bits.tsx"
import { Check } from "../parts/fields.tsx"

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

// Leads side by side.

interface Compared {
  id: string
  name: string
}

/** A field of a lead as people read it. */
const comparedText = (lead: object, { name }: Field) =>
  fieldText(name, (lead as Record<string, unknown>)[name])

/** The lead whose value a merge keeps, unless another is chosen; the survivor is the first. */
function keptOf<T extends Compared>(leads: readonly T[], field: string): string | undefined {
  const values = leads.map((lead) => (lead as Record<string, unknown>)[field] ?? null)
  return leads[keptValue(field, values)]?.id
}

/** Tags are put together, and times are the service's. */
const isChosen = ({ kind }: Field) => kind !== "time" && kind !== "tags"

/** Not what the service works out itself. */
const COMPARED = FILTER_FIELDS.filter(({ name }) => name !== "score" && name !== "company_id")

interface CompareProps<T extends Compared> {
  label: string
  leads: readonly T[]
  head: (lead: T) => ComponentChildren
  /** Whose value is kept where they differ; undefined for no choice at all. */
  kept?: (field: string) => string | undefined
  onKeep?: (field: string, id: string) => void
}

/** Leads side by side, field by field; where they differ a value can be chosen. */
function Compare<T extends Compared>({ label, leads, head, kept, onKeep }: CompareProps<T>) {
  const rows = COMPARED.filter((field) => leads.some((lead) => comparedText(lead, field) !== ""))
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="plain-table compare" style={{ "--leads": leads.length }}>
        <thead>
          <tr>
            <th>{t("Field")}</th>
            {leads.map((lead) => (
              <th key={lead.id}>{head(lead)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((field) => {
            const { name, label } = field
            const texts = leads.map((lead) => comparedText(lead, field))
            const isSame = new Set(texts.map((one) => one.toLowerCase())).size === 1
            const keeper = kept?.(name) ?? keptOf(leads, name)
            return (
              <tr key={name} class={isSame ? "same" : ""}>
                <th scope="row">{label}</th>
                {leads.map(({ id }, i) => (
                  <td key={id} class={kept && !isSame && isChosen(field) && keeper === id ? "kept" : ""}>
                    {isSame || !onKeep || !isChosen(field) ? (
                      texts[i]
                    ) : (
                      <label class="check">
                        <input
                          type="radio"
                          name={name}
                          checked={keeper === id}
                          onChange={() => onKeep(name, id)}
                        />
                        {texts[i] || <span class="nothing">{t("nothing")}</span>}
                      </label>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

// Merging what is the same, telling apart what is not, and the way back of both.

const REASON = "merge:"
/** As many as the service takes at once. */
const LOSERS_MOST = 50

/** Makes leads into one; `fields` says whose values are kept, by ids of leads. Resolves to the merge's id. */
async function merge(
  survivor: string,
  losers: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { merge_id } = await post<MergeAnswer>("/leads/merge", {
    survivor,
    losers: losers.slice(0, LOSERS_MOST),
    ...(Object.keys(fields).length > 0 && { fields }),
  })
  return merge_id ?? ""
}

async function requestUndo(id: string): Promise<void> {
  const { losers, kept } = await post<UndoneMerge>(`/merges/${id}/undo`)
  const left =
    kept.length > 0 ? t("; {values} changed since and kept", { values: plural(kept.length, "value") }) : ""
  say(t("Merge undone: {losers}{left}", { losers: losers.map(({ name }) => name).join(", "), left }))
}

/** The merge that a pair's leads went into one by, which the trail of the lead that is gone names. */
async function findMerge({ a, b }: Duplicate): Promise<string | undefined> {
  for (const { id } of [b, a]) {
    const { changes } = await get<ChangeFeed>("/changes", { lead_id: id, action: "deleted", view: "diff" })
    const change = changes.find(({ reason }) => reason?.startsWith(REASON))?.reason
    if (change) return change.slice(REASON.length)
  }
  return undefined
}

const dismissPair = (pair: string) => post<Duplicate>(`/duplicates/${pair}/dismiss`)
const reopen = (pair: string) => post<Duplicate>(`/duplicates/${pair}/reopen`)
