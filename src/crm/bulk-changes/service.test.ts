import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts, insertOneOfEach } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { BulkChange, BulkProgress, Selection } from './contract.ts'

describe('bulk changes', () => {
  const server = useServer()
  let client: Client
  beforeAll(async () => {
    client = await server.as('sales_rep')
  })

  const waitUntilSettled = ({ id }: BulkProgress, by = client): Promise<BulkProgress> =>
    until(async () => {
      const progress = await by.bulkChanges.get({ id })
      return progress.status !== 'running' && progress.status !== 'undoing' && progress
    })
  const change = async (selection: Selection, wanted: BulkChange) =>
    waitUntilSettled(
      await client.bulkChanges.start({ selection, change: wanted as Parameters<typeof client.bulkChanges.start>[0]['change'] }),
    )
  const undo = async (progress: BulkProgress) => waitUntilSettled(await client.bulkChanges.undo({ id: progress.id }))
  const stageId = async (value: string) => (await client.pipeline.stages()).find((stage) => stage.value === value)?.id ?? ''

  it('moves twenty patients to a stage with stage history and timeline entries, and undo moves them back', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 20 }, () => ({})),
    )
    const [lead, booked] = [await stageId('lead'), await stageId('consult_booked')]
    const done = await change({ ids }, { kind: 'stage', stageId: booked })
    expect(done).toMatchObject({ status: 'done', total: 20, changed: 20, unchanged: 0 })
    const [id = ''] = ids
    expect(await client.contacts.get({ id })).toMatchObject({ funnelStageId: booked, version: 2 })
    expect((await client.contacts.stageHistory({ id })).map(({ toStageId }) => toStageId)).toContain(booked)
    expect((await client.interactions.list({ contactId: id })).data[0]).toMatchObject({ type: 'consult_booked' })
    expect(await undo(done)).toMatchObject({ status: 'undone', undone: 20, kept: 0 })
    expect(await server.rows('select distinct funnel_stage from contacts where id = any($1)', [ids])).toEqual([{ funnel_stage: lead }])
  })

  it.each(['owner', 'provider'] as const)(
    'sets the %s, skips patients who already have it, and undo skips patients changed since',
    async (kind) => {
      const column = kind === 'owner' ? ('assignedSalesRepId' as const) : ('assignedProviderId' as const)
      const { id: personId } = await server.account({ role: kind === 'owner' ? 'sales_rep' : 'provider' })
      const { id: other } = await server.account({ role: 'admin' })
      const [alreadySet = '', fresh = '', changedLater = ''] = await insertContacts(server, [{}, {}, {}])
      await client.contacts.update({ id: alreadySet, version: 1, [column]: personId })
      const done = await change({ ids: [alreadySet, fresh, changedLater] }, { kind, personId })
      expect(done).toMatchObject({ total: 3, changed: 2, unchanged: 1 })
      await client.contacts.update({ id: changedLater, version: 2, [column]: other })
      expect(await undo(done)).toMatchObject({ undone: 1, kept: 1 })
      const now = await Promise.all([alreadySet, fresh, changedLater].map(async (id) => (await client.contacts.get({ id }))[column]))
      expect(now).toEqual([personId, null, other])
    },
  )

  it('sets and clears the follow-up date', async () => {
    const ids = await insertContacts(server, [{}, {}])
    const date = new Date('2026-12-01T14:00:00Z')
    const done = await change({ ids }, { kind: 'followUp', date })
    expect((await client.contacts.get({ id: ids[0] ?? '' })).nextFollowUpDate).toEqual(date.toISOString())
    expect(await change({ ids }, { kind: 'followUp', date })).toMatchObject({ changed: 0, unchanged: 2 })
    expect(await undo(done)).toMatchObject({ undone: 2 })
    expect((await client.contacts.get({ id: ids[0] ?? '' })).nextFollowUpDate).toBeNull()
  })

  it('adds and removes a tag, and undo keeps it on patients who already had it', async () => {
    const { tagId } = await insertOneOfEach(server)
    const [alreadyTagged = '', fresh = ''] = await insertContacts(server, [{}, {}])
    await client.contacts.addTag({ id: alreadyTagged, tagId })
    const done = await change({ ids: [alreadyTagged, fresh] }, { kind: 'tag', tagId, on: true })
    expect(done).toMatchObject({ changed: 1, unchanged: 1 })
    await undo(done)
    const tagged = async () =>
      (await server.rows<{ id: string }>('select contact_id as id from contact_tags where tag_id = $1', [tagId])).map(({ id }) => id)
    expect(await tagged()).toEqual([alreadyTagged])
    expect(await change({ ids: [alreadyTagged, fresh] }, { kind: 'tag', tagId, on: false })).toMatchObject({ changed: 1, unchanged: 1 })
    expect(await tagged()).toEqual([])
  })

  it('changes everyone who matches a search and a stage, over several batches, and no one else', async () => {
    const name = `Wanted${randomUUID().slice(0, 8)}`
    await insertContacts(
      server,
      Array.from({ length: 250 }, () => ({ lastName: name })),
    )
    const other = await insertContact(server, { lastName: name, stage: 'contacted' })
    const { tagId } = await insertOneOfEach(server)
    const done = await change({ matching: { search: name, stageId: await stageId('lead') } }, { kind: 'tag', tagId, on: true })
    expect(done).toMatchObject({ total: 250, changed: 250 })
    expect(await client.contacts.tags({ id: other })).toEqual([])
    expect(await client.contacts.count({ tagId })).toEqual({ total: 250 })
  })

  it('skips deleted patients and changes no one twice', async () => {
    const [deleted = '', existing = ''] = await insertContacts(server, [{}, {}])
    await (await server.as('admin')).contacts.delete({ id: deleted })
    const { tagId } = await insertOneOfEach(server)
    expect(await change({ ids: [deleted, existing, existing] }, { kind: 'tag', tagId, on: true })).toMatchObject({ total: 1, changed: 1 })
  })

  it('refuses an unknown stage, tag or staff member by field and starts nothing', async () => {
    const id = await insertContact(server)
    const unknownId = randomUUID()
    const { id: clerk } = await server.account({ role: 'billing' })
    const refused = async (wanted: BulkChange) =>
      (await refusal(client.bulkChanges.start({ selection: { ids: [id] }, change: wanted as never }))).data.fields
    expect(await refused({ kind: 'stage', stageId: unknownId })).toEqual({ 'change.stageId': 'Stage not found' })
    expect(await refused({ kind: 'tag', tagId: unknownId, on: true })).toEqual({ 'change.tagId': 'Tag not found' })
    expect(await refused({ kind: 'owner', personId: unknownId })).toEqual({ 'change.personId': 'Staff member not found' })
    expect(await refused({ kind: 'provider', personId: clerk })).toEqual({ 'change.personId': 'This staff member has a different role' })
  })

  it('lists your own changes that are running or started in the last 5 minutes, with what they change', async () => {
    const { tagId, contactId } = await insertOneOfEach(server)
    const account = await server.account({ role: 'front_desk' })
    const mine = server.client(account.cookie)
    const date = '2026-12-01T14:00:00.000Z'
    const first = await waitUntilSettled(
      await mine.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'followUp', date } }),
      mine,
    )
    const second = await waitUntilSettled(
      await mine.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'tag', tagId, on: true } }),
      mine,
    )
    expect(await mine.bulkChanges.current()).toMatchObject([
      { id: second.id, status: 'done', changed: 1, canUndo: true, change: { kind: 'tag', tagId, on: true } },
      { id: first.id, status: 'done', change: { kind: 'followUp', date } },
    ])
    expect((await client.bulkChanges.current()).map(({ id }) => id)).not.toContain(first.id)
    await server.rows("update bulk_changes set created_at = created_at - interval '6 minutes' where id = any($1)", [[first.id, second.id]])
    await server.rows("update bulk_changes set status = 'undoing' where id = $1", [second.id])
    expect((await mine.bulkChanges.current()).map(({ id }) => id)).toEqual([second.id])
  })

  it('answers 404 to anyone but the person who started the change', async () => {
    const { tagId, contactId } = await insertOneOfEach(server)
    const { id } = await change({ ids: [contactId] }, { kind: 'tag', tagId, on: true })
    const other = await server.as('admin')
    for (const ask of [other.bulkChanges.get, other.bulkChanges.cancel, other.bulkChanges.undo]) {
      expect((await refusal(ask({ id }))).code).toBe('NOT_FOUND')
    }
  })

  it('stops between batches when cancelled, and can be undone once', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 400 }, () => ({})),
    )
    const { tagId } = await insertOneOfEach(server)
    const started = await client.bulkChanges.start({ selection: { ids }, change: { kind: 'tag', tagId, on: true } })
    const cancelled = await waitUntilSettled(await client.bulkChanges.cancel({ id: started.id }))
    expect(cancelled.status).toMatch(/cancelled|done/)
    expect(await undo(cancelled)).toMatchObject({ status: 'undone', undone: cancelled.changed })
    expect(await undo(cancelled)).toMatchObject({ status: 'undone', undone: cancelled.changed })
    expect(await client.contacts.count({ tagId })).toEqual({ total: 0 })
  })
})
