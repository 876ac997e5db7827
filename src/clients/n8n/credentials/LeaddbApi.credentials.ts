import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow"

export class LeaddbApi implements ICredentialType {
  name = "leaddbApi"

  displayName = "Leaddb API"

  icon = { light: "file:../nodes/Leaddb/leaddb.svg", dark: "file:../nodes/Leaddb/leaddb.dark.svg" } as const

  documentationUrl = "https://github.com/leaddb/leaddb"

  properties: INodeProperties[] = [
    {
      displayName: "Address",
      name: "url",
      type: "string",
      default: "http://127.0.0.1:8080",
      description: "Where leaddb is, without /api/v1",
    },
    { displayName: "API Key", name: "apiKey", type: "string", typeOptions: { password: true }, default: "" },
  ]

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "X-API-Key": "={{$credentials.apiKey}}", "X-List-Style": "array" } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.url}}/api/v1", url: "/account" },
  }
}
