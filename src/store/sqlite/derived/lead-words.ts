// The table of words: how it is filled. How words are folded and grouped is core's.
import type { Database } from "bun:sqlite"
import { leadWords, WORD_GROUP_NAMES } from "../../../lead/lead-words.ts"
import { prepare } from "../connection/database.ts"
import { knownWords } from "./known-words.ts"
import type { DerivedTable } from "./table.ts"
import { signOf } from "./word-match.ts"

/**
 * The words of leads and their notes. Words come folded, each behind two characters that stand for its account: an
 * account searches among its own words alone. Prefixes of two letters (four characters) have lists of their own. Known
 * words are those of letters, for finding what a mistyped one was meant to be: each also backwards, behind a "<". Words
 * that no lead has any more stay, unless they are erased.
 */
export const lead_words: DerivedTable = {
  name: "lead_words",
  version: 1,
  create: `CREATE VIRTUAL TABLE lead_words USING fts5 (
    ${WORD_GROUP_NAMES.join(", ")}, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4'
  );
  CREATE TABLE known_words (
    account_id INTEGER NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (account_id, word)
  ) STRICT, WITHOUT ROWID;`,
  open(index: Database) {
    const drop = prepare(index, "DELETE FROM lead_words WHERE rowid = ?")
    const marks = WORD_GROUP_NAMES.map(() => "?").join(", ")
    const add = prepare(
      index,
      `INSERT INTO lead_words (rowid, ${WORD_GROUP_NAMES.join(", ")}) VALUES (?, ${marks})`,
    )
    const forget = prepare(index, "DELETE FROM known_words WHERE account_id = ?")
    const remember = knownWords(index)
    return {
      apply(changes) {
        remember.begin()
        for (const { account, ref, lead, notes, isNew } of changes) {
          if (!isNew) drop.run(ref)
          if (!lead) continue
          const words = leadWords(lead, notes)
          const sign = signOf(account)
          add.run(ref, ...WORD_GROUP_NAMES.map((group) => signed(sign, words[group])))
          remember.add(account, words)
        }
        remember.end()
      },
      forget: (account) => void forget.run(account),
    }
  },
}

function signed(sign: string, words: readonly string[]): string {
  return words.length === 0 ? "" : sign + words.join(` ${sign}`)
}
