import { beforeAll, describe, expect, it } from 'vitest'
import { calls } from '../../../test/access/calls.ts'
import { useServer } from '../../../test/server.ts'
import { createApp } from '../app.ts'
import { type ApiDocument, operationsOf, type Parameter, type Reference, type Schema } from './types.ts'

describe('the OpenAPI document', () => {
  const server = useServer()
  let document: ApiDocument
  beforeAll(async () => {
    document = (await (await server.request('/api/openapi.json')).json()) as ApiDocument
  })

  const resolve = (parameter: Parameter | Reference): Parameter =>
    'name' in parameter ? parameter : document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']!

  it('lists every call and every route, except those for vendors, people and monitors', () => {
    const listed = new Set(operationsOf(document).map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '*')}`))
    const called = calls.map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/\{\w+\}/g, '*')}`)
    const routes = createApp(server.running.runtime)
      .routes.filter(({ method, path }) => ['GET', 'POST'].includes(method) && path.startsWith('/api/') && !path.endsWith('*'))
      .map(({ method, path }) => {
        const plain = path
          .replace('/api', '')
          .replace(/:file\{\[a-z\]\+\\\.\(\?:csv\|xlsx\)\}/, '*.*')
          .replace(/:file\{(\w+)\\\.\(\?:csv\|xlsx\)\}/, '$1.*')
          .replace(/:file\{\[\^\/\]\+\\\.(\w+)\}/, '*.$1')
          .replace('/calendar/:file', '/calendar/*.ics')
          .replaceAll(/:\w+/g, '*')
        return `${method.toLowerCase()} ${plain}`
      })
    const unlisted = [...called, ...routes].filter((route) => !listed.has(route))
    expect([...new Set(unlisted)].toSorted()).toEqual([
      'get /docs',
      'get /hooks/nylas',
      'get /openapi.json',
      'post /hooks/nylas',
      'post /hooks/postmark/events',
      'post /hooks/postmark/inbound',
      'post /hooks/stripe',
      'post /hooks/twilio/call',
      'post /hooks/twilio/inbound',
      'post /hooks/twilio/status',
    ])
    expect(routes.length).toBeGreaterThan(30)
    expect(listed.size).toBe(new Set([...called, ...routes]).size - new Set(unlisted).size)
  })

  it('describes each parameter and gives an example', () => {
    const all = operationsOf(document).flatMap(({ operation }) => (operation.parameters ?? []).map(resolve))
    expect(all.filter(({ description, example }) => !description || example === undefined)).toEqual([])
    expect(all.length).toBeGreaterThan(500)
  })

  it('has examples of inputs that the calls accept', () => {
    const refused: string[] = []
    for (const { operation } of operationsOf(document)) {
      const schema = calls.find(({ name }) => name === operation.operationId)?.inputSchema
      if (!schema) continue
      const parameters = (operation.parameters ?? []).map(resolve).filter(({ in: where, required }) => where === 'path' || required)
      const body = operation.requestBody?.content['application/json']?.example as object | undefined
      const input = { ...Object.fromEntries(parameters.map(({ name, example }) => [name, example])), ...body }
      const result = (schema as unknown as { safeParse: (value: unknown) => { error?: Error } }).safeParse(input)
      if (result.error) refused.push(`${operation.operationId} ${JSON.stringify(input)}: ${result.error.message}`)
    }
    expect(refused).toEqual([])
  })

  it('says who may make a call, and how anyone else is refused', () => {
    const operation = (id: string) => operationsOf(document).find(({ operation }) => operation.operationId === id)!.operation
    expect(operation('contacts.list').security).toEqual([{ session: [] }, { apiKey: [] }])
    expect(operation('mailbox.drafts').security).toEqual([{ session: [] }])
    expect(operation('auth.signIn').security).toEqual([])
    expect(operation('documents.upload').security).toEqual([{ session: [] }, { apiKey: [] }])
    expect(operation('leads.intake').security).toEqual([])
    expect(Object.keys(operation('contacts.create').responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '409', '413', '415', '422', '429', 'default']),
    )
    expect(Object.keys(operation('tasks.get').responses)).toEqual(['200', '401', '403', '404', '422', '429', 'default'])
    expect(JSON.stringify(operation('contacts.merge').responses['403'])).toContain('StepUpRequired')
  })

  it('has each larger shape once', () => {
    const places = new Map<string, string[]>()
    const walk = (value: unknown, at: string) => {
      if (typeof value !== 'object' || value === null) return
      const { type, properties, description: _, ...rest } = value as Schema
      if (type === 'object' && properties) {
        const shape = JSON.stringify({ properties, ...rest })
        if (shape.length > 400) places.set(shape, [...(places.get(shape) ?? []), at])
      }
      for (const [key, inner] of Object.entries(value)) walk(inner, `${at} ${key}`)
    }
    for (const { operation } of operationsOf(document)) walk([operation.requestBody, operation.responses], operation.operationId)
    expect([...places.values()].filter(({ length }) => length > 2)).toEqual([])
  })

  it('is a page for people without scripts, under the policy of every response of the API', async () => {
    const response = await server.request('/api/docs')
    const page = await response.text()
    expect(page).toContain('/api/contacts/{id}/merge')
    expect(page).toContain('id="schemas-Contact"')
    expect(page).not.toMatch(/<script|\son\w+=|https?:\/\/(?!localhost)[^"]*\.(?:js|css)/)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})
