import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useSurgeryPractice } from '../../test/care/surgeries.ts'
import { completeSigning, publishConsent } from '../../test/chart/consent-forms.ts'
import { publishForm } from '../../test/chart/sent-forms.ts'
import { portalOf } from '../../test/portal.ts'
import type { Client } from '../../test/server.ts'
import type { OwnConsent } from '../chart/consent-forms/contract.ts'
import { starters } from '../chart/forms/starters.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'

const practice = useSurgeryPractice({ PRACTICE_NAME: 'Harbourview', TRUST_PROXY: 'true' })
const portal = portalOf(practice.server)
let admin: Client
beforeAll(async () => {
  admin = await practice.server.as('admin')
})
beforeEach(() => {
  practice.clock.now = new Date('2026-11-21T15:00:00Z')
})

async function signedIn() {
  const { id: contactId, token: sessionToken } = await portal.signIn()
  return { contactId, sessionToken }
}
const homeOf = (own: object) => portal.call('patient-home-fetch', own)

describe('the home of the portal', () => {
  it('lists forms, appointments, surgeries and the balance of the patient in one answer, and nothing of others', async () => {
    const own = await signedIn()
    const other = await signedIn()
    const { contactId } = own
    await practice.server.rows("update contacts set preferred_name = 'Élo' where id = $1", [contactId])
    const { id: templateId } = await publishForm(admin, starters.covid)
    const { id: formId } = await practice.desk.forms.send({ contactId, templateId, email: null })
    const { id } = await practice.book({ contactId, notes: 'Anxious' })
    for (const [amountCents, dueOn] of [
      [452_000, '2026-12-10'],
      [48_000, '2027-01-10'],
    ] as const)
      await admin.collections.addCharge({
        contactId,
        description: 'Rhinoplasty',
        amountCents,
        dueOn,
        isBeforeSurgery: false,
        plan: [],
      })
    const { status, body } = await homeOf(own)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      firstName: 'Élo',
      forms: [{ id: formId, title: starters.covid.title, isStarted: false, isDone: false }],
      appointments: [{ id, type: 'consult', startsAt: '2026-12-01T15:00:00.000Z', isConfirmed: false, askedAt: null }],
      surgeries: [],
      balance: { cents: 500_000, dueCents: 452_000, dueOn: '2026-12-10' },
    })
    expect(JSON.stringify(body)).not.toContain('Anxious')
    expect(await homeOf(other)).toMatchObject({ status: 200, body: { forms: [], appointments: [], balance: null } })
    expect(await homeOf({ ...other, contactId })).toMatchObject({ status: 404 })
    const views = await practice.server.rows<{ kind: string }>(
      "select distinct kind from audit_log where action = 'viewed' and actor_role = 'patient' and contact_ids = array[$1::uuid] order by kind",
      [contactId],
    )
    expect(views.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['appointment', 'form', 'ledger']))
  })

  it('says what is due by now, on all days that have passed, and then what is due before the surgery (issue 29)', async () => {
    const { contactId, ...rest } = await signedIn()
    const charge = (amountCents: number, dueOn: string, isBeforeSurgery = false) =>
      admin.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents, dueOn, isBeforeSurgery, plan: [] })
    const balance = async () => (await homeOf({ contactId, ...rest })).body!.balance
    await charge(10_000, '2026-11-30')
    await charge(50_000, '2026-12-10', true)
    expect(await balance()).toMatchObject({ cents: 60_000, dueCents: 60_000, dueOn: '2026-12-10', isBeforeSurgery: true })
    await charge(20_000, '2026-10-10')
    await charge(30_000, '2026-11-10')
    await charge(40_000, '2026-11-21')
    expect(await balance()).toMatchObject({ cents: 150_000, dueCents: 90_000, dueOn: '2026-10-10', isBeforeSurgery: false })
  })

  it('lists consent forms to sign and signed ones, without those that were declined, cancelled or given to others', async () => {
    const own = await signedIn()
    const { contactId } = own
    const give = async (to: string, title: string, needsInitials = true) => {
      const clause = {
        id: 'risks',
        kind: 'risks',
        title: { en: 'Risks', fr: 'Risques' },
        text: { en: 'Bleeding.', fr: 'Saignement.' },
      } as const
      const { id: templateId } = await publishConsent(admin, {
        use: 'photos',
        scopes: ['chart'],
        title: { en: title, fr: `${title} (fr)` },
        intro: null,
        clauses: [{ ...clause, needsInitials }],
      })
      return (await practice.desk.consentForms.send({ contactId: to, templateId, email: null })).id
    }
    await give((await signedIn()).contactId, 'Of another patient')
    const declined = await give(contactId, 'Declined')
    await portal.call('patient-consent-decline', { ...own, id: declined, reason: null })
    await practice.desk.consentForms.cancel({ id: await give(contactId, 'Cancelled') })
    const plain = await give(contactId, 'Photographs', false)
    const id = await give(contactId, 'Anaesthesia')
    const anaesthesia = { id, title: { en: 'Anaesthesia', fr: 'Anaesthesia (fr)' }, needsInitials: true, signedAt: null }
    const photographs = { id: plain, title: { en: 'Photographs', fr: 'Photographs (fr)' }, needsInitials: false, signedAt: null }
    const { body } = await homeOf(own)
    expect(body!.consents).toHaveLength(2)
    expect(body!.consents).toEqual(expect.arrayContaining([anaesthesia, photographs]))
    const shown = (await portal.call('patient-consent-fetch', { ...own, id })).body as unknown as OwnConsent
    const signing = completeSigning(shown.texts.en)
    await portal.call('patient-consent-sign', { ...own, id, language: 'en', textHash: shown.hashes.en, signing })
    expect((await homeOf(own)).body!.consents).toEqual(
      expect.arrayContaining([{ ...anaesthesia, signedAt: '2026-11-21T15:00:00.000Z' }, photographs]),
    )
  })

  it('names procedures in French where the practice did', async () => {
    const own = await signedIn()
    const [one, other] = await Promise.all(
      ['Implant de menton', null].map((nameFr) => admin.procedures.create({ name: randomUUID(), nameFr })),
    )
    await practice.operate({ contactId: own.contactId, procedureIds: [one!.id, other!.id] })
    expect((await homeOf(own)).body!.surgeries).toMatchObject([
      {
        procedures: [
          { name: one!.name, nameFr: 'Implant de menton' },
          { name: other!.name, nameFr: null },
        ],
      },
    ])
  })

  it('confirms an appointment once, and asks for another time, as the link in an email does', async () => {
    const own = await signedIn()
    const { id } = await practice.book({ contactId: own.contactId })
    const seen = { ...own, id, startsAt: '2026-12-01T15:00:00.000Z' }
    for (let i = 0; i < 2; i++)
      expect(await portal.call('patient-appointment-confirm', seen)).toMatchObject({ body: { appointments: [{ isConfirmed: true }] } })
    const lines = (await practice.timelineOf(own.contactId)).filter((line) => line.includes('confirmed by the patient'))
    expect(lines).toHaveLength(1)
    const asked = { ...seen, key: randomUUID(), weekdays: [2], dayParts: ['morning'], words: 'After nine' }
    for (let i = 0; i < 2; i++)
      expect(await portal.call('patient-appointment-request', asked)).toMatchObject({
        body: { appointments: [{ askedAt: '2026-11-21T15:00:00.000Z' }] },
      })
    const tasks = await practice.desk.tasks.ofContact({ contactId: own.contactId })
    expect(tasks.filter(({ title }) => title.startsWith('Reschedule request'))).toMatchObject([
      { description: expect.stringContaining('Tuesday. Mornings.\nAfter nine') },
    ])
  })

  it('refuses an appointment that has moved since, one of another patient, and malformed input', async () => {
    const own = await signedIn()
    const { id, version } = await practice.book({ contactId: own.contactId })
    const seen = { id, startsAt: '2026-12-01T15:00:00.000Z' }
    const other = await signedIn()
    expect(await portal.call('patient-appointment-confirm', { ...other, ...seen })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const denials = await practice.server.rows(
      "select 1 from audit_log where action = 'denied' and kind = 'appointment' and contact_ids = array[$1::uuid]",
      [other.contactId],
    )
    expect(denials).toHaveLength(1)
    await practice.desk.appointments.change({ id, version, startsAt: '2026-12-02T15:00:00Z' })
    expect(await portal.call('patient-appointment-confirm', { ...own, ...seen })).toMatchObject({
      status: 409,
      body: { code: 'NOT_POSSIBLE' },
    })
    expect(await portal.call('patient-appointment-confirm', { ...own, id, startsAt: 'soon' })).toMatchObject({ status: 422 })
    expect((await practice.desk.appointments.get({ id })).status).toBe('booked')
  })

  it('reads no appointment of another patient, and no notes, under the database role of the portal', async () => {
    const own = await signedIn()
    const other = await signedIn()
    await practice.book({ contactId: other.contactId })
    const { db, env } = practice.server.running.runtime
    const read = (columns: string) =>
      db.transaction((tx) =>
        asPatient(tx, env, own.contactId as VerifiedContactId, (mine) => mine.execute(sql.raw(`select ${columns} from appointments`))),
      )
    expect((await read('id')).rows).toEqual([])
    await expect(read('notes')).rejects.toThrow('Failed query')
  })
})
