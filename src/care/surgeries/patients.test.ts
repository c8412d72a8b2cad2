import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { until } from '../../../test/until.ts'

const theatre = useSurgeryPractice()
const { server, operate, recordOf } = theatre

describe('surgeries of a merged patient', () => {
  const merge = async (id: string, sourceId: string) => {
    const { target, source } = await theatre.admin.contacts.mergePreview({ id, sourceId })
    return (await theatre.admin.contacts.merge({ id, version: target.version, sourceId, sourceVersion: source.version })).mergeId
  }

  it('move with their checklists to the target, whose record shows the next of both, and move back on undo', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    await operate({ contactId: target, startsAt: '2027-01-12T13:00:00Z', priceCents: 200 })
    const moving = await operate({ contactId: source, startsAt: '2027-01-05T13:00:00Z', priceCents: 100 })
    const mergeId = await merge(target, source)
    expect(await recordOf(target)).toEqual(['Surgery Booked', '2027-01-05', 100])
    const moved = await theatre.desk.surgeries.get({ id: moving.id })
    expect([moved.contact.id, moved.items]).toEqual([target, moving.items])
    await theatre.admin.contacts.undoMerge({ id: mergeId })
    expect(await recordOf(target)).toEqual(['Surgery Booked', '2027-01-12', 200])
    expect(await recordOf(source)).toEqual(['Surgery Booked', '2027-01-05', 100])
    expect(await theatre.desk.surgeries.get({ id: moving.id })).toEqual(moving)
  })

  it('keep a time changed after the merge when it is undone, without a conflict', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    const roomId = theatre.operatingRoom.id
    const { id } = await operate({ contactId: source, roomId })
    const mergeId = await merge(target, source)
    const moved = await theatre.desk.surgeries.change({ id, version: 1, startsAt: '2026-12-04T13:00:00Z' })
    await operate({ roomId })
    const { undoMerge } = theatre.admin.contacts
    const asked = await undoMerge({ id: mergeId }).then(
      () => null,
      (error: { data: { version: number; conflicts: { key: string }[] } }) => error.data,
    )
    const keys = asked?.conflicts.map(({ key }) => key) ?? []
    expect(keys.filter((key) => !key.startsWith('field:'))).toEqual([])
    if (asked) {
      const decisions = Object.fromEntries(keys.map((key) => [key, 'restore' as const]))
      await undoMerge({ id: mergeId, version: asked.version, decisions })
    }
    expect(await theatre.desk.surgeries.get({ id })).toMatchObject({ contact: { id: source }, startsAt: moved.startsAt })
    expect((await recordOf(source))[1]).toBe('2026-12-04')
  })
})

describe('surgeries of a deleted patient', () => {
  it('are restored with their checklists, as cancelled if their time has been taken', async () => {
    const sales = await server.as('sales_rep')
    const settled = (id: string) =>
      until(async () => {
        const progress = await sales.bulkChanges.get({ id })
        return progress.status !== 'running' && progress.status !== 'undoing' && progress
      })
    const contactId = await insertContact(server)
    const surgeonId = theatre.provider.id
    const lost = await operate({ contactId, surgeonId, startsAt: '2026-12-14T13:00:00Z' })
    const kept = await operate({ contactId, surgeonId, startsAt: '2026-12-15T13:00:00Z' })
    await theatre.admin.surgeries.changeItem({ id: kept.id, itemId: kept.items.find(({ kind }) => kind === 'labs')!.id, isDone: true })
    const ticked = await theatre.desk.surgeries.get({ id: kept.id })
    const { id } = await sales.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'delete', forGood: false } })
    await settled(id)
    const left = 'select id from surgeries where contact_id = $1 union all select id from surgery_items where surgery_id = $2'
    expect(await server.rows(left, [contactId, kept.id])).toEqual([])
    await theatre.book({ providerId: surgeonId, startsAt: '2026-12-14T15:30:00Z' })
    await sales.bulkChanges.undo({ id })
    await settled(id)
    expect(await theatre.desk.surgeries.get({ id: kept.id })).toEqual(ticked)
    expect(await theatre.desk.surgeries.get({ id: lost.id })).toMatchObject({
      status: 'cancelled',
      cancelReason: 'The time was booked for someone else while the patient was deleted',
      items: lost.items,
    })
  })
})
