// Texts of forms and their pages, which strangers see.

const GERMAN: Readonly<Record<string, string>> = {
  "Please check the marked fields.": "Bitte prüfen Sie die markierten Felder.",
  "Leave this empty": "Bitte leer lassen",
  Send: "Senden",
  "Open the form": "Formular öffnen",
  "This did not work. Please try again.": "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
  optional: "optional",
  This: "Diese Angabe",
  "is required": "fehlt",
  "must look like name@example.com": "muss wie name@example.com aussehen",
  "must be a number": "muss eine Zahl sein",
  "must be true or false": "muss ja oder nein sein",
  Name: "Name",
  Email: "E-Mail",
  Phone: "Telefon",
  Company: "Firma",
  "Job title": "Position",
  Website: "Website",
  City: "Ort",
  Country: "Land",
  Address: "Adresse",
  "Postal code": "Postleitzahl",
  Description: "Nachricht",
  Message: "Nachricht",
  "Almost done": "Fast geschafft",
  "Nothing to confirm": "Nichts zu bestätigen",
  "This link is too old, or not complete.": "Dieser Link ist zu alt oder nicht vollständig.",
  Confirmed: "Bestätigt",
  "This form is closed": "Dieses Formular ist geschlossen",
}

export interface Spoken {
  language: string
  /** A text in that language; what the table lacks stays as it is. */
  t(text: string): string
}

/** `more` are further texts in German. */
export function spokenIn(language: string, more: Readonly<Record<string, string>> = {}): Spoken {
  const table: Readonly<Record<string, string>> = { ...GERMAN, ...more }
  return { language, t: language === "de" ? (text) => table[text] ?? text : (text) => text }
}
