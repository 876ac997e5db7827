import * as v from "valibot"

/** Colours by name, as screens show statuses and stages. */
const COLORS = ["gray", "blue", "teal", "green", "amber", "red", "violet"] as const

/** A colour's name, or `#rrggbb`. */
export const Color = v.pipe(
  v.string("must be text"),
  v.check(
    (color) => /^#[0-9a-f]{6}$/i.test(color) || COLORS.some((one) => one === color),
    `must be one of ${COLORS.join(", ")}, or a colour such as #1f9d61`,
  ),
)
