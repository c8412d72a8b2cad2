import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../test/refusal.ts'
import { useSurgeryPractice } from '../../../../test/care/surgeries.ts'

const theatre = useSurgeryPractice()
const { operate } = theatre

type Surgery = Awaited<ReturnType<typeof operate>>

describe('checklist templates', () => {
  const fields = { kind: 'other', words: 'Stockings fitted', ownerRole: 'provider', dueDays: -1, isRequired: false } as const

  it('are changed by administrators only, and leave existing cases alone', async () => {
    const { admin, desk } = theatre
    expect((await refusal(desk.surgeries.addTemplate({ kind: 'other', words: 'a', ownerRole: 'provider', dueDays: 0 }))).status).toBe(403)
    const added = await admin.surgeries.addTemplate(fields)
    const surgery = await operate()
    const has = (one: Surgery, words: string) => one.items.some((each) => each.words === words)
    expect([has(surgery, 'Stockings fitted'), surgery.missing.some(({ kind }) => kind === 'other')]).toEqual([true, false])
    expect(await admin.surgeries.changeTemplate({ ...added, words: 'Stockings in the room' })).toMatchObject({
      words: 'Stockings in the room',
    })
    expect(has(await desk.surgeries.get({ id: surgery.id }), 'Stockings fitted')).toBe(true)
    expect(has(await operate(), 'Stockings in the room')).toBe(true)
    await admin.surgeries.deleteTemplate({ id: added.id })
    expect(has(await operate(), 'Stockings in the room')).toBe(false)
    expect((await refusal(admin.surgeries.deleteTemplate({ id: added.id }))).status).toBe(404)
    const unknownProcedure = await refusal(admin.surgeries.addTemplate({ ...fields, procedureId: randomUUID() }))
    expect(unknownProcedure.data.fields).toEqual({ procedureId: 'Procedure not found' })
  })

  it('always include a specialist item (spec 4)', async () => {
    const { admin } = theatre
    const template = (await admin.surgeries.templates()).find(({ kind }) => kind === 'specialist')!
    expect((await refusal(admin.surgeries.deleteTemplate({ id: template.id }))).code).toBe('FIXED')
    expect((await refusal(admin.surgeries.changeTemplate({ ...template, kind: 'other' }))).code).toBe('FIXED')
    expect(await admin.surgeries.changeTemplate({ ...template, dueDays: -10 })).toEqual({ ...template, dueDays: -10 })
  })

  it('are deleted with their procedure', async () => {
    const { admin } = theatre
    const procedure = await admin.procedures.create({ name: randomUUID() })
    const { id } = await admin.surgeries.addTemplate({
      procedureId: procedure.id,
      kind: 'labs',
      words: 'Blood count',
      ownerRole: 'provider',
      dueDays: -7,
    })
    await admin.procedures.delete({ id: procedure.id })
    expect((await admin.surgeries.templates()).map((one) => one.id)).not.toContain(id)
  })
})
