// The rows of a public link's page, read where questions are answered.
import type { ExportCell } from "../exports/presets.ts"
import { excelText, shapeOfFields, withDates } from "../exports/shape.ts"
import { readLeadPage } from "../leads/list/list.ts"
import { countQuestion } from "../leads/list/whole.ts"
import { question } from "../operation.ts"

const ROWS = 100
/** Characters of a cell that a page shows; the CSV has all. */
const CELL_MAX = 500

export interface SharedRows {
  headers: string[]
  rows: ExportCell[][]
  /** The cursor of the next page; null at the end. */
  next: string | null
  /** The number of leads, with the first page. */
  total?: number
}

interface Asked {
  segment: string
  fields: readonly string[]
  cursor?: string | undefined
}

/** A page of 100 rows with the cells of these fields, cut to 500 characters each. Throws as lists do. */
export const sharedRowsQuestion = question({
  name: "shared_rows",
  async run(ctx, { segment, fields, cursor }: Asked): Promise<SharedRows> {
    const page = await readLeadPage(ctx, { segment, cursor, limit: ROWS })
    const { headers, cells, times } = shapeOfFields(fields)
    const write = excelText(ctx.caller.account.time_zone)
    const rows = page.rows.map((lead) => withDates(cells(lead), times, write).map(short))
    const next = page.nextCursor
    if (cursor !== undefined) return { headers, rows, next }
    return { headers, rows, next, total: await countQuestion.run(ctx, { segment }) }
  },
})

function short(cell: ExportCell): ExportCell {
  return typeof cell === "string" && cell.length > CELL_MAX ? `${cell.slice(0, CELL_MAX)}…` : cell
}
