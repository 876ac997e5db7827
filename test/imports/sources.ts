// Files in the shape of other programs' exports, with the dirt of real ones, and the fields that each row must have.
import { csv, type Invented, records, two } from "./records.ts"

export interface Source {
  name: string
  file: string
  /** The preset it must be taken for; null for none. */
  preset: string | null
  content: string | Uint8Array
  /** The standard fields of each row's lead: no other may be filled. */
  want: readonly Record<string, unknown>[]
  /** Attributes that some row must have, by name. */
  attributes?: Readonly<Record<string, unknown>>
}

const json = JSON.stringify
const every = (n: number, r: Invented) => r.i % n === 0

/**
 * A source out of a table: columns with their cells, and the field that has a cell as it is; `want` are the fields beside
 * those.
 */
function table(
  source: Omit<Source, "content" | "want"> & {
    above?: string
    delimiter?: string
    encoding?: BufferEncoding
  },
  columns: readonly (readonly [name: string, cell: (r: Invented) => unknown, field?: string])[],
  want: (r: Invented) => Record<string, unknown>,
): Source {
  const { above = "", delimiter, encoding = "utf8", ...rest } = source
  const text =
    above +
    csv(
      columns.map(([name]) => name),
      records.map((r) => columns.map(([, of]) => of(r))),
      delimiter,
    )
  const asItIs = (r: Invented) =>
    columns.flatMap(([, of, field]) => (field && of(r) !== "" ? [[field, of(r)]] : []))
  return {
    ...{ ...rest, content: Buffer.from(text, encoding) },
    want: records.map((r) => ({ ...Object.fromEntries(asItIs(r)), ...want(r) })),
  }
}

const person = (r: Invented) => `${r.first} ${r.last}`
const isoTime = (r: Invented) => `2024-03-${two(r.day)} 10:22:00`
const leadStatuses = ["New", "Open", "Attempted to contact", "Unqualified", "Connected"]
const asStatus = ["new", "new", "contacted", "disqualified", "contacted"]
const placeId = (r: Invented) => `ChIJ${"abcdefghijk"}${1_000 + r.i}`
const cid = (r: Invented) => `12345678901234${10_000 + r.i}`

const place = (r: Invented) => ({
  name: r.company,
  source: "google_maps",
  category: r.industry,
  address: `${r.street}, ${r.zip} ${r.city}, Germany`,
  ...(every(4, r) ? {} : { website: `https://${r.domain}/` }),
  ...(every(5, r) ? {} : { phone: r.phone }),
  city: r.city,
  postal_code: r.zip,
  country: "DE",
  latitude: r.lat,
  longitude: r.lng,
  rating: r.rating,
  review_count: r.reviews,
})

const gosom = table(
  {
    name: "gosom CSV",
    file: "results.csv",
    preset: "google_maps",
    attributes: { status: "Open ⋅ Closes 11 pm", timezone: "Europe/Berlin" },
  },
  [
    ["input_id", (r) => `in-${r.i % 3}`],
    ["link", (r) => `https://www.google.com/maps/place/${r.i}`],
    ["title", (r) => r.company],
    ["category", (r) => r.industry],
    ["address", (r) => `${r.street}, ${r.zip} ${r.city}, Germany`],
    ["open_hours", () => json({ Monday: ["9 am–5 pm"] })],
    ["popular_times", () => "{}"],
    ["website", (r) => (every(4, r) ? "" : `https://${r.domain}/`)],
    ["phone", (r) => (every(5, r) ? "" : r.phone)],
    ["plus_code", () => "GC2M+4V Berlin"],
    ["review_count", (r) => r.reviews],
    ["review_rating", (r) => r.rating.toFixed(6)],
    ["reviews_per_rating", () => json({ 1: 2, 5: 10 })],
    ["latitude", (r) => r.lat.toFixed(6)],
    ["longitude", (r) => r.lng.toFixed(6)],
    ["cid", cid, "source_id"],
    ["status", (r) => (every(2, r) ? "Open ⋅ Closes 11 pm" : "Closed ⋅ Opens 9 am Mon")],
    ["descriptions", (r) => (every(3, r) ? "A place." : "")],
    ["reviews_link", () => "https://search.google.com/local/reviews?x=1"],
    ["thumbnail", (r) => `https://lh5.googleusercontent.com/p/${r.i}=w408`, "logo_url"],
    ["timezone", () => "Europe/Berlin"],
    ["price_range", (r) => (every(2, r) ? "€€" : "")],
    ["data_id", (r) => `0x47a84e373f035901:0x${r.i.toString(16)}`],
    ["images", () => json([{ title: "All", image: "https://lh5/x" }])],
    ["reservations", () => "null"],
    ["order_online", () => "[]"],
    ["menu", () => json({ link: "", source: "" })],
    [
      "owner",
      (r) =>
        json({
          id: String(r.i),
          name: `${r.company} (Owner)`,
          link: "https://www.google.com/maps/contrib/1",
        }),
    ],
    [
      "complete_address",
      (r) =>
        json({
          borough: "Mitte",
          street: r.street,
          city: r.city,
          postal_code: r.zip,
          state: "",
          country: "DE",
        }),
    ],
    ["about", () => json([{ id: "a", name: "Service", options: [{ name: "Delivery", enabled: true }] }])],
    ["user_reviews", () => json([{ Name: "R", Rating: 5, Description: "x".repeat(3_000) }])],
    ["emails", (r) => (every(3, r) ? `${r.email}, second${r.i}@${r.domain}` : "")],
  ],
  (r) => ({
    ...place(r),
    ...(every(3, r) ? { description: "A place.", email: r.email } : {}),
  }),
)

