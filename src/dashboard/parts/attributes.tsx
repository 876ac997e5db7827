import { useEffect, useRef, useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { shown, words } from "../core/format.ts"
import { useGet } from "../core/loading.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Attribute, CataloguedAttribute, Lead } from "../core/types.ts"
import { TYPES, type Type } from "./attribute-names.ts"
import { Button } from "./bits.tsx"
import { numberIn, tagsIn } from "./cell.tsx"
import { FormDialog, Input, Labelled, Select } from "./fields.tsx"
import { openDialog, useClose } from "./overlay.tsx"
import { useShownLead } from "./shown-lead.ts"
import { Fact } from "./things.tsx"

/** A typed text as the value of an attribute. Throws an Error that says what would be right. */
export function typedValue(type: Type, text: string): unknown {
  const typed = text.trim()
  if (type === "text" || type === "date") return typed
  if (type === "bool") return typed === "true"
  if (type === "list") return tagsIn(typed)
  if (type === "number") {
    const value = numberIn(typed)
    if (typed === "" || Number.isNaN(value)) throw new Error(t("The value must be a number"))
    return value
  }
  try {
    return JSON.parse(typed)
  } catch {
    throw new Error(t('The value must be JSON, such as {"seats": 40}'))
  }
}

export function Attributes() {
  const { lead, renew } = useShownLead()
  const attributes = lead.attributes ?? []
  if (attributes.length === 0 && !canWrite.value) return null
  const edit = (attribute?: Attribute) =>
    openDialog(<AttributeDialog lead={lead} attribute={attribute} onDone={renew} />)
  return (
    <section class="panel-section">
      <h3>{t("Attributes")}</h3>
      <dl class="facts">
        {attributes.map((attribute) => (
          <Fact key={attribute.id} label={attribute.name}>
            <span>{fieldText(`attr:${attribute.name}`, attribute.value)}</span>
            {canWrite.value && (
              <Button
                label={t("Edit")}
                class="fact-edit"
                aria-label={t("Edit {name}", { name: attribute.name })}
                onClick={() => edit(attribute)}
              />
            )}
          </Fact>
        ))}
      </dl>
      {canWrite.value && (
        <Button icon="plus" size={12} label={t("Add attribute")} class="link small" onClick={() => edit()} />
      )}
    </section>
  )
}

interface DialogProps {
  lead: Lead
  attribute: Attribute | undefined
  onDone: () => void
}

function AttributeDialog({ lead, attribute, onDone }: DialogProps) {
  const [chosen, setType] = useState<Type>(attribute?.type ?? "text")
  const [name, setName] = useState(attribute?.name ?? "")
  const { data: listed, error } = useGet<CataloguedAttribute[]>("/attributes")
  const close = useClose()
  const data = listed ?? []
  // Before it is known what the account says of the attribute, its field would be another one.
  const isKnown = listed !== undefined || error !== undefined
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isKnown && attribute) form.current?.querySelector<HTMLElement>("[name=value]")?.focus()
  }, [isKnown])
  const definition = data.find((one) => one.defined && one.name === name.trim())
  const type = attribute?.type ?? definition?.type ?? chosen
  const path = `/leads/${lead.id}/attributes`
  return (
    <FormDialog
      title={attribute ? t("Attribute {name}", { name: attribute.name }) : t("New attribute")}
      size="small"
      ref={form}
      onSend={async (sent) => {
        const value = typedValue(type, String(sent.get("value") ?? ""))
        if (attribute) await put(`${path}/${attribute.id}`, { value })
        else await post(path, { name: name.trim(), type, value })
        say(t("Attribute saved"))
        onDone()
      }}
    >
      {!attribute && (
        <>
          <Input
            label={t("Name")}
            hint={definition?.description ?? undefined}
            name="name"
            required
            maxLength={200}
            list="attribute-names"
            value={name}
            onText={setName}
          />
          <datalist id="attribute-names">
            {[...new Set(data.map((one) => one.name))].map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <Select
            label={t("Type")}
            hint={definition && t("As the account defines it.")}
            value={type}
            disabled={definition !== undefined}
            options={TYPES.map((one) => [one, words(one)] as const)}
            onChange={(value) => setType(value as Type)}
          />
        </>
      )}
      {isKnown ? (
        <ValueField type={type} value={attribute?.value} definition={definition} />
      ) : (
        <p class="muted">{t("Looking…")}</p>
      )}
      <div class="row">
        <button class="primary" disabled={!isKnown}>
          {t("Save")}
        </button>
        {attribute && (
          <Button
            label={t("Delete")}
            class="danger"
            work={async () => {
              await remove(`${path}/${attribute.id}`)
              close()
              onDone()
            }}
          />
        )}
      </div>
    </FormDialog>
  )
}

interface ValueProps {
  type: Type
  value: unknown
  definition: CataloguedAttribute | undefined
}

export function ValueField({ type, value, definition }: ValueProps) {
  const before = type === "object" && value !== undefined ? JSON.stringify(value) : shown(value)
  const options = definition?.options ?? []
  const label = definition?.unit ? t("Value ({unit})", { unit: definition.unit }) : t("Value")
  const several =
    options.length > 0
      ? t("Several of {options}", { options: options.join(", ") })
      : t("Several with commas between them.")
  return (
    <Labelled label={label} hint={type === "list" ? several : undefined}>
      {type === "bool" ? (
        <Select name="value" initial={before || "true"} options={{ true: t("Yes"), false: t("No") }} />
      ) : type === "text" && options.length > 0 ? (
        <Select
          name="value"
          initial={before}
          options={[...new Set([...options, ...(before ? [before] : [])])]}
        />
      ) : type === "object" ? (
        <textarea name="value" rows={5} defaultValue={before} spellcheck={false} />
      ) : (
        <input
          name="value"
          defaultValue={before}
          inputMode={type === "number" ? "decimal" : "text"}
          {...(type === "date" && /^(?:\d{4}-\d\d-\d\d)?$/.test(before) && { type: "date" })}
        />
      )}
    </Labelled>
  )
}
