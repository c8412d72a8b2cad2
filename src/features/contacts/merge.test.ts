import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { contactChildren } from './merge.ts'

type Given = Partial<Parameters<Client['contacts']['create']>[0]>

const server = useServer()
let admin: Client
let sourceId: string
beforeAll(async () => {
  admin = await server.as('admin')
  sourceId = (await admin.leadSources.create({ name: 'Merges' })).id
})
const add = (given: Given = {}) => admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', ...given })
const merge = (targetId: string, source: string, client = admin) => client.contacts.merge({ id: targetId, sourceId: source })

/** A lead entry, an automation state, a tag and an interaction for a contact. */
const addChildren = async (contactId: string, given: { automation?: string; tagId?: string; description?: string } = {}) => {
  await server.rows(
    "insert into lead_entries (source_id, contact_id, status, raw_data, raw_body, content_type) values ($1, $2, 'completed', '{}', '', '')",
    [sourceId, contactId],
  )
  await server.rows("insert into automation_state (contact_id, automation, state) values ($1, $2, '{}')", [
    contactId,
    given.automation ?? randomUUID(),
  ])
  const tagId = given.tagId ?? (await admin.tags.create({ name: randomUUID() })).id
  await server.rows('insert into contact_tags (contact_id, tag_id) values ($1, $2)', [contactId, tagId])
  await server.rows("insert into interactions (contact_id, type, description) values ($1, 'note', $2)", [
    contactId,
    given.description ?? 'a note',
  ])
}
/** The rows of each child table, by whose they are. */
const childrenOf = async (ids: string[]) => {
  const tables = contactChildren.map(
    ({ table }) => `select '${table}' as name, contact_id, to_jsonb(t) - 'contact_id' as row from ${table} as t where contact_id = any($1)`,
  )
  return server.rows<{ name: string; contact_id: string; row: Record<string, unknown> }>(tables.join(' union all '), [ids])
}

