import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { childRowsOf, insertChildRow, insertChildRows } from '../../../test/crm/child-rows.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { purgeMerges } from './jobs.ts'
import type { MergeChoices } from './rules.ts'

type ContactFields = Partial<Parameters<Client['contacts']['create']>[0]>

const day = 24 * 3600_000
let clockOffsetMs = 0
const server = useServer({}, { now: () => new Date(Date.now() + clockOffsetMs) })
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
})
const add = (given: ContactFields = {}) => admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', ...given })
const merge = async (id: string, sourceId: string, choices: MergeChoices = {}) => {
  const seen = await admin.contacts.mergePreview({ id, sourceId })
  return (await admin.contacts.merge({ id, version: seen.target.version, sourceId, sourceVersion: seen.source.version, choices })).mergeId
}
const undo = (id: string) => admin.contacts.undoMerge({ id })
const city = async (id: string) => (await admin.contacts.get({ id })).city
const change = async (id: string, fields: ContactFields) =>
  admin.contacts.update({ id, version: (await admin.contacts.get({ id })).version, ...fields })
type Conflicts = { version: number; target: { id: string }; conflicts: { key: string; kind: string; title: string | null }[] }
const conflictsOf = async (id: string) => {
  const error = await refusal(undo(id))
  expect(error).toMatchObject({ code: 'UNDO_CONFLICTS', status: 409 })
  return error.data as unknown as Conflicts
}
const decide = async (id: string, decision: 'keep' | 'restore') => {
  const { version, conflicts } = await conflictsOf(id)
  return admin.contacts.undoMerge({ id, version, decisions: Object.fromEntries(conflicts.map(({ key }) => [key, decision])) })
}
const tagsOf = async (id: string) => (await admin.contacts.tags({ id })).map(({ name }) => name)

