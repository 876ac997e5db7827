import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow"
import { isSigned } from "./signature"

const EVENTS = [
  "lead.created",
  "lead.updated",
  "lead.deleted",
  "lead.scored",
  "lead.merged",
  "segment.entered",
  "segment.left",
]

async function call(context: IHookFunctions, method: IHttpRequestMethods, path: string, body?: IDataObject) {
  const { url } = await context.getCredentials<{ url: string }>("leaddbApi")
  return context.helpers.httpRequestWithAuthentication.call(context, "leaddbApi", {
    method,
    url: `${url}/api/v1${path}`,
    json: true,
    ...(body && { body }),
  })
}

export class LeaddbTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Leaddb Trigger",
    name: "leaddbTrigger",
    icon: { light: "file:leaddb.svg", dark: "file:leaddb.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when leads change in leaddb",
    defaults: { name: "leaddb Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "leaddbApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        options: EVENTS.map((value) => ({ name: value, value })),
        default: ["lead.created"],
        required: true,
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId } = this.getWorkflowStaticData("node")
        if (webhookId === undefined) return false
        const all = (await call(this, "GET", "/webhooks")) as IDataObject[]
        const url = this.getNodeWebhookUrl("default")
        return all.some((one) => one.id === webhookId && one.url === url && one.active === true)
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const secret = crypto.randomUUID() + crypto.randomUUID()
        const data = this.getWorkflowStaticData("node")
        const made = (await call(this, "POST", "/webhooks", {
          url: this.getNodeWebhookUrl("default"),
          events: this.getNodeParameter("events"),
          secret,
        } as IDataObject)) as IDataObject
        data.webhookId = made.id
        data.secret = secret
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node")
        if (data.webhookId === undefined) return true
        try {
          await call(this, "DELETE", `/webhooks/${String(data.webhookId)}`)
        } catch (error) {
          this.logger.warn("leaddb did not delete the webhook", { error })
          return false
        }
        data.webhookId = undefined
        data.secret = undefined
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData("node")
    const { rawBody } = this.getRequestObject() as unknown as { rawBody: Uint8Array }
    const headers = this.getHeaderData() as Record<string, string>
    if (!(await isSigned(String(secret), headers, rawBody))) {
      this.getResponseObject().status(401).json({ message: "the signature is not of this body and secret" })
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] }
  }
}
