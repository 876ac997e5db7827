/** The shape of lists in REST answers: bare arrays, or objects that name them, as published client libraries read. */
export const LIST_STYLES = ["array", "object"] as const
export type ListStyle = (typeof LIST_STYLES)[number]
