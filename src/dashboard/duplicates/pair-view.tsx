import { useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { foundIn } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say, sayUndo } from "../core/toast.ts"
import type { Duplicate, Lead, ShortLead } from "../core/types.ts"
import { Score } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Compare } from "./compare.tsx"
import { dismissPair, findMerge, merge, reopen, requestUndo } from "./merges.ts"

interface Props {
  pair: Duplicate
  /** It is dealt with. */
  onDone: () => void
  onUndone: () => void
}

export function PairView({ pair, onDone, onUndone }: Props) {
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
function OpenPair({ pair, onDone, onUndone }: Props) {
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
