import createClient from 'openapi-fetch'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../server.ts'
import type { paths } from './generated/api.d.ts'

const features = ['contacts', 'interactions', 'tasks', 'documents'] as const
const scopes = features.flatMap((feature) => [`${feature}:read`, `${feature}:write`] as const)

/**
 * What a program of others does, with a client that is generated from the OpenAPI document. `npm run check client` generates its types and checks
 * these calls against them; each `@ts-expect-error` proves that a mistake does not compile.
 */
describe('a client generated from the OpenAPI document', () => {
  const server = useServer()
  type ApiClient = ReturnType<typeof createClient<paths>>
  let api: ApiClient
  let contactId: string
  let version: number
  const clientWith = (headers: Record<string, string>): ApiClient => createClient<paths>({ baseUrl: `${server.url}/api`, headers })

  beforeAll(async () => {
    const { cookie } = await server.account({ role: 'admin' })
    const { data } = await clientWith({ cookie }).POST('/api-keys', {
      body: { name: 'Program of the test', scopes, days: 1 },
    })
    api = clientWith({ authorization: `Bearer ${data!.token}` })
  })

  it('creates a patient, and the same one again with the same Idempotency-Key', async () => {
    const body = { firstName: 'Chloé', lastName: 'Desjardins', email: 'chloe@example.ca' }
    const params = { header: { 'Idempotency-Key': 'patient-1' } }
    const { data: created } = await api.POST('/contacts', { params, body })
    const { data: repeated, response } = await api.POST('/contacts', { params, body })
    expect([created?.firstName, repeated?.id, response.headers.get('idempotency-replayed')]).toEqual(['Chloé', created?.id, 'true'])
    contactId = created!.id
    version = created!.version
    // @ts-expect-error -- the last name is required
    const { error } = await api.POST('/contacts', { body: { firstName: 'Ana' } })
    expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { fields: { lastName: expect.any(String) } } })
  })

  it('gets, lists and searches patients', async () => {
    const { data: one } = await api.GET('/contacts/{id}', { params: { path: { id: contactId } } })
    expect(one?.email).toBe('chloe@example.ca')
    const { data: page } = await api.GET('/contacts', { params: { query: { search: 'desjardins', sort: 'name', limit: 10 } } })
    expect([page?.total, page?.data.map(({ id }) => id)]).toEqual([1, [contactId]])
    const { data: found } = await api.GET('/contacts/find', { params: { query: { search: 'chl' } } })
    expect(found?.data.map(({ lastName }) => lastName)).toEqual(['Desjardins'])
    const { data: none } = await api.GET('/contacts', { params: { query: { search: 'no such patient' } } })
    expect(none?.data).toEqual([])
    // @ts-expect-error -- there is no such order
    const { error } = await api.GET('/contacts', { params: { query: { sort: 'oldest-first' } } })
    expect(error?.code).toBe('INVALID_INPUT')
  })

  it('changes a patient with the version that it read, and learns what is there when that is no longer current', async () => {
    const path = { id: contactId }
    const { data } = await api.PATCH('/contacts/{id}', { params: { path }, body: { city: 'Oakville', version } })
    expect([data?.city, data?.version]).toEqual(['Oakville', version + 1])
    const { error } = await api.PATCH('/contacts/{id}', { params: { path }, body: { city: 'Milton', version } })
    expect(error?.code === 'CONFLICT' && error.data?.current.city).toBe('Oakville')
    // @ts-expect-error -- a change names the version that was read
    const { response } = await api.PATCH('/contacts/{id}', { params: { path }, body: { city: 'Milton' } })
    expect(response.status).toBe(422)
  })

  it('logs a note and reads the timeline page by page', async () => {
    const path = { contactId }
    const url = '/contacts/{contactId}/interactions'
    const { data: note } = await api.POST(url, { params: { path }, body: { type: 'note', description: 'Asked about rhinoplasty' } })
    expect(note?.description).toBe('Asked about rhinoplasty')
    const { data: first } = await api.GET(url, { params: { path, query: { limit: 1 } } })
    expect(first?.data.map(({ id }) => id)).toEqual([note?.id])
    const { data: rest } = await api.GET(url, { params: { path, query: { limit: 100, cursor: first!.nextCursor! } } })
    expect(rest?.data.map(({ id }) => id)).not.toContain(note?.id)
  })

  it('adds, completes and deletes a task', async () => {
    const { data: staff } = await api.GET('/tasks/assignable')
    const { data: task } = await api.POST('/tasks', {
      body: { title: 'Call back', dueDate: '2099-01-05', assigneeIds: [staff![0]!.id], contactId, priority: 'high' },
    })
    expect([task?.priority, task?.contact?.lastName]).toEqual(['high', 'Desjardins'])
    const path = { id: task!.id }
    const { data: completed } = await api.POST('/tasks/{id}/complete', { params: { path } })
    expect(completed?.task.status).toBe('completed')
    expect((await api.DELETE('/tasks/{id}', { params: { path } })).response.ok).toBe(true)
    const { error } = await api.GET('/tasks/{id}', { params: { path } })
    expect(error?.code).toBe('NOT_FOUND')
  })

  it('uploads a document and downloads the same bytes', async () => {
    const bytes = new Blob(['%PDF-1.4\n%content\n%%EOF\n'])
    const { data: document } = await api.POST('/contacts/{contactId}/documents', {
      params: { path: { contactId }, query: { name: 'Consent.pdf', type: 'consent' } },
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes as unknown as string, // generated types know bytes as text
      bodySerializer: (body) => body,
    })
    expect(document?.name).toBe('Consent.pdf')
    const { data: listed } = await api.GET('/contacts/{contactId}/documents', { params: { path: { contactId } } })
    expect(listed?.map(({ id, documentType }) => [id, documentType])).toEqual([[document?.id, 'consent']])
    const { data: file } = await api.GET('/documents/{id}/file', { params: { path: { id: document!.id } }, parseAs: 'text' })
    expect(file).toBe(await bytes.text())
  })

  it('is refused by code where its key may not go, and without one', async () => {
    const { error: forbidden } = await api.GET('/audit')
    expect(forbidden?.code).toBe('FORBIDDEN')
    const { error: unknown } = await clientWith({}).GET('/tags')
    expect(unknown?.code).toBe('UNAUTHORIZED')
    const { response } = await api.DELETE('/contacts/{id}', { params: { path: { id: contactId } } })
    expect(response.ok).toBe(true)
  })
})
