// What most pages share travels with the first script: as files of their own, each would cost a request more than it
// weighs.
import "./core/filters.ts"
import "./core/jobs.ts"
import "./core/lead-writes.ts"
import "./core/listed.ts"
import "./core/live.ts"
import "./core/loading.ts"
import "./core/numbers.ts"
import "./core/paged.ts"
import "./core/types.ts"
import "./parts/actors.ts"
import "./parts/attribute-names.ts"
