import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'

const server = useServer()
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
})
const add = () => admin.tags.create({ name: randomUUID() })
const tagsOf = async (id: string) => (await admin.contacts.tags({ id })).map((tag) => tag.id).toSorted()
const countOf = async (id: string) => (await admin.tags.counts()).find(({ tagId }) => tagId === id)?.count ?? 0

describe('tags', () => {
  it('renames a tag on every patient, requires a unique name in any case, and audits old and new name', async () => {
    const [tag, other] = [await add(), await add()]
    const [contactId] = await insertContacts(server, [{}])
    await admin.contacts.addTag({ id: contactId!, tagId: tag.id })
    const renamed = await admin.tags.rename({ id: tag.id, name: `  ${tag.name.toUpperCase()} ` })
    expect(renamed.name).toBe(tag.name.toUpperCase())
    expect(await admin.contacts.tags({ id: contactId! })).toEqual([{ id: tag.id, name: renamed.name }])
    expect((await refusal(admin.tags.rename({ id: tag.id, name: other.name.toUpperCase() }))).code).toBe('NAME_TAKEN')
    expect((await refusal(admin.tags.rename({ id: randomUUID(), name: randomUUID() }))).status).toBe(404)
    const desk = await server.as('front_desk')
    expect((await refusal(desk.tags.rename({ id: tag.id, name: 'Mine' }))).status).toBe(403)
    const [audit] = await server.rows(
      "select before, after from audit_log where kind = 'tag' and action = 'changed' and before->>'id' = $1",
      [tag.id],
    )
    expect(audit).toEqual({ before: { id: tag.id, name: tag.name }, after: { id: tag.id, name: renamed.name } })
  })

  it('merges a tag into another, adds that once to each patient, and audits the patients', async () => {
    const [from, into] = [await add(), await add()]
    const [one, both, none] = await insertContacts(server, [{}, {}, {}])
    for (const id of [one!, both!]) await admin.contacts.addTag({ id, tagId: from.id })
    await admin.contacts.addTag({ id: both!, tagId: into.id })
    expect(await countOf(from.id)).toBe(2)
    expect(await admin.tags.merge({ id: from.id, into: into.id })).toEqual({ count: 2 })
    expect([await tagsOf(one!), await tagsOf(both!), await tagsOf(none!)]).toEqual([[into.id], [into.id], []])
    expect([await countOf(from.id), await countOf(into.id)]).toEqual([0, 2])
    const [audit] = await server.rows("select contact_ids as ids, before, after from audit_log where kind = 'tag' and action = 'merged'")
    expect(audit).toMatchObject({ before: { id: from.id, name: from.name }, after: { id: into.id, name: into.name } })
    expect((audit as { ids: string[] }).ids.toSorted()).toEqual([one, both].toSorted())
  })

  it('refuses a merge into itself or into a missing tag, and keeps one of two tags merged into each other at once', async () => {
    const [one, other] = [await add(), await add()]
    expect((await refusal(admin.tags.merge({ id: one.id, into: one.id }))).code).toBe('INVALID_TARGET')
    expect((await refusal(admin.tags.merge({ id: one.id, into: randomUUID() }))).code).toBe('INVALID_TARGET')
    expect((await refusal(admin.tags.merge({ id: randomUUID(), into: one.id }))).status).toBe(404)
    await Promise.allSettled([admin.tags.merge({ id: one.id, into: other.id }), admin.tags.merge({ id: other.id, into: one.id })])
    expect((await admin.tags.list()).filter(({ id }) => id === one.id || id === other.id)).toHaveLength(1)
  })
})
