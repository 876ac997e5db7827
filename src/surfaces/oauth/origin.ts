// The server's origin, and the resource names by which clients may refer to it.
const METADATA = "/.well-known/oauth-protected-resource"

/** The paths that a key opens, each a resource with metadata of its own. */
export const RESOURCE_PATHS = ["/mcp", "/sse"] as const

/** The issuer: the public address, or the one that was asked, which the listener has checked to be ours. */
export function originOf(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? new URL(request.url).origin
}

/** Where the metadata of a protected path is (RFC 9728, 3.1). */
export function metadataUrl(origin: string, path: string): string {
  const resource = RESOURCE_PATHS.find((one) => one === path) ?? (path === "/messages" ? "/sse" : "/mcp")
  return `${origin}${METADATA}${resource}`
}

/** A resource as a client names it in the form that is kept; undefined when it is not of this server (RFC 8707). */
export function parseResource(resource: string, origin: string): string | undefined {
  const url = URL.parse(resource)
  if (!url || url.origin !== origin || url.username !== "" || url.password !== "" || resource.includes("#")) {
    return undefined
  }
  const path = url.pathname.replace(/\/$/, "") + url.search
  return path === "" || RESOURCE_PATHS.some((one) => one === path) ? origin + path : undefined
}

/** Metadata of a protected resource (RFC 9728, 2). */
export function resourceMetadata(origin: string, path: string): object {
  return {
    resource: origin + path,
    authorization_servers: [origin],
    bearer_methods_supported: ["header"],
    resource_name: "leaddb",
  }
}

/** Metadata of the authorization server (RFC 8414, 2). */
export function serverMetadata(origin: string, takesDocuments: boolean): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: takesDocuments,
    protected_resources: RESOURCE_PATHS.map((path) => origin + path),
  }
}
