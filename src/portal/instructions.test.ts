import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useSurgeryPractice } from '../../test/care/surgeries.ts'
import { portalOf } from '../../test/portal.ts'
import { refusal } from '../../test/refusal.ts'
import { aftercareTime } from '../care/surgeries/own.ts'

const theatre = useSurgeryPractice({ TRUST_PROXY: 'true' })
const portal = portalOf(theatre.server)
const start = new Date('2026-11-21T15:00:00Z')
beforeEach(() => {
  theatre.clock.now = start
})

const texts = { preparationEn: 'Eat nothing.', preparationFr: 'Ne mangez rien.', aftercareEn: '- Rest', aftercareFr: null }

const homeOf = async (own: object) => (await portal.call('patient-home-fetch', own)).body
const read = (own: object, id: string) => portal.call('patient-instructions-fetch', { ...own, id })

/** A procedure with instructions, and a patient with a surgery of it. */
async function booked() {
  const { admin } = theatre
  const procedure = await admin.procedures.create({ name: randomUUID() })
  await admin.procedures.setInstructions({ id: procedure.id, version: 0, ...texts })
  const { id: contactId, email } = await portal.newPatient()
  const surgery = await theatre.operate({ contactId, procedureIds: [procedure.id] })
  const enter = async () => {
    const { body } = await portal.call('verify-document-access', { email, otp: await portal.newCode(email) })
    return { contactId, sessionToken: String(body?.sessionToken) }
  }
  const startsAt = new Date(surgery.startsAt)
  return { procedure, surgery, startsAt, contactId, enter }
}

describe('instructions of a procedure', () => {
  it('are written by administrators from the version that they have read, and audited', async () => {
    const { admin, desk, server } = theatre
    const { id } = await admin.procedures.create({ name: randomUUID() })
    const none = { preparationEn: null, preparationFr: null, aftercareEn: null, aftercareFr: null, version: 0 }
    expect(await admin.procedures.instructions({ id })).toEqual(none)
    const saved = await admin.procedures.setInstructions({ id, version: 0, ...texts, preparationEn: ' Eat nothing. ' })
    expect(saved).toEqual({ ...texts, version: 1 })
    expect(await admin.procedures.setInstructions({ id, ...saved })).toEqual(saved)
    expect((await refusal(admin.procedures.setInstructions({ id, version: 0, ...texts, aftercareEn: 'Other' }))).code).toBe(
      'CHANGED_MEANWHILE',
    )
    expect((await refusal(desk.procedures.setInstructions({ id, ...saved }))).status).toBe(403)
    expect((await refusal(admin.procedures.instructions({ id: randomUUID() }))).status).toBe(404)
    const { data } = await refusal(admin.procedures.setInstructions({ id, ...saved, aftercareFr: 'x'.repeat(10_001) }))
    expect(Object.keys(data.fields ?? {})).toEqual(['aftercareFr'])
    const both = await Promise.allSettled(['A', 'B'].map((aftercareEn) => admin.procedures.setInstructions({ id, ...saved, aftercareEn })))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const audit = await server.rows("select after from audit_log where kind = 'procedure' and action = 'changed' and after->>'id' = $1", [
      id,
    ])
    expect(audit).toHaveLength(2)
  })

  it('show in the portal before a surgery with what to do afterwards, from its day on only that, and not after half a year', async () => {
    const { procedure, surgery, startsAt, enter } = await booked()
    const preparation = { en: 'Eat nothing.', fr: 'Ne mangez rien.' }
    const aftercare = { en: '- Rest', fr: null }
    let own = await enter()
    expect(await homeOf(own)).toMatchObject({ surgeries: [{ id: surgery.id, hasInstructions: true }], aftercare: [] })
    expect((await read(own, surgery.id)).body).toMatchObject({
      isAhead: true,
      procedures: [{ name: procedure.name, preparation, aftercare }],
    })
    theatre.clock.now = startsAt
    await theatre.server.rows("update surgeries set status = 'confirmed' where id = $1", [surgery.id])
    own = await enter()
    expect(await homeOf(own)).toMatchObject({
      surgeries: [],
      aftercare: [{ id: surgery.id, procedures: [{ name: procedure.name, nameFr: null }] }],
    })
    expect((await read(own, surgery.id)).body).toMatchObject({ isAhead: false, procedures: [{ preparation: null, aftercare }] })
    theatre.clock.now = new Date(startsAt.getTime() + aftercareTime)
    own = await enter()
    expect(await homeOf(own)).toMatchObject({ aftercare: [] })
    expect(await read(own, surgery.id)).toMatchObject({ status: 404 })
  })

  it('are not offered for a procedure without any, nor for a surgery that was cancelled or never took place', async () => {
    const { surgery, enter } = await booked()
    const own = await enter()
    const plain = await theatre.admin.procedures.create({ name: randomUUID() })
    await theatre.server.rows('update surgeries set procedures = $2 where id = $1', [
      surgery.id,
      JSON.stringify([{ id: plain.id, name: plain.name }]),
    ])
    expect(await homeOf(own)).toMatchObject({ surgeries: [{ hasInstructions: false }] })
    for (const status of ['postponed', 'cancelled']) {
      await theatre.server.rows(
        "update surgeries set status = $2, cancel_reason = case when $2 = 'cancelled' then 'Ill' end where id = $1",
        [surgery.id, status],
      )
      expect(await read(own, surgery.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
  })

  it('tell no other patient which procedure someone has', async () => {
    const { surgery, contactId } = await booked()
    const other = await booked()
    const own = await other.enter()
    expect(await read(own, surgery.id)).toMatchObject({ status: 404 })
    expect(await portal.call('patient-instructions-fetch', { ...own, contactId, id: surgery.id })).toMatchObject({ status: 404 })
    expect(await portal.call('patient-instructions-fetch', { ...own, sessionToken: 'made-up', id: surgery.id })).toMatchObject({
      status: 401,
    })
    expect(await portal.call('patient-instructions-fetch', { ...own, id: 'x' })).toMatchObject({ status: 422 })
    const denials = await theatre.server.rows(
      "select 1 from audit_log where action = 'denied' and kind = 'surgery' and contact_ids = array[$1::uuid]",
      [other.contactId],
    )
    expect(denials).toHaveLength(2)
  })
})
