import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { completeSigning, definitionOf, publishConsent, republish } from '../../../../test/chart/consent-forms.ts'
import { pdf, portalOf } from '../../../../test/portal.ts'
import { refusal } from '../../../../test/refusal.ts'
import { useSurgeryPractice } from '../../../../test/care/surgeries.ts'
import type { OwnConsent } from '../../../chart/consent-forms/contract.ts'
import type { ConsentDefinition } from '../../../chart/consent-forms/definition-rules.ts'

const theatre = useSurgeryPractice({ TRUST_PROXY: 'true' })
const { server, operate } = theatre
const portal = portalOf(server)
const start = theatre.clock.now
beforeEach(() => void (theatre.clock.now = start))

type Surgery = Awaited<ReturnType<typeof operate>>
const itemOf = ({ items }: Surgery) => items.find(({ kind }) => kind === 'consents')!
const get = async ({ id }: Surgery) => theatre.desk.surgeries.get({ id })
const isDone = async (surgery: Surgery) => itemOf(await get(surgery)).isDone

/** A procedure with a consent form, and a surgery of a patient who is signed in to the portal. */
async function required(given: Partial<ConsentDefinition> = {}) {
  const { admin } = theatre
  const procedure = await admin.procedures.create({ name: `Rhinoplasty ${randomUUID()}` })
  const template = await publishConsent(admin, { procedureIds: [procedure.id], ...given })
  const patient = await portal.signIn()
  const surgery = await operate({ contactId: patient.id, procedureIds: [procedure.id] })
  return { procedure, template, patient, surgery }
}
type Required = Awaited<ReturnType<typeof required>>

/** Sends what is required, and signs it as the patient. */
async function signAll({ surgery, patient }: Pick<Required, 'surgery' | 'patient'>) {
  const list = await theatre.desk.consentForms.sendRequired({ id: surgery.id, email: null })
  for (const { consent } of list) {
    if (consent?.status !== 'sent') continue
    const own = { contactId: patient.id, sessionToken: patient.token, id: consent.id }
    const { body } = (await portal.call('patient-consent-fetch', own)) as unknown as { body: OwnConsent }
    const signed = { ...own, language: 'en', textHash: body.hashes.en, signing: completeSigning(body.texts.en) }
    expect(await portal.call('patient-consent-sign', signed)).toMatchObject({ status: 200 })
  }
  return theatre.desk.consentForms.ofSurgery({ id: surgery.id })
}

