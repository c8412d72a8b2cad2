import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { useServer } from '../../../test/server.ts'
import { interactionTypes, kindTypes, maxPins, timelineKinds } from './contract.ts'

const server = useServer()

const note = async (contactId: string, description: string) =>
  (await server.as('sales_rep')).interactions.create({ contactId, type: 'note', description })

describe('timeline filters', () => {
  it('return the entry types of each kind, page by page, and together the whole timeline', async () => {
    const contactId = await insertContact(server)
    await server.rows(
      `insert into interactions (contact_id, type, description, date)
       select $1, type, type || ' ' || i, now() - i * interval '1 minute' from unnest($2::text[]) as type, generate_series(1, 3) as i`,
      [contactId, interactionTypes],
    )
    const client = await server.as('sales_rep')
    for (const kind of timelineKinds) {
      const first = await client.interactions.list({ contactId, kind, limit: 2 })
      const rest = await client.interactions.list({ contactId, kind, limit: 100, cursor: first.nextCursor ?? undefined })
      const entries = [...first.data, ...rest.data]
      expect([...new Set(entries.map(({ type }) => type))].toSorted()).toEqual([...kindTypes[kind]].toSorted())
      expect([kind, entries.length]).toEqual([kind, 3 * kindTypes[kind].length])
      expect(entries.map(({ date }) => date)).toEqual(
        entries
          .map(({ date }) => date)
          .toSorted()
          .toReversed(),
      )
    }
    expect((await client.interactions.list({ contactId, limit: 100 })).data).toHaveLength(3 * interactionTypes.length)
  })

  it('return no calls or notes to billing, and answer 422 to an unknown kind', async () => {
    const contactId = await insertContact(server)
    await note(contactId, 'Allergic to latex')
    const billing = await server.as('billing')
    for (const kind of ['notes', 'calls'] as const) expect((await billing.interactions.list({ contactId, kind })).data).toEqual([])
    const cookie = await server.signIn('billing')
    expect((await server.send('GET', `/api/contacts/${contactId}/interactions?kind=secrets`, undefined, cookie)).status).toBe(422)
  })
})

describe('pinned notes', () => {
  it('can be pinned and unpinned by anyone who sees the note, with one audit entry for repeated calls', async () => {
    const contactId = await insertContact(server)
    const { id } = await note(contactId, 'Prefers texts')
    const frontDesk = await server.account({ role: 'front_desk' })
    const client = server.client(frontDesk.cookie)
    await client.interactions.pin({ contactId, id })
    await client.interactions.pin({ contactId, id })
    const [pinned] = await client.interactions.pinned({ contactId })
    expect(pinned).toMatchObject({ id, description: 'Prefers texts', pinnedBy: frontDesk.id, pinnedAt: expect.any(String) })
    expect((await client.interactions.list({ contactId })).data[0]).toMatchObject({ id, pinnedBy: frontDesk.id })

    await client.interactions.unpin({ contactId, id })
    expect(await client.interactions.pinned({ contactId })).toEqual([])
    const changes = await server.rows<{ after: object }>(
      "select after from audit_log where contact_ids[1] = $1 and kind = 'interaction' and action = 'changed' order by id",
      [contactId],
    )
    expect(changes.map(({ after }) => after)).toEqual([
      { id, pinnedAt: pinned?.pinnedAt, pinnedBy: frontDesk.id },
      { id, pinnedAt: null, pinnedBy: null },
    ])
  })

  it('must be notes (422) of the same patient (404)', async () => {
    const [contactId, other] = [await insertContact(server), await insertContact(server)]
    const client = await server.as('sales_rep')
    const call = await client.interactions.create({ contactId, type: 'call', description: 'Busy', outcome: 'no_answer' })
    const { id } = await note(contactId, 'Mine')
    expect(await refusal(client.interactions.pin({ contactId, id: call.id }))).toMatchObject({ status: 422, code: 'NOT_A_NOTE' })
    expect(await refusal(client.interactions.pin({ contactId: other, id }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await refusal(client.interactions.unpin({ contactId: other, id }))).toMatchObject({ status: 404 })
    expect(await refusal(client.interactions.pinned({ contactId: crypto.randomUUID() }))).toMatchObject({ status: 404 })
    expect(await client.interactions.pinned({ contactId })).toEqual([])
  })

  it('are hidden from billing, which can’t unpin them either', async () => {
    const contactId = await insertContact(server)
    const { id } = await note(contactId, 'Allergic to latex')
    await (await server.as('provider')).interactions.pin({ contactId, id })
    const billing = await server.as('billing')
    expect(await billing.interactions.pinned({ contactId })).toEqual([])
    expect(await refusal(billing.interactions.unpin({ contactId, id }))).toMatchObject({ status: 403 })
  })

  it('stay within the limit when many are pinned at the same time', async () => {
    const contactId = await insertContact(server)
    const client = await server.as('sales_rep')
    const notes = await Promise.all(Array.from({ length: maxPins + 4 }, (_, i) => note(contactId, `Note ${i}`)))
    const outcomes = await Promise.allSettled(notes.map(({ id }) => client.interactions.pin({ contactId, id })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxPins)
    expect(await client.interactions.pinned({ contactId })).toHaveLength(maxPins)
    const left = notes.find((_, i) => outcomes[i]?.status === 'rejected')
    expect(await refusal(client.interactions.pin({ contactId, id: left!.id }))).toMatchObject({ status: 409, code: 'TOO_MANY_PINS' })
  })

  it('stay pinned through a merge', async () => {
    const [targetId, sourceId] = [await insertContact(server), await insertContact(server)]
    const { id } = await note(sourceId, 'Latex')
    const client = await server.as('sales_rep')
    await client.interactions.pin({ contactId: sourceId, id })
    await client.contacts.merge({ id: targetId, version: 1, sourceId, sourceVersion: 1 })
    expect(await client.interactions.pinned({ contactId: targetId })).toMatchObject([{ id }])
  })
})
