/** What kinds of businesses there are, the most frequent first. */
export const CATEGORIES = [
  "Restaurant",
  "Dentist",
  "Lawyer",
  "Hair Salon",
  "Plumber",
  "Marketing Agency",
  "Cafe",
  "Bakery",
  "Electrician",
  "Real Estate Agency",
  "Physician",
  "Software Company",
  "Car Repair",
  "Hotel",
  "Accountant",
  "Pharmacy",
  "Construction Company",
  "Gym",
  "Insurance Agency",
  "Florist",
  "Architect",
  "Veterinarian",
  "Bookstore",
  "Photographer",
  "Physiotherapist",
  "Butcher",
  "Optician",
  "Painter",
  "Carpenter",
  "Travel Agency",
  "Cleaning Service",
  "Wine Shop",
  "Driving School",
  "Jeweler",
  "Moving Company",
  "Roofing Contractor",
  "Locksmith",
  "Tattoo Studio",
  "Music School",
  "Garden Center",
] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * The words that business names of a language are made of, as comma-separated lists. `plain=latin` gives the
 * spelling for addresses where it can't be worked out letter by letter.
 */
export interface Words {
  given: string
  family: string
  /** Names of the trade; a category without any is not found in this language. */
  trades: Partial<Record<Category, string>>
  streets: string
  /** The local part of a general mail address. */
  mailbox: string
  /** What joins the words of a name. */
  gap?: string
}
