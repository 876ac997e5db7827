import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { formatNumber, plural, shown, words } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { useLoaded } from "../core/loading.ts"
import { said } from "../core/said.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { CataloguedAttribute, DefinedAttribute } from "../core/types.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Check, Input, Select, TextArea } from "../parts/fields.tsx"
import { Dialog } from "../parts/overlay.tsx"

const TYPES = ["text", "number", "date", "bool", "list", "object"] as const
type Type = (typeof TYPES)[number]

export default function AttributesPage() {
  const { data, error, again } = useLoaded(
    (signal) => get<CataloguedAttribute[]>("/attributes", {}, signal),
    [],
  )
  const [edited, setEdited] = useState<CataloguedAttribute | "new">()
  const all = data ?? []
  const close = () => setEdited(undefined)
  return (
    <div class="page narrow">
      <Head title={t("Attributes")} note={data ? plural(all.length, "attribute") : ""}>
        {canWrite.value && (
          <Button
            icon="plus"
            label={t("Define attribute")}
            class="primary"
            onClick={() => setEdited("new")}
          />
        )}
      </Head>
      <p class="lead-in">
        {t(
          "Define what an attribute is: its type, its options, its unit. Values that do not fit are refused, and imports leave them out with a warning.",
        )}
      </p>
      {error !== undefined && <FailureNote error={error} again={again} />}
      {data && all.length === 0 && <Empty icon="settings" title={t("No lead has an attribute yet")} />}
      {all.length > 0 && (
        <ul class="card rows">
          {all.map((attribute) => (
            <AttributeRow
              key={`${attribute.name} ${attribute.type}`}
              attribute={attribute}
              onEdit={() => setEdited(attribute)}
            />
          ))}
        </ul>
      )}
      {edited && (
        <DefinitionDialog
          attribute={edited === "new" ? undefined : edited}
          others={[...new Set(all.map(({ name }) => name))]}
          onClose={close}
          onDone={() => {
            close()
            again()
          }}
        />
      )}
    </div>
  )
}

function AttributeRow({ attribute, onEdit }: { attribute: CataloguedAttribute; onEdit: () => void }) {
  const { name, type, leads, defined, options, required, unit, description } = attribute
  return (
    <li>
      <div class="row-main">
        <p>
          <b>{name}</b> <span class="tag">{words(type)}</span>
          {unit && <span class="tag">{unit}</span>}
          {required && <span class="tag">{t("required")}</span>}
          {!defined && <span class="muted"> {t("not defined")}</span>}
        </p>
        <p class="muted">
          {plural(leads, "lead")}
          {options && ` · ${options.join(", ")}`}
          {description && ` · ${description}`}
        </p>
      </div>
      {canWrite.value && (
        <Button label={t("Edit")} class="small" aria-label={t("Edit {name}", { name })} onClick={onEdit} />
      )}
    </li>
  )
}

interface DialogProps {
  attribute: CataloguedAttribute | undefined
  others: readonly string[]
  onClose: () => void
  onDone: () => void
}

/** Effect of a definition, before it is saved. */
interface Checked {
  body: Record<string, unknown>
  found: DefinedAttribute
}

const pathOf = (name: string) => `/attributes/${encodeURIComponent(name)}`

/** Waits for the job that changes the leads, where there is one, and says what became of it. */
async function finish({ job, matched = 0, failed = 0 }: DefinedAttribute, what: string): Promise<void> {
  const done = job === undefined ? undefined : await jobDone(job)
  const left = done?.failed ?? failed
  const leads = matched > 0 ? ` on ${plural(matched - left, "lead")}` : ""
  say(
    `${what}${leads}${left > 0 ? t("; {values} did not fit and stayed", { values: plural(left, "value") }) : ""}`,
  )
}