const apifyLead = (r: Invented) => ({
  title: r.company,
  subTitle: null,
  price: every(2, r) ? "$$" : null,
  categoryName: r.industry,
  address: `${r.street}, ${r.zip} ${r.city}, Germany`,
  neighborhood: "Mitte",
  street: r.street,
  city: r.city,
  postalCode: r.zip,
  state: null,
  countryCode: "DE",
  website: every(4, r) ? null : `https://${r.domain}/`,
  phone: every(5, r) ? null : r.phone,
  phoneUnformatted: every(5, r) ? null : r.phone.replaceAll(" ", ""),
  claimThisBusiness: every(2, r),
  location: { lat: r.lat, lng: r.lng },
  totalScore: r.rating,
  permanentlyClosed: false,
  temporarilyClosed: false,
  placeId: placeId(r),
  categories: [r.industry, "Store"],
  fid: `0x47a:0x${r.i}`,
  cid: cid(r),
  reviewsCount: r.reviews,
  reviewsDistribution: { oneStar: 1, fiveStar: 9 },
  imagesCount: r.i,
  openingHours: [{ day: "Monday", hours: "9 AM to 5 PM" }],
  additionalInfo: { "Service options": [{ Delivery: true }] },
  url: `https://www.google.com/maps/place/${r.i}`,
  searchString: "shops",
  scrapedAt: "2024-05-01T10:00:00.000Z",
  imageUrl: `https://lh5.googleusercontent.com/p/${r.i}`,
  ...(every(3, r) ? { emails: [r.email, `b@${r.domain}`] } : {}),
})
const apifyWant = (r: Invented) => ({
  ...place(r),
  source_id: placeId(r),
  logo_url: `https://lh5.googleusercontent.com/p/${r.i}`,
  ...(every(3, r) ? { email: r.email } : {}),
})
const apify: Source = {
  name: "Apify JSON",
  file: "dataset_crawler.json",
  preset: "google_maps",
  content: JSON.stringify(records.map(apifyLead), null, 1),
  want: records.map(apifyWant),
  attributes: { categories: ["Bakery", "Store"], claimThisBusiness: true, imagesCount: 0 },
}

const apifyCsv = table(
  {
    name: "Apify CSV",
    file: "dataset.csv",
    preset: "google_maps",
    attributes: { categories: ["Bakery", "Store"] },
  },
  [
    ["title", (r) => r.company],
    ["totalScore", (r) => r.rating],
    ["reviewsCount", (r) => r.reviews],
    ["street", (r) => r.street],
    ["city", (r) => r.city],
    ["state", () => ""],
    ["countryCode", () => "DE"],
    ["postalCode", (r) => r.zip],
    ["address", (r) => `${r.street}, ${r.zip} ${r.city}, Germany`],
    ["website", (r) => (every(4, r) ? "" : `https://${r.domain}/`)],
    ["phone", (r) => (every(5, r) ? "" : r.phone)],
    ["categoryName", (r) => r.industry],
    ["categories/0", (r) => r.industry],
    ["categories/1", () => "Store"],
    ["location/lat", (r) => r.lat],
    ["location/lng", (r) => r.lng],
    ["emails/0", (r) => (every(3, r) ? r.email : "")],
    ["emails/1", (r) => (every(3, r) ? `b@${r.domain}` : "")],
    ["openingHours/0/day", () => "Monday"],
    ["openingHours/0/hours", () => "9 AM to 5 PM"],
    ["placeId", placeId],
    ["url", (r) => `https://www.google.com/maps/place/${r.i}`],
    ["imageUrl", (r) => `https://lh5.googleusercontent.com/p/${r.i}`],
  ],
  apifyWant,
)

