// Translates the sentences of the service, for the script of a language: the page's own has no English patterns.

/** Returns a function that translates a sentence that has one of the forms; undefined for any other. */
export function sentenceTranslator(texts: Readonly<Record<string, string>>, sentences: readonly string[]) {
  const forms = sentences.map((sentence) => {
    const parts = sentence.split(/\{(\w+)\}/)
    const fixed = parts.map((part, i) =>
      i % 2 === 1 ? "(.*?)" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    )
    const names = parts.filter((_, i) => i % 2 === 1)
    return { sentence, names, pattern: new RegExp(`^${fixed.join("")}$`, "s") }
  })
  const labelOf = (name: string) => {
    const text = name.replaceAll("_", " ").replace(/\b(?:url|id)\b/g, (word) => word.toUpperCase())
    const label = text.charAt(0).toUpperCase() + text.slice(1)
    return texts[label] ?? label
  }
  /** A value, numbers with dots: `field` is the path of a field, `message` another sentence. */
  const wordsFor = (name: string, value: string) => {
    if (name === "field") return labelOf(value.replace(/\[\d+\]$|^attr:|^.*[.\]](?=\w)/g, ""))
    if (/^\d{1,3}(?:,\d{3})+$/.test(value)) return value.replaceAll(",", ".")
    return (name === "message" && translated(value)) || value
  }
  function translated(text: string): string | undefined {
    for (const { sentence, names, pattern } of forms) {
      const match = pattern.exec(text)
      if (!match) continue
      const values = new Map(names.map((name, i) => [name, wordsFor(name, match[i + 1]!)]))
      return texts[sentence]!.replace(/\{(\w+)\}/g, (_, name) => values.get(name) ?? "")
    }
    return undefined
  }
  return translated
}
