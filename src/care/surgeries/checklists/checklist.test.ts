import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import type { Client } from '../../../../test/server.ts'
import { useSurgeryPractice } from '../../../../test/care/surgeries.ts'

const theatre = useSurgeryPractice()
const { server, operate, book } = theatre
const start = theatre.clock.now
beforeEach(() => void (theatre.clock.now = start))

type Surgery = Awaited<ReturnType<typeof operate>>
const kindsOf = ({ items }: Surgery) => items.map(({ kind }) => kind)
const item = ({ items }: Surgery, kind: string) => items.find((one) => one.kind === kind)!
const missingOf = ({ missing }: Surgery) => missing.map(({ kind }) => kind)
const get = ({ id }: Surgery) => theatre.desk.surgeries.get({ id })

const review = async (contactId: string, ...wanted: ('allergies' | 'medications' | 'history')[]) => {
  for (const section of wanted) await theatre.admin.health.reviewed({ contactId, section })
}

/** Ticks all that is ticked by hand, and reviews the chart. */
async function tickAll(surgery: Surgery): Promise<Surgery> {
  await review(surgery.contact.id, 'allergies', 'medications', 'history')
  for (const one of surgery.items)
    if (!one.isAutomatic) await theatre.admin.surgeries.changeItem({ id: surgery.id, itemId: one.id, isDone: true })
  return get(surgery)
}