const outscraper = table(
  {
    name: "Outscraper CSV",
    file: "Outscraper-20240301.csv",
    preset: "google_maps",
    attributes: { business_status: "OPERATIONAL", verified: true },
  },
  [
    ["query", () => "shops, berlin"],
    ["name", (r) => r.company],
    ["site", (r) => (every(4, r) ? "" : `https://${r.domain}/`)],
    ["subtypes", (r) => `${r.industry}, Store`],
    ["category", (r) => r.industry],
    ["type", (r) => r.industry],
    ["phone", (r) => (every(5, r) ? "" : r.phone)],
    ["full_address", (r) => `${r.street}, ${r.zip} ${r.city}, Germany`],
    ["borough", () => "Mitte"],
    ["street", (r) => r.street],
    ["city", (r) => r.city],
    ["postal_code", (r) => r.zip],
    ["state", (r) => r.state, "state"],
    ["us_state", () => ""],
    ["country", () => "Germany"],
    ["country_code", () => "DE"],
    ["latitude", (r) => r.lat],
    ["longitude", (r) => r.lng],
    ["time_zone", () => "Europe/Berlin"],
    ["area_service", () => "False"],
    ["rating", (r) => r.rating.toFixed(1)],
    ["reviews", (r) => r.reviews],
    ["reviews_link", () => "https://search.google.com/local/reviews?x"],
    ["photo", (r) => `https://lh5.googleusercontent.com/p/${r.i}`],
    ["working_hours", () => "{'Monday': '9-5'}"],
    ["business_status", () => "OPERATIONAL"],
    ["about", () => json({ Service: { Delivery: true } })],
    ["logo", (r) => `https://lh5.googleusercontent.com/logo/${r.i}`, "logo_url"],
    ["description", (r) => (every(3, r) ? "A place." : "")],
    ["verified", () => "True"],
    ["owner_id", (r) => `1154770${r.i}`],
    ["owner_title", (r) => r.company],
    ["place_id", placeId, "source_id"],
    ["google_id", (r) => `0x47a:0x${r.i}`],
    ["cid", cid],
    ["email_1", (r) => (every(3, r) ? r.email : "")],
    ["email_1_full_name", () => ""],
    ["phone_1", () => ""],
    ["linkedin", () => ""],
    ["website_title", (r) => r.company],
  ],
  (r) => ({
    ...place(r),
    country: "Germany",
    ...(every(3, r) ? { description: "A place.", email: r.email } : {}),
  }),
)

const omkar: Source = {
  name: "omkarcloud NDJSON",
  file: "places.ndjson",
  preset: "google_maps",
  content: records
    .map((r) =>
      json({
        place_id: placeId(r),
        name: r.company,
        description: every(3, r) ? "A place." : null,
        is_spending_on_ads: false,
        reviews: r.reviews,
        rating: r.rating,
        competitors: [{ name: "X", link: "https://x", reviews: 1 }],
        website: every(4, r) ? null : `https://${r.domain}/`,
        phone: every(5, r) ? null : r.phone,
        can_claim: false,
        owner: { id: "1", name: "Bob", link: "https://x" },
        featured_image: `https://lh5.googleusercontent.com/p/${r.i}`,
        main_category: r.industry,
        categories: [r.industry, "Store"],
        workday_timing: "9 AM-5 PM",
        is_temporarily_closed: false,
        address: `${r.street}, ${r.zip} ${r.city}, Germany`,
        link: `https://www.google.com/maps/place/${r.i}`,
        status: "Open",
        coordinates: { latitude: r.lat, longitude: r.lng },
        detailed_address: {
          ward: null,
          street: r.street,
          city: r.city,
          postal_code: r.zip,
          state: null,
          country_code: "DE",
        },
        cid: cid(r),
        query: "shops",
      }),
    )
    .join("\n"),
  want: records.map((r) => ({
    ...place(r),
    source_id: placeId(r),
    logo_url: `https://lh5.googleusercontent.com/p/${r.i}`,
    ...(every(3, r) ? { description: "A place." } : {}),
  })),
  attributes: { status: "Open", can_claim: false },
}

const hubspotContacts = table(
  {
    name: "HubSpot contacts",
    file: "hubspot-crm-exports-all-contacts.csv",
    preset: "hubspot",
    attributes: {
      "Lifecycle Stage": "Lead",
      "Number of Employees": 1_200,
      "Create Date (CET)": "2024-03-01T10:22:00",
      "Lead Status": "Bad timing",
    },
  },
  [
    ["Record ID", (r) => 60_000_100 + r.i],
    ["First Name", (r) => (every(6, r) ? "" : r.first)],
    ["Last Name", (r) => (every(6, r) ? "" : r.last)],
    ["Email", (r) => (every(11, r) ? "not an email" : r.email)],
    ["Phone Number", (r) => (every(5, r) ? "" : r.phone), "phone"],
    ["Contact owner", () => "Bob Owner"],
    ["Last Activity Date (CET)", (r) => (every(2, r) ? isoTime(r) : "")],
    ["Lead Status", (r) => (r.i === 7 ? "Bad timing" : leadStatuses[r.i % 5])],
    ["Marketing contact status", () => "Marketing contact"],
    ["Create Date (CET)", isoTime],
    ["Company Name", (r) => r.company, "company"],
    ["Job Title", (r) => r.title, "job_title"],
    ["Street Address", (r) => r.street, "address"],
    ["City", (r) => r.city, "city"],
    ["State/Region", (r) => r.state, "state"],
    ["Country/Region", (r) => r.country, "country"],
    ["Postal Code", (r) => r.zip, "postal_code"],
    ["Website URL", (r) => `https://${r.domain}`, "website"],
    ["Lifecycle Stage", () => "Lead"],
    ["Number of Employees", (r) => (every(2, r) ? "1,200" : "12")],
  ],
  (r) => ({
    name: every(6, r) ? r.company : person(r),
    source: "hubspot",
    source_id: String(60_000_100 + r.i),
    ...(every(11, r) ? {} : { email: r.email }),
    ...(r.i === 7 ? {} : { status: asStatus[r.i % 5] }),
  }),
)

