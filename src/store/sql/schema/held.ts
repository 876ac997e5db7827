// What a column may hold of the person that a lead is about, and by that how an erasure finds it. Every column of texts or
// bytes says so where it is declared.

export const HELD = {
  none: "ids, states, hashes, keys, and words of the service: nothing of a person",
  members: "what members sign in with, set up and call things: theirs, which an erasure leaves",
  passing: "input of work that is under way, deleted with its end or at an erasure",
  lead: "a lead's own rows and what is derived of them: goes with the lead",
  trail: "the changes of the lead and of leads that were merged with it",
  merge: "what undoes merges of the lead, and why its pairs looked the same",
  event: "events that tell of the lead, with what receivers answered",
  answer:
    "answers kept for repeated requests, sealed with a key that is not stored: those of the times when the lead changed",
  entry: "entries of the do-not-contact list, which become hashes",
  searched: "texts that may name the person without the lead: searched for its values",
} as const
export type Held = keyof typeof HELD