describe('product.md "Data": merging is one transaction that moves every table which refers to contacts', () => {
  it('the list of child tables is that of the foreign keys in the database', async () => {
    const keys = await server.rows<{ table: string; column: string }>(
      `select conrelid::regclass::text as table, attname as column from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where contype = 'f' and confrelid = 'contacts'::regclass`,
    )
    expect(keys.every(({ column }) => column === 'contact_id')).toBe(true)
    expect(keys.map(({ table }) => table).toSorted()).toEqual(contactChildren.map(({ table }) => table).toSorted())
  })

  it('and what has to be unique there is what the database holds unique together with the contact', async () => {
    const indexes = await server.rows<{ table: string; columns: string[] }>(
      `select indrelid::regclass::text as table, array_agg(attname::text order by attname) as columns from pg_index
       join pg_attribute on attrelid = indrelid and attnum = any(indkey)
       where indisunique and indrelid = any($1::regclass[]) group by indexrelid, indrelid having bool_or(attname = 'contact_id')`,
      [contactChildren.map(({ table }) => table)],
    )
    const unique = indexes.map(({ table, columns }) => ({ table, unique: columns.filter((column) => column !== 'contact_id') }))
    const listed = contactChildren.flatMap(({ table, unique: column }) => (column ? [{ table, unique: [column] }] : []))
    expect(unique.toSorted((a, b) => a.table.localeCompare(b.table))).toEqual(listed.toSorted((a, b) => a.table.localeCompare(b.table)))
  })

  it("everything of the source is then the target's; what the target has already is not doubled; the source is gone", async () => {
    const shared = (await admin.tags.create({ name: randomUUID() })).id
    const [target, source] = [await add({ city: 'Ottawa' }), await add({ city: 'Guelph' })]
    await addChildren(target.id, { automation: 'welcome', tagId: shared })
    await addChildren(source.id, { automation: 'welcome', tagId: shared })
    await addChildren(source.id)
    const before = await childrenOf([target.id, source.id])
    const result = await merge(target.id, source.id)
    expect(result).toMatchObject({ id: target.id, city: 'Ottawa', version: 2 })

    const after = await childrenOf([target.id, source.id])
    expect(after.every((row) => row.contact_id === target.id)).toBe(true)
    const dropped = before.filter((row) => row.contact_id === source.id && (row.row.automation === 'welcome' || row.row.tag_id === shared))
    expect(dropped).toHaveLength(2)
    const told = after.filter(({ row }) => row.type === 'contact_merged')
    expect(told).toMatchObject([{ row: { description: 'Merged with Ana Silva' } }])
    const asText = (rows: { name: string; row: unknown }[]) => rows.map(({ name, row }) => JSON.stringify([name, row])).toSorted()
    expect(asText(after.filter((row) => !told.includes(row)))).toEqual(asText(before.filter((row) => !dropped.includes(row))))
    await expect(admin.contacts.get({ id: source.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  const four: Given = {
    surgicalDate: '2026-12-01',
    revenueCents: 990_000,
    procedureOfInterest: 'rhinoplasty',
    weightLossMedication: 'none',
  }
  const others: Given = {
    email: 'source@example.com',
    phone: '416 555 0100',
    notes: 'source',
    city: 'Guelph',
    company: 'Company',
    leadSource: 'friend',
    funnelStage: 'Cold Lead',
    appointmentDate: '2026-12-24',
    status: 'vip',
    specialistNotes: 'source',
    metadata: { a: 1 },
  }

  it('spec 4: fills in surgical date, revenue, procedure and medication where the target lacks them, and nothing else', async () => {
    const target = await add()
    const source = await add({ ...four, ...others })
    const result = await merge(target.id, source.id)
    const { updatedAt, version, ...rest } = result
    expect(rest).toEqual({
      ...rest,
      ...Object.fromEntries(Object.entries(target).filter(([key]) => key in rest)),
      surgicalDate: '2026-12-01',
      revenueCents: 990_000,
      procedureText: 'rhinoplasty',
      weightLossMedication: 'none',
    })
    expect([version, updatedAt >= target.updatedAt]).toEqual([2, true])
    expect(await admin.contacts.get({ id: target.id })).toEqual(result)
  })

  it('spec 4: what the target has of them stays, each by itself', async () => {
    const procedure = await admin.procedures.create({ name: randomUUID() })
    const own: Given[] = [
      { surgicalDate: '2027-01-01' },
      { revenueCents: 0 },
      { procedureOfInterest: procedure.name },
      { weightLossMedication: 'own' },
    ]
    for (const given of own) {
      const target = await add(given)
      const result = await merge(target.id, (await add(four)).id)
      const filled = {
        surgicalDate: '2026-12-01',
        revenueCents: 990_000,
        procedureId: null,
        procedureText: 'rhinoplasty',
        weightLossMedication: 'none',
      }
      const { procedureOfInterest, ...kept } = given
      expect(result).toMatchObject({
        ...filled,
        ...kept,
        ...(procedureOfInterest ? { procedureId: procedure.id, procedureText: null } : {}),
      })
    }
  })

  it('a snapshot keeps both contacts and all that was moved or dropped; the audit log names both', async () => {
    const shared = (await admin.tags.create({ name: randomUUID() })).id
    const [target, source] = [await add(), await add({ ...four, ...others, email: `${randomUUID()}@example.com` })]
    await addChildren(target.id, { tagId: shared })
    await addChildren(source.id, { tagId: shared, description: 'moved note' })
    await merge(target.id, source.id)
    const [row] = await server.rows<{ snapshot: Record<string, Record<string, unknown>> }>(
      'select snapshot from contact_merges where source_id = $1',
      [source.id],
    )
    expect(row?.snapshot).toMatchObject({ source: { id: source.id, notes: 'source' }, target: { id: target.id } })
    expect(Object.keys(row?.snapshot.moved ?? {}).toSorted()).toEqual(contactChildren.map(({ table }) => table).toSorted())
    expect(JSON.stringify(row?.snapshot.moved)).toContain('moved note')
    expect(row?.snapshot.moved?.contact_tags).toMatchObject({ dropped: [{ tag_id: shared }] })
    const audit = await server.rows<{ contact_ids: string[] }>(
      "select contact_ids from audit_log where action = 'merged' and $1 = any(contact_ids)",
      [source.id],
    )
    expect(audit).toEqual([{ contact_ids: [target.id, source.id] }])
  })

  it('with itself it is refused by its field; with nobody it is 404', async () => {
    const { id } = await add()
    await expect(merge(id, id)).rejects.toMatchObject({
      code: 'SAME_CONTACT',
      status: 422,
      data: { fields: { sourceId: expect.any(String) } },
    })
    await expect(merge(id, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    await expect(merge(randomUUID(), id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    expect(await admin.contacts.get({ id })).toMatchObject({ version: 1 })
  })

  it('a writer who read the target before the merge is told of what it filled in', async () => {
    const [target, source] = [await add(), await add(four)]
    await merge(target.id, source.id)
    await expect(admin.contacts.update({ id: target.id, version: 1, revenueCents: 5 })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { changes: [{ field: 'revenueCents', from: null, to: 990_000 }] },
    })
    expect(await admin.contacts.update({ id: target.id, version: 1, city: 'Ottawa' })).toMatchObject({ city: 'Ottawa' })
  })

  it('fifty opposite merges at the same moment: each pair ends as one, nothing is lost, none dies of a deadlock', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 10 }, (_, i) => ({ firstName: `Pair ${i}` })),
    )
    for (const id of ids) await addChildren(id)
    const total = (await childrenOf(ids)).length
    const pairs = Array.from({ length: 5 }, (_, i) => [ids[2 * i] ?? '', ids[2 * i + 1] ?? ''] as const)
    const answers = await Promise.all(
      Array.from({ length: 10 }).flatMap((_, i) =>
        pairs.map(([a, b]) =>
          (i % 2 ? merge(a, b) : merge(b, a)).then(
            () => 200,
            (error: { status: number }) => error.status,
          ),
        ),
      ),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(5)
    expect(answers.filter((status) => status === 404)).toHaveLength(45)
    const left = await server.rows<{ id: string }>('select id from contacts where id = any($1)', [ids])
    expect(left).toHaveLength(5)
    const children = await childrenOf(ids)
    const survivors = new Set(left.map(({ id }) => id))
    expect(children.every((child) => survivors.has(child.contact_id))).toBe(true)
    expect(children.filter(({ row }) => row.type !== 'contact_merged')).toHaveLength(total)
  })

  it('fifty merges among twelve contacts while others write to them: no 5xx, every child belongs to somebody who is there', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 12 }, (_, i) => ({ firstName: `Ring ${i}` })),
    )
    for (const id of ids) await addChildren(id)
    const total = (await childrenOf(ids)).length
    const tag = await admin.tags.create({ name: randomUUID() })
    const at = (i: number) => ids[i % ids.length] ?? ''
    const status = (call: Promise<unknown>) =>
      call.then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    const answers = await Promise.all(
      Array.from({ length: 50 }).flatMap((_, i) => [
        status(merge(at(i), at(i * 7 + 1 + (i % 3)))),
        status(admin.interactions.create({ contactId: at(i), type: 'call', description: 'while merging' })),
        status(admin.contacts.addTag({ id: at(i), tagId: tag.id })),
      ]),
    )
    expect([...new Set(answers)].every((code) => [200, 404, 422].includes(code))).toBe(true)
    const children = await childrenOf(ids)
    const left = new Set((await server.rows<{ id: string }>('select id from contacts where id = any($1)', [ids])).map(({ id }) => id))
    expect(children.every((child) => left.has(child.contact_id))).toBe(true)
    const ours = children.filter(
      ({ name, row }) =>
        row.type !== 'contact_merged' &&
        row.type !== 'tag' &&
        row.description !== 'while merging' &&
        !(name === 'contact_tags' && row.tag_id === tag.id),
    )
    expect(ours).toHaveLength(total)
    const calls = answers.filter((code, i) => i % 3 === 1 && code === 200).length
    expect(children.filter(({ row }) => row.description === 'while merging')).toHaveLength(calls)
  })

  it('who may not merge moves nothing', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    await expect(merge(target, source, await server.as('front_desk'))).rejects.toMatchObject({ status: 403 })
    expect(await admin.contacts.get({ id: source })).toMatchObject({ id: source })
  })
})