const hubspotCompanies = table(
  {
    name: "HubSpot companies",
    file: "hubspot-companies.csv",
    preset: "hubspot",
    attributes: { "Annual Revenue": 1_500_000, "Company owner": "Bob" },
  },
  [
    ["Record ID", (r) => 70_000_100 + r.i],
    ["Company name", (r) => (every(9, r) ? "" : r.company)],
    ["Company owner", () => "Bob"],
    ["Create Date (CET)", isoTime],
    ["Phone Number", (r) => r.phone, "phone"],
    ["City", (r) => r.city, "city"],
    ["Country/Region", (r) => r.country, "country"],
    ["Industry", (r) => r.industry, "category"],
    ["Company Domain Name", (r) => r.domain, "website"],
    ["Number of Employees", () => "25"],
    ["Annual Revenue", () => "1500000"],
    ["Description", (r) => `About ${r.company}`, "description"],
    ["LinkedIn Company Page", (r) => `https://www.linkedin.com/company/f${r.i}`, "linkedin_url"],
  ],
  (r) => ({
    name: every(9, r) ? r.domain : r.company,
    source: "hubspot",
    source_id: String(70_000_100 + r.i),
  }),
)

const salesforce = table(
  {
    name: "Salesforce leads",
    file: "report1709289.csv",
    preset: "salesforce",
    encoding: "latin1",
    attributes: { Rating: "Hot", "Annual Revenue": 1_500_000, "Created Date": "2024-01-25" },
  },
  [
    ["Lead Owner", () => "Bob"],
    ["First Name", (r) => latin(r.first)],
    ["Last Name", (r) => latin(r.last)],
    ["Title", (r) => r.title, "job_title"],
    ["Company / Account", (r) => latin(r.company), "company"],
    ["Email", (r) => r.email, "email"],
    ["Phone", (r) => (every(4, r) ? "" : r.phone)],
    ["Mobile", (r) => r.mobile],
    ["Street", (r) => `${r.street}\nFloor 2`],
    ["City", (r) => r.city, "city"],
    ["State/Province", (r) => r.state, "state"],
    ["Zip/Postal Code", (r) => r.zip, "postal_code"],
    ["Country", (r) => r.country, "country"],
    ["Lead Source", (r) => (every(3, r) ? "" : "Web")],
    [
      "Lead Status",
      (r) =>
        ["Open - Not Contacted", "Working - Contacted", "Closed - Converted", "Closed - Not Converted"][
          r.i % 4
        ],
    ],
    ["Rating", () => "Hot"],
    ["Industry", (r) => r.industry, "category"],
    ["Annual Revenue", () => "$1,500,000"],
    ["Created Date", () => "1/25/2024"],
    ["Lead ID", (r) => `00Q5g00000A${1_000 + r.i}`, "source_id"],
  ],
  (r) => ({
    name: `${latin(r.first)} ${latin(r.last)}`,
    phone: every(4, r) ? r.mobile : r.phone,
    address: `${r.street}, Floor 2`,
    source: every(3, r) ? "salesforce" : "Web",
    status: ["new", "contacted", "converted", "disqualified"][r.i % 4],
  }),
)

/** What Latin-1 can write of a text. */
function latin(text: string): string {
  return text.replaceAll(/[^\u0020-\u00ff]/g, "e")
}

