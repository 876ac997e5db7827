import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from "n8n-workflow"
import { properties } from "./properties"

export class Leaddb implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Leaddb",
    name: "leaddb",
    icon: { light: "file:leaddb.svg", dark: "file:leaddb.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Work with business leads in leaddb",
    defaults: { name: "leaddb" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "leaddbApi", required: true }],
    requestDefaults: {
      baseURL: "={{$credentials.url}}/api/v1",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
    },
    properties,
  }
}
