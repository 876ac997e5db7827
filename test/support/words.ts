/** The words of a text, which blanks and ends of lines part. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