const pipedrive = table(
  {
    name: "Pipedrive leads",
    file: "leads-12345.csv",
    preset: "pipedrive",
    attributes: { "Lead - Title": "Deal 0" },
  },
  [
    ["Lead - Title", (r) => `Deal ${r.i}`],
    ["Lead - Value", () => "1500.50"],
    ["Lead - Currency of Value", () => "EUR"],
    ["Lead - Labels", (r) => (every(2, r) ? "Hot, VIP" : "Cold")],
    ["Lead - Owner", () => "Bob"],
    ["Lead - Source", (r) => (every(3, r) ? "" : "Webform")],
    ["Lead - Lead created", isoTime],
    ["Lead - ID", (r) => `3f2504e0-4f89-11d3-9a0c-0305e82c${1_000 + r.i}`, "source_id"],
    ["Person - Name", (r) => (every(7, r) ? "" : person(r))],
    ["Person - Email - Work", (r) => r.email, "email"],
    ["Person - Email - Home", () => ""],
    ["Person - Phone - Work", (r) => (every(4, r) ? "" : r.phone)],
    ["Person - Phone - Mobile", (r) => r.mobile],
    ["Organization - Name", (r) => r.company, "company"],
    ["Organization - Address", (r) => `${r.street}, ${r.zip} ${r.city}`],
  ],
  (r) => ({
    name: every(7, r) ? r.company : person(r),
    tags: every(2, r) ? ["Hot", "VIP"] : ["Cold"],
    source: every(3, r) ? "pipedrive" : "Webform",
    value: 1_500.5,
    phone: every(4, r) ? r.mobile : r.phone,
    address: r.street,
    postal_code: r.zip,
    city: r.city,
    country: "Germany",
  }),
)

const zoho = table(
  {
    name: "Zoho leads",
    file: "Leads_001.csv",
    preset: "zoho",
    attributes: { Rating: "Acquired", "Email Opt Out": false, "No. of Employees": 50 },
  },
  [
    ["Record Id", (r) => `zcrm_56780000001${23_000 + r.i}`, "source_id"],
    ["Lead Owner.id", () => "zcrm_5678000000100001"],
    ["Lead Owner", () => "Bob"],
    ["Company", (r) => r.company, "company"],
    ["First Name", (r) => (every(8, r) ? "" : r.first)],
    ["Last Name", (r) => r.last],
    ["Title", (r) => r.title, "job_title"],
    ["Email", (r) => r.email, "email"],
    ["Phone", (r) => r.phone, "phone"],
    ["Fax", () => ""],
    ["Mobile", (r) => r.mobile],
    ["Website", (r) => `www.${r.domain}`, "website"],
    ["Lead Source", () => "Trade Show", "source"],
    [
      "Lead Status",
      (r) => ["Attempted to Contact", "Contacted", "Junk Lead", "Not Contacted", "Pre-Qualified"][r.i % 5],
    ],
    ["Industry", (r) => r.industry, "category"],
    ["No. of Employees", () => 50],
    ["Annual Revenue", () => 1_000_000],
    ["Rating", () => "Acquired"],
    ["Created Time", isoTime],
    ["Tag", (r) => (every(2, r) ? "a,b" : "")],
    ["Street", (r) => r.street, "address"],
    ["City", (r) => r.city, "city"],
    ["State", (r) => r.state, "state"],
    ["Zip Code", (r) => r.zip, "postal_code"],
    ["Country", (r) => r.country, "country"],
    ["Description", () => "Two\nlines", "description"],
    ["Email Opt Out", () => "false"],
    ["Secondary Email", () => ""],
  ],
  (r) => ({
    name: every(8, r) ? r.last : person(r),
    status: ["contacted", "contacted", "disqualified", "new", "qualified"][r.i % 5],
    ...(every(2, r) ? { tags: ["a", "b"] } : {}),
  }),
)

const apollo = table(
  {
    name: "Apollo contacts",
    file: "apollo-contacts-export.csv",
    preset: "apollo",
    attributes: { "Email Status": "Verified", "# Employees": 250 },
  },
  [
    ["First Name", (r) => r.first],
    ["Last Name", (r) => r.last],
    ["Title", (r) => r.title, "job_title"],
    ["Company", (r) => r.company, "company"],
    ["Company Name for Emails", (r) => r.last],
    ["Email", (r) => (every(5, r) ? "" : r.email), "email"],
    ["Email Status", () => "Verified"],
    ["Seniority", () => "Vp"],
    ["Departments", () => "Sales, Marketing"],
    ["Contact Owner", () => "bob@me.example.com"],
    ["Work Direct Phone", (r) => (every(3, r) ? "" : `'${r.phone}`)],
    ["Mobile Phone", (r) => `'${r.mobile}`],
    ["Corporate Phone", () => ""],
    ["Stage", (r) => ["Cold", "Approaching", "Interested", "Not Interested"][r.i % 4]],
    ["Lists", () => "Berlin shops"],
    ["# Employees", () => 250],
    ["Industry", (r) => r.industry, "category"],
    ["Keywords", () => "saas, b2b, shops"],
    ["Person Linkedin Url", (r) => `http://www.linkedin.com/in/p${r.i}`, "linkedin_url"],
    ["Website", (r) => `http://www.${r.domain}`, "website"],
    ["Company Linkedin Url", (r) => `http://www.linkedin.com/company/c${r.i}`],
    ["City", (r) => r.city, "city"],
    ["State", (r) => r.state, "state"],
    ["Country", (r) => r.country, "country"],
    ["Company Address", (r) => `${r.street}, ${r.city}`, "address"],
    ["Company City", () => "Hamburg"],
    ["Annual Revenue", () => 12_000_000],
    ["Apollo Contact Id", (r) => `5f1a2b3c4d5e6f7a8b9c${1_000 + r.i}`, "source_id"],
  ],
  (r) => ({
    name: person(r),
    phone: every(3, r) ? r.mobile : r.phone,
    status: ["new", "contacted", "qualified", "disqualified"][r.i % 4],
    tags: ["Berlin shops"],
    source: "apollo",
  }),
)

