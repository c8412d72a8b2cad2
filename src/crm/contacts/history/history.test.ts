import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../../test/server.ts'

const server = useServer()
let account: Account
let client: Client
beforeAll(async () => {
  account = await server.account({ role: 'sales_rep' })
  client = server.client(account.cookie)
})
type Page = Awaited<ReturnType<Client['contacts']['history']>>
const summarize = ({ data }: Page) =>
  data.map(({ action, changes }) => [action, ...changes.map(({ field, before, after }) => [field, before, after])])

describe('history of a patient', () => {
  it('lists each change with old and new values, user and time, newest first, and audits the view', async () => {
    const { id } = await client.contacts.create({ firstName: 'Ana', lastName: 'Silva', phone: '905-555-0142' })
    const { version } = await client.contacts.update({ id, version: 1, city: 'Oakville' })
    await client.contacts.update({ id, version, city: 'Toronto', notes: 'Is deaf' })
    const page = await client.contacts.history({ id })
    expect(summarize(page)).toEqual([
      ['changed', ['city', 'Oakville', 'Toronto'], ['notes', null, 'Is deaf']],
      ['changed', ['city', null, 'Oakville']],
      ['created'],
    ])
    expect(page.data[0]).toMatchObject({ by: account.id, byRole: 'sales_rep', at: expect.any(String) })
    expect(page.nextCursor).toBeNull()
    const seen = await server.rows(
      "select 1 from audit_log where action = 'viewed' and kind = 'contact' and actor_id = $1 and contact_ids = array[$2::uuid]",
      [account.id, id],
    )
    expect(seen.length).toBeGreaterThan(0)
  })

  it('hides changes of clinical fields from roles without access to clinical notes', async () => {
    const { id } = await client.contacts.create({ firstName: 'Ana', lastName: 'Silva' })
    const { version } = await client.contacts.update({ id, version: 1, notes: 'Has had a lump removed', city: 'Oakville' })
    await client.contacts.update({ id, version, weightLossMedication: 'Semaglutide' })
    const billing = await server.as('billing')
    const page = await billing.contacts.history({ id })
    expect(summarize(page)).toEqual([['changed', ['city', null, 'Oakville']], ['created']])
    expect(JSON.stringify(page)).not.toMatch(/lump|Semaglutide|notes|weightLoss/)
    expect(summarize(await (await server.as('provider')).contacts.history({ id }))[0]).toEqual([
      'changed',
      ['weightLossMedication', null, 'Semaglutide'],
    ])
  })

  it('pages without gaps even when the reader may not see some entries', async () => {
    const { id } = await client.contacts.create({ firstName: 'Ana', lastName: 'Silva' })
    let version = 1
    for (let index = 0; index < 6; index++) {
      const change = index % 2 ? { notes: `Note ${index}` } : { city: `City ${index}` }
      version = (await client.contacts.update({ id, version, ...change })).version
    }
    const pages = async (as: Client, limit: number) => {
      const all: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await as.contacts.history({ id, limit, cursor })
        all.push(...summarize(page))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return all
    }
    expect(await pages(client, 2)).toEqual(summarize(await client.contacts.history({ id, limit: 100 })))
    expect(await pages(client, 3)).toHaveLength(7)
    expect(await pages(await server.as('billing'), 1)).toHaveLength(4)
  })

  it('answers 404 for an unknown patient, and nothing about other patients', async () => {
    expect(await refusal(client.contacts.history({ id: randomUUID() }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    const id = await insertContact(server)
    expect(await client.contacts.history({ id })).toEqual({ data: [], nextCursor: null })
  })
})
