import { useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { formatNumber, plural, shown, words } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { useFresh } from "../core/loading.ts"
import { said } from "../core/said.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { CataloguedAttribute, DefinedAttribute } from "../core/types.ts"
import { TYPES, type Type } from "../parts/attribute-names.ts"
import { Button } from "../parts/bits.tsx"
import { Check, Form, Input, Select, type Sent, TextArea } from "../parts/fields.tsx"
import { Dialog, openDialog, useClose } from "../parts/overlay.tsx"
import { Row, Things } from "../parts/things.tsx"

export default function AttributesPage() {
  const attributes = useFresh<CataloguedAttribute[]>("/attributes")
  const others = [...new Set(attributes.data?.map(({ name }) => name))]
  const edit = (attribute?: CataloguedAttribute) =>
    openDialog(<DefinitionDialog attribute={attribute} others={others} />)
  return (
    <Things
      title={t("Attributes")}
      loaded={attributes}
      count={({ length }) => plural(length, "attribute")}
      add={canWrite.value && t("Define attribute")}
      onAdd={() => edit()}
      intro={t(
        "Define what an attribute is: its type, its options, its unit. Values that do not fit are refused, and imports leave them out with a warning.",
      )}
      empty={["settings", t("No lead has an attribute yet")]}
      row={(attribute) => (
        <AttributeRow
          key={`${attribute.name} ${attribute.type}`}
          attribute={attribute}
          onEdit={() => edit(attribute)}
        />
      )}
    />
  )
}

function AttributeRow({ attribute, onEdit }: { attribute: CataloguedAttribute; onEdit: () => void }) {
  const { name, type, leads, defined, options, required, unit, description } = attribute
  return (
    <Row
      name={name}
      tags={
        <>
          <span class="tag">{words(type)}</span>
          {unit && <span class="tag">{unit}</span>}
          {required && <span class="tag">{t("required")}</span>}
          {!defined && <span class="muted"> {t("not defined")}</span>}
        </>
      }
      note={[plural(leads, "lead"), options?.join(", "), description].filter(Boolean).join(" · ")}
    >
      {canWrite.value && (
        <Button label={t("Edit")} class="small" aria-label={t("Edit {name}", { name })} onClick={onEdit} />
      )}
    </Row>
  )
}

interface DialogProps {
  attribute: CataloguedAttribute | undefined
  others: readonly string[]
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
  const leads = matched > 0 && t(" on {leads}", { leads: plural(matched - left, "lead") })
  const misfits = left > 0 && t("; {values} did not fit and stayed", { values: plural(left, "value") })
  say([what, leads, misfits].filter(Boolean).join(""))
}

function DefinitionDialog({ attribute, others }: DialogProps) {
  const [type, setType] = useState<Type>(attribute?.type ?? "text")
  const [checked, setChecked] = useState<Checked>()
  const close = useClose()
  const was = attribute?.name
  async function save(name: string, body: Record<string, unknown>) {
    await finish(await put<DefinedAttribute>(pathOf(name), body), t("Attribute saved"))
    close()
  }
  async function submit(sent: Sent) {
    const body = bodyOf(sent, type)
    const name = was ?? sent.text("name")
    const isRenamed = was !== undefined && body.name !== was
    const changed = isRenamed || type !== attribute?.type || (body.options !== null && was !== undefined)
    const definition = isRenamed ? body : { ...body, name: undefined }
    if (was === undefined || !changed) return save(name, definition)
    const preview = await put<DefinedAttribute>(pathOf(name), { ...definition, dry_run: true })
    if ((preview.matched ?? 0) === 0) return save(name, definition)
    setChecked({ body: definition, found: preview })
  }
  if (checked && was !== undefined)
    return <CheckDialog checked={checked} onSave={() => save(was, checked.body)} />
  return (
    <Dialog
      title={was === undefined ? t("Define attribute") : t("Attribute {name}", { name: was })}
      size="small"
    >
      <Form staysOpen onSend={submit}>
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
              work={async () => {
                await remove(pathOf(attribute.name))
                say(t("Definition removed; values stay"))
                close()
              }}
            />
          )}
        </div>
      </Form>
      {was !== undefined && <Merge name={was} others={others} />}
    </Dialog>
  )
}

function bodyOf(sent: Sent, type: Type): Record<string, unknown> {
  const options = sent
    .text("options")
    .split("\n")
    .map((option) => option.trim())
    .filter(Boolean)
  return {
    name: sent.text("name"),
    type,
    options: options.length > 0 ? options : null,
    unit: sent.text("unit") || null,
    description: sent.text("description") || null,
    position: sent.text("position") === "" ? null : Number(sent.text("position")),
    required: sent.has("required"),
  }
}

function CheckDialog({ checked, onSave }: { checked: Checked; onSave: () => Promise<void> }) {
  const { matched = 0, misfits = 0, sample = [] } = checked.found
  return (
    <Dialog
      title={t("Change this attribute?")}
      size="small"
      footer={
        <Button
          label={t("Change {leads}", { leads: plural(matched, "lead") })}
          class="primary"
          work={onSave}
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
function Merge({ name, others }: { name: string; others: readonly string[] }) {
  const close = useClose()
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
          work={async () => {
            const merged = await post<DefinedAttribute>(`${pathOf(name)}/merge`, { into })
            await finish(merged, t("Merged into {into}", { into }))
            close()
          }}
        />
      )}
    </section>
  )
}
