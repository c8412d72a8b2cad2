import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { copyTemplate, testSecret } from '../../../test/database.ts'
import { insertContact } from '../../../test/factories.ts'
import { startPooler } from '../../../test/network/pooler.ts'
import { openStream } from '../../../test/network/stream.ts'
import { startTestServer, type TestServer, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { startServer } from '../../app/serve.ts'
import { readEnv } from '../env.ts'
import { openLog } from '../log.ts'
import { openDatabase, openIndexDatabase } from './database.ts'

type Pooler = Awaited<ReturnType<typeof startPooler>>

describe('a database behind a pooler that lends a connection for one transaction', () => {
  let pooler: Pooler
  let server: TestServer
  beforeAll(async () => {
    const reach = async (url: string) => (pooler = await startPooler(url)).url
    server = await startTestServer(inject('postgres'), {}, { reach, isPooled: true })
  })
  afterAll(async () => {
    await server.stop()
    await pooler.stop()
  })

  it('answers calls of each kind at the same time, each more often than statements are prepared', async () => {
    const cookie = await server.signIn('admin')
    const id = await insertContact(server, { firstName: 'Ana', lastName: 'Silva', phone: '+14165550142' })
    const paths = ['/api/auth/session', '/api/contacts', '/api/contacts?search=silva', '/api/contacts?search=0142', '/api/contacts/find?search=sil', `/api/contacts/${id}`, `/api/contacts/${id}/interactions`, '/api/dashboard', '/api/tasks', '/api/inbox/conversations'] // prettier-ignore
    const asked = Array.from({ length: 12 }, () => paths).flat()
    const answers = await Promise.all(asked.map(async (path) => [path, (await server.send('GET', path, undefined, cookie)).status]))
    expect(answers.filter(([, status]) => status !== 200)).toEqual([])
    const found = await server.client(cookie).contacts.list({ search: 'silva' })
    expect([found.data.map((contact) => contact.id), found.total]).toEqual([[id], 1])
  })

  it('reports changes live and runs jobs, over connections of their own', async () => {
    const cookie = await server.signIn('admin')
    const stream = await openStream(server.url, cookie)
    const { id } = await server.client(cookie).tags.create({ name: randomUUID() })
    await stream.next((event) => event.id === id)
    stream.close()
    const lead = { first_name: 'Ana', last_name: 'Costa', email: 'ana.costa@example.com' }
    expect((await server.send('POST', `/api/leads/${webhookKey}`, lead)).status).toBe(202)
    await until(async () => (await server.client(cookie).contacts.list({ search: 'costa' })).total === 1)
  })

  it('leaves no setting of the search on a connection that others use', async () => {
    const onError = (error: Error) => {
      throw error
    }
    const [db, indexDb] = [openDatabase(pooler.url, 2, onError), openIndexDatabase(pooler.url, 2, onError)]
    const setting = { text: `select current_setting('enable_seqscan') as scans` }
    expect(await indexDb.query({ ...setting, name: 'scans' })).toEqual([{ scans: 'off' }])
    for (let time = 0; time < 4; time++) expect((await db.$client.query(setting)).rows).toEqual([{ scans: 'on' }])
    await Promise.all([db.$client.end(), indexDb.$client.end()])
  })
})

it('a pooler without DATABASE_DIRECT_URL is refused with the setting that is missing', async () => {
  const database = await copyTemplate(inject('postgres'))
  const pooler = await startPooler(database.url)
  let lines = ''
  const log = openLog('info', { write: (line) => void (lines += line) })
  const running = await startServer(readEnv({ PORT: '0', APP_SECRET: testSecret, DATABASE_URL: pooler.url }), { log })
  await until(() => lines.includes('The database is not ready'))
  expect(lines).toMatch(/DATABASE_URL leads to a connection pooler.*Set DATABASE_DIRECT_URL to its address/)
  expect((await fetch(`${running.url}/api/contacts`)).status).toBe(503)
  await running.stop()
  await pooler.stop()
  await database.drop()
})
