import { useEffect, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { FILTER_FIELDS, fieldOf } from "../core/filters.ts"
import { firstRows } from "../core/first-request.ts"
import { plural } from "../core/format.ts"
import type { BulkAction, WriteTarget } from "../core/lead-writes.ts"
import { learnMembers, memberName, members } from "../core/members.ts"
import { suppress } from "../core/suppress.ts"
import { t } from "../core/text.ts"
import { sayError } from "../core/toast.ts"
import type { LeadPage } from "../core/types.ts"
import { attributes, learnAttributeNames } from "./attribute-names.ts"
import { typedValue, ValueField } from "./attributes.tsx"
import { parseValue, READ_ONLY } from "./cell.tsx"
import { choicesOf } from "./cell-editor.tsx"
import { Check, Form, Labelled, Select, type Sent } from "./fields.tsx"
import { ConfirmDialog, Dialog, useClose } from "./overlay.tsx"

/** Fields that differ from lead to lead, or have an action of their own. */
const NOT_ALIKE = new Set(["name", "email", "phone", "source_id", "tags", "latitude", "longitude"])

/** Asks for one field and its new value for many leads; several owners get them in turn. */
export function BulkEdit({ onDone }: { onDone: (action: BulkAction) => void }) {
  const [name, setName] = useState("owner")
  useEffect(() => {
    void learnMembers()
    void learnAttributeNames()
  }, [])
  const fields = FILTER_FIELDS.filter((field) => !READ_ONLY.has(field.name) && !NOT_ALIKE.has(field.name))
  const field = fieldOf(name)
  const choices = choicesOf(field)
  const attribute = attributes.value.find((one) => name === `attr:${one.name}`)
  function dataOf(sent: Sent): Record<string, unknown> {
    const text = sent.text("value")
    const owners = sent.getAll("owner")
    if (name === "owner") return { owner: owners.length > 0 ? owners : null }
    if (!attribute) return { [name]: parseValue(field, text) }
    return { attributes: { [attribute.name]: text === "" ? null : typedValue(attribute.type, text) } }
  }
  return (
    <Dialog title={t("Edit a field")} size="small">
      <Form action={t("Continue")} onSend={(sent) => onDone({ action: "update", data: dataOf(sent) })}>
        <Select
          label={t("Field")}
          value={name}
          options={[
            ...fields.map(({ name, label }) => [name, label] as const),
            ...attributes.value.map(({ name }) => [`attr:${name}`, name] as const),
          ]}
          onChange={setName}
        />
        {name === "owner" ? (
          <fieldset class="form-fields">
            <legend>{t("Owner: several get the leads in turn, nobody when none is chosen")}</legend>
            {members.value.map(({ id }) => (
              <Check key={id} label={memberName(id)} name="owner" value={id} />
            ))}
          </fieldset>
        ) : attribute ? (
          <ValueField key={name} type={attribute.type} value={undefined} definition={undefined} />
        ) : (
          <Labelled label={t("New value")} hint={choices ? undefined : t("Empty clears the field.")}>
            {choices ? (
              <Select name="value" key={name} options={choices} />
            ) : (
              <input
                key={name}
                name="value"
                {...(field.kind === "time" && { type: "datetime-local" as const })}
                inputMode={field.kind === "number" ? "decimal" : "text"}
              />
            )}
          </Labelled>
        )}
      </Form>
    </Dialog>
  )
}

const PAGE = 1_000
/** Ids that one filter holds. */
const IDS = 300

/** The emails and phones of many leads. */
async function contactsOf(target: WriteTarget): Promise<string[]> {
  const values = new Set<string>()
  async function read(query: Record<string, unknown>) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: LeadPage = await get("/leads", { ...query, limit: PAGE, ...(cursor && { cursor }) })
      for (const { emails = [], phones = [] } of page.leads)
        for (const { value } of [...emails, ...phones]) values.add(value)
      cursor = page.has_more ? page.next_cursor : null
    }
  }
  if ("selection" in target) {
    const { fields: _, ...query } = firstRows(target.selection, [])
    await read(query)
  } else
    for (let at = 0; at < target.ids.length; at += IDS)
      await read({ filter: [`and.in.id.${target.ids.slice(at, at + IDS).join(",")}`] })
  return [...values]
}

interface SuppressProps {
  target: WriteTarget
  count: number
  onDone: () => void
}

/** Asks before all contacts of many leads go on the do-not-contact list. */
export function SuppressMany({ target, count, onDone }: SuppressProps) {
  const [values, setValues] = useState<string[]>()
  const close = useClose()
  useEffect(() => {
    contactsOf(target).then(setValues, (error) => {
      sayError(error)
      close()
    })
  }, [])
  const leads = plural(count, "lead")
  return (
    <ConfirmDialog
      title={t("Contact {leads} no more?", { leads })}
      action={t("Put on the do-not-contact list")}
      isDisabled={!values?.length}
      busy={t("Working…")}
      work={async () => {
        await suppress(values!, t("{leads} on the do-not-contact list", { leads }), onDone)
      }}
    >
      <p>
        {values
          ? t("{values} go on the do-not-contact list.", {
              values: plural(values.length, "email or phone", "emails and phones"),
            })
          : t("Counting…")}
      </p>
      <p class="muted">{t("You can undo this.")}</p>
    </ConfirmDialog>
  )
}
