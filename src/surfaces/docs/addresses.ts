export interface Addresses {
  /** Of the REST API. */
  url: string
  mcpUrl: string
}
