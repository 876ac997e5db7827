/** Known state of an email: see the field in the table of lead fields. */
export const EMAIL_STATUSES = ["ok", "role", "disposable", "no_mx", "bounced", "unknown"] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]
