import { useEffect, useRef, useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { FILTER_FIELDS } from "../core/filters.ts"
import { plural } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { useLoaded } from "../core/loading.ts"
import { scoreBins } from "../core/numbers.ts"
import { knowRules } from "../core/rules.ts"
import { told } from "../core/said.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Rule } from "../core/types.ts"
import { attributeNames, learnAttributeNames } from "../parts/attribute-names.ts"
import { Button, Card, Empty, FailureNote, Head, ProgressBar } from "../parts/bits.tsx"
import { ScoreChart } from "../parts/charts.tsx"
import { Form, Input, type Sent } from "../parts/fields.tsx"
import { Dialog, openDialog, useClose } from "../parts/overlay.tsx"
import { ExpressionField, RuleBuilder, RulePreview } from "../parts/rule-builder.tsx"

/** The rules that make the score, and what they make of the leads. */
export default function Scoring() {
  const rules = useLoaded(async (signal) => {
    const all = await get<Rule[]>("/scoring-rules", {}, signal)
    knowRules(all.length)
    return all
  }, [])
  const [bins, setBins] = useState<number[]>()
  const [before, setBefore] = useState<number[]>()
  const [scoring, setScoring] = useState<{ done: number; of: number | null }>()
  useEffect(() => {
    scoreBins().then(setBins, () => {})
    void learnAttributeNames()
  }, [])
  /** Scores all leads in the background, and says so after `what` with a way back. */
  async function rescore(what = "", undo?: () => Promise<unknown>) {
    setScoring({ done: 0, of: null })
    await attempt(async () => {
      const { job } = await post<{ job: string }>("/leads/score/batch", {}, { background: true })
      const { done } = await jobDone(job, setScoring)
      const scored = t("{leads} scored", { leads: plural(done, "lead") })
      const run = async () => void ((await attempt(undo!)) && changed(t("Undone")))
      say(what ? `${what}, ${scored}` : scored, undo && { label: t("Undo"), run })
      setBefore(bins)
      setBins(await scoreBins())
    })
    setScoring(undefined)
  }
  function changed(what: string, undo?: () => Promise<unknown>) {
    rules.again()
    void rescore(what, undo)
  }
  const list = rules.data ?? []
  const edit = (rule?: Rule) => openDialog(<RuleDialog rule={rule} onDone={changed} />)
  return (
    <div class="page">
      <Head title={t("Scoring")} note={rules.data ? plural(list.length, "rule") : ""}>
        {canWrite.value && (
          <>
            <Button
              label={scoring ? t("Scoring all leads…") : t("Score all leads")}
              disabled={scoring !== undefined}
              onClick={() => rescore()}
            />
            <Button icon="plus" label={t("New rule")} class="primary" onClick={() => edit()} />
          </>
        )}
      </Head>
      {rules.error !== undefined && <FailureNote error={rules.error} again={rules.again} />}
      {scoring && <ProgressBar done={scoring.done} of={scoring.of} label={t("Scoring all leads")} />}
      {list.length > 0 && (
        <p class="lead-in">
          {t(
            "A lead's score is what its rules add up to, kept within 0 and 100. From 70 it is hot, from 40 warm.",
          )}
        </p>
      )}
      <div class="columns wide-narrow">
        <RuleList rules={rules.data} onChange={edit} />
        {bins && (
          <Card title={t("Scores")} note={before && t("grey: before")}>
            <ScoreChart counts={bins} before={before} />
          </Card>
        )}
      </div>
    </div>
  )
}

function RuleList({ rules, onChange }: { rules: Rule[] | undefined; onChange: (rule: Rule) => void }) {
  return (
    <section class="card tile" aria-label={t("Rules")}>
      {rules?.length === 0 ? (
        <Empty
          icon="scoring"
          title={t("No rules yet")}
          text={t(
            "A rule gives points, such as 10 for a lead with an email. The points of all rules add up to the score, from 0 to 100. Choose one of twelve templates, or build your own.",
          )}
        />
      ) : (
        <ul class="rules">
          {(rules ?? []).map((rule) => (
            <li key={rule.id}>
              <div>
                <p class="rule-name">
                  {rule.name}
                  {rule.weight !== 1 && <span class="tag">× {rule.weight}</span>}
                </p>
                <code class="rule-code">{rule.expression}</code>
              </div>
              {canWrite.value && (
                <Button
                  label={t("Change")}
                  class="small"
                  aria-label={t("Change {name}", { name: rule.name })}
                  onClick={() => onChange(rule)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface DialogProps {
  rule: Rule | undefined
  onDone: RuleChanged
}

/** Called when rules have changed, with what happened and what takes it back. */
type RuleChanged = (what: string, undo: () => Promise<unknown>) => void

const fieldsOf = ({ name, expression, weight, priority }: Rule) => ({ name, expression, weight, priority })

function RuleDialog({ rule, onDone }: DialogProps) {
  const close = useClose()
  const [expression, setExpression] = useState(rule?.expression ?? "")
  const [name, setName] = useState(rule?.name ?? "")
  const [weight, setWeight] = useState(String(rule?.weight ?? 1))
  const [problem, setProblem] = useState("")
  const form = useRef<HTMLFormElement>(null)
  async function save(sent: Sent) {
    const body = {
      name: sent.get("name"),
      expression,
      weight: Number(weight),
      priority: Number(sent.get("priority")),
    }
    try {
      if (rule) await put(`/scoring-rules/${rule.id}`, body)
      const { id } = rule ?? (await post<Rule>("/scoring-rules", body))
      const path = `/scoring-rules/${id}`
      close()
      onDone(t("Rule saved"), () => (rule ? put(path, fieldsOf(rule)) : remove(path)))
    } catch (error) {
      setProblem(told(error))
    }
  }
  const names = [...FILTER_FIELDS.filter(({ kind }) => kind !== "tags").map(({ name }) => name), "tags"]
  return (
    <Dialog
      title={rule ? rule.name : t("New rule")}
      size="large"
      footer={
        <>
          {rule && <DeleteRule rule={rule} onDone={onDone} />}
          <Button label={t("Cancel")} onClick={close} />
          <Button label={t("Save rule")} class="primary" onClick={() => form.current?.requestSubmit()} />
        </>
      }
    >
      <Form ref={form} staysOpen onSend={save}>
        <div class="form-row">
          <Input label={t("Name")} name="name" required value={name} maxLength={1000} onText={setName} />
        </div>
        {!rule && (
          <RuleBuilder
            onFormula={(formula, called) => {
              setExpression(formula)
              setName(called)
            }}
          />
        )}
        <ExpressionField
          value={expression}
          names={names}
          attributes={attributeNames.value}
          onInput={setExpression}
        />
        <details class="advanced">
          <summary>{t("Advanced")}</summary>
          <div class="form-row">
            <Input
              label={t("Weight")}
              name="weight"
              inputMode="decimal"
              required
              value={weight}
              onText={setWeight}
            />
            <Input
              label={t("Place in the list")}
              name="priority"
              inputMode="numeric"
              required
              defaultValue={String(rule?.priority ?? 0)}
            />
          </div>
        </details>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <RulePreview expression={expression} weight={weight} ruleId={rule?.id} />
      </Form>
    </Dialog>
  )
}

function DeleteRule({ rule, onDone }: { rule: Rule; onDone: RuleChanged }) {
  const close = useClose()
  return (
    <Button
      label={t("Delete")}
      class="danger"
      work={async () => {
        await remove(`/scoring-rules/${rule.id}`)
        close()
        onDone(t("{name} deleted", { name: rule.name }), () => post("/scoring-rules", fieldsOf(rule)))
      }}
    />
  )
}
