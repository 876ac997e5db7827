// leaddb-client: what its users import.
export { type ClientOptions, createLeaddbClient, type ImportFile, type LeaddbClient } from "./client.ts"
export { type ErrorCode, LeaddbError } from "./error.ts"
export type { Fetch, Retry } from "./retry.ts"
export type { components, operations, paths, webhooks } from "./schema.ts"
export type * from "./types.ts"
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./webhook.ts"
