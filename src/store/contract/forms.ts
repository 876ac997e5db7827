// Forms of public addresses, and what was posted to them and is no lead yet, in the store's contract. Times are Unix seconds.
import type { Account } from "../../access/rights.ts"
import type { LeadInput } from "../../lead/fields.ts"
import type { Position } from "./leads.ts"

/** Bytes of a post that is kept apart. */
export const POST_BYTES_MAX = 16 * 1024
export const CAPTCHAS = ["turnstile", "hcaptcha"] as const
export type CaptchaProvider = (typeof CAPTCHAS)[number]

/** `auto` is the one that the browser asks for. */
export const FORM_LANGUAGES = ["auto", "en", "de"] as const
export type FormLanguage = (typeof FORM_LANGUAGES)[number]

export interface FormField {
  /** A lead field, or `attr:NAME`. */
  name: string
  label: string
  required: boolean
  /** The attribute's type; null for a lead field. */
  type: "text" | "number" | "bool" | null
}

export interface FormSettings {
  fields: FormField[]
  source: string
  tags: string[]
  thanks: string
  redirect: string | null
  origins: string[]
  honeypot: string
  /** Seconds that a person needs at least to fill the hosted page in. */
  min_seconds: number
  /** Posts a minute. */
  limit_per_address: number
  limit_per_form: number | null
  consent_text: string | null
  double_opt_in: boolean
  language: FormLanguage
  captcha: { provider: CaptchaProvider; site_key: string; verify_url: string } | null
}

export interface Form extends FormSettings {
  id: string
  name: string
  active: boolean
  /** The captcha's. */
  secret: string | null
  /** The secret as it is stored, where it cannot be decrypted: `secret` is then empty, and an update keeps this. */
  unreadable?: string
  created_at: number
  updated_at: number
}

/** `spam` is kept apart, `waiting` until its link is opened, `confirmed` was opened: its lead is among the others. */
export type FormPostState = "spam" | "waiting" | "confirmed"

export interface FormPost {
  id: string
  form_id: string
  state: FormPostState
  reason: string | null
  /** The folded address of its sender. */
  email: string | null
  /** Undefined once it is confirmed. */
  lead: LeadInput | undefined
  created_at: number
  ends_at: number
  /** A hash of the address that it came from; null where that is not known. */
  sender: string | null
}

export interface FormReads {
  find(account: number, id: string): Promise<Form | undefined>
  /** Oldest first. */
  list(account: number): Promise<Form[]>
  /** The form of a public address with its account. */
  findPublic(id: string): Promise<{ form: Form; account: Account } | undefined>
  findPost(account: number, formId: string, id: string): Promise<FormPost | undefined>
  /** Newest first; `next` is the position of the next page. */
  posts(
    account: number,
    formId: string,
    page: { state: FormPostState; after?: Position | undefined; limit: number },
  ): Promise<{ posts: FormPost[]; next: Position | undefined }>
  /** Posts of a form in a state, counted up to `limit`; with `email` those in its name since `since`, of one sender or of all. */
  countPosts(
    account: number,
    formId: string,
    which: { state: FormPostState; email?: string; sender?: string; since?: number; limit: number },
  ): Promise<number>
}

export interface FormWrites {
  insert(account: number, form: Form): Promise<void>
  update(account: number, form: Form): Promise<void>
  remove(account: number, id: string): Promise<boolean>
  /** Removes some posts of a form; true when there may be more. */
  removePosts(account: number, formId: string): Promise<boolean>
  /**
   * Keeps a post among at most `most` of its state; what waits for room in the plan has room of its own, which spam does not
   * take. The oldest goes of the sender who has most of them; false where nobody has more than a newcomer would. Likewise for
   * the bytes of all posts of the account: at most `bytes`, null for any number.
   */
  keepPost(account: number, post: FormPost, most: number, bytes: number | null): Promise<boolean>
  /** Marks a waiting post as confirmed and forgets its lead. */
  confirmPost(account: number, id: string): Promise<void>
  removePost(account: number, id: string): Promise<void>
  /** Forgets some posts of all accounts whose time is over; true when there may be more. */
  forgetPosts(now: number): Promise<boolean>
}
