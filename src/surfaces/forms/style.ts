import { STYLE as PAGE } from "../oauth/style.ts"

/** The look of public forms: that of the sign-in pages, with fields. */
export const FORM_STYLE = `${PAGE}
form { margin: 0; }
.field { margin: 0 0 1rem; }
.field label, .check label { display: block; }
.field input, textarea, select {
  display: block; width: 100%; margin-top: .375rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
}
textarea { resize: vertical; }
[aria-invalid=true] { border-color: var(--bad); outline-color: var(--bad); }
.check { margin: 0 0 1rem; }
.check label { display: grid; grid-template-columns: auto 1fr; gap: .625rem; font-weight: 400; }
.check input { width: 1.05rem; height: 1.05rem; margin: .25rem 0 0; accent-color: var(--accent); }
.more { position: absolute; left: -9999px; width: 1px; height: 1px; overflow: hidden; }
.optional { font-weight: 400; color: var(--soft); }
form button { width: 100%; color: var(--accent-ink); background: var(--accent); border-color: var(--accent); }
`
