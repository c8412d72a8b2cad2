import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type CollectedSpan, startCollector } from '../../test/collector.ts'
import { insertContacts } from '../../test/factories.ts'
import { refusal } from '../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

const attributesOf = (span: CollectedSpan) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))
const failed = 2

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let server: TestServer
  beforeAll(async () => {
    collector = await startCollector()
    server = await startTestServer(inject('postgres'), { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  })
  afterAll(async () => {
    await server.stop()
    await collector.stop()
  })
  /** The span with this name, once it was received. */
  const received = (name: string, matches: (span: CollectedSpan) => boolean = () => true) =>
    until(async () => {
      await server.running.flushTraces()
      return collector.spans.find((span) => span.name === name && matches(span))
    })
  const childrenOf = ({ spanId }: CollectedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)

  it('of a call: its route, with the statements below it, and nothing of the patient', async () => {
    const [id] = await insertContacts(server, [{ firstName: 'Zebulonna', lastName: 'Quillfeather', email: 'zebulonna@elsewhere.example' }])
    const admin = await server.as('admin')
    expect((await admin.contacts.get({ id: id! })).firstName).toBe('Zebulonna')
    await refusal(admin.contacts.list({ search: 'Quillfeather', sort: 'no-such-order' as 'name' }))

    const call = await received('GET contacts.get')
    expect(call.parentSpanId).toBeUndefined()
    expect(attributesOf(call)).toEqual({
      'http.request.method': 'GET',
      'http.route': 'contacts.get',
      'http.response.status_code': 200,
      'refyne.request_id': expect.stringMatching(/^[\w-]{36}$/),
    })
    const statements = childrenOf(call)
    expect(statements.map(({ name }) => name)).toContain('select contacts')
    expect(new Set(statements.flatMap(({ attributes }) => attributes.map(({ key }) => key)))).toEqual(
      new Set(['db.system.name', 'db.operation.name', 'db.collection.name']),
    )
    expect(new Set([call, ...statements].map(({ traceId }) => traceId)).size).toBe(1)
    expect(collector.bodies.join('')).not.toMatch(new RegExp(`Zebulonna|Quillfeather|${id}`, 'i'))
  })

  it('of a transaction: its statements belong to the call that sent them, also when calls run at the same time', async () => {
    const admin = await server.as('admin')
    await Promise.all(Array.from({ length: 12 }, (_, index) => admin.tags.create({ name: `Tag ${index}` })))
    await received('POST tags.create')
    const created = collector.spans.filter(({ name }) => name === 'POST tags.create')
    expect(created).toHaveLength(12)
    for (const call of created) expect(childrenOf(call).filter(({ name }) => name === 'insert tags')).toHaveLength(1)
  })

  it('of a job: the call of another system below it', async () => {
    await server.account({ email: 'someone@clinic.example' })
    await server.client().auth.requestPasswordReset({ email: 'someone@clinic.example' })
    const call = await received('postmark')
    expect(attributesOf(call)).toEqual({ 'peer.service': 'postmark', 'refyne.outcome': 'ok' })
    const job = await received(
      collector.spans.find(({ spanId }) => spanId === call.parentSpanId)?.name ?? 'mail.send',
      ({ spanId }) => spanId === call.parentSpanId,
    )
    expect(job.name).toMatch(/mail/i)
    expect(job.parentSpanId).toBeUndefined()
  })

  it('of a failure: the kind of the error and not its message', async () => {
    const admin = await server.as('admin')
    await server.rows('alter table tags rename to tags_away')
    await refusal(admin.tags.list())
    await server.rows('alter table tags_away rename to tags')
    const call = await received('GET tags.list', ({ status }) => status.code === failed)
    expect(attributesOf(call)['http.response.status_code']).toBe(500)
    const statement = childrenOf(call).find(({ status }) => status.code === failed)
    expect(attributesOf(statement!)).toMatchObject({ 'error.type': expect.stringMatching(/rror$/), 'db.collection.name': 'tags' })
    expect(collector.bodies.join('')).not.toContain('does not exist')
  })
})

describe('a collector that is away', () => {
  it('changes nothing for anyone', async () => {
    const server = await startTestServer(inject('postgres'), { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    const admin = await server.as('admin')
    expect(await admin.tags.list()).toHaveLength(1)
    await server.stop()
  })
})
