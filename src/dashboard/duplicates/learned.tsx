import { useState } from "preact/hooks"
import { get, patch } from "../core/api.ts"
import { formatNumber, percent, plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { canWrite, isOwner } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { DuplicateModel } from "../core/types.ts"
import { FailureNote } from "../parts/bits.tsx"
import { Check, Select } from "../parts/fields.tsx"
import { Sums } from "../parts/things.tsx"

/** The learned model: how decisions changed it, how right its probabilities were, and automatic merging. */
export function Learned() {
  const { data, error, again, set } = useLoaded(
    (signal) => get<DuplicateModel>("/duplicates/model", {}, signal),
    [],
  )
  if (error) return <FailureNote error={error} again={again} />
  if (!data) return <p class="muted">{t("Looking…")}</p>
  const { same, different } = data.decisions
  const change = (changes: Partial<Pick<DuplicateModel, "learning" | "auto_merge_above">>, done: string) =>
    attempt(async () => {
      set(await patch<DuplicateModel>("/duplicates/model", changes))
      say(done)
    })
  return (
    <div class="columns">
      <section class="card tile">
        <header class="card-head">
          <h2>{t("Your decisions")}</h2>
        </header>
        <p>
          {same + different === 0
            ? t("None yet: merge a pair, or say that it is not the same.")
            : t("{pairs} decided: {same} were the same, {different} were not.", {
                pairs: plural(same + different, "pair"),
                same: formatNumber(same),
                different: formatNumber(different),
              })}{" "}
          {!data.loss &&
            t(
              "Pairs are weighed as on the first day; enough decisions of both kinds make weights of your own.",
            )}
        </p>
        {data.loss && <Loss {...data.loss} isLearned={data.learned} />}
        <table class="plain-table">
          <thead>
            <tr>
              <th>{t("Pairs from")}</th>
              <th class="number">{t("Decisions")}</th>
              <th class="number">{t("Were the same")}</th>
            </tr>
          </thead>
          <tbody>
            {data.precision.map(({ from, decisions, precision }) => (
              <tr key={from}>
                <th scope="row">{Math.round(from * 100)} %</th>
                <td class="number">{formatNumber(decisions)}</td>
                <td class="number">{precision === null ? "–" : percent(precision, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section class="card tile">
        <header class="card-head">
          <h2>{t("What is done with them")}</h2>
        </header>
        <Check
          label={t("Learn from decisions")}
          checked={data.learning}
          disabled={!canWrite.value}
          onChange={(learning) =>
            void change(
              { learning },
              learning ? t("Decisions are learned from") : t("Decisions are not learned from"),
            ).then((isDone) => !isDone && again())
          }
        />
        {isOwner.value && (
          <AutoMerge
            model={data}
            onChange={(above) =>
              change(
                { auto_merge_above: above },
                above === null ? t("Nothing is merged by itself") : t("What is as sure is merged by itself"),
              )
            }
          />
        )}
      </section>
    </div>
  )
}

type LossProps = NonNullable<DuplicateModel["loss"]> & { isLearned: boolean }

/** How well both weights explain decisions that they were not learned from. */
function Loss({ built_in, learned, isLearned }: LossProps) {
  const bits = (value: number) => t("{value} bits", { value: formatNumber(value) })
  return (
    <>
      <Sums
        label={t("Average error")}
        of={[
          [t("Built-in weights"), bits(built_in)],
          [t("Learned weights"), bits(learned)],
        ]}
      />
      <p class="muted">
        {t("The average error of a decision, measured on decisions that the weights were not learned from.")}{" "}
        {isLearned
          ? t("The learned weights have less and are in use.")
          : t("The learned weights do not have less by enough: the built-in ones stay in use.")}
      </p>
    </>
  )
}

const OFF = ""
const ABOVE = ["0.99", "0.995", "0.999"]
/** Conditions of the service for automatic merging. */
const DECISIONS_LEAST = 50

interface AutoProps {
  model: DuplicateModel
  onChange: (above: number | null) => Promise<boolean>
}

function AutoMerge({ model: { auto_merge_above: above, precision }, onChange }: AutoProps) {
  const [turn, setTurn] = useState(0)
  const now = above === null ? OFF : String(above)
  const options = now === OFF || ABOVE.includes(now) ? ABOVE : [now, ...ABOVE]
  const sure = precision.find(({ from }) => from === 0.99)
  return (
    <>
      <Select
        label={t("Merge by itself")}
        key={turn}
        value={now}
        options={[
          [OFF, t("nothing")],
          ...options.map(
            (value) => [value, t("pairs of {percent} % and more", { percent: Number(value) * 100 })] as const,
          ),
        ]}
        onChange={async (value) => {
          // Refused, it shows again what holds.
          if (!(await onChange(value === OFF ? null : Number(value)))) setTurn(turn + 1)
        }}
      />
      <p class="muted">
        {t(
          "This takes proof: {least} decisions on pairs as probable as that, 99 % of them merged. From 99 % there are {decisions} so far{more}. Every such merge stands in the activity and can be undone.",
          {
            least: DECISIONS_LEAST,
            decisions: formatNumber(sure?.decisions ?? 0),
            more:
              sure &&
              sure.precision !== null &&
              t(", {precision} of them the same", { precision: percent(sure.precision, 1) }),
          },
        )}
      </p>
    </>
  )
}