describe('checklists', () => {
  it('has the items every case needs, with owner and due date relative to the surgery', async () => {
    const surgery = await operate()
    expect(surgery.items.map(({ kind, dueOn, ownerRole }) => [kind, dueOn, ownerRole])).toEqual([
      ['history', '2026-11-17', 'provider'],
      ['medication', '2026-11-17', 'provider'],
      ['consents', '2026-11-24', 'provider'],
      ['balance', '2026-11-24', 'billing'],
      ['labs', '2026-11-24', 'provider'],
      ['pre_op_visit', '2026-11-24', 'provider'],
      ['driver', '2026-11-29', 'front_desk'],
      ['other', '2026-12-02', 'front_desk'],
      ['post_op_visit', '2026-12-08', 'provider'],
    ])
    expect(missingOf(surgery)).toEqual(['history', 'medication', 'consents', 'labs', 'pre_op_visit', 'driver'])
  })

  it('records who ticked an item and when, keeps notes, undoes ticks, and audits each change', async () => {
    const { provider } = theatre
    const surgery = await operate()
    const { id: itemId } = item(surgery, 'labs')
    const { changeItem } = server.client(provider.cookie).surgeries
    const ticked = await changeItem({ id: surgery.id, itemId, isDone: true, note: 'Haemoglobin 138' })
    expect(item(ticked, 'labs')).toMatchObject({ isDone: true, doneOn: '2026-11-21', doneBy: provider.id, note: 'Haemoglobin 138' })
    expect(missingOf(ticked)).not.toContain('labs')
    expect(ticked.version).toBe(1)
    expect(await changeItem({ id: surgery.id, itemId, isDone: true })).toEqual(ticked)
    const undone = await changeItem({ id: surgery.id, itemId, isDone: false, note: null })
    expect(undone).toEqual(surgery)
    const audit = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'surgery item' and contact_ids = array[$1]::uuid[]",
      [surgery.contact.id],
    )
    expect(audit).toHaveLength(2)
  })

  it('moves the due dates of open items with the surgery', async () => {
    const surgery = await operate()
    const { changeItem, change } = theatre.admin.surgeries
    const [labs, driver] = [item(surgery, 'labs'), item(surgery, 'driver')]
    await changeItem({ id: surgery.id, itemId: labs.id, isDone: true })
    const moved = await change({ id: surgery.id, version: 1, startsAt: '2026-12-11T13:00:00Z' })
    expect([item(moved, 'labs').dueOn, item(moved, 'driver').dueOn]).toEqual([labs.dueOn, '2026-12-09'])
    const open = await changeItem({ id: surgery.id, itemId: labs.id, isDone: false })
    expect(item(open, 'labs').dueOn).toBe('2026-12-04')
    expect(driver.dueOn).toBe('2026-11-29')
  })

  it('adds the items of its procedures without duplicates, and removes untouched ones when procedures change', async () => {
    const { admin, desk } = theatre
    const [nose, chin] = await Promise.all([randomUUID(), randomUUID()].map((name) => admin.procedures.create({ name })))
    const template = { kind: 'other', ownerRole: 'front_desk', dueDays: -21 } as const
    await admin.surgeries.addTemplate({ ...template, procedureId: nose!.id, words: 'Order the splints' })
    await admin.surgeries.addTemplate({ ...template, procedureId: nose!.id, words: 'Book the photographer' })
    await admin.surgeries.addTemplate({ ...template, procedureId: chin!.id, words: 'order the splints' })
    await admin.surgeries.addTemplate({ ...template, procedureId: chin!.id, words: 'Order the implant' })
    const words = ({ items }: Surgery) => items.filter(({ dueDays }) => dueDays === -21).map((one) => one.words)
    const surgery = await operate({ procedureIds: [nose!.id] })
    expect(words(surgery).toSorted()).toEqual(['Book the photographer', 'Order the splints'])
    const { change, changeItem } = desk.surgeries
    const both = await change({ id: surgery.id, version: 1, procedureIds: [nose!.id, chin!.id] })
    expect(words(both).toSorted()).toEqual(['Book the photographer', 'Order the implant', 'Order the splints'])
    const photographer = both.items.find((one) => one.words === 'Book the photographer')!
    await changeItem({ id: surgery.id, itemId: photographer.id, note: 'Is on holiday' })
    const after = await change({ id: surgery.id, version: 2, procedureIds: [chin!.id] })
    expect(words(after).toSorted()).toEqual(['Book the photographer', 'Order the implant', 'order the splints'])
    expect(after.items).toHaveLength(both.items.length)
  })

  it('lets only providers and administrators tick provider items; everyone may add notes and tick the rest', async () => {
    const surgery = await operate()
    const driver = item(surgery, 'driver')
    const labs = item(surgery, 'labs')
    const at = { id: surgery.id, itemId: labs.id }
    const refusedAs = (role: string) =>
      server.rows("select id from audit_log where action = 'denied' and actor_role = $1 and kind like 'surgeries.%'", [role])
    for (const role of ['sales_rep', 'front_desk'] as const) {
      const { changeItem, removeItem } = (await server.as(role)).surgeries
      const answer = await refusal(changeItem({ ...at, isDone: true, note: 'By phone' }))
      expect([answer.code, answer.status, answer.message]).toEqual([
        'FORBIDDEN',
        403,
        'Only a provider or an administrator can complete this item',
      ])
      expect((await refusal(removeItem(at))).code).toBe('FORBIDDEN')
      expect(await refusedAs(role)).toHaveLength(2)
      expect(item(await get(surgery), 'labs')).toMatchObject({ isDone: false, note: null })
      const noted = await changeItem({ ...at, isDone: false, note: `Is with ${role}` })
      expect(item(noted, 'labs')).toMatchObject({ isDone: false, note: `Is with ${role}` })
      expect(item(await changeItem({ ...at, itemId: driver.id, isDone: true }), 'driver').isDone).toBe(true)
      await changeItem({ ...at, itemId: driver.id, isDone: false })
      await changeItem({ ...at, note: null })
    }
    const { changeItem } = server.client(theatre.provider.cookie).surgeries
    await changeItem({ ...at, isDone: true })
    const takenBack = theatre.desk.surgeries.changeItem({ ...at, isDone: false })
    expect((await refusal(takenBack)).code).toBe('FORBIDDEN')
  })

  it('accepts added items, refuses duplicates, and removes items', async () => {
    const { addItem, removeItem } = theatre.desk.surgeries
    const surgery = await operate()
    const one = { id: surgery.id, kind: 'other', words: 'Ask the cardiologist', ownerRole: 'sales_rep', dueDays: -3 } as const
    const added = await addItem({ ...one, note: 'Has a murmur' })
    const made = added.items.find(({ words }) => words === one.words)!
    expect(made).toMatchObject({ dueOn: '2026-11-28', note: 'Has a murmur', isRequired: true, isMissing: true })
    expect((await refusal(addItem({ ...one, words: 'ASK the cardiologist' }))).code).toBe('EXISTS')
    expect(await removeItem({ id: surgery.id, itemId: made.id })).toEqual(surgery)
    const other = await operate()
    expect((await refusal(removeItem({ id: other.id, itemId: item(surgery, 'labs').id }))).status).toBe(404)
    const bad = await refusal(addItem({ ...one, words: ' ', dueDays: 400 }))
    expect(bad.data.fields).toEqual({ words: 'Describe what has to be done', dueDays: 'Enter a number of days from -365 to 365' })
  })
})

