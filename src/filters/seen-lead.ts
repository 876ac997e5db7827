import { contactsOf } from "../lead/contacts.ts"
import { type Activity, type LeadData, NO_ACTIVITY } from "../lead/lead.ts"
import { leadWords, type WordGroup } from "../lead/lead-words.ts"
import { phoneNumber } from "../text/phone.ts"
import { fold, phoneKey } from "../text/text.ts"

/** A lead at hand with what filters may ask of it: the same answer as a list's, without a database. */
export class SeenLead {
  #words: Record<WordGroup, string[]> | undefined
  #tags: ReadonlySet<string> | undefined

  constructor(
    readonly data: LeadData,
    readonly score: number,
    private readonly more: {
      activity: Activity | undefined
      /** The newest first. */
      notes: readonly string[]
      /** Those among the asked ones that brought it. */
      imports: ReadonlySet<string>
      /** The account's. */
      defaultCountry: string | null
      /** It is on the do-not-contact list. */
      isSuppressed: boolean
    },
  ) {}

  get activity(): Activity {
    return this.more.activity ?? NO_ACTIVITY
  }

  /** The first phone and the others. */
  get phones(): { key: string | null; number: string | null }[] {
    const { country } = this.data
    return contactsOf(this.data, "phones").map(({ value }) => ({
      key: phoneKey(value) ?? null,
      number: phoneNumber(value, country, this.more.defaultCountry),
    }))
  }

  get isSuppressed(): boolean {
    return this.more.isSuppressed
  }

  isOf(importId: string): boolean {
    return this.more.imports.has(importId)
  }

  get words(): Record<WordGroup, string[]> {
    this.#words ??= leadWords(this.data, this.more.notes)
    return this.#words
  }

  get tags(): ReadonlySet<string> {
    this.#tags ??= new Set(this.data.tags.map(fold))
    return this.#tags
  }
}
