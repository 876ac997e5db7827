// The file of the import that was begun last, as long as this page is open: its rejected rows are cut out of it.
let kept: { id: string; file: File } | undefined

export function keepFile(id: string, file: File): void {
  kept = { id, file }
}

export const keptFile = (id: string) => (kept?.id === id ? kept.file : undefined)