describe('consents of a surgery', () => {
  it('are ticked by hand while no consent form applies', async () => {
    const surgery = await operate()
    expect(itemOf(surgery)).toMatchObject({
      isAutomatic: false,
      isDone: false,
      outstanding: expect.stringMatching(/^No published consent form/),
    })
    const ticked = await theatre.admin.surgeries.changeItem({ id: surgery.id, itemId: itemOf(surgery).id, isDone: true })
    expect(itemOf(ticked)).toMatchObject({ isDone: true, isAutomatic: false })
    expect(await theatre.desk.consentForms.ofSurgery({ id: surgery.id })).toEqual([])
  })

  it('complete by themselves once the required ones are signed, and open again when one is withdrawn', async () => {
    const all = await required()
    const { surgery, template } = all
    expect(itemOf(surgery)).toMatchObject({
      isAutomatic: true,
      isDone: false,
      isMissing: true,
      outstanding: expect.stringMatching(/^Completes when/),
    })
    const tick = theatre.admin.surgeries.changeItem({ id: surgery.id, itemId: itemOf(surgery).id, isDone: true })
    expect((await refusal(tick)).code).toBe('AUTOMATIC')
    expect(await theatre.desk.consentForms.ofSurgery({ id: surgery.id })).toMatchObject([
      { templateId: template.id, versionNumber: 1, consent: null, isInForce: false },
    ])
    const [signed] = await signAll(all)
    expect(signed).toMatchObject({ isInForce: true, consent: { shownStatus: 'signed' } })
    const done = await get(surgery)
    expect(itemOf(done)).toMatchObject({ isDone: true, isMissing: false, doneBy: null, outstanding: null })
    expect(done.missing.map(({ kind }) => kind)).not.toContain('consents')
    await theatre.desk.consentForms.withdraw({ id: signed!.consent!.id, on: '2026-11-21', by: 'The patient' })
    expect(itemOf(await get(surgery))).toMatchObject({ isDone: false, isMissing: true })
    expect(await theatre.desk.consentForms.ofSurgery({ id: surgery.id })).toMatchObject([{ consent: { shownStatus: 'withdrawn' } }])
  })

  it('wait for the countersignature where the consent form asks for one', async () => {
    const all = await required({ needsCountersignature: true })
    const [signed] = await signAll(all)
    expect([signed!.isInForce, await isDone(all.surgery)]).toEqual([false, false])
    await server.client(theatre.provider.cookie).consentForms.countersign({ id: signed!.consent!.id })
    expect(await isDone(all.surgery)).toBe(true)
  })

  it('open again with a version that must be signed again, and not with another one', async () => {
    const all = await required()
    const { template, procedure, surgery } = all
    await signAll(all)
    const second = { procedureIds: [procedure.id], needsWitness: false, title: { en: 'Second', fr: 'Deuxième' } }
    await republish(theatre.admin, template.id, second, false)
    expect(await isDone(surgery)).toBe(true)
    await republish(theatre.admin, template.id, { ...second, title: { en: 'Third', fr: 'Troisième' } }, true)
    expect(await isDone(surgery)).toBe(false)
    expect(await theatre.desk.consentForms.ofSurgery({ id: surgery.id })).toMatchObject([{ consent: { shownStatus: 'out_of_date' } }])
    await signAll(all)
    expect(await isDone(surgery)).toBe(true)
  })

  it('are never asked for in a version that no longer counts: what is open is replaced at publication', async () => {
    const all = await required()
    const { template, procedure, surgery } = all
    const [sent] = await theatre.desk.consentForms.sendRequired({ id: surgery.id, email: null })
    await republish(theatre.admin, template.id, { procedureIds: [procedure.id], title: { en: 'Second', fr: 'Deuxième' } }, true)
    const [now] = await theatre.desk.consentForms.sendRequired({ id: surgery.id, email: null })
    expect(now).toMatchObject({ versionNumber: 2, consent: { id: sent!.consent!.id, versionNumber: 2, title: { en: 'Second' } } })
    await signAll(all)
    expect(await isDone(surgery)).toBe(true)
  })

  it('complete with one that was signed on paper, and open again when it is withdrawn', async () => {
    const { surgery, template, patient } = await required()
    const query = new URLSearchParams({ name: 'scan.pdf', type: 'consent', share: 'false' })
    const uploaded = await server.request(`/api/contacts/${patient.id}/documents?${query}`, {
      method: 'POST',
      headers: { cookie: await server.signIn('front_desk') },
      body: new Uint8Array(pdf()),
    })
    const { id: documentId } = (await uploaded.json()) as { id: string }
    const paper = { contactId: patient.id, templateId: template.id, versionNumber: 1, surgeryId: surgery.id, documentId }
    const { id } = await theatre.desk.consentForms.recordPaper({ ...paper, signedOn: '2026-11-20' })
    const done = await get(surgery)
    expect(itemOf(done)).toMatchObject({ isDone: true, doneOn: '2026-11-20' })
    await theatre.desk.consentForms.withdraw({ id, on: '2026-11-21', by: 'The patient' })
    expect(await isDone(surgery)).toBe(false)
  })

  it('open again when the procedure changes, also for a consent form of every surgery', async () => {
    const all = await required()
    const { surgery, procedure } = all
    const every = await publishConsent(theatre.admin, { use: 'every_surgery' })
    try {
      expect(await signAll(all)).toHaveLength(2)
      expect(await isDone(surgery)).toBe(true)
      const chin = await theatre.admin.procedures.create({ name: `Chin ${randomUUID()}` })
      await theatre.desk.surgeries.change({ id: surgery.id, version: 1, procedureIds: [procedure.id, chin.id] })
      expect(await isDone(surgery)).toBe(false)
      const after = await theatre.desk.consentForms.ofSurgery({ id: surgery.id })
      expect(after.map(({ isInForce }) => isInForce).toSorted()).toEqual([false, true])
      await signAll(all)
      expect(await isDone(surgery)).toBe(true)
      await theatre.desk.surgeries.change({ id: surgery.id, version: 2, procedureIds: [procedure.id] })
      expect(await isDone(surgery)).toBe(true)
    } finally {
      await theatre.admin.consentForms.setActive({ id: every.id, isActive: false })
    }
  })

  it('do not count a tick from before a consent form applied', async () => {
    const surgery = await operate()
    await theatre.admin.surgeries.changeItem({ id: surgery.id, itemId: itemOf(surgery).id, isDone: true })
    const template = await publishConsent(theatre.admin, { procedureIds: [theatre.procedures[0]!.id] })
    try {
      expect(itemOf(await get(surgery))).toMatchObject({ isDone: false, isAutomatic: true })
    } finally {
      await theatre.admin.consentForms.setActive({ id: template.id, isActive: false })
    }
    expect(itemOf(await get(surgery))).toMatchObject({ isDone: true, isAutomatic: false })
  })

  it('say before a publication which booked surgeries need the form, and which are settled by deactivating it', async () => {
    const { admin, desk } = theatre
    const procedure = await admin.procedures.create({ name: `Otoplasty ${randomUUID()}` })
    const patient = await portal.signIn()
    const surgery = await operate({ contactId: patient.id, procedureIds: [procedure.id] })
    const { id } = await admin.consentForms.createTemplate({})
    const { draft } = await admin.consentForms.saveDraft({ id, revision: 1, definition: definitionOf({ procedureIds: [procedure.id] }) })
    const effects = async (change: 'publish' | 'activate' | 'deactivate') =>
      (await admin.consentForms.impact({ id, change })).surgeries
        .filter((one) => one.id === surgery.id)
        .map(({ effect, isSent }) => [effect, isSent])
    expect(await effects('publish')).toEqual([['needed', false]])
    expect((await admin.consentForms.impact({ id, change: 'publish' })).surgeries.find((one) => one.id === surgery.id)).toMatchObject({
      email: patient.email,
      patientName: expect.stringMatching(/^Éloïse/),
      procedures: [procedure.name],
    })
    await admin.consentForms.publish({ id, revision: draft!.revision })
    expect(await effects('deactivate')).toEqual([['settled', false]])
    expect(itemOf(await get(surgery))).toMatchObject({ isDone: false, isAutomatic: true })
    // What is open already does not become so.
    const next = { procedureIds: [procedure.id], title: { en: 'Second', fr: 'Deuxième' } }
    const second = await admin.consentForms.saveDraft({ id, revision: draft!.revision, definition: definitionOf(next) })
    expect(await effects('publish')).toEqual([])
    await signAll({ surgery, patient })
    expect(await effects('publish')).toEqual([['resigned', false]])
    await admin.consentForms.publish({ id, revision: second.draft!.revision, mustResign: true })
    expect(await effects('deactivate')).toEqual([['settled', false]])
    await desk.consentForms.sendRequired({ id: surgery.id, email: null })
    expect(await effects('deactivate')).toEqual([['settled', true]])
    await admin.consentForms.setActive({ id, isActive: false })
    expect(itemOf(await get(surgery))).toMatchObject({
      isAutomatic: false,
      outstanding: expect.stringMatching(/^No published consent form/),
    })
    expect(await effects('activate')).toEqual([['needed', true]])
    expect(await effects('publish')).toEqual([])
    expect((await refusal(desk.consentForms.impact({ id, change: 'publish' }))).code).toBe('FORBIDDEN')
    expect((await refusal(admin.consentForms.impact({ id: randomUUID(), change: 'publish' }))).code).toBe('NOT_FOUND')
  })

  it('are settled by deactivating one of two, once the other is signed', async () => {
    const all = await required()
    await signAll(all)
    const other = await publishConsent(theatre.admin, { procedureIds: [all.procedure.id] })
    expect(await isDone(all.surgery)).toBe(false)
    await theatre.admin.consentForms.setActive({ id: other.id, isActive: false })
    expect(await isDone(all.surgery)).toBe(true)
  })

  it('are sent in one step, without those that are open or signed', async () => {
    const all = await required()
    const first = await theatre.desk.consentForms.sendRequired({ id: all.surgery.id, email: null })
    const again = await theatre.desk.consentForms.sendRequired({ id: all.surgery.id, email: null })
    expect(again).toEqual(first)
    await signAll(all)
    await theatre.desk.consentForms.sendRequired({ id: all.surgery.id, email: null })
    expect(await theatre.desk.consentForms.ofContact({ contactId: all.patient.id })).toHaveLength(1)
  })
})
