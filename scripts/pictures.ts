// Makes the README's pictures of the dashboard anew, in both themes: its pages with made-up leads, and a moving picture of a
// file from a scraper that is imported, its duplicates, and an undo. Needs Chromium.
//   node scripts/run.js scripts/pictures.ts [pages | import]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { CHROMIUM, FLAGS } from "../test/support/browser.ts"
import { buildProgram, serve } from "./bench/service.ts"
import { playImport } from "./pictures/import.ts"
import { fillFolder } from "./pictures/leads.ts"
import { takePages } from "./pictures/pages.ts"
import { THEMES } from "./pictures/theme.ts"

const IMAGES = join(import.meta.dir, "../docs/images")
/** Leads of the account whose pages are shown, and of the one that the file goes into. */
const COUNTS = { pages: 2_900, import: 60 }

function keep(name: string, bytes: Uint8Array): void {
  writeFileSync(join(IMAGES, name), bytes)
  console.log(`docs/images/${name}  ${(bytes.length / 1e3).toFixed(0)} KB`)
}

async function makePages(browser: Browser, program: string, scratch: string): Promise<void> {
  const data = await fillFolder(join(scratch, "pages"), COUNTS.pages)
  const service = await serve(program, data, "unbound")
  try {
    for (const theme of THEMES) await takePages(browser, service, theme, keep)
  } finally {
    await service.stop()
  }
}

async function makeImport(browser: Browser, program: string, scratch: string): Promise<void> {
  for (const theme of THEMES) {
    const data = await fillFolder(join(scratch, theme), COUNTS.import)
    const service = await serve(program, data, "unbound")
    try {
      keep(`import-${theme}.webp`, await playImport(browser, service, theme))
    } finally {
      await service.stop()
    }
  }
}

async function main(): Promise<void> {
  const only = process.argv[2]
  if (!CHROMIUM) throw new Error("there is no Chromium: apt-get install -y chromium")
  const scratch = mkdtempSync(join(tmpdir(), "leaddb-pictures-"))
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...FLAGS, "--font-render-hinting=none"],
  })
  try {
    const program = await buildProgram(scratch)
    if (only !== "import") await makePages(browser, program, scratch)
    if (only !== "pages") await makeImport(browser, program, scratch)
  } finally {
    await browser.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

await main()