describe('automatic items', () => {
  it('cannot be ticked, with the reason, but accept notes', async () => {
    const surgery = await operate()
    const { changeItem } = theatre.desk.surgeries
    for (const kind of ['balance', 'pre_op_visit', 'post_op_visit', 'history', 'medication']) {
      const answer = await refusal(changeItem({ id: surgery.id, itemId: item(surgery, kind).id, isDone: true }))
      expect([answer.code, answer.status]).toEqual(['AUTOMATIC', 409])
      expect((answer.data as { reason?: string }).reason).toMatch(/^Completes when /)
    }
    const noted = await changeItem({ id: surgery.id, itemId: item(surgery, 'balance').id, note: 'Pays on Friday' })
    expect(item(noted, 'balance').note).toBe('Pays on Friday')
  })

  it('complete the balance when nothing is due by the surgery', async () => {
    const { admin } = theatre
    const surgery = await operate()
    expect(item(surgery, 'balance').isDone).toBe(true)
    const contactId = surgery.contact.id
    const charge = async (dueOn: string) =>
      (await admin.collections.addCharge({ contactId, description: 'Surgery', amountCents: 5_000, dueOn })).charges[0]!.id
    await charge('2026-12-02')
    expect(item(await get(surgery), 'balance').isDone).toBe(true)
    const due = await charge('2026-12-01')
    expect(missingOf(await get(surgery))).toContain('balance')
    await admin.collections.writeOff({ id: due, amountCents: 5_000, reason: 'Goodwill' })
    expect(item(await get(surgery), 'balance').isDone).toBe(true)
  })

  it('complete the visits when one before and one after this surgery is completed', async () => {
    const { desk } = theatre
    const surgery = await operate()
    const contactId = surgery.contact.id
    const complete = async (type: 'pre_op' | 'post_op', startsAt: string) => {
      const { id } = await book({ contactId, type, startsAt, outsideHours: true })
      await desk.appointments.setStatus({ id, version: 1, status: 'completed' })
    }
    await complete('post_op', '2026-11-25T15:00:00Z')
    await complete('pre_op', '2026-12-02T15:00:00Z')
    expect(['pre_op_visit', 'post_op_visit'].map((kind) => item(surgery, kind).isDone)).toEqual([false, false])
    await complete('pre_op', '2026-11-24T15:00:00Z')
    const before = await get(surgery)
    expect(item(before, 'pre_op_visit')).toMatchObject({ isDone: true, doneOn: '2026-11-24' })
    expect(item(before, 'post_op_visit').isDone).toBe(false)
    await complete('post_op', '2026-12-08T15:00:00Z')
    expect(item(await get(surgery), 'post_op_visit')).toMatchObject({ isDone: true, doneOn: '2026-12-08' })
    // The next surgery has visits of its own: the one on December 2 is before it.
    const next = await operate({ contactId, startsAt: '2027-02-02T13:00:00Z' })
    expect(item(next, 'pre_op_visit').doneOn).toBe('2026-12-02')
    expect(item(next, 'post_op_visit').isDone).toBe(false)
  })

  it('show the weight-loss medication in the medication item', async () => {
    const { desk } = theatre
    const surgery = await operate()
    expect(item(surgery, 'medication').detail).toBeNull()
    const { version } = await desk.contacts.get({ id: surgery.contact.id })
    await desk.contacts.update({ id: surgery.contact.id, version, weightLossMedication: 'semaglutide' })
    expect(item(await get(surgery), 'medication')).toMatchObject({ detail: 'semaglutide', isDone: false })
  })

  it('complete medications and history when the chart is reviewed, from 90 days before the surgery was booked', async () => {
    const { clock } = theatre
    const contactId = await insertContact(server)
    const isDone = (surgery: Surgery) => ['history', 'medication'].map((kind) => item(surgery, kind).isDone)
    clock.now = new Date(start.getTime() - 91 * 24 * 3600_000)
    await review(contactId, 'allergies', 'medications', 'history')
    clock.now = start
    const surgery = await operate({ contactId })
    expect(isDone(surgery)).toEqual([false, false])
    expect(item(surgery, 'medication').outstanding).toMatch(/^Completes when the medications are reviewed in the chart/)
    clock.now = new Date(start.getTime() - 89 * 24 * 3600_000)
    await review(contactId, 'medications')
    clock.now = start
    expect(isDone(await get(surgery))).toEqual([false, true])
    await review(contactId, 'allergies', 'history')
    const after = await get(surgery)
    expect(isDone(after)).toEqual([true, true])
    expect(item(after, 'history')).toMatchObject({ doneOn: '2026-11-21', isAutomatic: true, outstanding: null })
    expect(missingOf(after)).not.toContain('medication')
  })

  it('keep ticks from before they completed automatically, until someone unticks them', async () => {
    const { admin } = theatre
    const surgery = await operate()
    const { id: itemId } = item(surgery, 'history')
    await server.rows(`update surgery_items set done_on = '2026-11-20', done_by = $2 where id = $1`, [itemId, theatre.provider.id])
    expect(item(await get(surgery), 'history')).toMatchObject({ isDone: true, isAutomatic: false, doneBy: theatre.provider.id })
    const open = await admin.surgeries.changeItem({ id: surgery.id, itemId, isDone: false })
    expect(item(open, 'history')).toMatchObject({ isDone: false, isAutomatic: true, doneOn: null })
    expect((await refusal(admin.surgeries.changeItem({ id: surgery.id, itemId, isDone: true }))).code).toBe('AUTOMATIC')
  })

  it('list the medications to stop for those who may see them, and to others what the record says (spec 3)', async () => {
    const { admin, desk } = theatre
    const surgery = await operate()
    const contactId = surgery.contact.id
    await admin.health.addEntry({
      contactId,
      kind: 'medication',
      name: 'Semaglutide',
      dose: '1 mg weekly',
      stopDays: 14,
      isWeightLoss: true,
    })
    await admin.health.addEntry({ contactId, kind: 'medication', name: 'Ibuprofen', stopDays: 7 })
    await admin.health.addEntry({ contactId, kind: 'medication', name: 'Escitalopram' })
    const detail = 'Semaglutide (stop 14 days before surgery), Ibuprofen (stop 7 days before surgery)'
    for (const client of [admin, server.client(theatre.provider.cookie)])
      expect(item(await client.surgeries.get({ id: surgery.id }), 'medication').detail).toBe(detail)
    for (const client of [desk, await server.as('sales_rep')]) {
      const seen = await client.surgeries.get({ id: surgery.id })
      expect(item(seen, 'medication').detail).toBe('Listed in the chart')
      expect(JSON.stringify(seen)).not.toMatch(/ibuprofen|escitalopram/i)
    }
  })

  it('show the specialist item while a consult is required and surgery is booked, and complete it with the results (spec 4)', async () => {
    const { desk } = theatre
    const contactId = await insertContact(server)
    const update = async (fields: Partial<Parameters<Client['contacts']['update']>[0]>) => {
      const { version } = await desk.contacts.get({ id: contactId })
      await desk.contacts.update({ id: contactId, version, ...fields })
    }
    const surgery = await operate({ contactId })
    expect(kindsOf(surgery)).not.toContain('specialist')
    await update({ requiresSpecialistConsult: true, specialistConsultType: 'Cardiology', specialistConsultReason: 'murmur' })
    const required = await get(surgery)
    expect(item(required, 'specialist')).toMatchObject({ detail: 'Cardiology', isDone: false, isMissing: true })
    const { id: itemId } = item(required, 'specialist')
    expect((await refusal(desk.surgeries.changeItem({ id: surgery.id, itemId, isDone: true }))).code).toBe('AUTOMATIC')
    expect((await refusal(desk.surgeries.removeItem({ id: surgery.id, itemId }))).code).toBe('FIXED')
    await update({ specialistResultsReceived: true, specialistResultsDate: '2026-11-20' })
    expect(item(await get(surgery), 'specialist')).toMatchObject({ isDone: true, doneOn: '2026-11-20' })
    // Neither stage, date nor revenue: surgery is no longer booked.
    await desk.surgeries.setStatus({ id: surgery.id, version: 1, status: 'postponed' })
    expect(kindsOf(await get(surgery))).toContain('specialist')
    await update({ funnelStage: 'lead' })
    expect(kindsOf(await get(surgery))).not.toContain('specialist')
    await update({ revenueCents: 5 })
    expect(kindsOf(await get(surgery))).toContain('specialist')
    await update({ requiresSpecialistConsult: false })
    expect(kindsOf(await get(surgery))).not.toContain('specialist')
  })
})

