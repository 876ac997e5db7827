// Pages that clients show for the answers of tools (MCP Apps): whole documents that load nothing.
import DUPLICATES from "./duplicates.client.js" with { type: "text" }
import HOST from "./host.client.js" with { type: "text" }
import IMPORT from "./import.client.js" with { type: "text" }
import STYLE from "./pages.css" with { type: "text" }

const PAGES: Readonly<Record<string, { title: string; script: string }>> = {
  duplicates: { title: "Likely duplicates", script: DUPLICATES },
  import: { title: "Import", script: IMPORT },
}

/** The beginning of a page's address as a resource. */
const PAGE_URI = "ui://leaddb/"

export const pageUri = (name: string) => `${PAGE_URI}${name}`

/** The document of a page by its address; undefined for any other. */
export function pageAt(uri: string): string | undefined {
  const name = uri.startsWith(PAGE_URI) ? uri.slice(PAGE_URI.length) : ""
  if (!Object.hasOwn(PAGES, name)) return undefined
  const { title, script } = PAGES[name]!
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main><p>Waiting for the answer ...</p></main>
<script>${HOST}
${script}</script>
</body>
</html>
`
}
