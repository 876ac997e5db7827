#!/bin/sh
# hucre 1.0.0 reads an .xlsb that xlsx 0.18.5 (SheetJS) wrote and drops cells without an error: of a row of three texts only
# the first arrives. SheetJS writes cells that follow one another as short records (BrtShortIsst and its kin), which its own
# reader takes; a reader that does not know a record of a cell should say so, not give a shorter row.
# Whoever converts .xlsb of SheetJS with hucre loses columns unseen. Exits with 1 when that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent xlsx@0.18.5 hucre@1.0.0
cat > look.mjs <<'JS'
import { read } from "hucre"
import XLSX from "xlsx"

const rows = [["Name", "Email", "City"], ["Ada", "ada@example.com", "Ulm"]]
const book = XLSX.utils.book_new()
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), "S")
const bytes = XLSX.write(book, { type: "buffer", bookType: "xlsb" })
const own = XLSX.utils.sheet_to_json(XLSX.read(bytes).Sheets.S, { header: 1 })
const hucre = (await read(bytes)).sheets[0].rows
console.log("xlsx:", JSON.stringify(own), "hucre:", JSON.stringify(hucre))
process.exit(own[1].length === 3 && hucre[1].length === 1 ? 0 : 1)
JS
node look.mjs