describe('readiness', () => {
  it('requires confirmation and no missing items, and is lost when an item opens', async () => {
    const { desk } = theatre
    const surgery = await operate()
    const { id } = await book({ contactId: surgery.contact.id, type: 'pre_op', startsAt: '2026-11-24T15:00:00Z' })
    await desk.appointments.setStatus({ id, version: 1, status: 'completed' })
    const ticked = await tickAll(surgery)
    expect([ticked.missing, ticked.shownStatus]).toEqual([[], 'tentative'])
    const ready = await desk.surgeries.setStatus({ id: surgery.id, version: 1, status: 'confirmed' })
    expect([ready.status, ready.shownStatus]).toEqual(['confirmed', 'ready'])
    const listed = async (status: 'ready' | 'confirmed') =>
      (await desk.surgeries.list({ status })).data.map((one) => one.id).includes(surgery.id)
    expect([await listed('ready'), await listed('confirmed')]).toEqual([true, true])
    const { version } = await desk.contacts.get({ id: surgery.contact.id })
    await desk.contacts.update({
      id: surgery.contact.id,
      version,
      requiresSpecialistConsult: true,
      specialistConsultType: 'Cardiology',
      specialistConsultReason: 'murmur',
    })
    expect((await get(surgery)).shownStatus).toBe('confirmed')
    expect([await listed('ready'), await listed('confirmed')]).toEqual([false, true])
    const after = await desk.contacts.get({ id: surgery.contact.id })
    await desk.contacts.update({ id: after.id, version: after.version, specialistResultsReceived: true })
    expect((await get(surgery)).shownStatus).toBe('ready')
  })

  it('is suspended while collections holds the surgery, until it is paid or released', async () => {
    const { admin, desk } = theatre
    const surgery = await operate({ status: 'confirmed' })
    const contactId = surgery.contact.id
    const visit = await book({ contactId, type: 'pre_op', startsAt: '2026-11-24T15:00:00Z' })
    await desk.appointments.setStatus({ id: visit.id, version: 1, status: 'completed' })
    await tickAll(surgery)
    const { charges } = await admin.collections.addCharge({ contactId, description: 'Surgery', amountCents: 5_000, dueOn: '2027-01-15' })
    expect((await get(surgery)).shownStatus).toBe('ready')
    const hold = (isHeld: boolean) => desk.collections.hold({ contactId, isHeld })
    await hold(true)
    const held = await get(surgery)
    expect([held.shownStatus, missingOf(held)]).toEqual(['confirmed', ['balance']])
    expect(item(held, 'balance')).toMatchObject({
      isDone: false,
      outstanding: expect.stringMatching(/^Collections holds the surgery\. /),
    })
    await hold(false)
    expect((await get(surgery)).shownStatus).toBe('ready')
    await hold(true)
    await admin.collections.writeOff({ id: charges[0]!.id, amountCents: 5_000, reason: 'Goodwill' })
    expect((await get(surgery)).shownStatus).toBe('ready')
  })

  it('cannot be set by hand', async () => {
    const surgery = await operate()
    const typed = { id: surgery.id, version: 1, status: 'ready' } as unknown as { id: string; version: number; status: 'confirmed' }
    expect((await refusal(theatre.desk.surgeries.setStatus(typed))).data.fields).toEqual({ status: 'Choose a status' })
  })
})
