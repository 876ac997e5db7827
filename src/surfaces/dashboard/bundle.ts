// The dashboard's files. From source they are bundled when the first page is asked for; the build puts a module in this
// one's place that has them ready made.
import { join } from "node:path"
import { lazy } from "../../runtime/memoize.ts"
import { type Bundle, makeBundle } from "./make-bundle.ts"

const SOURCE = join(import.meta.dir, "../../dashboard/main.tsx")

/** Made once for all services of a process. */
export const readBundle = lazy((): Promise<Bundle> => makeBundle(SOURCE, "quickly")).get