const linkedin = table(
  {
    name: "LinkedIn connections",
    file: "Connections.csv",
    preset: "linkedin",
    above:
      'Notes:\r\n"When exporting your connection data, you may notice that some of the email addresses are missing, by choice."\r\n\r\n',
    attributes: { "Connected On": "2023-10-01" },
  },
  [
    ["First Name", (r) => r.first],
    ["Last Name", (r) => `${r.last}${every(9, r) ? ", MBA" : ""}`],
    ["URL", (r) => `https://www.linkedin.com/in/p${r.i}`, "linkedin_url"],
    ["Email Address", (r) => (every(10, r) ? r.email : "")],
    ["Company", (r) => (every(8, r) ? "" : r.company)],
    ["Position", (r) => (every(8, r) ? "" : r.title)],
    ["Connected On", (r) => `${two(r.day)} Oct 2023`],
  ],
  (r) => ({
    name: `${person(r)}${every(9, r) ? ", MBA" : ""}`,
    ...(every(10, r) ? { email: r.email } : {}),
    ...(every(8, r) ? {} : { company: r.company, job_title: r.title }),
    source: "linkedin",
  }),
)

const googleContacts = table(
  {
    name: "Google Contacts",
    file: "contacts.csv",
    preset: "google_contacts",
    attributes: { "Name Prefix": "Dr.", "Organization Department": "R&D" },
  },
  [
    ["First Name", (r) => (every(7, r) ? "" : r.first)],
    ["Middle Name", () => ""],
    ["Last Name", (r) => (every(7, r) ? "" : r.last)],
    ["Name Prefix", () => "Dr."],
    ["Nickname", () => ""],
    ["File As", () => ""],
    ["Organization Name", (r) => r.company, "company"],
    ["Organization Title", (r) => r.title, "job_title"],
    ["Organization Department", () => "R&D"],
    ["Birthday", () => "1985-03-04"],
    ["Notes", () => "Met at\nthe fair", "description"],
    ["Photo", () => ""],
    ["Labels", () => "Friends ::: * myContacts"],
    ["E-mail 1 - Label", () => "* Work"],
    ["E-mail 1 - Value", (r) => (every(3, r) ? `${r.email} ::: second@${r.domain}` : r.email)],
    ["Phone 1 - Label", () => "Mobile"],
    ["Phone 1 - Value", (r) => `${r.phone} ::: ${r.mobile}`],
    ["Address 1 - Label", () => "Work"],
    ["Address 1 - Formatted", (r) => `${r.street}\n${r.zip} ${r.city}\nDE`],
    ["Address 1 - Street", (r) => r.street],
    ["Address 1 - City", (r) => r.city, "city"],
    ["Address 1 - Region", (r) => r.state, "state"],
    ["Address 1 - Postal Code", (r) => r.zip, "postal_code"],
    ["Address 1 - Country", () => "DE", "country"],
    ["Website 1 - Label", () => ""],
    ["Website 1 - Value", (r) => `https://${r.domain}`, "website"],
  ],
  (r) => ({
    name: every(7, r) ? r.company : person(r),
    tags: ["Friends", "myContacts"],
    email: r.email,
    phone: r.phone,
    address: `${r.street}, ${r.zip} ${r.city}, DE`,
    source: "google_contacts",
  }),
)

const googleContactsOld = table(
  {
    name: "Google Contacts, older",
    file: "google.csv",
    preset: "google_contacts",
    encoding: "utf16le",
    above: "\ufeff",
    attributes: { "E-mail 1 - Type": "* Work" },
  },
  [
    ["Name", person, "name"],
    ["Given Name", (r) => r.first],
    ["Additional Name", () => ""],
    ["Family Name", (r) => r.last],
    ["Yomi Name", () => ""],
    ["Name Prefix", () => ""],
    ["Birthday", () => ""],
    ["Location", () => ""],
    ["Occupation", () => ""],
    ["Notes", () => ""],
    ["Group Membership", () => "* myContacts"],
    ["E-mail 1 - Type", () => "* Work"],
    ["E-mail 1 - Value", (r) => r.email, "email"],
    ["Phone 1 - Type", () => "Mobile"],
    ["Phone 1 - Value", (r) => r.mobile, "phone"],
    ["Organization 1 - Type", () => ""],
    ["Organization 1 - Name", (r) => r.company, "company"],
    ["Organization 1 - Title", (r) => r.title, "job_title"],
  ],
  () => ({
    tags: ["myContacts"],
    source: "google_contacts",
  }),
)

