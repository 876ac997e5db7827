import { version } from "../../../package.json"

/** The server's name, title and version. */
export const INFO = {
  name: "leaddb",
  title: "leaddb",
  version,
}

/** The beginning of a segment's address as a resource. */
export const SEGMENT_URI = "segments://"
