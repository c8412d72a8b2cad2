import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { childRowsOf, insertChildRow, insertChildRows } from '../../../test/crm/child-rows.ts'
import { insertContact } from '../../../test/factories.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { allContactTables } from '../../kernel/patient-tables/rules.ts'
import { mergeFieldNames } from '../../crm/contacts/derived-fields.ts'
import { type MergeChoices, defaultSide } from './rules.ts'

type ContactFields = Partial<Parameters<Client['contacts']['create']>[0]>

const server = useServer()
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
})
const add = (fields: ContactFields = {}) => admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', ...fields })
const merge = async (id: string, sourceId: string, choices: MergeChoices = {}) => {
  const seen = await admin.contacts.mergePreview({ id, sourceId })
  return admin.contacts.merge({ id, version: seen.target.version, sourceId, sourceVersion: seen.source.version, choices })
}

describe('merging', () => {
  it('moves all rows of the source to the target without duplicates and deletes the source', async () => {
    const shared = randomUUID()
    const [target, source] = [await add({ city: 'Ottawa' }), await add({ city: 'Guelph' })]
    await insertChildRows(server, target.id, shared)
    await insertChildRows(server, source.id, shared)
    await insertChildRows(server, source.id)
    const before = await childRowsOf(server, [target.id, source.id])
    const result = await merge(target.id, source.id)
    expect(result).toMatchObject({ id: target.id, city: 'Ottawa', version: 2 })

    const after = await childRowsOf(server, [target.id, source.id])
    expect(after.every((row) => row.contact_id === target.id)).toBe(true)
    const own = before.filter((row) => row.contact_id === target.id)
    const dropped = before.filter(
      (row) =>
        row.contact_id === source.id &&
        own.some(
          ({ name, row: mine }) =>
            name === row.name &&
            (['health_cards', 'portraits'].includes(name) ||
              (mine.tag_id && mine.tag_id === row.row.tag_id) ||
              (mine.automation && mine.automation === row.row.automation)),
        ),
    )
    expect(dropped).toHaveLength(4)
    const mergeEntries = after.filter(({ row }) => row.type === 'contact_merged')
    expect(mergeEntries).toMatchObject([{ row: { description: 'Merged with Ana Silva', metadata: { mergeId: result.mergeId } } }])
    const asText = (rows: { name: string; row: unknown }[]) => rows.map(({ name, row }) => JSON.stringify([name, row])).toSorted()
    expect(asText(after.filter((row) => !mergeEntries.includes(row)))).toEqual(asText(before.filter((row) => !dropped.includes(row))))
    await expect(admin.contacts.get({ id: source.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('previews both patients and counts rows to move and rows to drop as duplicates', async () => {
    const shared = randomUUID()
    const [target, source] = [await add({ city: 'Ottawa' }), await add({ city: 'Guelph' })]
    await insertChildRow(server, 'contact_tags', target.id, shared)
    await insertChildRow(server, 'contact_tags', source.id, shared)
    await insertChildRow(server, 'contact_tags', source.id)
    const preview = await admin.contacts.mergePreview({ id: target.id, sourceId: source.id })
    expect(preview.target).toEqual(target)
    expect(preview.source).toEqual(source)
    expect(preview.moves).toContainEqual({ kind: 'contact_tags', moved: 1, dropped: 1 })
    expect(preview.moves).toContainEqual({ kind: 'interactions', moved: 1, dropped: 0 })
    expect(preview.moves.map(({ kind }) => kind).toSorted()).toEqual(allContactTables.toSorted())
    const seen = await server.rows("select 1 from audit_log where action = 'viewed' and contact_ids = array[$1, $2]::uuid[]", [
      target.id,
      source.id,
    ])
    expect(seen).toHaveLength(1)
  })
})

const specFields: ContactFields = {
  surgicalDate: '2026-12-01',
  revenueCents: 990_000,
  procedureOfInterest: 'rhinoplasty',
  weightLossMedication: 'none',
}
const otherFields: ContactFields = {
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

describe('field values after a merge (spec 4)', () => {
  it('fills every empty field of the target from the source, in the preview and in the merge', async () => {
    const target = await add()
    const source = await add({ ...specFields, ...otherFields })
    const { status, funnelStage: _stage, ...filled } = otherFields
    const preview = await admin.contacts.mergePreview({ id: target.id, sourceId: source.id })
    const sides = mergeFieldNames.filter((field) => defaultSide(preview.target, preview.source, field) === 'source')
    expect(sides.toSorted()).toEqual([...Object.keys(specFields), ...Object.keys(filled)].toSorted())
    const result = await merge(target.id, source.id)
    expect(result).toMatchObject({
      surgicalDate: '2026-12-01',
      revenueCents: 990_000,
      procedureText: 'rhinoplasty',
      weightLossMedication: 'none',
      notes: 'source',
      city: 'Guelph',
      company: 'Company',
      leadSourceText: 'friend',
      appointmentDate: '2026-12-24',
      specialistNotes: 'source',
      // The target's own values stay.
      status: target.status,
      funnelStageId: target.funnelStageId,
      firstName: target.firstName,
      version: 2,
    })
    expect(status).not.toBe(target.status)
  })

  it('copies the source’s specialist consult as a whole, and only if the target requires none', async () => {
    const consult = { requiresSpecialistConsult: true, specialistConsultType: 'Cardiology', specialistConsultReason: 'Murmur' }
    const received = { ...consult, specialistResultsReceived: true, specialistResultsDate: '2026-11-02' }
    const filled = await merge((await add()).id, (await add(received)).id)
    expect(filled).toMatchObject(received)
    const kept = await merge((await add({ ...consult, specialistConsultType: 'Endocrinology' })).id, (await add(received)).id)
    expect(kept).toMatchObject({ specialistConsultType: 'Endocrinology', specialistResultsReceived: false, specialistResultsDate: null })
  })

  it('keeps each value that the target already has', async () => {
    const procedure = await admin.procedures.create({ name: randomUUID() })
    const own: ContactFields[] = [
      { surgicalDate: '2027-01-01' },
      { revenueCents: 0 },
      { procedureOfInterest: procedure.name },
      { weightLossMedication: 'own' },
    ]
    for (const fields of own) {
      const target = await add(fields)
      const result = await merge(target.id, (await add(specFields)).id)
      const filled = {
        surgicalDate: '2026-12-01',
        revenueCents: 990_000,
        procedureId: null,
        procedureText: 'rhinoplasty',
        weightLossMedication: 'none',
      }
      const { procedureOfInterest, ...kept } = fields
      expect(result).toMatchObject({
        ...filled,
        ...kept,
        ...(procedureOfInterest ? { procedureId: procedure.id, procedureText: null } : {}),
      })
    }
  })

  it('lets a choice override the default side of a field', async () => {
    const target = await add({ city: 'Ottawa', revenueCents: 5, email: 'kept@example.com' })
    const result = await merge(target.id, (await add({ ...specFields, ...otherFields })).id, {
      city: 'source',
      revenueCents: 'source',
      surgicalDate: 'target',
      leadSource: 'source',
      procedureOfInterest: 'target',
    })
    expect(result).toMatchObject({
      city: 'Guelph',
      revenueCents: 990_000,
      surgicalDate: null,
      leadSourceText: 'friend',
      procedureText: null,
      email: 'kept@example.com',
      otherEmails: [],
      weightLossMedication: 'none',
    })
  })

  it("keeps the source's emails and phones as additional ones without duplicates, and lets either primary one win", async () => {
    const targetFields = { email: 'one@example.com', otherEmails: ['both@example.com'], phone: '(416) 555-0101' }
    const sourceFields = {
      email: 'Two@example.com',
      otherEmails: ['BOTH@example.com'],
      phone: '416.555.0101',
      otherPhones: ['416 555 0102'],
    }
    const mergeAndUndo = async (choices: MergeChoices, keepAddresses = true) => {
      const [target, source] = [
        await add({ ...targetFields, allowDuplicateEmail: true }),
        await add({ ...sourceFields, allowDuplicateEmail: true }),
      ]
      const input = { id: target.id, version: 1, sourceId: source.id, sourceVersion: 1, choices, keepAddresses }
      const merged = await admin.contacts.merge(input)
      await admin.contacts.undoMerge({ id: merged.mergeId })
      expect(await admin.contacts.get({ id: target.id })).toMatchObject({ ...targetFields, otherPhones: [] })
      return [merged.email, merged.otherEmails, merged.phone, merged.otherPhones]
    }
    expect(await mergeAndUndo({})).toEqual(['one@example.com', ['both@example.com', 'Two@example.com'], '(416) 555-0101', ['416 555 0102']])
    expect(await mergeAndUndo({ email: 'source', phone: 'source' })).toEqual([
      'Two@example.com',
      ['one@example.com', 'both@example.com'],
      '416.555.0101',
      ['416 555 0102'],
    ])
    expect(await mergeAndUndo({}, false)).toEqual(['one@example.com', ['both@example.com'], '(416) 555-0101', []])
    expect(await mergeAndUndo({ email: 'source' }, false)).toEqual(['Two@example.com', ['both@example.com'], '(416) 555-0101', []])
  })

  it('copies the source’s email to a target without one', async () => {
    const source = await add({ email: `${randomUUID()}@example.com` })
    expect(await merge((await add()).id, source.id)).toMatchObject({ email: source.email, otherEmails: [] })
  })

  it('records a chosen stage in the stage history and the timeline', async () => {
    const target = await add()
    const result = await merge(target.id, (await add(otherFields)).id, { funnelStage: 'source' })
    const history = await admin.contacts.stageHistory({ id: target.id })
    expect(history.at(-1)).toMatchObject({ fromStageId: target.funnelStageId, toStageId: result.funnelStageId })
    expect(result.stageEnteredAt > target.stageEnteredAt).toBe(true)
    const timeline = await admin.interactions.list({ contactId: target.id })
    expect(timeline.data.some(({ type, description }) => type === 'stage_change' && description.includes('to Cold Lead'))).toBe(true)
  })

  it('refuses a choice with an unknown field or side', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    const seen = { version: 1, sourceVersion: 1, sourceId: source }
    const send = (choices: unknown) => server.send('POST', `/api/contacts/${target}/merge`, { ...seen, choices }, cookie)
    const cookie = await server.signIn('admin')
    for (const choices of [{ id: 'source' }, { version: 'source' }, { city: 'both' }, { __proto__: 1, seq: 'source' }])
      expect((await send(choices)).status).toBe(422)
  })
})

describe('refusals', () => {
  it('refuses a merge with itself, naming the field, and answers 404 for an unknown patient', async () => {
    const { id } = await add()
    const mergeWith = (target: string, sourceId: string) => admin.contacts.merge({ id: target, sourceId, version: 1, sourceVersion: 1 })
    const sameContact = { code: 'SAME_CONTACT', status: 422, data: { fields: { sourceId: expect.any(String) } } }
    await expect(mergeWith(id, id)).rejects.toMatchObject(sameContact)
    await expect(admin.contacts.mergePreview({ id, sourceId: id })).rejects.toMatchObject(sameContact)
    await expect(mergeWith(id, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    await expect(mergeWith(randomUUID(), id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    await expect(admin.contacts.mergePreview({ id, sourceId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    expect(await admin.contacts.get({ id })).toMatchObject({ version: 1 })
  })

  it('refuses when either patient changed after the preview', async () => {
    const [target, source] = [await add(), await add()]
    const seen = { id: target.id, version: 1, sourceId: source.id, sourceVersion: 1 }
    await admin.contacts.update({ id: source.id, version: 1, city: 'Guelph' })
    await expect(admin.contacts.merge(seen)).rejects.toMatchObject({ code: 'CHANGED_SINCE', status: 409 })
    await admin.contacts.update({ id: target.id, version: 1, city: 'Ottawa' })
    await expect(admin.contacts.merge({ ...seen, sourceVersion: 2 })).rejects.toMatchObject({ code: 'CHANGED_SINCE' })
    expect(await admin.contacts.merge({ ...seen, version: 2, sourceVersion: 2 })).toMatchObject({ city: 'Ottawa', version: 3 })
  })

  it('reports the filled fields to someone who edits an older version of the target', async () => {
    const [target, source] = [await add(), await add(specFields)]
    await merge(target.id, source.id)
    await expect(admin.contacts.update({ id: target.id, version: 1, revenueCents: 5 })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { changes: [{ field: 'revenueCents', from: null, to: 990_000 }] },
    })
    expect(await admin.contacts.update({ id: target.id, version: 1, city: 'Ottawa' })).toMatchObject({ city: 'Ottawa' })
  })

  it('refuses every merge call to roles without permission', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    const desk = await server.as('front_desk')
    const seen = { id: target, sourceId: source, version: 1, sourceVersion: 1 }
    await expect(desk.contacts.merge(seen)).rejects.toMatchObject({ status: 403 })
    await expect(desk.contacts.mergePreview({ id: target, sourceId: source })).rejects.toMatchObject({ status: 403 })
    const { mergeId } = await merge(target, source)
    await expect(desk.contacts.undoMerge({ id: mergeId })).rejects.toMatchObject({ status: 403 })
    await expect(desk.contacts.merges({ id: target })).rejects.toMatchObject({ status: 403 })
  })

  it('records both patients and the source’s values in the audit log', async () => {
    const [target, source] = [await add(), await add({ ...specFields, ...otherFields })]
    await merge(target.id, source.id)
    const audit = await server.rows<{ contact_ids: string[]; before: object }>(
      "select contact_ids, before from audit_log where action = 'merged' and $1 = any(contact_ids)",
      [source.id],
    )
    expect(audit).toMatchObject([{ contact_ids: [target.id, source.id], before: { notes: 'source' } }])
  })
})