const outlook = table(
  { name: "Outlook", file: "outlook.csv", preset: "outlook", attributes: { Title: "Mr.", Private: false } },
  [
    ["Title", () => "Mr."],
    ["First Name", (r) => (every(6, r) ? "" : r.first)],
    ["Middle Name", () => ""],
    ["Last Name", (r) => (every(6, r) ? "" : r.last)],
    ["Suffix", () => ""],
    ["Company", (r) => r.company, "company"],
    ["Department", () => "Sales"],
    ["Job Title", (r) => r.title, "job_title"],
    ["Business Street", (r) => r.street, "address"],
    ["Business City", (r) => r.city, "city"],
    ["Business State", (r) => r.state, "state"],
    ["Business Postal Code", (r) => r.zip, "postal_code"],
    ["Business Country/Region", (r) => r.country, "country"],
    ["Home Street", () => ""],
    ["Home City", () => ""],
    ["Business Fax", () => "+49 30 99"],
    ["Business Phone", (r) => (every(4, r) ? "" : r.phone)],
    ["Home Phone", () => ""],
    ["Mobile Phone", (r) => r.mobile],
    ["Birthday", () => "0/0/00"],
    ["Categories", () => "Business;VIP"],
    ["E-mail Address", (r) => r.email, "email"],
    ["E-mail Type", () => "SMTP"],
    ["E-mail Display Name", (r) => `${person(r)} (${r.email})`],
    ["Gender", () => "Unspecified"],
    ["Notes", () => "Called twice", "description"],
    ["Priority", () => "Normal"],
    ["Private", () => "False"],
    ["Web Page", (r) => `http://${r.domain}`, "website"],
  ],
  (r) => ({
    name: every(6, r) ? r.company : person(r),
    phone: every(4, r) ? r.mobile : r.phone,
    tags: ["Business", "VIP"],
    source: "outlook",
  }),
)

const mailchimp = table(
  {
    name: "Mailchimp audience",
    file: "subscribed_members_export.csv",
    preset: "mailchimp",
    attributes: { OPTIN_TIME: "2024-03-01T10:22:00", GMTOFF: 1 },
  },
  [
    ["Email Address", (r) => r.email, "email"],
    ["First Name", (r) => (every(3, r) ? "" : r.first)],
    ["Last Name", (r) => (every(3, r) ? "" : r.last)],
    ["Address", (r) => (every(2, r) ? `${r.street}  ${r.city}  ${r.zip}` : "")],
    ["Phone Number", () => ""],
    ["Birthday", () => "03/04"],
    ["MEMBER_RATING", (r) => 1 + (r.i % 5), "rating"],
    ["OPTIN_TIME", isoTime],
    ["OPTIN_IP", () => "203.0.113.9"],
    ["CONFIRM_TIME", isoTime],
    ["CONFIRM_IP", () => "203.0.113.9"],
    ["LATITUDE", (r) => r.lat, "latitude"],
    ["LONGITUDE", (r) => r.lng, "longitude"],
    ["GMTOFF", () => 1],
    ["TIMEZONE", () => "Europe/Berlin"],
    ["CC", () => "DE", "country"],
    ["REGION", (r) => r.state, "state"],
    ["LAST_CHANGED", isoTime],
    ["LEID", (r) => 530_000_000 + r.i],
    ["EUID", (r) => `a1b2c3d${1_000 + r.i}`, "source_id"],
    ["NOTES", () => ""],
    ["TAGS", (r) => (every(2, r) ? '"Customer","News letter"' : "")],
  ],
  (r) => ({
    name: every(3, r) ? r.email : person(r),
    ...(every(2, r)
      ? { address: `${r.street}  ${r.city}  ${r.zip}`, tags: ["Customer", "News letter"] }
      : {}),
    source: "mailchimp",
  }),
)

const woocommerce = table(
  {
    name: "WooCommerce customers",
    file: "customers.csv",
    preset: "woocommerce",
    attributes: { "Total Spend": 1_234.5, Orders: 5, Username: "user0" },
  },
  [
    ["Name", (r) => (every(5, r) ? "" : person(r))],
    ["Username", (r) => `user${r.i}`],
    ["Last Active", isoTime],
    ["Sign Up", isoTime],
    ["Email", (r) => r.email, "email"],
    ["Orders", () => 5],
    ["Total Spend", () => "1234.50"],
    ["AOV", () => "246.90"],
    ["Country / Region", () => "DE", "country"],
    ["City", (r) => r.city, "city"],
    ["Region", (r) => r.state, "state"],
    ["Postal Code", (r) => r.zip, "postal_code"],
  ],
  (r) => ({
    name: every(5, r) ? r.email : person(r),
    source: "woocommerce",
  }),
)

