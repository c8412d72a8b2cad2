import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

const server = useServer()
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
})

const waitForStatus = (id: string, status: string) => until(async () => (await admin.bulkChanges.get({ id })).status === status)
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code

const kinds = [
  {
    kind: 'source',
    column: 'lead_source',
    auditKind: 'lead-source',
    add: () => admin.leadSources.create({ name: randomUUID() }),
    move: (input: { id: string; to: string }, by = admin) => by.leadSources.move(input),
    remove: (id: string) => admin.leadSources.delete({ id }),
    retire: ({ id }: { id: string }) => admin.leadSources.update({ id, isActive: false }),
    // The 230 patients and one lead.
    count: 231,
  },
  {
    kind: 'procedure',
    column: 'procedure_of_interest',
    auditKind: 'procedure',
    add: () => admin.procedures.create({ name: randomUUID() }),
    move: (input: { id: string; to: string }, by = admin) => by.procedures.move(input),
    remove: (id: string) => admin.procedures.delete({ id }),
    retire: async ({ id }: { id: string }) => {
      const one = (await admin.procedures.list()).find((procedure) => procedure.id === id)!
      return admin.procedures.update({ ...one, isActive: false })
    },
    count: 230,
  },
] as const

describe.each(kinds)('patients of a $kind', ({ kind, column, auditKind, add, move, remove, retire, count }) => {
  const countIn = async (id: string) =>
    (await server.rows<{ n: number }>(`select count(*)::int as n from contacts where ${column} = $1`, [id]))[0]!.n
  const fill = (id: string, n = 230) =>
    server.rows(
      `insert into contacts (first_name, last_name, funnel_stage, ${column})
       select 'Ana', 'Nº ' || n, (select id from funnel_stages where is_initial), $1 from generate_series(1, $2::int) as n`,
      [id, n],
    )

  it('are moved to another in batches, each with a timeline entry and an audit entry, and then the empty one can be deleted', async () => {
    const [from, to] = [await add(), await add()]
    await fill(from.id)
    if (kind === 'source') {
      const values = [from.id, { email: 'a@elsewhere.example' }]
      await server.rows(
        `insert into lead_entries (source_id, status, raw_data, raw_body, content_type) values ($1, 'error', $2, '{}', '')`,
        values,
      )
    }
    expect(await refusal(remove(from.id))).toMatchObject({ code: 'IN_USE', status: 409, data: { count } })
    const started = await move({ id: from.id, to: to.id })
    expect(started).toMatchObject({ total: 230, ...(kind === 'source' && { leads: 1 }) })
    await waitForStatus(started.bulkChangeId, 'done')
    expect([await countIn(from.id), await countIn(to.id)]).toEqual([0, 230])
    const [timelineEntries] = await server.rows(
      `select count(*)::int as n from interactions where type = 'contact_updated' and contact_id in (select id from contacts where ${column} = $1)`,
      [to.id],
    )
    expect(timelineEntries).toEqual({ n: 230 })
    const audited = await server.rows("select before, after from audit_log where kind = $1 and action = 'changed' and before->>'id' = $2", [
      auditKind,
      from.id,
    ])
    expect(audited).toEqual([
      {
        before: { id: from.id, name: from.name, patients: 230, ...(kind === 'source' && { leads: 1 }) },
        after: { id: from.id, name: from.name, movedTo: to.name },
      },
    ])
    await remove(from.id)
    // What they were moved from no longer exists, so undo is not offered.
    expect(await admin.bulkChanges.get({ id: started.bulkChangeId })).toMatchObject({ status: 'done', canUndo: false })
    const current = await admin.bulkChanges.current()
    expect(current.find(({ id }) => id === started.bulkChangeId)).toMatchObject({ canUndo: false })
    expect(await refusal(admin.bulkChanges.undo({ id: started.bulkChangeId }))).toMatchObject({
      code: 'UNDO_EXPIRED',
      message: 'These patients can’t be moved back: what they were moved from has been deleted',
    })
  })

  it('are moved back by undo, except for patients changed again since', async () => {
    const [from, to, other] = [await add(), await add(), await add()]
    await fill(from.id, 3)
    const { bulkChangeId } = await move({ id: from.id, to: to.id })
    await waitForStatus(bulkChangeId, 'done')
    await server.rows(`update contacts set ${column} = $2 where id = (select id from contacts where ${column} = $1 limit 1)`, [
      to.id,
      other.id,
    ])
    await admin.bulkChanges.undo({ id: bulkChangeId })
    await waitForStatus(bulkChangeId, 'undone')
    expect([await countIn(from.id), await countIn(to.id), await countIn(other.id)]).toEqual([2, 0, 1])
  })

  it('are not moved to the same, a retired or a missing target, by other roles, or while patients are being moved in', async () => {
    const [from, retired] = [await add(), await add()]
    await fill(from.id, 2)
    await retire(retired)
    for (const to of [from.id, retired.id, randomUUID()]) expect(await codeOf(move({ id: from.id, to }))).toBe('INVALID_TARGET')
    expect(await codeOf(move({ id: randomUUID(), to: from.id }))).toBe('NOT_FOUND')
    const target = await add()
    for (const role of ['sales_rep', 'provider', 'front_desk', 'billing'] as const)
      expect((await refusal(move({ id: from.id, to: target.id }, await server.as(role)))).status).toBe(403)
    expect(await countIn(from.id)).toBe(2)
    // Patients are being moved to it, so it can't be emptied or deleted until that has finished.
    const [me] = await server.rows<{ id: string }>("select id from profiles where role = 'admin' limit 1")
    await server.rows('insert into bulk_changes (change, total, created_by, created_at) values ($1, 5, $2, now())', [
      JSON.stringify({ kind, from: from.id, to: target.id }),
      me!.id,
    ])
    expect(await codeOf(move({ id: target.id, to: from.id }))).toBe('MOVING')
    expect(await refusal(remove(target.id))).toMatchObject({ code: 'IN_USE', data: { count: 5 } })
  })

  it('are moved once by four simultaneous moves, and count once towards the target while the move is running', async () => {
    const [from, to] = [await add(), await add()]
    await fill(from.id, 30)
    const started = await Promise.allSettled(Array.from({ length: 4 }, () => move({ id: from.id, to: to.id })))
    const ids = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value.bulkChangeId] : []))
    const refused = started.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    expect(await refusal(remove(to.id))).toMatchObject({ code: 'IN_USE', data: { count: 30 } })
    for (const id of ids) await waitForStatus(id, 'done')
    // A move that starts after the first one has finished moves no one. A move that starts earlier is refused.
    for (const error of refused) expect(error).toMatchObject({ code: 'ALREADY_MOVING', status: 409 })
    const moved = await server.rows<{ total: number }>("select total from bulk_changes where change->>'from' = $1 and total > 0", [from.id])
    expect(moved).toEqual([{ total: 30 }])
    expect(await countIn(to.id)).toBe(30)
  })

  it('are not moved by a second change while the first one is running', async () => {
    const [from, to] = [await add(), await add()]
    const [me] = await server.rows<{ id: string }>("select id from profiles where role = 'admin' limit 1")
    await server.rows('insert into bulk_changes (change, total, created_by, created_at) values ($1, 5, $2, now())', [
      JSON.stringify({ kind, from: from.id, to: to.id }),
      me!.id,
    ])
    expect(await refusal(move({ id: from.id, to: to.id }))).toMatchObject({ code: 'ALREADY_MOVING', status: 409 })
  })

  it('all end up in exactly one place when administrators move them to different or opposite targets at the same time', async () => {
    const [one, two, three] = [await add(), await add(), await add()]
    await fill(one.id, 20)
    await fill(two.id, 20)
    const wanted = [
      { id: one.id, to: two.id },
      { id: two.id, to: one.id },
      { id: one.id, to: three.id },
    ]
    const started = await Promise.allSettled(wanted.map((input) => move(input)))
    const ids = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value.bulkChangeId] : []))
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) await waitForStatus(id, 'done')
    const counts = await Promise.all([one, two, three].map(({ id }) => countIn(id)))
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(40)
    for (const result of started)
      if (result.status === 'rejected') expect(['MOVING', 'ALREADY_MOVING']).toContain((result.reason as { code?: string }).code)
  })
})
