import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'

const theatre = useSurgeryPractice()

describe('procedures', () => {
  const details = { nameFr: 'Rhinoplastie', colour: 2, priceCents: 620_000, minutes: 150, taxCodeId: 'TAX', isSurgical: true }

  it('requires only a name (spec 7), adds price, duration, tax code and colour later, and audits old and new values', async () => {
    const { admin, desk, server } = theatre
    const name = randomUUID()
    const added = await admin.procedures.create({ name })
    expect(added).toEqual({
      id: added.id,
      name,
      nameFr: null,
      colour: null,
      priceCents: null,
      minutes: null,
      taxCodeId: null,
      isSurgical: true,
      isActive: true,
      version: 1,
    })
    const changed = await admin.procedures.update({ ...added, ...details })
    expect(changed).toEqual({ ...added, ...details, version: 2 })
    expect(await desk.procedures.list()).toContainEqual(changed)
    expect(await admin.procedures.update(changed)).toEqual(changed)
    const { nameFr: _nameFr, ...withoutFrench } = changed
    expect(await admin.procedures.update(withoutFrench)).toEqual(changed)
    const audit = await server.rows(
      "select before, after from audit_log where kind = 'procedure' and action = 'changed' and after->>'id' = $1",
      [added.id],
    )
    const none = { nameFr: null, colour: null, priceCents: null, minutes: null, taxCodeId: null }
    const { isSurgical: _, ...after } = details
    expect(audit).toEqual([{ before: { id: added.id, ...none }, after: { id: added.id, ...after } }])
  })

  it('accepts changes only from administrators, based on the current version and with a unique name', async () => {
    const { admin, desk } = theatre
    const one = await admin.procedures.create({ name: randomUUID(), ...details })
    const other = await admin.procedures.create({ name: randomUUID() })
    expect((await refusal(desk.procedures.update(one))).status).toBe(403)
    expect((await refusal(admin.procedures.update({ ...one, id: randomUUID() }))).status).toBe(404)
    expect((await refusal(admin.procedures.update({ ...one, name: other.name.toUpperCase() }))).code).toBe('NAME_TAKEN')
    const both = await Promise.allSettled([1, 2].map((minutes) => admin.procedures.update({ ...one, minutes: minutes * 60 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await refusal(admin.procedures.update(one))).code).toBe('CHANGED_MEANWHILE')
    const { data } = await refusal(admin.procedures.update({ ...other, minutes: 1, priceCents: -1, colour: 10 }))
    expect(Object.keys(data.fields ?? {}).toSorted()).toEqual(['colour', 'minutes', 'priceCents'])
  })

  it('keeps an inactive procedure on existing surgeries, and refuses it for others', async () => {
    const { admin, operate, desk } = theatre
    const procedure = await admin.procedures.create({ name: randomUUID() })
    const surgery = await operate({ procedureIds: [procedure.id] })
    const retired = await admin.procedures.update({ ...procedure, isActive: false })
    expect((await refusal(operate({ procedureIds: [procedure.id] }))).data.fields).toHaveProperty('procedureIds')
    const kept = await desk.surgeries.change({
      id: surgery.id,
      version: surgery.version,
      procedureIds: [procedure.id, theatre.procedures[0]!.id],
    })
    expect(kept.procedures.map(({ id }) => id)).toEqual([procedure.id, theatre.procedures[0]!.id])
    await admin.procedures.update({ ...retired, isActive: true })
    expect((await operate({ procedureIds: [procedure.id] })).procedures).toEqual([{ id: procedure.id, name: procedure.name }])
  })
})
