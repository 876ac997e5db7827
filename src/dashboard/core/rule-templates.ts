import { t } from "./text.ts"

// Ready rules, in words and as formulas.
export const TEMPLATES = [
  { name: t("Has an email: +10"), expression: "email ? 10 : 0" },
  { name: t("Has a phone: +10"), expression: "phone ? 10 : 0" },
  { name: t("Has a website: +5"), expression: "website ? 5 : 0" },
  { name: t("Company and job title are known: +10"), expression: "company && job_title ? 10 : 0" },
  { name: t("Rated 4.5 and more: +20"), expression: "rating >= 4.5 ? 20 : 0" },
  { name: t("More than 100 reviews: +15"), expression: "review_count > 100 ? 15 : 0" },
  { name: t("Tagged vip: +30"), expression: 'has(tags, "vip") ? 30 : 0' },
  { name: t("Qualified: +25"), expression: 'status == "qualified" ? 25 : 0' },
  {
    name: t("Decides: owner, founder or director: +15"),
    expression:
      'contains(job_title, "owner") || contains(job_title, "founder") || contains(job_title, "director") ? 15 : 0',
  },
  { name: t("Came in during the last 7 days: +10"), expression: "days_since(created_at) < 7 ? 10 : 0" },
  { name: t("Has notes: +10"), expression: "note_count > 0 ? 10 : 0" },
  { name: t("Not touched for 90 days: -20"), expression: "days_since(last_touched_at) > 90 ? -20 : 0" },
]
