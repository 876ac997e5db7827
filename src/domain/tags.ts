/** The chapters of the API reference in their order, with their introductions. */
export const TAGS = {
  Leads: "The records of an account: pushed, merged, listed, changed.",
  Batches: "Many leads in one request.",
  Imports: "Leads from files of other programs, and the mappings of their columns.",
  "Do not contact":
    "Emails, domains and phones that must not be contacted, and erased people: such leads are refused.",
  Exports: "Leads as a CSV, JSON, XLSX or vCard file.",
  Duplicates: "Leads that may be the same, with reasons; merging them, and undoing a merge.",
  Attributes: "Typed custom fields of a lead, for filters, sorting and scoring.",
  Notes: "Free text on a lead.",
  Activities: "The log of calls, emails and meetings with leads: contacts, which notes are not.",
  Templates: "Mails with fields of leads in them, for the mail program of who writes.",
  Segments: "Filters, a search and a sort saved under one name.",
  Companies: "The firms that leads are of, found out from what they say.",
  Stages: "Steps of one's own within the five statuses, as boards show them.",
  Links: "Public addresses that show chosen fields of a segment's leads to people without a key.",
  Scoring: "Rules that make the score of each lead.",
  Changes: "The audit trail: every change of every lead, as a list or a feed, and reverting changes.",
  Jobs: "Long work that goes on after its request was answered.",
  Webhooks: "Events pushed to your own address.",
  Forms: "Public addresses that leads come in by, and the spam that was kept apart.",
  Privacy:
    "Rules by which leads are erased that are not needed any more, everything about a person, and what was erased.",
  Account: "The account's plan and settings.",
  "API keys": "For owners: keys of the account, and the log of what was done with them.",
  Sessions: "Signing in with a browser.",
  Members: "The people of the account.",
  Stats: "Numbers about the account.",
} as const

export type ApiChapter = keyof typeof TAGS
