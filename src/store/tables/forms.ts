import { limitsOf, type Overrides } from "../../core/plans.ts"
import { UTC } from "../../core/time-zone.ts"
import type { Form, FormPost, FormReads, FormSettings, FormWrites } from "../contract/store.ts"
import { formPlace } from "../sealing.ts"
import { type Salt, type Secrets, UnreadableSecretError } from "../secrets.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { TableRow } from "../sql/schema/index.ts"
import { SALT, saltOf } from "./secrets.ts"

type Stored = Omit<TableRow<"forms">, "rid" | "account_id"> & { salt: Salt }
type StoredPost = TableRow<"form_posts">

const SHOWN = "id, name, active, settings, secret, created_at, updated_at"
const FORM = `SELECT ${SHOWN}, ${SALT} AS salt FROM forms WHERE account_id = $1`
const FIND = `${FORM} AND id = $2`
const LIST = `${FORM} ORDER BY rid`
const PUBLIC = `SELECT f.id, f.name, f.active, f.settings, f.secret, f.created_at, f.updated_at, ${SALT} AS salt,
    a.key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit, a.requests_limit, a.batch_limit,
    a.storage_limit, a.default_country, a.time_zone
  FROM forms f JOIN accounts a ON a.key = f.account_id WHERE f.id = $1`

interface WithAccount extends Stored, Overrides {
  key: number
  account: string
  account_name: string
  plan: string
  default_country: string | null
  time_zone: string | null
}

const POST = "id, form_id, state, reason, email, lead, created_at, ends_at, sender"
const FIND_POST = `SELECT ${POST} FROM form_posts WHERE account_id = $1 AND form_id = $2 AND id = $3`
const POSTS = `SELECT rid, ${POST} FROM form_posts WHERE account_id = $1 AND form_id = $2 AND state = $3
  AND rid < $4 ORDER BY rid DESC LIMIT $5`
/** Above every number of a row. */
const FIRST = String(Number.MAX_SAFE_INTEGER)
const COUNT = `SELECT count(*)::int AS n FROM (SELECT 1 FROM form_posts
  WHERE account_id = $1 AND form_id = $2 AND state = $3 LIMIT $4) AS few`
const COUNT_OF = `SELECT count(*)::int AS n FROM (SELECT 1 FROM form_posts
  WHERE account_id = $1 AND form_id = $2 AND state = $3 AND email = $5 AND created_at >= $6 LIMIT $4) AS few`

function asForm(secrets: Secrets, account: number, { salt, active, settings, secret, ...row }: Stored): Form {
  const form = { ...row, ...(JSON.parse(settings) as FormSettings), active: Boolean(active) }
  try {
    return { ...form, secret: secrets.read(secret, formPlace(account, row.id), salt) }
  } catch (error) {
    // It fails for this form alone, where its secret is needed.
    if (!(error instanceof UnreadableSecretError) || secret === null) throw error
    return { ...form, secret: "", unreadable: secret }
  }
}

function asPost({ rid: _, ...post }: StoredPost): FormPost {
  const lead = post.lead === "" ? undefined : JSON.parse(post.lead)
  return { ...post, state: post.state as FormPost["state"], lead }
}

export function formReads(db: Db, secrets: Secrets): Omit<FormReads, "findPublic"> {
  return {
    async find(account, id) {
      const row = await db.get<Stored>(FIND, [account, id])
      return row && asForm(secrets, account, row)
    },
    list: async (account) =>
      (await db.all<Stored>(LIST, [account])).map((row) => asForm(secrets, account, row)),
    async findPost(account, formId, id) {
      const row = await db.get<StoredPost>(FIND_POST, [account, formId, id])
      return row && asPost(row)
    },
    async posts(account, formId, { state, after = FIRST, limit }) {
      const rows = await db.all<StoredPost>(POSTS, [account, formId, state, Number(after), limit + 1])
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? String(page.at(-1)!.rid) : undefined
      return { posts: page.map(asPost), next }
    },
    async countPosts(account, formId, { state, email, since = 0, limit }) {
      const params = [account, formId, state, limit]
      const row =
        email === undefined
          ? await db.get<{ n: number }>(COUNT, params)
          : await db.get<{ n: number }>(COUNT_OF, [...params, email, since])
      return row?.n ?? 0
    },
  }
}

