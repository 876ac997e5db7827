import {
  type Form,
  type FormPost,
  type FormReads,
  type FormSettings,
  type FormWrites,
  POST_BYTES_MAX,
} from "../contract/store.ts"
import { formPlace } from "../shared/sealing.ts"
import { type Salt, type Secrets, UnreadableSecretError } from "../shared/secrets.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows, belowOf, pageOf, rowAs } from "../sql/rows.ts"
import type { TableRow } from "../sql/schema/index.ts"
import { ACCOUNT_COLUMNS, accountOf, type WithAccount } from "./api-keys.ts"
import { SALT, saltOf } from "./secrets.ts"

type Stored = Omit<TableRow<"forms">, "rid" | "account_id"> & { salt: Salt }
type StoredPost = TableRow<"form_posts">

const COLUMNS = ["id", "name", "active", "settings", "secret", "created_at", "updated_at"] as const
const ROWS = accountRows("forms", COLUMNS)
const FORM = `SELECT ${COLUMNS.join(", ")}, ${SALT} AS salt FROM forms WHERE account_id = $1`
const FIND = `${FORM} AND id = $2`
const LIST = `${FORM} ORDER BY rid`
const PUBLIC = `SELECT ${COLUMNS.map((name) => `f.${name}`).join(", ")}, ${SALT} AS salt, ${ACCOUNT_COLUMNS}
  FROM forms f JOIN accounts a ON a.key = f.account_id WHERE f.id = $1`

const POST_COLUMNS = [
  ...(["id", "form_id", "state", "reason", "email", "lead", "created_at", "ends_at", "sender"] as const),
]
const POST_ROWS = accountRows("form_posts", POST_COLUMNS)
const POST = POST_COLUMNS.join(", ")
const FIND_POST = `SELECT ${POST} FROM form_posts WHERE account_id = $1 AND form_id = $2 AND id = $3`
const POSTS = `SELECT rid, ${POST} FROM form_posts WHERE account_id = $1 AND form_id = $2 AND state = $3
  AND rid < $4 ORDER BY rid DESC LIMIT $5`
const COUNT = `SELECT count(*)::int AS n FROM (SELECT 1 FROM form_posts
  WHERE account_id = $1 AND form_id = $2 AND state = $3 LIMIT $4) AS few`
const COUNT_OF = `SELECT count(*)::int AS n FROM (SELECT 1 FROM form_posts
  WHERE account_id = $1 AND form_id = $2 AND state = $3 AND email = $5 AND created_at >= $6
    AND ($7::text IS NULL OR sender = $7) LIMIT $4) AS few`

function asForm(secrets: Secrets, account: number, row: Stored): Form {
  const { id, name, salt, secret, created_at, updated_at } = row
  const settings: FormSettings = { language: "auto", ...JSON.parse(row.settings) }
  const form = { id, name, created_at, updated_at, ...settings, active: Boolean(row.active) }
  try {
    return { ...form, secret: secrets.read(secret, formPlace(account, id), salt) }
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
    find: (account, id) => rowAs(db.get<Stored>(FIND, [account, id]), (row) => asForm(secrets, account, row)),
    list: async (account) =>
      (await db.all<Stored>(LIST, [account])).map((row) => asForm(secrets, account, row)),
    findPost: (account, formId, id) => rowAs(db.get<StoredPost>(FIND_POST, [account, formId, id]), asPost),
    async posts(account, formId, { state, after, limit }) {
      const rows = await db.all<StoredPost>(POSTS, [account, formId, state, belowOf(after), limit + 1])
      const { page, next } = pageOf(rows, limit)
      return { posts: page.map(asPost), next }
    },
    async countPosts(account, formId, { state, email, sender = null, since = 0, limit }) {
      const params = [account, formId, state, limit]
      const row =
        email === undefined
          ? await db.get<{ n: number }>(COUNT, params)
          : await db.get<{ n: number }>(COUNT_OF, [...params, email, since, sender])
      return row?.n ?? 0
    },
  }
}

/** Finds forms by their public addresses, with the account that each belongs to. */
export function formsByAddress(db: Db, secrets: Secrets): FormReads["findPublic"] {
  return async (id) => {
    const row = await db.get<Stored & WithAccount>(PUBLIC, [id])
    return row && { form: asForm(secrets, row.account_key, row), account: accountOf(row) }
  }
}