function DefinitionDialog({ attribute, others, onClose, onDone }: DialogProps) {
  const [type, setType] = useState<Type>(attribute?.type ?? "text")
  const [checked, setChecked] = useState<Checked>()
  const was = attribute?.name
  async function save(name: string, body: Record<string, unknown>) {
    await finish(await put<DefinedAttribute>(pathOf(name), body), t("Attribute saved"))
    onDone()
  }
  async function submit(form: FormData) {
    const body = bodyOf(form, type)
    const name = was ?? String(form.get("name")).trim()
    const isRenamed = was !== undefined && body.name !== was
    const changed = isRenamed || type !== attribute?.type || (body.options !== null && was !== undefined)
    const sent = isRenamed ? body : { ...body, name: undefined }
    if (was === undefined || !changed) return save(name, sent)
    const found = await put<DefinedAttribute>(pathOf(name), { ...sent, dry_run: true })
    if ((found.matched ?? 0) === 0) return save(name, sent)
    setChecked({ body: sent, found })
  }
  if (checked && was !== undefined)
    return (
      <CheckDialog
        checked={checked}
        onClose={onClose}
        onSave={() => attempt(() => save(was, checked.body))}
      />
    )
  return (
    <Dialog
      title={was === undefined ? t("Define attribute") : t("Attribute {was}", { was })}
      size="small"
      onClose={onClose}
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          void attempt(() => submit(form))
        }}
      >
        <Input
          label={t("Name")}
          hint={was && t("Another name is set on all leads that have it.")}
          name="name"
          required
          maxLength={200}
          defaultValue={was}
        />
        <Select
          label={t("Type")}
          value={type}
          options={TYPES.map((one) => [one, words(one)] as const)}
          onChange={(value) => setType(value as Type)}
        />
        {(type === "text" || type === "list") && (
          <TextArea
            label={t("Options")}
            hint={t("One a line. Any text, when left empty.")}
            name="options"
            rows={4}
            defaultValue={attribute?.options?.join("\n")}
          />
        )}
        {type === "number" && (
          <Input
            label={t("Unit")}
            hint={t("Such as EUR.")}
            name="unit"
            maxLength={40}
            defaultValue={attribute?.unit ?? ""}
          />
        )}
        <Input
          label={t("Description")}
          name="description"
          maxLength={1000}
          defaultValue={attribute?.description ?? ""}
        />
        <Input
          label={t("Position")}
          hint={t("The least comes first.")}
          name="position"
          type="number"
          min={0}
          defaultValue={attribute?.position ?? ""}
        />
        <Check label={t("New leads must have it")} name="required" defaultChecked={attribute?.required} />
        <div class="row">
          <button class="primary">{t("Save")}</button>
          {attribute?.defined && (
            <Button
              label={t("Remove definition")}
              onClick={() =>
                attempt(async () => {
                  await remove(pathOf(attribute.name))
                  say(t("Definition removed; values stay"))
                  onDone()
                })
              }
            />
          )}
        </div>
      </form>
      {was !== undefined && <Merge name={was} others={others} onDone={onDone} />}
    </Dialog>
  )
}

function bodyOf(form: FormData, type: Type): Record<string, unknown> {
  const typed = (name: string) => String(form.get(name) ?? "").trim()
  const options = typed("options")
    .split("\n")
    .map((option) => option.trim())
    .filter(Boolean)
  return {
    name: typed("name"),
    type,
    options: options.length > 0 ? options : null,
    unit: typed("unit") || null,
    description: typed("description") || null,
    position: typed("position") === "" ? null : Number(typed("position")),
    required: form.get("required") !== null,
  }
}

function CheckDialog({
  checked,
  onClose,
  onSave,
}: {
  checked: Checked
  onClose: () => void
  onSave: () => void
}) {
  const { matched = 0, misfits = 0, sample = [] } = checked.found
  return (
    <Dialog
      title={t("Change this attribute?")}
      size="small"
      onClose={onClose}
      footer={
        <Button
          label={t("Change {leads}", { leads: plural(matched, "lead") })}
          class="primary"
          onClick={onSave}
        />
      }
    >
      <p>{t("{leads} have it. You can undo this under Activity.", { leads: plural(matched, "lead") })}</p>
      {misfits > 0 && (
        <>
          <p>{t("{misfits} values do not fit and stay as they are:", { misfits: formatNumber(misfits) })}</p>
          <ul>
            {sample.map(({ lead_id, value, message }) => (
              <li key={lead_id}>
                <b>{shown(value)}</b> {said(message ?? "")}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

/** Puts the values of one name under another. */
function Merge({ name, others, onDone }: { name: string; others: readonly string[]; onDone: () => void }) {
  const targets = others.filter((other) => other !== name)
  const [into, setInto] = useState("")
  if (targets.length === 0) return null
  return (
    <section class="stack">
      <Select
        label={t("Merge into")}
        hint={t("On a lead with both, the other's value stays.")}
        value={into}
        options={[["", "…"], ...targets]}
        onChange={setInto}
      />
      {into !== "" && (
        <Button
          label={t("Merge {name} into {into}", { name, into })}
          class="danger"
          onClick={() =>
            attempt(async () => {
              await finish(
                await post<DefinedAttribute>(`${pathOf(name)}/merge`, { into }),
                t("Merged into {into}", { into }),
              )
              onDone()
            })
          }
        />
      )}
    </section>
  )
}