/** Finds forms by their public addresses, with the account that each belongs to. */
export function formsByAddress(db: Db, secrets: Secrets): FormReads["findPublic"] {
  return async (id) => {
    const row = await db.get<WithAccount>(PUBLIC, [id])
    if (!row) return undefined
    const { key, account, account_name, plan, default_country } = row
    const time_zone = row.time_zone ?? UTC
    const { name, active, settings, secret, created_at, updated_at, salt } = row
    const stored = { id, name, active, settings, secret, created_at, updated_at, salt }
    return {
      form: asForm(secrets, key, stored),
      account: {
        key,
        id: account,
        name: account_name,
        plan,
        limits: limitsOf(plan, row),
        default_country,
        time_zone,
      },
    }
  }
}

const INSERT = `INSERT INTO forms (account_id, ${SHOWN}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
const UPDATE = `UPDATE forms SET name = $3, active = $4, settings = $5, secret = $6, updated_at = $7
  WHERE account_id = $1 AND id = $2`
const KEEP = `INSERT INTO form_posts (account_id, ${POST}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
/** Posts that share their room. */
const ROOM = `account_id = $1 AND form_id = $2 AND state = $3 AND (coalesce(reason, '') = 'leads_limit_reached') = $4`
const SENDER = "coalesce(sender, '')"
const HELD = `SELECT count(*)::int AS held, (count(*) FILTER (WHERE ${SENDER} = $5))::int AS own
  FROM form_posts WHERE ${ROOM}`
const GREATEST = `SELECT ${SENDER} AS sender, count(*)::int AS n FROM form_posts WHERE ${ROOM}
  GROUP BY 1 ORDER BY n DESC LIMIT 1`
const DROP = `DELETE FROM form_posts WHERE rid =
  (SELECT min(rid) FROM form_posts WHERE ${ROOM} AND ${SENDER} = $5)`
const CONFIRM =
  "UPDATE form_posts SET state = 'confirmed', lead = '', email = NULL WHERE account_id = $1 AND id = $2"
const REMOVE_POST = "DELETE FROM form_posts WHERE account_id = $1 AND id = $2"
/** Posts that one call forgets. */
const AT_ONCE = 100
const REMOVE_POSTS = `DELETE FROM form_posts WHERE rid IN
  (SELECT rid FROM form_posts WHERE account_id = $1 AND form_id = $2 LIMIT ${AT_ONCE})`
const FORGET = `DELETE FROM form_posts WHERE rid IN
  (SELECT rid FROM form_posts WHERE ends_at <= $1 ORDER BY ends_at LIMIT ${AT_ONCE})`

export function formWrites(db: WriteDb, secrets: Secrets): FormWrites {
  async function stored(account: number, form: Form) {
    const { id, name, active, secret, unreadable, created_at, updated_at, ...settings } = form
    const kept = unreadable ?? secrets.keep(secret, formPlace(account, id), await saltOf(db))
    return { id, name, active, settings: JSON.stringify(settings), kept, created_at, updated_at }
  }
  async function makeRoom(account: number, post: FormPost, most: number): Promise<boolean> {
    const { form_id, state, reason } = post
    const sender = post.sender ?? ""
    const room = [account, form_id, state, reason === "leads_limit_reached"]
    const { held, own } = (await db.get<{ held: number; own: number }>(HELD, [...room, sender]))!
    if (held < most) return true
    const greatest = (await db.get<{ sender: string; n: number }>(GREATEST, room))!
    const isFlood = greatest.n > own + 1
    if (!isFlood && own === 0) return false
    db.later(DROP, [...room, isFlood ? greatest.sender : sender])
    return true
  }
  return {
    async insert(account, form) {
      const { id, name, active, settings, kept, created_at, updated_at } = await stored(account, form)
      db.later(INSERT, [account, id, name, active, settings, kept, created_at, updated_at])
    },
    async update(account, form) {
      const { id, name, active, settings, kept, updated_at } = await stored(account, form)
      db.later(UPDATE, [account, id, name, active, settings, kept, updated_at])
    },
    remove: async (account, id) =>
      (await db.run("DELETE FROM forms WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    removePosts: async (account, formId) => (await db.run(REMOVE_POSTS, [account, formId])) >= AT_ONCE,
    async keepPost(account, post, most) {
      if (!(await makeRoom(account, post, most))) return false
      const { id, form_id, state, reason, email, lead, created_at, ends_at, sender } = post
      const text = lead === undefined ? "" : JSON.stringify(lead)
      db.later(KEEP, [account, id, form_id, state, reason, email, text, created_at, ends_at, sender])
      return true
    },
    async confirmPost(account, id) {
      db.later(CONFIRM, [account, id])
    },
    async removePost(account, id) {
      db.later(REMOVE_POST, [account, id])
    },
    forgetPosts: async (now) => (await db.run(FORGET, [now])) >= AT_ONCE,
  }
}
