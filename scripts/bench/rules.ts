// Ten scoring rules of all kinds; the seeded accounts have them.
export const EXPRESSIONS = [
  "rating >= 4.5 ? 20 : rating >= 4 ? 10 : 0",
  "review_count > 100 ? 15 : review_count / 10",
  "min(rating * 2, 8)",
  "latitude > 50 && longitude < 15 ? 5 : 0",
  "attr_employees > 20 ? 10 : 0",
  "days_since(created_at) < 30 ? 5 : 0",
  "(rating - 3) * 4",
  "sqrt(review_count)",
  "attr_chain ? -5 : 2",
  'status == "new" ? 3 : 0',
]