describe('undoing a merge', () => {
  it('restores the source with its id and rows, and leaves rows added after the merge with the target', async () => {
    const [target, source] = [await add({ city: 'Ottawa' }), await add({ city: 'Guelph', revenueCents: 5 })]
    await insertChildRows(server, source.id)
    const before = await childRowsOf(server, [source.id])
    const id = await merge(target.id, source.id, { city: 'source' })
    await insertChildRow(server, 'interactions', target.id)
    const after = await childRowsOf(server, [target.id])
    expect(await admin.contacts.merges({ id: target.id })).toMatchObject([{ id, sourceId: source.id, sourceName: 'Ana Silva' }])

    expect(await undo(id)).toEqual({ targetId: target.id, sourceId: source.id })
    expect(await admin.contacts.get({ id: source.id })).toEqual(source)
    expect(await admin.contacts.get({ id: target.id })).toMatchObject({ city: 'Ottawa', revenueCents: null, version: 3 })
    const sortById = (rows: { row: unknown }[]) => rows.map((row) => JSON.stringify(row)).toSorted()
    expect(sortById(await childRowsOf(server, [source.id]))).toEqual(sortById(before))
    expect((await childRowsOf(server, [target.id])).length).toBe(after.length - before.length + 1) // plus the timeline entry about the undo
    const timeline = (await admin.interactions.list({ contactId: target.id })).data.map(({ description }) => description)
    expect(timeline[0]).toBe('Merge with Ana Silva undone')
    expect(await admin.contacts.merges({ id: target.id })).toEqual([])
    expect(await server.rows('select 1 from contact_merges where id = $1 and snapshot is not null', [id])).toEqual([])
  })

  it('refuses a second undo and answers 404 for an unknown merge', async () => {
    const id = await merge((await add()).id, (await add()).id)
    await undo(id)
    await expect(undo(id)).rejects.toMatchObject({ code: 'ALREADY_UNDONE', status: 409 })
    await expect(undo(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })

  it('undoes a merge once for ten simultaneous requests', async () => {
    const [target, source] = [await add(), await add()]
    await insertChildRows(server, source.id)
    const id = await merge(target.id, source.id)
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(id).catch(({ code }: { code: string }) => code)))
    expect(answers.filter((answer) => answer === 'ALREADY_UNDONE')).toHaveLength(9)
    expect(await admin.contacts.get({ id: source.id })).toEqual(source)
  })

  it('refuses an undo after 30 days and deletes the snapshot', async () => {
    const [target, source] = [await add(), await add()]
    const id = await merge(target.id, source.id)
    try {
      clockOffsetMs = 30 * day + 1000
      expect(await admin.contacts.merges({ id: target.id })).toEqual([])
      await expect(undo(id)).rejects.toMatchObject({ code: 'UNDO_EXPIRED', status: 409 })
      await purgeMerges.run({ db: server.running.runtime.db, now: () => new Date(Date.now() + clockOffsetMs) } as Scope, {}, { last: true })
      await expect(undo(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    } finally {
      clockOffsetMs = 0
    }
  })

  it('restores the stage and its entry time, and removes the stage move that the merge created', async () => {
    const target = await add()
    const source = await add({ funnelStage: 'Quote Sent' })
    const history = await admin.contacts.stageHistory({ id: target.id })
    await undo(await merge(target.id, source.id, { funnelStage: 'source' }))
    expect(await admin.contacts.get({ id: target.id })).toMatchObject({
      funnelStageId: target.funnelStageId,
      stageEnteredAt: target.stageEnteredAt,
    })
    expect(await admin.contacts.stageHistory({ id: target.id })).toEqual(history)
  })

  it('restores the name of a procedure or lead source that was deleted since', async () => {
    const procedure = await admin.procedures.create({ name: randomUUID() })
    const from = await admin.leadSources.create({ name: randomUUID() })
    const source = await add({ procedureOfInterest: procedure.id, leadSource: from.id })
    const id = await merge((await add()).id, source.id)
    await server.rows(
      `update contacts set procedure_of_interest = null, procedure_text = $2, lead_source = null, lead_source_text = $3
       where procedure_of_interest = $1`,
      [procedure.id, procedure.name, from.name],
    )
    await admin.procedures.delete({ id: procedure.id })
    await admin.leadSources.delete({ id: from.id })
    await decide(id, 'restore')
    expect(await admin.contacts.get({ id: source.id })).toMatchObject({
      procedureId: null,
      procedureText: procedure.name,
      leadSourceId: null,
      leadSourceText: from.name,
    })
  })
})

describe('undo with later edits', () => {
  it('keeps or restores a field edited since the merge, as decided, and keeps other edits', async () => {
    for (const decision of ['keep', 'restore'] as const) {
      const [target, source] = [await add({ city: 'Ottawa' }), await add({ city: 'Guelph' })]
      const id = await merge(target.id, source.id, { city: 'source' })
      await change(target.id, { city: 'Toronto', company: 'Later' })
      const { conflicts } = await conflictsOf(id)
      expect(conflicts).toEqual([
        { key: 'field:city', kind: 'field', of: 'city', title: null, before: { city: 'Ottawa' }, now: { city: 'Toronto' } },
      ])
      await expect(admin.contacts.get({ id: source.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await decide(id, decision)
      expect(await admin.contacts.get({ id: target.id })).toMatchObject({
        city: decision === 'keep' ? 'Toronto' : 'Ottawa',
        company: 'Later',
      })
      expect(await city(source.id)).toBe('Guelph')
    }
  })

  it('ignores decisions made about an outdated state', async () => {
    const [target, source] = [await add({ city: 'Ottawa' }), await add({ city: 'Guelph' })]
    const id = await merge(target.id, source.id, { city: 'source' })
    await change(target.id, { city: 'Toronto' })
    const { version } = await conflictsOf(id)
    await change(target.id, { city: 'Kingston' })
    const decisions = { 'field:city': 'restore' as const }
    await expect(admin.contacts.undoMerge({ id, version, decisions })).rejects.toMatchObject({ code: 'UNDO_CONFLICTS' })
    await expect(admin.contacts.undoMerge({ id, decisions })).rejects.toMatchObject({ code: 'UNDO_CONFLICTS' })
    expect(await city(target.id)).toBe('Kingston')
  })

  it('returns a changed row with or without the change, as decided', async () => {
    for (const decision of ['keep', 'restore'] as const) {
      const [target, source] = [await add(), await add()]
      await insertChildRow(server, 'automation_state', source.id, 'welcome')
      const id = await merge(target.id, source.id)
      await server.rows(`update automation_state set state = '{"step": 2}' where contact_id = $1`, [target.id])
      expect((await conflictsOf(id)).conflicts).toMatchObject([
        { kind: 'changed-row', of: 'automation_state', title: 'automation welcome' },
      ])
      await decide(id, decision)
      const [row] = await server.rows<{ state: object }>('select state from automation_state where contact_id = $1', [source.id])
      expect(row?.state).toEqual({ step: decision === 'keep' ? 2 : 1 })
    }
  })

  it('keeps a removed tag off or restores it with the source, as decided, and does not ask about a deleted tag', async () => {
    for (const decision of ['keep', 'restore'] as const) {
      const [target, source] = [await add(), await add()]
      const [tag, deletedTag] = await Promise.all([1, 2].map(() => admin.tags.create({ name: randomUUID() })))
      for (const one of [tag, deletedTag]) await admin.contacts.addTag({ id: source.id, tagId: one!.id })
      const id = await merge(target.id, source.id)
      await admin.contacts.removeTag({ id: target.id, tagId: tag!.id })
      await admin.tags.delete({ id: deletedTag!.id })
      expect((await conflictsOf(id)).conflicts).toMatchObject([{ kind: 'removed-row', of: 'contact_tags', title: tag!.name }])
      await decide(id, decision)
      expect(await tagsOf(source.id)).toEqual(decision === 'keep' ? [] : [tag!.name])
      expect(await tagsOf(target.id)).toEqual([])
    }
  })

  it('leaves a tag that was removed and added again with the target', async () => {
    const [target, source] = [await add(), await add()]
    const tag = await admin.tags.create({ name: randomUUID() })
    await admin.contacts.addTag({ id: source.id, tagId: tag.id })
    const id = await merge(target.id, source.id)
    await admin.contacts.removeTag({ id: target.id, tagId: tag.id })
    await admin.contacts.addTag({ id: target.id, tagId: tag.id })
    await decide(id, 'restore')
    expect([await tagsOf(source.id), await tagsOf(target.id)]).toEqual([[tag.name], [tag.name]])
  })
})

describe('chains of merges', () => {
  it('requires undoing the later merge first when the target was itself merged', async () => {
    const [first, second, third] = [await add({ city: 'One' }), await add({ city: 'Two' }), await add({ city: 'Three' })]
    for (const { id } of [first, second, third]) await insertChildRows(server, id)
    const ids = [first.id, second.id, third.id]
    const before = (await childRowsOf(server, ids)).map((row) => JSON.stringify(row)).toSorted()
    const m1 = await merge(second.id, first.id, { city: 'source' })
    const m2 = await merge(third.id, second.id, { city: 'source' })
    expect(await city(third.id)).toBe('One')
    await expect(undo(m1)).rejects.toMatchObject({ code: 'TARGET_MERGED', data: { mergeId: m2, intoId: third.id } })
    await undo(m2)
    expect([await city(second.id), await city(third.id)]).toEqual(['One', 'Three'])
    await undo(m1)
    expect(await Promise.all(ids.map(city))).toEqual(['One', 'Two', 'Three'])
    const after = (await childRowsOf(server, ids)).filter(({ row }) => row.type !== 'contact_merged')
    expect(after.map((row) => JSON.stringify(row)).toSorted()).toEqual(before)
  })

  it.each([[[0, 1]], [[1, 0]]])('restores both sources and the target when two merges are undone in the order %j', async (order) => {
    const shared = randomUUID()
    const [target, a, b] = [await add({ city: 'Own' }), await add({ city: 'A' }), await add({ city: 'B' })]
    for (const { id } of [a, b]) await insertChildRows(server, id, shared)
    const ids = [target.id, a.id, b.id]
    const before = (await childRowsOf(server, ids)).map((row) => JSON.stringify(row)).toSorted()
    const merges = [await merge(target.id, a.id, { city: 'source' }), await merge(target.id, b.id, { city: 'source' })]
    await undo(merges[order[0]!]!)
    expect(await city(target.id)).toBe(order[0] === 0 ? 'B' : 'A')
    expect(await tagsOf(target.id), 'the other one is still merged in').toEqual([`tag ${shared}`])
    await undo(merges[order[1]!]!)
    expect(await Promise.all(ids.map(city))).toEqual(['Own', 'A', 'B'])
    const after = (await childRowsOf(server, ids)).filter(({ row }) => row.type !== 'contact_merged')
    expect(after.map((row) => JSON.stringify(row)).toSorted()).toEqual(before)
  })

  it('deletes the snapshots of all patients merged into a deleted patient', async () => {
    const [first, second, third] = [await add(), await add(), await add()]
    await insertChildRows(server, first.id)
    const merges = [await merge(second.id, first.id), await merge(third.id, second.id)]
    await admin.contacts.delete({ id: third.id })
    for (const id of merges) await expect(undo(id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    expect(await server.rows('select 1 from contact_merges where id = any($1)', [merges])).toEqual([])
    expect(await server.rows('select 1 from contact_merge_rows where merge_id = any($1)', [merges])).toEqual([])
  })

  it('leaves no trace of a restored source that is then deleted', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server, { notes: 'secret of the source' })]
    await undo(await merge(target, source))
    await admin.contacts.delete({ id: source })
    expect(await server.rows("select 1 from contact_merges where snapshot::text like '%secret of the source%'")).toEqual([])
    expect(await childRowsOf(server, [source])).toEqual([])
  })
})
