import { signal } from "@preact/signals"

/** Which of the windows over everything is open. */
export const over = signal<"commands" | "help" | "">("")