const split = (names: string) => names.split(/,\s+/)

/** Plain files: a status, and the usual names of columns, by language. */
const plainWords: Readonly<Record<string, string>> = {
  English: `In progress, Full Name, Company, Job Title, E-mail Address, Phone Number, Street Address, ZIP Code, City,
    Country, Website, Industry, Notes, Status, Rating, Number of Reviews`,
  German: `In Bearbeitung, Ansprechpartner, Firma, Position, E-Mail, Telefon, Straße, PLZ, Ort, Land, Webseite, Branche,
    Bemerkung, Status, Bewertung, Anzahl Bewertungen`,
  French: `En cours, Nom complet, Société, Fonction, Courriel, Téléphone, Adresse, Code postal, Ville, Pays,
    Site web, Secteur d'activité, Commentaires, Statut, Note moyenne, Nombre d'avis`,
  Spanish: `Contactado, Nombre completo, Empresa, Cargo, Correo electrónico, Teléfono, Dirección, Código postal,
    Ciudad, País, Página web, Sector, Observaciones, Estado, Valoración, Número de reseñas`,
  Italian: `Contattato, Nome completo, Azienda, Ruolo, Email, Telefono, Indirizzo, CAP, Città, Paese, Sito web,
    Settore, Note, Stato, Valutazione, Numero recensioni`,
  Portuguese: `Em contato, Nome completo, Empresa, Cargo, E-mail, Telefone, Endereço, Código postal, Cidade, País, Site,
    Setor, Observações, Situação, Avaliação, Número de avaliações`,
  Dutch: `Benaderd, Volledige naam, Bedrijfsnaam, Functie, E-mailadres, Telefoonnummer, Adres, Postcode, Plaats,
    Land, Website, Branche, Opmerkingen, Status, Beoordeling, Aantal beoordelingen`,
}

const plain = Object.entries(plainWords).map(([language, words]) => {
  const [status = "", ...names] = split(words)
  const comma = language !== "English"
  const columns: readonly (readonly [cell: (r: Invented) => unknown, field?: string])[] = [
    [person, "name"],
    [(r) => r.company, "company"],
    [(r) => r.title, "job_title"],
    [(r) => (every(3, r) ? `${r.email}; second@${r.domain}` : r.email)],
    [(r) => (every(4, r) ? `${r.phone} / ${r.mobile}` : r.phone)],
    [(r) => r.street, "address"],
    [(r) => r.zip, "postal_code"],
    [(r) => r.city, "city"],
    [(r) => r.country, "country"],
    [(r) => r.domain, "website"],
    [(r) => r.industry, "category"],
    [() => "Call back", "description"],
    [(r) => (every(5, r) ? "???" : status)],
    [(r) => (every(9, r) ? "good" : r.rating.toFixed(1).replace(".", comma ? "," : "."))],
    [(r) => r.reviews.toLocaleString(comma ? "de" : "en")],
  ]
  return table(
    {
      name: `plain, ${language}`,
      file: `${language}.csv`,
      preset: null,
      ...(comma && { delimiter: ";" }),
      ...(language === "German" && { above: "sep=;\r\n" }),
    },
    names.map((name, i) => [name, ...columns[i]!] as const),
    (r) => ({
      email: r.email,
      phone: r.phone,
      ...(every(5, r) ? {} : { status: "contacted" }),
      ...(every(9, r) ? {} : { rating: r.rating }),
      review_count: r.reviews,
      source: "import",
    }),
  )
})

const nameless = table(
  { name: "columns without a known name", file: "x.csv", preset: null },
  [
    ["who", person],
    ["Name", (r) => r.company, "name"],
    ["k1", (r) => r.email, "email"],
    ["k2", (r) => r.phone, "phone"],
    ["k3", (r) => `https://${r.domain}`, "website"],
    ["k4", (r) => r.lat.toFixed(6)],
    ["k5", (r) => r.lng.toFixed(6)],
    ["⌀ stars", (r) => r.rating.toFixed(1)],
  ],
  (r) => ({
    latitude: r.lat,
    longitude: r.lng,
    rating: r.rating,
    source: "import",
  }),
)

export const sources: readonly Source[] = [
  ...[gosom, apify, apifyCsv, outscraper, omkar, hubspotContacts, hubspotCompanies, salesforce, pipedrive],
  ...[zoho, apollo, linkedin, googleContacts, googleContactsOld, outlook, mailchimp, woocommerce],
  ...[...plain, nameless],
]
