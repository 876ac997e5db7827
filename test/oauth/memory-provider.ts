import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"

/** What an SDK client keeps while it signs in; `asked` is where it wanted to send the person. */
export function memoryProvider(redirectUrl: string): OAuthClientProvider & { asked?: URL } {
  let client: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let discovered: OAuthDiscoveryState | undefined
  let verifier = ""
  const provider: OAuthClientProvider & { asked?: URL } = {
    redirectUrl,
    clientMetadata: { client_name: "SDK Client", redirect_uris: [redirectUrl] },
    state: () => "sdk-state",
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information
    },
    tokens: () => tokens,
    saveTokens(issued) {
      tokens = issued
    },
    saveCodeVerifier(made) {
      verifier = made
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(state) {
      discovered = state
    },
    discoveryState: () => discovered,
    redirectToAuthorization(url) {
      provider.asked = url
    },
  }
  return provider
}
