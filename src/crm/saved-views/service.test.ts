import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { maxViews } from './contract.ts'

describe('saved views', () => {
  let now = new Date('2026-11-21T15:00:00Z')
  const server = useServer({}, { now: () => now })
  let account: Account
  let mine: Client
  let theirs: Client
  let admin: Client
  beforeAll(async () => {
    account = await server.account({ role: 'sales_rep' })
    mine = server.client(account.cookie)
    theirs = server.client((await server.account({ role: 'provider' })).cookie)
    admin = await server.as('admin')
  })
  const list = { search: 'ana', filter: 'owner:me;follow-up:overdue', sort: 'name', columns: 'stage,phone' } as const
  const idsOf = async (client: Client) => (await client.savedViews.list()).map(({ id }) => id)

  it('hides a private view from others; lets everyone open a shared one, and only its owner and administrators change it', async () => {
    const view = await mine.savedViews.create({ name: '  Calls  ', isShared: false, list })
    expect(view).toMatchObject({ name: 'Calls', isShared: false, ownerId: account.id, list })
    expect(await idsOf(mine)).toContain(view.id)
    expect(await idsOf(theirs)).not.toContain(view.id)
    for (const client of [theirs, admin]) {
      expect(await refusal(client.savedViews.get({ id: view.id }))).toEqual(await refusal(client.savedViews.get({ id: randomUUID() })))
      expect(await refusal(client.savedViews.update({ id: view.id, name: 'x' }))).toMatchObject({ status: 404 })
      expect(await refusal(client.savedViews.delete({ id: view.id }))).toMatchObject({ status: 404 })
    }

    await mine.savedViews.update({ id: view.id, isShared: true })
    expect(await theirs.savedViews.get({ id: view.id })).toMatchObject({ name: 'Calls', list })
    expect(await idsOf(theirs)).toContain(view.id)
    expect(await refusal(theirs.savedViews.update({ id: view.id, name: 'x' }))).toMatchObject({ status: 403, code: 'NOT_YOURS' })
    expect(await refusal(theirs.savedViews.delete({ id: view.id }))).toMatchObject({ status: 403, code: 'NOT_YOURS' })
    expect(await admin.savedViews.update({ id: view.id, name: 'Calls today' })).toMatchObject({ name: 'Calls today', list, isShared: true })
  })

  it('stores ids for stages, sources and procedures given by name in any case, and keeps unknown names', async () => {
    const procedure = await admin.procedures.create({ name: 'Saved, Lift' })
    const stage = (await mine.pipeline.stages()).find(({ value }) => value === 'consult_booked')!
    const view = await mine.savedViews.create({
      name: 'By name',
      isShared: false,
      list: { filter: 'stage:CONSULT_BOOKED,none yet;procedure!:saved%2C lift;source:Nowhere' },
    })
    expect(view.list.filter).toBe(`stage:${stage.id},none yet;procedure!:${procedure.id};source:Nowhere`)
    const changed = await mine.savedViews.update({ id: view.id, list: { filter: 'any|stage:consult booked;owner:me' } })
    expect(changed.list.filter).toBe(`any|stage:${stage.id};owner:me`)
    await mine.savedViews.delete({ id: view.id })
  })

  it('sends no event about a private view to others', async () => {
    const other = await server.account()
    const stream = await openStream(server.url, other.cookie)
    const secret = await mine.savedViews.create({ name: 'Secret', isShared: false, list })
    const shared = await mine.savedViews.create({ name: 'Shared', isShared: true, list })
    await stream.next(({ topic, id }) => topic === 'saved-view' && id === shared.id)
    expect(stream.received.some(({ id }) => id === secret.id)).toBe(false)
    stream.close()
  })

  it('changes only the given fields, and audits creation and change', async () => {
    const view = await mine.savedViews.create({ name: 'Before', isShared: true, list: {} })
    expect(await mine.savedViews.update({ id: view.id, list: { filter: 'consent:yes' } })).toMatchObject({
      name: 'Before',
      list: { filter: 'consent:yes' },
    })
    const rows = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'saved-view' and after->>'id' = $1 order by id",
      [view.id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['created', 'changed'])
  })

  it('restores a deleted view with the same id, and purges it a day later', async () => {
    const view = await mine.savedViews.create({ name: 'Gone', isShared: true, list })
    await mine.savedViews.delete({ id: view.id })
    expect(await refusal(theirs.savedViews.get({ id: view.id }))).toMatchObject({ status: 404 })
    expect(await refusal(mine.savedViews.delete({ id: view.id }))).toMatchObject({ status: 404 })
    expect(await refusal(theirs.savedViews.restore({ id: view.id }))).toMatchObject({ status: 403 })
    expect(await mine.savedViews.restore({ id: view.id })).toEqual(view)
    expect(await theirs.savedViews.get({ id: view.id })).toEqual(view)

    await mine.savedViews.delete({ id: view.id })
    now = new Date(now.getTime() + 25 * 3_600_000)
    const other = await mine.savedViews.create({ name: 'Other', isShared: false, list: {} })
    await mine.savedViews.delete({ id: other.id })
    expect(await refusal(mine.savedViews.restore({ id: view.id }))).toMatchObject({ status: 404 })
  })

  it('answers 404 for an unknown view and 422 to an invalid one', async () => {
    for (const call of ['get', 'delete', 'restore'] as const) {
      expect(await refusal(mine.savedViews[call]({ id: randomUUID() }) as Promise<unknown>)).toMatchObject({ status: 404 })
    }
    const view = { name: 'x', isShared: false, list: {} }
    const wrong = [
      { ...view, name: ' ' },
      { ...view, name: 'x'.repeat(61) },
      { ...view, list: { filter: 'nonsense' } },
      { ...view, list: { page: 2 } },
      { ...view, list: { search: 'a\0' } },
    ]
    for (const input of wrong) {
      const answer = await server.send('POST', '/api/saved-views', input, account.cookie)
      expect([input, answer.status]).toEqual([input, 422])
    }
  })

  it(`limits each user to ${maxViews} views, even with simultaneous requests`, async () => {
    const { cookie, id } = await server.account({ role: 'billing' })
    const client = server.client(cookie)
    const answers = await Promise.all(
      Array.from({ length: maxViews + 4 }, (_, i) =>
        server.send('POST', '/api/saved-views', { name: `V${i}`, isShared: false, list: {} }, cookie),
      ),
    )
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    expect((await client.savedViews.list()).filter(({ ownerId }) => ownerId === id)).toHaveLength(maxViews)
  })
})
