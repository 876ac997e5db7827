/** Before the path of every route of the REST API (SPEC "Versioning"). */
export const BASE_PATH = "/api/v1"
