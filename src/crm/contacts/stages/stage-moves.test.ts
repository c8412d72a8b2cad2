import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

describe('lost reason', () => {
  const server = useServer()
  let client: Client
  let lost = ''
  beforeAll(async () => {
    client = await server.as('front_desk')
    lost = (await client.pipeline.stages()).find(({ kind }) => kind === 'lost')?.id ?? ''
  })
  const lose = (id: string, version: number, lostReason?: string | null) =>
    client.contacts.update({ id, version, funnelStage: 'cold_lead', ...(lostReason === undefined ? {} : { lostReason }) })
  const reasons = async (id: string) => (await client.contacts.stageHistory({ id })).map(({ lostReason }) => lostReason)

  it('appears on the patient, the move and the timeline, and is cleared when the lead is reopened, but kept in the history', async () => {
    const id = await insertContact(server)
    expect(await lose(id, 1, '  Price: too dear ')).toMatchObject({ funnelStageId: lost, lostReason: 'Price: too dear', version: 2 })
    expect((await client.interactions.list({ contactId: id })).data[0]?.metadata).toMatchObject({ lostReason: 'Price: too dear' })
    expect(await client.contacts.update({ id, version: 2, funnelStage: 'contacted' })).toMatchObject({ lostReason: null })
    expect(await lose(id, 3)).toMatchObject({ lostReason: null })
    expect(await client.contacts.update({ id, version: 4, funnelStage: 'lead' })).toMatchObject({ lostReason: null })
    expect(await lose(id, 5, 'Price: too dear')).toMatchObject({ lostReason: 'Price: too dear' })
    expect(await reasons(id)).toEqual(['Price: too dear', null, null, null, 'Price: too dear'])
  })

  it('can be added later or corrected without a move, and the same reason changes nothing', async () => {
    const id = await insertContact(server)
    await lose(id, 1)
    expect(await client.contacts.update({ id, version: 2, lostReason: 'Timing' })).toMatchObject({ lostReason: 'Timing', version: 3 })
    expect(await client.contacts.update({ id, version: 3, lostReason: 'Timing' })).toMatchObject({ version: 3 })
    expect(await reasons(id)).toEqual(['Timing'])
    expect((await client.interactions.list({ contactId: id })).data[0]).toMatchObject({
      type: 'contact_updated',
      description: 'Lost reason changed',
    })
    await client.contacts.update({ id, version: 3, lostReason: ' ' })
    expect(await reasons(id)).toEqual([null])
  })

  it('is refused with 422 for a lead that is not lost, when too long, and when it cannot be stored', async () => {
    const id = await insertContact(server)
    const attempts = [
      () => client.contacts.update({ id, version: 1, lostReason: 'Price' }),
      () => client.contacts.update({ id, version: 1, funnelStage: 'contacted', lostReason: 'Price' }),
      () => lose(id, 1, 'x'.repeat(201)),
      () => lose(id, 1, 'a\0b'),
    ]
    for (const attempt of attempts) expect(await refusal(attempt())).toMatchObject({ status: 422 })
    expect(await client.contacts.update({ id, version: 1, funnelStage: 'contacted', lostReason: null })).toMatchObject({ version: 2 })
  })

  it('refuses the second of two simultaneous moves of the same lead with 409', async () => {
    const id = await insertContact(server)
    const other = await server.as('sales_rep')
    await other.contacts.update({ id, version: 1, funnelStage: 'quote_sent' })
    const refused = await refusal(lose(id, 1, 'Price'))
    expect(refused).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(refused.data.changes?.map(({ field }) => field)).toContain('funnelStageId')
    expect(await client.contacts.get({ id })).toMatchObject({ version: 2, lostReason: null })
  })

  it('keeps the time of entry into the stage after a move that is undone at once', async () => {
    const id = await insertContact(server)
    const long = '2026-01-05T15:00:00.000Z'
    await server.rows('update contacts set stage_entered_at = $2 where id = $1', [id, long])
    await server.rows(
      'insert into contact_stage_history (contact_id, to_stage, changed_at) select id, funnel_stage, $2 from contacts where id = $1',
      [id, long],
    )
    for (const version of [1, 3]) {
      const moved = await client.contacts.update({ id, version, funnelStage: 'contacted' })
      expect(moved.stageEnteredAt > long).toBe(true)
      expect(await client.contacts.update({ id, version: version + 1, funnelStage: 'lead' })).toMatchObject({ stageEnteredAt: long })
    }
    await server.rows(`update contact_stage_history set changed_at = changed_at - interval '2 minutes' where contact_id = $1`, [id])
    await client.contacts.update({ id, version: 5, funnelStage: 'contacted' })
    await server.rows(`update contact_stage_history set changed_at = changed_at - interval '2 minutes' where contact_id = $1`, [id])
    expect((await client.contacts.update({ id, version: 6, funnelStage: 'lead' })).stageEnteredAt > long).toBe(true)
  })

  it('is set by a bulk change and restored by its undo', async () => {
    const ids = await insertContacts(server, [{}, {}, {}])
    const [had = ''] = ids
    await lose(had, 1, 'Went elsewhere')
    const settled = async ({ id }: { id: string }) =>
      until(async () => {
        const progress = await client.bulkChanges.get({ id })
        return progress.status !== 'running' && progress.status !== 'undoing' && progress
      })
    const start = (change: Parameters<Client['bulkChanges']['start']>[0]['change']) =>
      client.bulkChanges.start({ selection: { ids }, change })
    const now = async () => Promise.all(ids.map(async (id) => (await client.contacts.get({ id })).lostReason))
    const done = await settled(await start({ kind: 'stage', stageId: lost, lostReason: 'No answer' }))
    expect(done).toMatchObject({ changed: 2, unchanged: 1 })
    expect(await now()).toEqual(['Went elsewhere', 'No answer', 'No answer'])
    const lead = (await client.pipeline.stages())[0]?.id ?? ''
    const back = await settled(await start({ kind: 'stage', stageId: lead }))
    expect(await now()).toEqual([null, null, null])
    expect(await settled(await client.bulkChanges.undo({ id: back.id }))).toMatchObject({ undone: 3 })
    expect(await now()).toEqual(['Went elsewhere', 'No answer', 'No answer'])
    expect(await refusal(start({ kind: 'stage', stageId: lead, lostReason: 'Price' }))).toMatchObject({
      status: 422,
      data: { fields: { 'change.lostReason': 'Only lost leads have a lost reason' } },
    })
  })
})
