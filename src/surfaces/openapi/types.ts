import type { Json } from "../../lead/lead.ts"

/** The part of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: Json[]
  const?: Json
  default?: Json
  readOnly?: true
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  example?: Json
  [keyword: string]: unknown
}

export interface Ref {
  $ref: string
}

export interface Parameter {
  name: string
  in: "path" | "query" | "header"
  required?: boolean
  description?: string
  style?: "form"
  explode?: boolean
  schema: Schema
}

export interface Media {
  schema: Schema
  example?: unknown
}

export interface Answered {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, Media>
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Answered | Ref>
}

export type Method = "get" | "post" | "put" | "patch" | "delete"
type PathItem = { parameters: Ref[] } & { [method in Method]?: OperationObject }

export interface OpenApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: { name: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, PathItem>
  webhooks: Record<string, { post: OperationObject }>
  components: {
    securitySchemes: Record<string, Record<string, string>>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: Schema }>
    responses: Record<string, Answered>
    schemas: Record<string, Schema>
  }
}
