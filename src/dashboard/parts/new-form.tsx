import { post, put } from "../core/api.ts"
import { t } from "../core/text.ts"
import type { LeadForm } from "../core/types.ts"
import { Form, Input, Select, type Sent, TextArea } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"

/** Fields to choose from. */
const FIELDS: Readonly<Record<string, string>> = {
  name: t("Name"),
  email: t("Email"),
  phone: t("Phone"),
  company: t("Company"),
  job_title: t("Job title"),
  website: t("Website"),
  city: t("City"),
  country: t("Country"),
  description: t("Message"),
}
/** Those of a new form. */
const FIRST: readonly Pick<FormField, "name" | "required">[] = [
  { name: "name", required: false },
  { name: "email", required: true },
  { name: "description", required: false },
]

type FormField = LeadForm["fields"][number]

/** Chooses the language of a form's page. */
export function FormLanguage(props: { value?: string; onChange?: (language: string) => void }) {
  return (
    <Select
      label={t("Language of the page")}
      name="language"
      {...props}
      options={{ auto: t("The visitor's"), de: "Deutsch", en: "English" }}
    />
  )
}

interface Props {
  /** The form that is changed; undefined makes one. */
  form?: LeadForm
  onSaved: (form: LeadForm) => void
}

/** Makes or changes a form of the fields that are ticked; what else can be set has its default. */
export function FormDialog({ form, onSaved }: Props) {
  const first: readonly (Partial<FormField> & Pick<FormField, "name">)[] = form?.fields ?? FIRST
  const known = new Map(first.map((field) => [field.name, field]))
  const names = form ? [...new Set([...known.keys(), ...Object.keys(FIELDS)])] : Object.keys(FIELDS)
  /** Takes away what was set. */
  const none = form ? null : undefined
  function bodyOf(sent: Sent) {
    const list = (name: string, between: RegExp) => sent.text(name).split(between).filter(Boolean)
    return {
      name: sent.text("name"),
      fields: sent.getAll("field").map((field) => {
        const name = String(field)
        const label = sent.text(`label ${name}`)
        const type = known.get(name)?.type
        return {
          name,
          ...(label && { label }),
          required: sent.has(`required ${name}`),
          ...(type && { type }),
        }
      }),
      source: sent.text("source") || none,
      tags: list("tags", /\s*,\s*/),
      origins: list("origins", /[\s,]+/),
      consent_text: sent.text("consent_text") || none,
      double_opt_in: sent.has("double_opt_in"),
      language: sent.text("language"),
    }
  }
  async function save(sent: Sent) {
    const body = bodyOf(sent)
    onSaved(form ? await put<LeadForm>(`/forms/${form.id}`, body) : await post<LeadForm>("/forms", body))
  }
  return (
    <Dialog title={form ? t("Edit form") : t("New form")}>
      <Form action={form ? t("Save") : t("Create form")} onSend={save}>
        <Input
          label={t("Name")}
          hint={t("Shown above the form.")}
          name="name"
          defaultValue={form?.name}
          required
        />
        <fieldset class="form-fields">
          <legend>{t("Fields")}</legend>
          {names.map((name) => {
            const label = FIELDS[name] ?? name.replace(/^attr:/, "")
            const field = known.get(name)
            return (
              <div class="form-field" key={name}>
                <label>
                  <input type="checkbox" name="field" value={name} defaultChecked={field !== undefined} />{" "}
                  {label}
                </label>
                <input
                  name={`label ${name}`}
                  aria-label={t("Label of {label}", { label })}
                  placeholder={t("Label")}
                  defaultValue={field?.label}
                  maxLength={1000}
                />
                <label>
                  <input
                    type="checkbox"
                    name={`required ${name}`}
                    aria-label={t("{label} is required", { label })}
                    defaultChecked={field?.required}
                  />{" "}
                  {t("required")}
                </label>
              </div>
            )
          })}
        </fieldset>
        <Input
          label={t("Source")}
          hint={t("The name of the form unless given.")}
          name="source"
          defaultValue={form?.source}
        />
        <Input
          label={t("Tags")}
          hint={t("With commas between them.")}
          name="tags"
          defaultValue={form?.tags.join(", ")}
        />
        <Input
          label={t("Websites that may use the snippet")}
          hint={t("Such as https://www.example.com")}
          name="origins"
          defaultValue={form?.origins.join(" ")}
          spellcheck={false}
        />
        <TextArea
          label={t("Consent")}
          hint={t("People tick a box beside this text; it is kept with the lead.")}
          name="consent_text"
          defaultValue={form?.consent_text ?? ""}
          rows={2}
        />
        <FormLanguage {...(form && { value: form.language })} />
        <label class="form-choice">
          <input type="checkbox" name="double_opt_in" defaultChecked={form?.double_opt_in} />{" "}
          {t("Confirm the email address first (a webhook sends the link)")}
        </label>
      </Form>
    </Dialog>
  )
}
