#!/bin/sh
# xlsx 0.18.5 (SheetJS) and its formatter ssf 0.11.2: a number format that names a language alone, such as `[$-407]#,##0.00`
# (German; Excel writes it when a language is chosen for a number), is shown with a dollar. Per ECMA-376 Part 1, 18.8.31,
# `[$` takes a currency and a language, and the currency may be left out: Excel and LibreOffice show none.
# Whoever exports such a sheet to CSV by sheet_to_csv, or reads the text `w` of its cells, gets amounts in dollars.
# Seen with node 22: sheet_to_csv gives "$1,234.50", ssf.format gives "$1,234.50"; numfmt 4.0.1 gives "1.234,50".
# Exits with 1 when that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent xlsx@0.18.5 ssf@0.11.2 numfmt@4.0.1
cat > look.mjs <<'JS'
import { format } from "numfmt"
import SSF from "ssf"
import XLSX from "xlsx"

const code = "[$-407]#,##0.00"
const sheet = XLSX.utils.aoa_to_sheet([["amount"], [{ t: "n", v: 1234.5, z: code }]])
const book = XLSX.utils.book_new()
XLSX.utils.book_append_sheet(book, sheet, "S")
const back = XLSX.read(XLSX.write(book, { type: "buffer", bookType: "xlsx" }))
const seen = [XLSX.utils.sheet_to_csv(back.Sheets.S).split("\n")[1], SSF.format(code, 1234.5), format(code, 1234.5)]
console.log("xlsx, ssf, numfmt:", seen)
process.exit(seen[0].includes("$") && seen[1].startsWith("$") && !seen[2].includes("$") ? 0 : 1)
JS
node look.mjs
