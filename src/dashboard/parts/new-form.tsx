import { post } from "../core/api.ts"
import { t } from "../core/text.ts"
import { attempt } from "../core/toast.ts"
import type { LeadForm } from "../core/types.ts"
import { Labelled } from "./bits.tsx"
import { Dialog } from "./overlay.tsx"

/** Fields to choose from, with those that are chosen at first. */
const FIELDS = [
  ["name", t("Name"), true],
  ["email", t("Email"), true],
  ["phone", t("Phone"), false],
  ["company", t("Company"), false],
  ["job_title", t("Job title"), false],
  ["website", t("Website"), false],
  ["city", t("City"), false],
  ["country", t("Country"), false],
  ["description", t("Message"), true],
] as const

/** Chooses the language of a form's page. */
export function FormLanguage(props: { value?: string; onChange?: (language: string) => void }) {
  return (
    <Labelled label={t("Language of the page")}>
      <select
        name="language"
        value={props.value}
        onChange={({ currentTarget }) => props.onChange?.(currentTarget.value)}
      >
        <option value="auto">{t("The visitor's")}</option>
        <option value="de">Deutsch</option>
        <option value="en">English</option>
      </select>
    </Labelled>
  )
}

interface NewFormProps {
  onClose: () => void
  onMade: (form: LeadForm) => void
}

/** Makes a form of the fields that are ticked; what else can be set has its default. */
export function NewForm({ onClose, onMade }: NewFormProps) {
  const make = (form: FormData) =>
    attempt(async () => {
      const text = (name: string) => String(form.get(name)).trim()
      const list = (name: string) =>
        text(name)
          .split(/[\s,]+/)
          .filter(Boolean)
      const consent = text("consent_text")
      onMade(
        await post<LeadForm>("/forms", {
          name: text("name"),
          fields: form.getAll("field").map((name) => ({ name, required: name === "email" })),
          ...(text("source") && { source: text("source") }),
          tags: text("tags")
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean),
          origins: list("origins"),
          ...(consent && { consent_text: consent }),
          double_opt_in: form.has("double_opt_in"),
          language: text("language"),
        }),
      )
    })
  return (
    <Dialog title={t("New form")} size="small" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void make(new FormData(event.currentTarget))
        }}
      >
        <Labelled label={t("Name")} hint={t("Shown above the form.")}>
          <input name="name" required />
        </Labelled>
        <fieldset class="form-fields">
          <legend>{t("Fields")}</legend>
          {FIELDS.map(([name, label, isOn]) => (
            <label key={name}>
              <input type="checkbox" name="field" value={name} defaultChecked={isOn} /> {label}
            </label>
          ))}
        </fieldset>
        <Labelled label={t("Source")} hint={t("The name of the form unless given.")}>
          <input name="source" />
        </Labelled>
        <Labelled label={t("Tags")} hint={t("With commas between them.")}>
          <input name="tags" />
        </Labelled>
        <Labelled label={t("Websites that may use the snippet")} hint={t("Such as https://www.example.com")}>
          <input name="origins" spellcheck={false} />
        </Labelled>
        <Labelled
          label={t("Consent")}
          hint={t("People tick a box beside this text; it is kept with the lead.")}
        >
          <textarea name="consent_text" rows={2} />
        </Labelled>
        <FormLanguage />
        <label class="form-choice">
          <input type="checkbox" name="double_opt_in" />{" "}
          {t("Confirm the email address first (a webhook sends the link)")}
        </label>
        <button class="primary">{t("Create form")}</button>
      </form>
    </Dialog>
  )
}
