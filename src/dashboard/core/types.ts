// What the dashboard reads of the API, as its document says.

export const STATUSES = ["new", "contacted", "qualified", "disqualified", "converted"] as const
export type Status = (typeof STATUSES)[number]
export type Role = "owner" | "editor" | "viewer"

export interface Attribute {
  id: string
  name: string
  type: "text" | "number" | "bool" | "list" | "object"
  value: unknown
}

export interface Lead {
  id: string
  name: string
  status: Status
  score: number
  tags: string[]
  attributes: Attribute[]
  email: string | null
  phone: string | null
  website: string | null
  company?: string | null
  job_title?: string | null
  city: string | null
  category: string | null
  source: string
  latitude: number | null
  longitude: number | null
  created_at: number
}

export interface LeadPage {
  leads: Lead[]
  next_cursor: string | null
  has_more: boolean
  count: number
  total?: number
  warnings?: string[]
}

export interface Note {
  id: string
  lead_id: string
  content: string
  created_at: number
}

export interface Change {
  id: string
  lead_id: string
  actor_id: string
  action: "created" | "updated" | "merged" | "deleted"
  before: Partial<Lead> | null
  after: Partial<Lead> | null
  reason: string | null
  batch_id?: string | null
  created_at: number
}

export interface Stats {
  total_leads: number
  by_status: Record<Status, number>
  by_source: Record<string, number>
  score: {
    average: number | null
    min: number | null
    max: number | null
    hot: number
    warm: number
    cold: number
  }
  with_email: number
  with_phone: number
  created_last_7_days: number
  created_last_30_days: number
  plan: { name: string; leads_limit: number | null; leads_used: number }
}

export interface Actor {
  kind: "member" | "key" | "code"
  id: string | null
  name: string
}

export interface Session {
  id: string | null
  role: Role
  actor: Actor
  account: {
    id: string
    name: string
    plan: string
    limits: { leads: number | null; requests: number | null; batch: number }
  }
  expires_at: number | null
}

export interface ListedSession {
  id: string
  role: Role
  actor: Actor
  agent: string
  current: boolean
  created_at: number
  last_used_at: number
  expires_at: number
}

export interface Member {
  id: string
  name: string
  role: Role
  created_at: number
  joined_at: number | null
  invite_expires_at: number | null
  passkeys: number
  has_password: boolean
}
export type InvitedMember = Member & { invite: string; invite_url: string }

export interface ApiKey {
  id: string
  name: string
  prefix: string
  role: Role
  kind?: "key" | "sign_in"
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

export interface Rule {
  id: string
  name: string
  expression: string
  weight: number
  priority: number
}

export interface Webhook {
  id: string
  url: string
  events: string[]
  active: boolean
  has_secret: boolean
  disabled_reason?: string
  created_at: number
}

export interface Delivery {
  id: string
  event: string
  status: "pending" | "succeeded" | "failed" | "expired"
  attempts: number
  code: number | null
  error: string | null
  milliseconds: number | null
  answer: string | null
  next_attempt_at: number | null
  created_at: number
}
