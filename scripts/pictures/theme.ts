/** Browsers prefer one of these, and the README shows the picture of the one that its reader prefers. */
export const THEMES = ["light", "dark"] as const
export type Theme = (typeof THEMES)[number]
