import type { INodeProperties, INodePropertyOptions } from "n8n-workflow"

type Method = "GET" | "POST" | "PUT" | "DELETE"

/** An operation of a resource: its request, and the item that its answer holds. */
function operation(
  name: string,
  value: string,
  action: string,
  method: Method,
  url: string,
  itemsIn?: string,
): INodePropertyOptions {
  return {
    name,
    value,
    action,
    routing: {
      request: { method, url },
      ...(itemsIn !== undefined && {
        output: { postReceive: [{ type: "rootProperty", properties: { property: itemsIn } }] },
      }),
    },
  }
}

function operations(resource: string, options: INodePropertyOptions[]): INodeProperties {
  const first = options[0]!.value
  return {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: first,
  }
}

/** A field of some operations that is sent in the body, or in the query. */
function field(
  resource: string,
  operation: string[],
  displayName: string,
  name: string,
  more: Partial<INodeProperties> = {},
  send: { in: "body" | "query"; as?: string } | undefined = undefined,
): INodeProperties {
  return {
    displayName,
    name,
    type: "string",
    default: "",
    displayOptions: { show: { resource: [resource], operation } },
    ...(send && {
      routing: { send: { type: send.in, property: send.as ?? name, value: "={{$value || undefined}}" } },
    }),
    ...more,
  }
}

const BODY = { in: "body" } as const
const QUERY = { in: "query" } as const
const required = { required: true }

export const properties: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: [
      { name: "Lead", value: "lead" },
      { name: "Note", value: "note" },
      { name: "Search", value: "search" },
      { name: "Segment", value: "segment" },
      { name: "Webhook", value: "webhook" },
    ],
    default: "lead",
  },
  operations("lead", [
    operation("Create", "create", "Create or merge a lead", "POST", "/leads"),
    operation("Delete", "delete", "Delete a lead", "DELETE", '=/leads/{{$parameter["leadId"]}}'),
    operation("Get", "get", "Get a lead", "GET", '=/leads/{{$parameter["leadId"]}}'),
    operation("Update", "update", "Update a lead", "PUT", '=/leads/{{$parameter["leadId"]}}'),
  ]),
  field("lead", ["delete", "get", "update"], "Lead ID", "leadId", required),
  field("lead", ["create"], "Name", "name", required, BODY),
  field("lead", ["create"], "Source", "source", { ...required, default: "n8n" }, BODY),
  field("lead", ["create", "update"], "Email", "email", { placeholder: "name@email.com" }, BODY),
  field("lead", ["create", "update"], "Phone", "phone", {}, BODY),
  field("lead", ["create", "update"], "City", "city", {}, BODY),
  field("lead", ["create", "update"], "Company", "company", {}, BODY),
  field("lead", ["create", "update"], "Website", "website", {}, BODY),
  operations("note", [
    operation("Create", "create", "Add a note to a lead", "POST", '=/leads/{{$parameter["leadId"]}}/notes'),
    operation(
      "Get Many",
      "getAll",
      "Get the notes of a lead",
      "GET",
      '=/leads/{{$parameter["leadId"]}}/notes',
    ),
  ]),
  field("note", ["create", "getAll"], "Lead ID", "leadId", required),
  field("note", ["create"], "Content", "content", { ...required, typeOptions: { rows: 4 } }, BODY),
  operations("search", [operation("Leads", "leads", "Find leads", "GET", "/leads", "leads")]),
  field("search", ["leads"], "Words", "q", { description: "Words anywhere in a lead or its notes" }, QUERY),
  field(
    "search",
    ["leads"],
    "Filter",
    "filter",
    { placeholder: "and.gte.rating.4", description: "One filter, as logic.operator.field.value" },
    QUERY,
  ),
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1, maxValue: 1000 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { resource: ["search"], operation: ["leads"] } },
    routing: { send: { type: "query", property: "limit" } },
  },
  operations("segment", [
    operation("Get Leads", "leads", "Get the leads of a segment", "GET", "/leads", "leads"),
    operation("Get Many", "getAll", "Get many segments", "GET", "/segments"),
  ]),
  field("segment", ["leads"], "Segment ID", "segment", required, QUERY),
  operations("webhook", [
    operation("Create", "create", "Create a webhook", "POST", "/webhooks"),
    operation("Delete", "delete", "Delete a webhook", "DELETE", '=/webhooks/{{$parameter["webhookId"]}}'),
    operation("Get Many", "getAll", "Get many webhooks", "GET", "/webhooks"),
  ]),
  field("webhook", ["delete"], "Webhook ID", "webhookId", required),
  field("webhook", ["create"], "URL", "url", required, BODY),
]
