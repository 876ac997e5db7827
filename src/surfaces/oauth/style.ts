/** The look of every sign-in page: the system's font, light or dark as the person likes it, one column. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --card: #fff; --line: #d5d9e0; --edge: #828a98; --ink: #1b2130; --soft: #566074;
  --accent: #1f5fd0; --accent-ink: #fff; --tint: #edf3fe; --bad: #b3261e; --bad-tint: #fdeceb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b; --card: #1b2029; --line: #333b48; --edge: #727d8f; --ink: #e8ebf1; --soft: #a3adbd;
    --accent: #7aabff; --accent-ink: #0c1526; --tint: #20304d; --bad: #ffa49b; --bad-tint: #3a2325;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; justify-content: center;
  padding: 1.5rem 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
main {
  width: 100%; max-width: 27rem; padding: 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .875rem; box-shadow: 0 1px 3px rgb(0 0 0 / 8%);
}
.brand { margin: 0 0 1.25rem; font-weight: 650; letter-spacing: -.01em; color: var(--soft); }
.brand b { color: var(--accent); font-weight: inherit; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
p { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.soft, .hint { color: var(--soft); }
.hint { margin: .375rem 0 0; font-size: .875rem; }
dl { margin: 1.125rem 0 1.25rem; padding: .75rem .875rem; background: var(--ground); border-radius: .625rem; }
dl div { display: flex; gap: .75rem; }
dl div + div { margin-top: .375rem; }
dt { flex: 0 0 5.25rem; color: var(--soft); }
dd { margin: 0; font-weight: 550; }
dd span { display: block; font-weight: 400; font-size: .875rem; color: var(--soft); }
label, legend { padding: 0; font-weight: 600; }
input[type=password] {
  display: block; width: 100%; margin-top: .375rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
}
input[type=password][aria-invalid=true] { border-color: var(--bad); outline-color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem { margin: .375rem 0 0; font-size: .9375rem; color: var(--bad); }
.notice { padding: .625rem .875rem; border-radius: .5rem; background: var(--bad-tint); color: var(--bad); }
fieldset { margin: 1.25rem 0 0; padding: 0; border: 0; min-width: 0; }
.role {
  display: grid; grid-template-columns: auto 1fr; column-gap: .625rem; margin-top: .5rem; padding: .625rem .75rem;
  font-weight: 400; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer;
}
.role:has(:checked) { border-color: var(--accent); background: var(--tint); }
.role:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.role input { width: 1.05rem; height: 1.05rem; margin: .25rem 0 0; accent-color: var(--accent); outline: none; }
.role b { display: block; font-weight: 600; }
.role span { display: block; font-size: .875rem; color: var(--soft); }
.buttons { display: flex; gap: .75rem; margin-top: 1.5rem; }
button, .button {
  flex: 1; padding: .6875rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  color: var(--ink); background: transparent; border: 1px solid var(--edge); border-radius: .5rem; cursor: pointer;
}
button.main, .button { color: var(--accent-ink); background: var(--accent); border-color: var(--accent); }
button:hover, .button:hover { filter: brightness(1.07); }
.button { display: block; margin-top: 1.25rem; }
.or { margin: 1rem 0; text-align: center; color: var(--soft); font-size: .875rem; }
.signer { padding: .625rem .875rem; border-radius: .5rem; background: var(--tint); }
footer { width: 100%; max-width: 27rem; margin-top: 1rem; padding: 0 1.75rem; font-size: .8125rem; color: var(--soft); }
@media (max-width: 30rem) {
  body { justify-content: flex-start; padding: .75rem; }
  main { padding: 1.25rem; }
  footer { padding: 0 1.25rem; }
}
`
