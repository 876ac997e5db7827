// Every field of a lead, once. Inputs, answers, merging, filters, sorts, columns, indexes, imports, exports and all
// words about them are derived from this table. `attributes` alone stand beside it: they are what clients add.

export const STATUSES = ["new", "contacted", "qualified", "disqualified", "converted"] as const
export type Status = (typeof STATUSES)[number]

/** Why a person's data may be processed (GDPR, article 6). */
export const LAWFUL_BASES = [
  "consent",
  "contract",
  "legal_obligation",
  "vital_interests",
  "public_task",
  "legitimate_interests",
] as const

/**
 * Numbers and integers are finite, times are Unix seconds. A `moment` is a time that clients set, which may be absent.
 * `id` and `score` have rules of their own.
 */
export type LeadFieldKind =
  | "id"
  | "text"
  | "status"
  | "number"
  | "integer"
  | "moment"
  | "tags"
  | "time"
  | "score"

type Example = string | number | readonly string[]

export interface LeadField {
  kind: LeadFieldKind
  /** A new lead must have it, and no change clears it. */
  required?: true
  /** Null where there is nothing: `null` and `""` clear it. */
  nullable?: true
  /** Set by the service; what clients send is passed over. */
  readOnly?: true
  /** Of a text: 1,000 or 100,000 characters. */
  limit?: "line" | "long"
  /** Of a text: what else it must look like. */
  form?: "email" | "member" | "stage" | "lawful_basis"
  /** Of a number: the least and the most. */
  range?: readonly [low: number, high?: number]
  /** Activity field: stored next to the document, as the score is; updating it is not a change. */
  activity?: true
  /** Worked out of other fields, and not stored. */
  derived?: true
  /** A part of it is found by the text index. */
  searched?: true
  /** Where its words are kept for searching: which weigh more, and what is found at all. */
  searchGroup?: "name" | "kind" | "contact" | "place" | "text"
  /** The engine keeps it in order: lists by it need not read all leads. Needs a migration. */
  indexed?: true
  /**
   * The shape of stored leads that came with it, 1 unless told. Leads of an older shape are read as if it were null
   * there, so only a nullable field can be added. Needs a migration for its column.
   */
  since?: number
  /**
   * The field's number in the trail, where files hold it in place of the name: the next free one, which never changes.
   */
  trail?: number
  /** Other names of the column in files, without case, spaces and punctuation. */
  synonyms?: readonly string[]
  /** Width of its column in a spreadsheet, in characters. */
  width: number
  /** Its description in the API document; `wordsIn` has others by the name of the schema. */
  words?: string
  wordsIn?: Readonly<Record<string, string>>
  /** Its descriptions by the name of a tool, at most 40 characters. */
  toolWords?: Readonly<Record<string, string>>
  /** Its value in examples; null by default. */
  example?: Example
}

/** A field that is kept with the lead has a number in the trail. */
type StoredField = LeadField & { trail: number }
type OtherField = LeadField & ({ kind: "id" | "score" } | { activity: true } | { derived: true })

const EARLIER = 1_795_176_000

