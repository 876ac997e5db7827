/** The prefix of every route of the REST API. */
export const BASE_PATH = "/api/v1"
