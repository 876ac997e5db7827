import { patch } from "../core/api.ts"
import { formatNumber, percent, plural } from "../core/format.ts"
import { useGet } from "../core/loading.ts"
import { canWrite, isOwner } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { DuplicateModel } from "../core/types.ts"
import { Card, FailureNote } from "../parts/bits.tsx"
import { Check, SavedSelect } from "../parts/fields.tsx"
import { Sums, Table } from "../parts/things.tsx"

/** The learned model: how decisions changed it, how right its probabilities were, and automatic merging. */
export function Learned() {
  const { data, error, again, set } = useGet<DuplicateModel>("/duplicates/model")
  if (error) return <FailureNote error={error} again={again} />
  if (!data) return <p class="muted">{t("Looking…")}</p>
  const { same, different } = data.decisions
  async function change(
    changes: Partial<Pick<DuplicateModel, "learning" | "auto_merge_above">>,
    done: string,
  ) {
    set(await patch<DuplicateModel>("/duplicates/model", changes))
    say(done)
  }
  return (
    <div class="columns">
      <Card title={t("Your decisions")}>
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
        <Table head={[t("Pairs from"), [t("Decisions"), "number"], [t("Were the same"), "number"]]}>
          {data.precision.map(({ from, decisions, precision }) => (
            <tr key={from}>
              <th scope="row">{Math.round(from * 100)} %</th>
              <td class="number">{formatNumber(decisions)}</td>
              <td class="number">{precision === null ? "–" : percent(precision, 1)}</td>
            </tr>
          ))}
        </Table>
      </Card>
      <Card title={t("What is done with them")}>
        <Check
          label={t("Learn from decisions")}
          checked={data.learning}
          disabled={!canWrite.value}
          onChange={(learning) =>
            void attempt(() =>
              change(
                { learning },
                learning ? t("Decisions are learned from") : t("Decisions are not learned from"),
              ),
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
      </Card>
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
  onChange: (above: number | null) => Promise<void>
}

function AutoMerge({ model: { auto_merge_above: above, precision }, onChange }: AutoProps) {
  const now = above === null ? OFF : String(above)
  const options = now === OFF || ABOVE.includes(now) ? ABOVE : [now, ...ABOVE]
  const sure = precision.find(({ from }) => from === 0.99)
  return (
    <>
      <SavedSelect
        label={t("Merge by itself")}
        value={now}
        options={[
          [OFF, t("nothing")],
          ...options.map(
            (value) => [value, t("pairs of {percent} % and more", { percent: Number(value) * 100 })] as const,
          ),
        ]}
        save={(value) => onChange(value === OFF ? null : Number(value))}
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
