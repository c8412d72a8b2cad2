import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContacts } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { until } from '../../../test/until.ts'

const server = useServer()
let [admin, sales] = [{} as Client, {} as Client]
beforeAll(async () => {
  admin = await server.as('admin')
  sales = await server.as('sales_rep')
})

const stages = () => sales.pipeline.stages()
const named = async (name: string) => (await stages()).find((stage) => stage.name === name)!
const valued = async (value: string) => (await stages()).find((stage) => stage.value === value)!
const countIn = async (id: string) => (await admin.pipeline.stageCounts()).find(({ stageId }) => stageId === id)?.count ?? 0
const add = (kind: 'open' | 'lost' = 'open') => admin.pipeline.addStage({ name: randomUUID(), kind })

describe('funnel stages', () => {
  it('are added before the won stage, or last if lost, with a unique value, an audit entry and a live event', async () => {
    const stream = await openStream(server.url, (await server.account({ role: 'billing' })).cookie)
    const added = await admin.pipeline.addStage({ name: ' Second  Consult ', kind: 'open' })
    await stream.next(({ topic, id }) => topic === 'vocabulary' && id === added.id)
    stream.close()
    expect(added).toMatchObject({
      name: 'Second  Consult',
      value: 'second_consult',
      kind: 'open',
      isInitial: false,
      isActive: true,
      version: 1,
    })
    const names = (await stages()).map(({ name }) => name)
    expect(names.indexOf('Second  Consult')).toBe(names.indexOf('Surgery Booked') - 1)
    const lost = await add('lost')
    expect((await stages()).at(-1)).toEqual(lost)
    const [audit] = await server.rows(
      "select action, after->>'name' as name from audit_log where kind = 'funnel stage' and after->>'id' = $1",
      [added.id],
    )
    expect(audit).toEqual({ action: 'created', name: 'Second  Consult' })
  })

  it('have a unique name, ignoring case, that is not another stage’s value, and are still found by value once renamed', async () => {
    const stage = await add()
    const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
    expect(await codeOf(admin.pipeline.addStage({ name: 'surgery booked', kind: 'open' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.pipeline.addStage({ name: 'Consult_Done', kind: 'open' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.pipeline.changeStage({ ...pick(stage), name: 'LEAD' }))).toBe('NAME_TAKEN')
    expect((await refusal(admin.pipeline.addStage({ name: ' ', kind: 'lost' }))).data.fields).toEqual({ name: 'Name the stage' })
    const lead = await valued('lead')
    await admin.pipeline.changeStage({ ...pick(lead), name: 'New inquiry' })
    const contact = await sales.contacts.create({ firstName: 'Ana', lastName: 'Silva', funnelStage: 'lead' })
    expect(contact.funnelStageId).toBe(lead.id)
    await admin.pipeline.changeStage({ ...pick(await valued('lead')), name: 'Lead' })
  })

  it('refuse a change based on an outdated version and stay unchanged', async () => {
    const stage = await add()
    const renamed = await admin.pipeline.changeStage({ ...pick(stage), name: randomUUID() })
    const before = await databaseFingerprint(server)
    expect((await refusal(admin.pipeline.changeStage({ ...pick(stage), name: randomUUID() }))).code).toBe('CHANGED_MEANWHILE')
    expect(await admin.pipeline.changeStage(pick(renamed))).toEqual(renamed)
    expect(await databaseFingerprint(server)).toEqual(before)
    const both = await Promise.allSettled([1, 2].map(() => admin.pipeline.changeStage({ ...pick(renamed), name: randomUUID() })))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('are reordered, also by two simultaneous requests', async () => {
    const [one, two] = [await add(), await add()]
    const order = async () => (await stages()).map(({ id }) => id)
    const first = (await order())[0]!
    await Promise.all([one, two].map(({ id }) => admin.pipeline.moveStage({ id, before: first })))
    const after = await order()
    expect(after.slice(0, 2).toSorted()).toEqual([one.id, two.id].toSorted())
    expect(after[2]).toBe(first)
    expect((await stages()).map(({ sortOrder }) => sortOrder)).toEqual(after.map((_, index) => index + 1))
    await admin.pipeline.moveStage({ id: one.id, before: null })
    expect((await order()).at(-1)).toBe(one.id)
    expect((await refusal(admin.pipeline.moveStage({ id: randomUUID(), before: null }))).status).toBe(404)
    expect((await refusal(admin.pipeline.moveStage({ id: one.id, before: randomUUID() }))).status).toBe(404)
    for (const { id } of [one, two]) await admin.pipeline.moveStage({ id, before: null })
  })

  it('accept no new patients once retired, while patients in them can still be edited and moved', async () => {
    const stage = await add()
    const contact = await sales.contacts.create({ firstName: 'Ana', lastName: 'Silva', funnelStage: stage.id })
    const [other] = await insertContacts(server, [{}])
    const retired = await admin.pipeline.changeStage({ ...pick(stage), isActive: false })
    expect(retired).toMatchObject({ isActive: false, version: 2 })
    const refused = await refusal(sales.contacts.create({ firstName: 'Ana', lastName: 'Silva', funnelStage: stage.name }))
    expect(refused.data.fields).toEqual({ funnelStage: 'Stage not found' })
    const change = { kind: 'stage' as const, stageId: stage.id }
    const bulk = await refusal(sales.bulkChanges.start({ selection: { ids: [other!] }, change }))
    expect(bulk.data.fields).toEqual({ 'change.stageId': 'Stage not found' })
    const edited = await sales.contacts.update({ id: contact.id, version: contact.version, city: 'Oakville', funnelStage: stage.id })
    expect(edited).toMatchObject({ city: 'Oakville', funnelStageId: stage.id })
    expect((await sales.contacts.byStage({ stage: stage.name })).data.map(({ id }) => id)).toEqual([contact.id])
    await sales.contacts.update({ id: contact.id, version: edited.version, funnelStage: 'contacted' })
    await admin.pipeline.changeStage({ ...pick(retired), isActive: true })
    expect((await sales.contacts.create({ firstName: 'Ben', lastName: 'Silva', funnelStage: stage.id })).funnelStageId).toBe(stage.id)
  })

  it('can be renamed but not retired or merged if leads start or booked surgeries end in them', async () => {
    for (const value of ['lead', 'surgery_booked']) {
      const stage = await valued(value)
      const renamed = await admin.pipeline.changeStage({ ...pick(stage), name: `Our ${value}` })
      expect((await refusal(admin.pipeline.changeStage({ ...pick(renamed), isActive: false }))).code).toBe('NEEDED')
      expect((await refusal(admin.pipeline.mergeStage({ id: stage.id, into: (await valued('contacted')).id }))).code).toBe('NEEDED')
      await admin.pipeline.changeStage({ ...pick(renamed), name: stage.name })
    }
    const contact = await sales.contacts.create({ firstName: 'New', lastName: 'Lead' })
    expect(contact.funnelStageId).toBe((await valued('lead')).id)
  })

  it('are merged in batches, with a history entry for each patient, and the merge can be undone', async () => {
    const [from, into] = [await add(), await add()]
    await server.rows(
      `insert into contacts (first_name, last_name, funnel_stage) select 'Ana', 'Nº ' || n, $1 from generate_series(1, 230) as n`,
      [from.id],
    )
    const merged = await admin.pipeline.mergeStage({ id: from.id, into: into.id })
    expect(merged.total).toBe(230)
    expect((await named(from.name)).isActive).toBe(false)
    const hasStatus = async (status: string) => (await admin.bulkChanges.get({ id: merged.bulkChangeId })).status === status
    await until(() => hasStatus('done'))
    expect([await countIn(from.id), await countIn(into.id)]).toEqual([0, 230])
    const [written] = await server.rows(
      `select (select count(*)::int from contact_stage_history where from_stage = $1 and to_stage = $2) as moves,
         (select count(*)::int from interactions where type = 'stage_change' and metadata->>'to' = $2::text) as lines`,
      [from.id, into.id],
    )
    expect(written).toEqual({ moves: 230, lines: 230 })
    const [audit] = await server.rows("select before, after from audit_log where action = 'merged' and kind = 'funnel stage'")
    expect(audit).toEqual({ before: { id: from.id, name: from.name, patients: 230 }, after: { id: into.id, name: into.name } })
    await admin.bulkChanges.undo({ id: merged.bulkChangeId })
    await until(() => hasStatus('undone'))
    expect([await countIn(from.id), await countIn(into.id)]).toEqual([230, 0])
  })

  it('are not merged into themselves, into a retired or missing stage, or while patients are being moved to them', async () => {
    const [from, retired] = [await add(), await add()]
    await admin.pipeline.changeStage({ ...pick(retired), isActive: false })
    const codeOf = async (into: string, id = from.id) => (await refusal(admin.pipeline.mergeStage({ id, into }))).code
    for (const into of [from.id, retired.id, randomUUID()]) expect(await codeOf(into)).toBe('INVALID_TARGET')
    expect(await codeOf(from.id, randomUUID())).toBe('NOT_FOUND')
    const { id } = await server.account({ role: 'sales_rep' })
    await server.rows(`insert into bulk_changes (change, total, created_by, created_at) values ($1, 0, $2, now())`, [
      JSON.stringify({ kind: 'stage', stageId: from.id }),
      id,
    ])
    expect(await codeOf((await valued('contacted')).id)).toBe('MOVING')
    expect((await named(from.name)).isActive).toBe(true)
  })

  it('gain no patients from requests that arrive while they are being retired', async () => {
    const stage = await add()
    const requests = Array.from({ length: 8 }, (_, n) =>
      sales.contacts.create({ firstName: 'Ana', lastName: `${n}`, funnelStage: stage.id }),
    )
    const merged = await admin.pipeline.mergeStage({ id: stage.id, into: (await valued('contacted')).id })
    await Promise.allSettled(requests)
    await until(async () => (await admin.bulkChanges.get({ id: merged.bulkChangeId })).status === 'done')
    expect(await countIn(stage.id)).toBe(0)
  })
})

const pick = ({ id, version, name, isActive }: { id: string; version: number; name: string; isActive: boolean }) => ({
  id,
  version,
  name,
  isActive,
})
