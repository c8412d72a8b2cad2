/** The parts of an OpenAPI 3.1 document that ours has. The types of the generator describe parameters as OpenAPI 3.0 does. */

export type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

type Content = Record<string, { schema: Schema; example?: unknown }>
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema; example?: unknown }
export type Body = { required: boolean; description?: string; content: Content }
export type Response = { description: string; content?: Content }
/** By status. */
export type Responses = Record<string, Response | Reference>
export type Reference = { $ref: string }

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: Body
  responses: Responses
}

export type ApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** By path and method. */
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, Record<string, string>>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
    schemas: Record<string, Schema>
  }
}

/** Each operation with its path and method. */
export const operationsOf = ({ paths }: Pick<ApiDocument, 'paths'>): { path: string; method: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