/** Posts that share their room. */
const ROOM = `account_id = $1 AND form_id = $2 AND state = $3 AND (coalesce(reason, '') = 'leads_limit_reached') = $4`
const SENDER = "coalesce(sender, '')"
const HELD = `SELECT count(*)::int AS held, (count(*) FILTER (WHERE ${SENDER} = $5))::int AS own
  FROM form_posts WHERE ${ROOM}`
const GREATEST = `SELECT ${SENDER} AS sender, count(*)::int AS n FROM form_posts WHERE ${ROOM}
  GROUP BY 1 ORDER BY n DESC LIMIT 1`
const DROP = `DELETE FROM form_posts WHERE rid =
  (SELECT min(rid) FROM form_posts WHERE ${ROOM} AND ${SENDER} = $5)`
const SIZE = "octet_length(lead)"
const MANY = `SELECT count(*)::int AS n FROM (SELECT 1 FROM form_posts WHERE account_id = $1 LIMIT $2) AS few`
const LARGEST = `SELECT form_id, ${SENDER} AS sender, sum(${SIZE})::bigint AS own, sum(sum(${SIZE})) OVER ()::bigint AS held
  FROM form_posts WHERE account_id = $1 GROUP BY 1, 2 ORDER BY own DESC LIMIT 1`
const DROP_BYTES = `DELETE FROM form_posts WHERE rid IN (SELECT rid FROM (
  SELECT rid, sum(${SIZE}) OVER (ORDER BY rid) - ${SIZE} AS before
  FROM form_posts WHERE account_id = $1 AND form_id = $2 AND ${SENDER} = $3) AS own WHERE before < $4)`
const CONFIRM =
  "UPDATE form_posts SET state = 'confirmed', lead = '', email = NULL WHERE account_id = $1 AND id = $2"
/** Posts that one call forgets. */
const AT_ONCE = 100
const REMOVE_POSTS = `DELETE FROM form_posts WHERE rid IN
  (SELECT rid FROM form_posts WHERE account_id = $1 AND form_id = $2 LIMIT ${AT_ONCE})`
const FORGET = `DELETE FROM form_posts WHERE rid IN
  (SELECT rid FROM form_posts WHERE ends_at <= $1 ORDER BY ends_at LIMIT ${AT_ONCE})`

export function formWrites(db: WriteDb, secrets: Secrets): FormWrites {
  async function stored(account: number, form: Form) {
    const { id, name, active, secret, unreadable, created_at, updated_at, ...settings } = form
    const sealed = unreadable ?? secrets.keep(secret, formPlace(account, id), await saltOf(db))
    return { id, name, active, settings: JSON.stringify(settings), secret: sealed, created_at, updated_at }
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
  async function makeRoomFor(account: number, size: number, most: number | null): Promise<boolean> {
    if (most === null) return true
    // So few cannot take more, whatever is in them.
    const few = Math.floor(most / POST_BYTES_MAX)
    if ((await db.get<{ n: number }>(MANY, [account, few]))!.n < few) return true
    const largest = await db.get<{ form_id: string; sender: string; own: number; held: number }>(LARGEST, [
      account,
    ])
    const over = size + (largest?.held ?? 0) - most
    if (over <= 0) return true
    if (!largest || largest.own < Math.max(over, size)) return false
    db.later(DROP_BYTES, [account, largest.form_id, largest.sender, over])
    return true
  }
  return {
    insert: async (account, form) => db.later(...ROWS.insert(account, await stored(account, form))),
    update: async (account, form) => db.later(...ROWS.update(account, await stored(account, form))),
    remove: async (account, id) => (await db.run(...ROWS.remove(account, id))) > 0,
    removePosts: async (account, formId) => (await db.run(REMOVE_POSTS, [account, formId])) >= AT_ONCE,
    async keepPost(account, post, most, bytes) {
      const lead = post.lead === undefined ? "" : JSON.stringify(post.lead)
      if (!(await makeRoomFor(account, Buffer.byteLength(lead), bytes))) return false
      if (!(await makeRoom(account, post, most))) return false
      db.later(...POST_ROWS.insert(account, { ...post, lead }))
      return true
    },
    async confirmPost(account, id) {
      db.later(CONFIRM, [account, id])
    },
    removePost: async (account, id) => db.later(...POST_ROWS.remove(account, id)),
    forgetPosts: async (now) => (await db.run(FORGET, [now])) >= AT_ONCE,
  }
}