/** In the order of an export's columns. In JSON texts come first, then numbers, tags and times. */
export const LEAD_FIELDS = {
  id: {
    kind: "id",
    readOnly: true,
    width: 40,
    wordsIn: {
      Lead: "`cl_` and a UUID.",
      PushedLead: "Id of the new lead, or of the one it was merged into.",
    },
    example: "cl_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3",
  },
  name: {
    kind: "text",
    trail: 4,
    required: true,
    limit: "line",
    searched: true,
    searchGroup: "name",
    indexed: true,
    synonyms: ["fullname"],
    width: 30,
    words: "Name of the person or company.",

    example: "Trattoria Da Nino",
  },
  source: {
    kind: "text",
    trail: 5,
    required: true,
    limit: "line",
    searched: true,
    indexed: true,
    synonyms: ["leadsource", "origin"],
    width: 16,
    words: "Where the lead came from, such as `google_maps`.",
    toolWords: { create_lead: "Such as webform" },
    example: "google_maps",
  },
  email: {
    kind: "text",
    trail: 6,
    nullable: true,
    limit: "line",
    form: "email",
    searched: true,
    searchGroup: "contact",
    indexed: true,
    synonyms: ["mail", "emailaddress", "emailid", "contactemail"],
    width: 30,
    words: "Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates.",
    example: "nino@example.com",
  },
  phone: {
    kind: "text",
    trail: 7,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "contact",
    synonyms: [
      ...["tel", "telephone", "telephonenumber", "phonenumber"],
      ...["mobile", "mobilephone", "cell", "cellphone"],
    ],
    width: 20,
    words: "Free text. Finds duplicates together with a similar name.",
  },
  website: {
    kind: "text",
    trail: 8,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "contact",
    synonyms: ["url", "web", "homepage", "site", "webpage"],
    width: 30,
    words: "Free text.",
  },
  company: {
    kind: "text",
    trail: 24,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "kind",
    indexed: true,
    since: 2,
    synonyms: [
      ...["companyname", "business", "businessname", "organization", "organisation"],
      ...["organizationname", "organisationname", "employer", "firm", "firma"],
    ],
    width: 30,
    words: "Where the person works.",
    example: "Da Nino GmbH",
  },
  job_title: {
    kind: "text",
    trail: 25,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "kind",
    since: 2,
    synonyms: ["title", "position", "role", "jobposition", "jobrole"],
    width: 24,
    words: "What the person does there.",
    example: "Owner",
  },
  linkedin_url: {
    kind: "text",
    trail: 26,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "contact",
    since: 2,
    synonyms: ["linkedin", "linkedinprofile", "linkedinprofileurl", "personlinkedinurl"],
    width: 30,
    words: "Free text.",
  },
  address: {
    kind: "text",
    trail: 9,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "place",
    synonyms: ["street", "streetaddress", "addressline1", "fulladdress"],
    width: 30,
  },
  city: {
    kind: "text",
    trail: 10,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "place",
    indexed: true,
    synonyms: ["town", "locality"],
    width: 16,
    example: "Berlin",
  },
  state: {
    kind: "text",
    trail: 11,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "place",
    indexed: true,
    synonyms: ["region", "province", "county"],
    width: 12,
  },
  country: {
    kind: "text",
    trail: 12,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "place",
    indexed: true,
    synonyms: ["countryname"],
    width: 12,
  },
  postal_code: {
    kind: "text",
    trail: 13,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "place",
    synonyms: ["zip", "zipcode", "postcode", "plz"],
    width: 12,
  },
  latitude: {
    kind: "number",
    trail: 19,
    nullable: true,
    range: [-90, 90],
    synonyms: ["lat"],
    width: 12,
    words: "Degrees north.",
    example: 52.52,
  },
  longitude: {
    kind: "number",
    trail: 20,
    nullable: true,
    range: [-180, 180],
    synonyms: ["lng", "lon", "long"],
    width: 12,
    words: "Degrees east.",
    example: 13.405,
  },
  category: {
    kind: "text",
    trail: 14,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "kind",
    indexed: true,
    synonyms: ["industry", "type", "categories"],
    width: 18,
    example: "restaurant",
  },
  description: {
    kind: "text",
    trail: 15,
    nullable: true,
    limit: "long",
    searched: true,
    searchGroup: "text",
    synonyms: ["about", "summary", "notes", "comment", "comments"],
    width: 50,
    words: "Long text.",
  },
  logo_url: {
    kind: "text",
    trail: 16,
    nullable: true,
    limit: "line",
    searched: true,
    synonyms: ["logo", "image", "imageurl"],
    width: 30,
  },
  rating: {
    kind: "number",
    trail: 21,
    nullable: true,
    indexed: true,
    synonyms: ["stars", "averagerating"],
    width: 8,
    words: "Any number.",
    example: 4.6,
  },
  review_count: {
    kind: "integer",
    trail: 22,
    nullable: true,
    range: [0],
    indexed: true,
    synonyms: ["reviews", "reviewscount", "numberofreviews", "ratingcount", "ratings"],
    width: 14,
    words: "A whole number of at least 0.",
    example: 212,
  },
  tags: {
    kind: "tags",
    trail: 23,
    searchGroup: "kind",
    synonyms: ["labels", "keywords"],
    width: 24,
    words: "At most 100 tags of 200 characters, each once ignoring case.",
    wordsIn: { LeadChanges: "Replaces all tags." },
    toolWords: { update_lead: "Replaces all tags" },
    example: ["italian"],
  },
  source_id: {
    kind: "text",
    trail: 17,
    nullable: true,
    limit: "line",
    searched: true,
    searchGroup: "contact",
    synonyms: ["externalid", "placeid"],
    width: 24,
    words: "Id of the lead in its source. One lead per account has it: it finds duplicates.",
    toolWords: { create_lead: "Id in the source" },
  },
  status: {
    kind: "status",
    trail: 18,
    indexed: true,
    synonyms: ["leadstatus"],
    width: 14,
    words: "Any status may follow any other.",
    wordsIn: { LeadInput: "Default `new`. Any status may follow any other." },
    example: "new",
  },
  stage: {
    kind: "text",
    trail: 36,
    nullable: true,
    limit: "line",
    form: "stage",
    since: 5,
    width: 40,
    words: "Id of a stage of the account. Setting it sets the status; another status leaves it.",
    wordsIn: { LeadInput: "Id or name of a stage of the account, which sets the status." },
    toolWords: { create_lead: "Id or name" },
  },
  lost_reason: {
    kind: "text",
    trail: 37,
    nullable: true,
    limit: "line",
    since: 5,
    synonyms: ["lossreason", "closedlostreason", "verlustgrund"],
    width: 30,
    words: "Why the lead was lost.",
  },
  value: {
    kind: "number",
    trail: 38,
    nullable: true,
    since: 5,
    synonyms: ["dealvalue", "leadvalue", "dealamount", "estimatedvalue", "auftragswert"],
    width: 12,
    words: "What the lead is worth, in the account's currency.",
  },
  owner: {
    kind: "text",
    trail: 27,
    nullable: true,
    limit: "line",
    form: "member",
    synonyms: [
      ...["leadowner", "contactowner", "recordowner", "accountowner", "dealowner", "assignedto", "assignee"],
      ...["leadbesitzer", "kontaktbesitzer", "betreuer", "zustandig", "verantwortlich", "zugewiesenan"],
    ],
    since: 3,
    width: 40,
    words: "Id of the member who looks after the lead.",
    toolWords: { create_lead: "Member id" },
  },
  next_step: {
    kind: "text",
    trail: 28,
    nullable: true,
    limit: "line",
    since: 3,
    synonyms: ["nachsterschritt"],
    width: 30,
    words: "What is to be done next.",
  },
  next_step_at: {
    kind: "moment",
    trail: 29,
    nullable: true,
    since: 3,
    synonyms: [
      ...["due", "followupdate", "followupon", "nextfollowup", "nextstepdate", "nextcontactdate"],
      ...["fallig", "falligam", "wiedervorlage", "wiedervorlageam", "nachsterkontakt", "ruckrufam"],
    ],
    width: 14,
    words: "When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent.",
    wordsIn: { Lead: "When the next step is due, in Unix seconds." },
  },
  lawful_basis: {
    kind: "text",
    trail: 30,
    nullable: true,
    limit: "line",
    form: "lawful_basis",
    since: 3,
    synonyms: ["legalbasis", "gdprlegalbasis", "legalbasisforprocessing", "rechtsgrundlage", "baselegale"],
    width: 20,
    words: `Why the person's data may be kept: ${LAWFUL_BASES.map((basis) => `\`${basis}\``).join(", ")}.`,
  },
  consent: {
    kind: "text",
    trail: 31,
    nullable: true,
    limit: "line",
    since: 3,
    synonyms: ["consenttext", "einwilligung", "einwilligungstext"],
    width: 30,
    words: "What the person agreed to, in the words shown.",
  },
  consent_at: {
    kind: "moment",
    trail: 32,
    nullable: true,
    since: 3,
    synonyms: ["consentdate", "consenttime", "consenttimestamp", "einwilligungam", "datumdereinwilligung"],
    width: 14,
    words: "When the person agreed: Unix seconds or an ISO date.",
    wordsIn: { Lead: "When the person agreed, in Unix seconds." },
  },
  email_status: {
    kind: "text",
    trail: 35,
    readOnly: true,
    nullable: true,
    limit: "line",
    since: 4,
    width: 14,
    words:
      "What is known of the email: `ok`, `role` (a shared mailbox such as `info@`), `disposable`, `no_mx` (its domain takes no mail), `bounced`, or `unknown`; null without one.",
    example: "unknown",
  },
  company_id: {
    kind: "text",
    trail: 39,
    readOnly: true,
    nullable: true,
    limit: "line",
    indexed: true,
    since: 5,
    width: 24,
    words:
      "The company that it is of, by the domain of its website or email, else by its company and city: see `GET /companies`. Null where nothing says it.",
    example: "co_8f1d2c7a90b34e56",
  },
  created_at: {
    kind: "time",
    trail: 1,
    readOnly: true,
    indexed: true,
    width: 14,
    words: "Unix seconds.",
    example: EARLIER,
  },
  updated_at: {
    kind: "time",
    trail: 2,
    readOnly: true,
    indexed: true,
    width: 14,
    words: "Unix seconds.",
    wordsIn: { Lead: "Unix seconds. Moves when a field, tag or attribute really changes." },
    example: EARLIER,
  },
  last_interaction_at: {
    kind: "time",
    trail: 3,
    readOnly: true,
    indexed: true,
    width: 20,
    words: "Unix seconds.",
    wordsIn: { Lead: "Unix seconds. Moves on every push and update.", PushedLead: "Unix seconds." },
    example: EARLIER,
  },
  last_note_at: {
    kind: "time",
    readOnly: true,
    nullable: true,
    activity: true,
    width: 14,
    words: "Unix seconds of the newest note that it has; null without notes.",
  },
  note_count: {
    kind: "integer",
    readOnly: true,
    activity: true,
    range: [0],
    width: 12,
    words: "How many notes it has.",
    example: 0,
  },
  last_contacted_at: {
    kind: "time",
    readOnly: true,
    nullable: true,
    activity: true,
    width: 18,
    words:
      "Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count.",
  },
  last_touched_at: {
    kind: "time",
    readOnly: true,
    derived: true,
    width: 16,
    words: "Unix seconds of the latest push, change, note or contact.",
    example: EARLIER,
  },
  score: {
    kind: "score",
    readOnly: true,
    indexed: true,
    width: 8,
    wordsIn: {
      Lead: "0 to 100, from the scoring rules; 0 until rules apply.",
      PushedLead: "0 to 100, from the scoring rules.",
    },
    example: 60,
  },
} as const satisfies Record<string, StoredField | OtherField>

type Table = typeof LEAD_FIELDS
export type LeadFieldName = keyof Table
/** The names of the fields of some kinds. */
export type LeadFieldOf<K extends LeadFieldKind> = {
  [F in LeadFieldName]: Table[F]["kind"] extends K ? F : never
}[LeadFieldName]

/** The names of the fields that tell what was done with a lead. */
export type ActivityField = {
  [F in LeadFieldName]: Table[F] extends { activity: true } ? F : never
}[LeadFieldName]

/** The names of the fields that are worked out of others. */
export type DerivedField = {
  [F in LeadFieldName]: Table[F] extends { derived: true } ? F : never
}[LeadFieldName]

/** The names of the texts that the service sets. */
export type ReadOnlyText = {
  [F in LeadFieldName]: Table[F] extends { kind: "text"; readOnly: true } ? F : never
}[LeadFieldName]

/** The names of the fields in the order of the table. */
export const LEAD_FIELD_NAMES = Object.keys(LEAD_FIELDS) as LeadFieldName[]

/** The table's entry of a field. */
export function leadField(name: LeadFieldName): LeadField {
  return LEAD_FIELDS[name]
}

/** The names of the fields of some kinds, in the order of the table. */
export function fieldsOfKind<K extends LeadFieldKind>(...kinds: K[]): readonly LeadFieldOf<K>[] {
  return LEAD_FIELD_NAMES.filter((name): name is LeadFieldOf<K> =>
    kinds.some((kind) => kind === LEAD_FIELDS[name].kind),
  )
}

/** The names of the fields that the table says something of. */
export function fieldsThatAre(
  flag: "required" | "nullable" | "readOnly" | "activity" | "derived" | "searched" | "indexed",
): ReadonlySet<string> {
  return new Set(LEAD_FIELD_NAMES.filter((name) => leadField(name)[flag]))
}
