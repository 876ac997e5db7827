import type { Parameter, Schema } from "../openapi/types.ts"
import { type Html, html } from "./html.ts"

/** A form that sends the request from the page; of no use, and not shown, without its script. */
export function tryForm(
  method: string,
  path: string,
  parameters: readonly Parameter[],
  body: unknown,
  type = "application/json",
): Html {
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" data-type="${type}">
${parameters.map(input)}
${body === undefined ? "" : html`<label>Body<textarea name="body" rows="${rows(body)}" spellcheck="false">${text(body)}</textarea></label>`}
<p><button class="send ${method.toLowerCase()}">Send ${method}</button> <span class="outcome" role="status"></span></p>
<pre class="answer" hidden tabindex="0"></pre>
</form></details>`
}

/** A file's text as it is, anything else as JSON. */
function text(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2)
}

function rows(body: unknown): number {
  return Math.min(14, text(body).split("\n").length + 1)
}

function input({ name, in: place, required, schema }: Parameter): Html {
  const attributes = html`name="${name}" data-in="${place}"${required ? html` required` : ""}`
  return html`<label><code>${name}</code>${control(schema, attributes)}</label>\n`
}

function control({ type, enum: choices }: Schema, attributes: Html): Html {
  const options = choices ?? (type === "boolean" ? ["true", "false"] : undefined)
  if (options) {
    return html`<select ${attributes}><option></option>${options.map((one) => html`<option>${String(one)}</option>`)}</select>`
  }
  if (type === "array")
    return html`<textarea ${attributes} rows="2" placeholder="one on each line"></textarea>`
  return html`<input ${attributes} autocomplete="off" spellcheck="false"${type === "integer" ? html` inputmode="numeric"` : ""}>`
}
