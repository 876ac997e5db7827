import type { Service } from "../service.ts"

const SUPPRESSED = 100_000

/** Fills the do-not-contact list with 100,000 emails, domains and phones that none of the leads has. */
export async function suppress(service: Service): Promise<void> {
  const entry = (i: number) =>
    [`email,gone${i}@stop.example`, `domain,gone${i}.example`, `phone,+4930${1_000_000 + i}`][i % 3]
  const rows = Array.from({ length: SUPPRESSED }, (_, i) => entry(i)).join("\n")
  const response = await fetch(`${service.origin}/api/v1/suppressions/import`, {
    method: "POST",
    headers: { ...service.headers, "Content-Type": "text/csv" },
    body: `kind,value\n${rows}\n`,
  })
  if (!response.ok) throw new Error(`the list was not taken: ${response.status} ${await response.text()}`)
}
