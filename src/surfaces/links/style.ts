/** Style of a list beyond that of every page: the whole width, and a table that scrolls within it. */
export const LIST_STYLE = `
.list { width: 100%; max-width: 90rem; align-self: flex-start; margin: 0 auto; }
.list header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: .75rem; }
.list header h1, .list header p { margin: 0; }
.list .button { display: inline-block; margin: 0; color: var(--accent); background: none; }
.list header .button { margin-left: auto; }
.table { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .625rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; overflow-wrap: normal; }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td { min-width: 6rem; max-width: 24rem; overflow-wrap: anywhere; }
tbody tr:last-child td { border-bottom: 0; }
`
