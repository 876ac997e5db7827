// The small page at the root, for those who open the address in a browser.
import { raw } from "hono/html"
import { type Html, head, html } from "./html.ts"

export interface Addresses {
  /** Of the REST API. */
  url: string
  mcpUrl: string
}

export function landingPage({ url, mcpUrl }: Addresses, version: string, style: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
${head("leaddb", html`<style>${raw(style)}</style>`)}
</head>
<body class="landing">
<main>
<p class="brand">lead<b>db</b> <span class="version">${version}</span></p>
<h1>The service is running</h1>
<p>This is an API for business leads. There is no dashboard here: scripts, forms and AI clients work with it.</p>
<p><a class="button" href="docs">API reference</a></p>
<dl class="facts">
<div><dt>REST API</dt><dd><code>${url}</code></dd></div>
<div><dt>MCP</dt><dd><code>${mcpUrl}</code></dd></div>
<div><dt>OpenAPI</dt><dd><a href="api/v1/openapi.json">openapi.json</a></dd></div>
<div><dt>Health</dt><dd><a href="healthz">healthz</a>, <a href="readyz">readyz</a></dd></div>
</dl>
</main>
</body>
</html>
`
}
