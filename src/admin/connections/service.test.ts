import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startClamdSimulator } from '../../../simulators/clamd/server.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, startTestServer, type TestServer, useServer } from '../../../test/server.ts'

describe('issue 9: the systems around the server are asked whether they do what they are there for', () => {
  const server = useServer()
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  it('administrators alone see and ask them; what is not set up cannot be asked', async () => {
    const list = await admin.connections.list()
    expect(list.map(({ system }) => system)).toEqual(['postmark', 'storage', 'clamd', 'mailboxes'])
    expect(list.find(({ system }) => system === 'clamd')?.isSetUp).toBe(false)
    expect((await refusal(admin.connections.test({ system: 'clamd' }))).code).toBe('NOT_SET_UP')
    const sales = await server.as('sales_rep')
    expect((await refusal(sales.connections.test({ system: 'storage' }))).status).toBe(403)
  })

  it('storage: a file is written, read and deleted, and nothing of it is left', async () => {
    expect(await admin.connections.test({ system: 'storage' })).toEqual({
      isOk: true,
      said: 'A file was written, read and deleted.',
      advice: null,
    })
    const left: string[] = []
    for await (const { key } of server.running.runtime.files.list()) left.push(key)
    expect(left.filter((key) => key.startsWith('probes/'))).toEqual([])
  })

  it('Postmark: a mail goes to anyone who asks', async () => {
    const outcome = await admin.connections.test({ system: 'postmark' })
    expect(outcome).toMatchObject({ isOk: true, advice: null })
    expect(outcome.said).toMatch(/^Postmark took an email from no-reply@refyne\.example to .+@/)
  })
})

describe('issue 9: a virus scanner', () => {
  let scanner: Awaited<ReturnType<typeof startClamdSimulator>>
  let server: TestServer
  beforeAll(async () => {
    scanner = await startClamdSimulator()
    server = await startTestServer(inject('postgres'), { CLAMD_URL: scanner.url })
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await scanner.stop()
  })

  it('has to find the test virus, and says what to do when it is away', async () => {
    const admin = await server.as('admin')
    expect(await admin.connections.test({ system: 'clamd' })).toMatchObject({ isOk: true, advice: null })
    await scanner.stop()
    const away = await admin.connections.test({ system: 'clamd' })
    expect([away.isOk, away.advice]).toEqual([false, expect.stringContaining('CLAMD_URL')])
  })
})
