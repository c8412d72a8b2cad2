import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Client, useServer } from '../../../../test/server.ts'

const server = useServer()
let client: Client
beforeAll(async () => {
  client = await server.as('front_desk')
})
const found = async (search: string, recent: string[] = []) => (await client.contacts.find({ search, recent })).data.map(({ id }) => id)

describe('patient search of the command palette', () => {
  it('returns the eight newest matches with only their identifying fields', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 12 }, (_, i) => ({ firstName: 'Palette', lastName: `Number ${i}`, notes: 'a secret' })),
    )
    expect(await found('palette num')).toEqual(ids.toReversed().slice(0, 8))
    const { data } = await client.contacts.find({ search: 'number 11' })
    expect(data).toEqual([
      { id: ids[11], firstName: 'Palette', lastName: 'Number 11', email: null, otherEmails: [], phone: null, otherPhones: [] },
    ])
  })

  it('finds a patient by any name, email or phone number', async () => {
    const handle = randomUUID()
    const id = await insertContact(server, {
      firstName: 'Éloïse',
      lastName: 'Żak',
      email: `one.${handle}@example.com`,
      phone: '416 555 6201',
      otherEmails: [`two.${handle}@example.com`],
      otherPhones: ['905 555 6202'],
    })
    for (const term of ['eloise zak', 'Żak Élo', `one.${handle}`, `TWO.${handle}`, '6201', '6202', '(905) 555-6202'])
      expect([term, await found(term)]).toEqual([term, [id]])
    expect(await found('no one is called this')).toEqual([])
  })

  it('lists recently opened patients before newer ones, and only if they match', async () => {
    // No digits: the search for 'row 2' below would match a first name with a 2.
    const name = randomUUID().slice(0, 8).replace(/\d/g, 'x')
    const ids = await insertContacts(
      server,
      Array.from({ length: 10 }, (_, i) => ({ firstName: name, lastName: `Row ${i}` })),
    )
    const unmatched = await insertContact(server, { firstName: 'Stranger' })
    const [first = '', second = '', third = ''] = ids
    expect(await found(name, [second, unmatched, first, second, randomUUID()])).toEqual([
      second,
      first,
      ...ids.slice(2).toReversed().slice(0, 6),
    ])
    expect(await found('row 2', [first, third])).toEqual([third, ...(await found('row 2')).filter((id) => id !== third)])
  })

  it('lists recently opened patients in order before anything is typed, without deleted ones', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 20 }, () => ({})),
    )
    expect(await found('', ids)).toEqual(ids.slice(0, 8))
    const admin = await server.as('admin')
    await admin.contacts.delete({ id: ids[0] ?? '' })
    expect(await found('  ', ids.slice(0, 3))).toEqual(ids.slice(1, 3))
    expect(await found('')).toEqual([])
  })

  it('audits a view of the patients shown', async () => {
    const id = await insertContact(server, { firstName: randomUUID() })
    await found('', [id])
    expect(await server.rows("select 1 from audit_log where action = 'viewed' and contact_ids = array[$1]::uuid[]", [id])).toHaveLength(1)
  })

  it('refuses more than twenty recent patients, and an invalid id', async () => {
    const refused = await refusal(client.contacts.find({ recent: Array.from({ length: 21 }, () => randomUUID()) }))
    expect([refused.status, Object.keys(refused.data.fields ?? {})]).toEqual([422, ['recent']])
    expect((await refusal(client.contacts.find({ recent: ['1'] }))).status).toBe(422)
  })
})
