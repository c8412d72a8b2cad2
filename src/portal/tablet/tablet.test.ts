import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { healthy, publishForm } from '../../../test/chart/sent-forms.ts'
import { pdf, portalOf } from '../../../test/portal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { calls } from '../../../test/access/calls.ts'
import { pairingLimit, tabletIdleLimit } from './rules.ts'

const server = useServer({ TRUST_PROXY: 'true' })
const portal = portalOf(server)
let desk: Client
let templateIds: string[]
beforeAll(async () => {
  const admin = await server.as('admin')
  desk = await server.as('front_desk')
  templateIds = [(await publishForm(admin)).id, (await publishForm(admin)).id, (await publishForm(admin)).id]
})

async function patientWithForms() {
  const patient = await portal.newPatient()
  const ids: string[] = []
  for (const templateId of templateIds) ids.push((await desk.forms.send({ contactId: patient.id, templateId, email: null })).id)
  return { ...patient, formIds: ids }
}
const item = (id: string) => ({ kind: 'form' as const, id })
const pair = (code: string, address?: string) => portal.call('tablet-pair', { code }, address)

/** A patient with a tablet for the first of three forms. */
async function pairedTablet() {
  const patient = await patientWithForms()
  const opened = await desk.tablet.open({ contactId: patient.id, items: [item(patient.formIds[0]!)] })
  const { status, body } = await pair(opened.code)
  expect(status).toBe(200)
  return { ...patient, sessionId: opened.id, own: { contactId: patient.id, sessionToken: String(body!.sessionToken) }, body: body! }
}
const wrongCode = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0')

describe('a tablet in the practice', () => {
  it('opens with the code for the chosen forms only, which the patient fills in and submits, and staff see its state', async () => {
    const { id, formIds, sessionId, own, body } = await pairedTablet()
    expect(body).toMatchObject({ contact: { id, first_name: 'Éloïse' }, language: 'en', items: [{ ...item(formIds[0]!), state: 'open' }] })
    const form = { ...own, id: formIds[0]! }
    expect(await portal.call('patient-form-save', { ...form, revision: 0, language: 'en', changes: { symptoms: false } })).toMatchObject({
      status: 200,
    })
    expect(await portal.call('patient-form-submit', { ...form, revision: 1, language: 'en' })).toMatchObject({
      status: 422,
      body: { code: 'INCOMPLETE' },
    })
    await portal.call('patient-form-save', { ...form, revision: 1, language: 'en', changes: healthy })
    expect(await portal.call('patient-form-submit', { ...form, revision: 2, language: 'en' })).toMatchObject({ status: 200 })
    expect(await portal.call('tablet-fetch', { sessionToken: own.sessionToken })).toMatchObject({
      status: 200,
      body: { items: [{ state: 'done' }] },
    })
    const { items, session } = await desk.tablet.ofContact({ contactId: id })
    expect(items.map((one) => one.id).toSorted()).toEqual(formIds.slice(1).toSorted())
    expect(session).toMatchObject({ id: sessionId, items: [{ state: 'done' }], endedAt: null })
    const changes = await server.rows(
      "select action, actor_role from audit_log where kind in ('tablet', 'form') and action <> 'viewed' and contact_ids @> array[$1::uuid] and after->>'status' is distinct from 'sent' order by id",
      [id],
    )
    expect(changes).toEqual([
      { action: 'created', actor_role: 'front_desk' },
      { action: 'changed', actor_role: 'visitor' },
      { action: 'changed', actor_role: 'patient' },
      { action: 'changed', actor_role: 'patient' },
    ])
  })

  it('refuses every other call of the portal, every other form, and every other patient', async () => {
    const { id, formIds, own } = await pairedTablet()
    const other = await patientWithForms()
    const own404 = [...formIds.slice(1), ...other.formIds, randomUUID()]
    for (const formId of own404) {
      const asked = { ...own, id: formId }
      for (const [name, extra] of [
        ['fetch', {}],
        ['save', { revision: 0, language: 'en', changes: { symptoms: true } }],
        ['submit', { revision: 0, language: 'en' }],
      ] as const)
        expect(await portal.call(`patient-form-${name}`, { ...asked, ...extra })).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
    }
    expect(await portal.call('patient-form-fetch', { contactId: other.id, sessionToken: own.sessionToken, id: formIds[0] })).toMatchObject({
      status: 404,
    })

    // Every call that takes a session: a call that is added is refused on a tablet until it is named here, and is tried like this one.
    const allowed = ['portal.fetchForm', 'portal.saveForm', 'portal.submitForm', 'portal.signOut', 'tablet.fetch']
    /** Calls of consent forms: those that were not given do not exist. */
    const notGiven = ['portal.fetchConsent', 'portal.signConsent', 'portal.askAboutConsent', 'portal.declineConsent']
    const tried: string[] = []
    for (const { name, path, validInput } of calls) {
      const input = validInput({ contactId: id, quoteId: randomUUID() } as never)
      if (!/^(portal|tablet)[.]/.test(name) || !('sessionToken' in input)) continue
      tried.push(name)
      if (allowed.includes(name)) continue
      const answer = await portal.call(path.replace('/functions/', ''), { ...input, ...own })
      const refused = notGiven.includes(name) ? [404, 'NOT_FOUND'] : [401, 'SESSION_OVER']
      expect([name, answer.status, answer.body?.code]).toEqual([name, ...refused])
    }
    expect(tried).toEqual(
      expect.arrayContaining([
        ...allowed,
        ...notGiven,
        'portal.fetchDocuments',
        'portal.fetchQuotes',
        'portal.acceptQuote',
        'portal.declineQuote',
      ]),
    )
    expect(await portal.upload({ id, token: own.sessionToken }, { name: 'a.pdf', bytes: pdf() })).toMatchObject({ status: 401 })
    const header = { 'x-portal-session': own.sessionToken }
    expect(await portal.upload({ id, token: own.sessionToken }, { name: 'a.pdf', bytes: pdf() }, {}, header)).toMatchObject({ status: 401 })
    expect(await server.rows('select 1 from documents where contact_id = $1', [id])).toEqual([])
  })

  it('links to files that a session of the portal signed do not open with a tablet’s id', async () => {
    const { id, sessionId } = await pairedTablet()
    const answer = await server.request(
      `/api/functions/patient-document-file/${id}?as=file&session=${sessionId}&expires=${Date.now() + 60_000}&signature=x`,
    )
    expect(answer.status).toBe(404)
  })

  it('opens with a code once, within five minutes, however many wrong ones others have entered', async () => {
    const patient = await patientWithForms()
    const open = () => desk.tablet.open({ contactId: patient.id, items: [item(patient.formIds[0]!)] })
    const first = await open()
    const pairs = await Promise.all(Array.from({ length: 6 }, () => pair(first.code)))
    expect(pairs.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 5 }, () => 401)])

    const second = await open()
    await server.rows("update tablet_sessions set code_expires_at = code_expires_at - $2 * interval '1 millisecond' where id = $1", [
      second.id,
      pairingLimit,
    ])
    expect(await pair(second.code)).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } })

    const third = await open()
    const wrong = await Promise.all(Array.from({ length: 12 }, () => pair(wrongCode(third.code))))
    expect(new Set(wrong.map(({ body }) => body!.code))).toEqual(new Set(['INVALID_CODE']))
    expect(await pair(third.code)).toMatchObject({ status: 200 })
    const fourth = await open()
    expect(fourth.code).toMatch(/^\d{8}$/)
    expect(await server.rows('select 1 from tablet_sessions where code_hash like $1', [`%${fourth.code}%`])).toEqual([])
  })

  it('stops one network address after 20 wrong codes, not those of others, and counts no right one', async () => {
    const patient = await patientWithForms()
    const open = () => desk.tablet.open({ contactId: patient.id, items: [item(patient.formIds[0]!)] })
    const [guesser, other] = ['10.200.0.1', '10.200.0.2']
    expect((await pair((await open()).code, guesser)).status).toBe(200)
    const { code } = await open()
    const statuses: number[] = []
    for (let at = 0; at < 22; at++) statuses.push((await pair(wrongCode(code), guesser)).status)
    expect(statuses.slice(0, 20)).not.toContain(429)
    expect(statuses.slice(20)).toEqual([429, 429])
    expect((await pair(code, guesser)).status).toBe(429)
    expect((await pair(code, other)).status).toBe(200)
  })

  it('ends when it is handed back, by staff, with the next tablet, after three idle minutes and after an hour', async () => {
    const fetchItems = ({ own }: Awaited<ReturnType<typeof pairedTablet>>) =>
      portal.call('tablet-fetch', { sessionToken: own.sessionToken })
    const over = { status: 401, body: { code: 'SESSION_OVER' } }

    const back = await pairedTablet()
    await portal.call('patient-sign-out', { sessionToken: back.own.sessionToken })
    expect(await fetchItems(back)).toMatchObject(over)
    expect((await desk.tablet.ofContact({ contactId: back.id })).session).toMatchObject({ endedBy: 'tablet' })

    const byStaff = await pairedTablet()
    expect(await desk.tablet.end({ id: byStaff.sessionId })).toMatchObject({ endedBy: 'staff' })
    expect(await desk.tablet.end({ id: byStaff.sessionId })).toMatchObject({ endedBy: 'staff' })
    expect(await fetchItems(byStaff)).toMatchObject(over)
    expect(await portal.call('patient-form-fetch', { ...byStaff.own, id: byStaff.formIds[0] })).toMatchObject(over)

    const replaced = await pairedTablet()
    await desk.tablet.open({ contactId: replaced.id, items: [item(replaced.formIds[1]!)] })
    expect(await fetchItems(replaced)).toMatchObject(over)

    const idle = await pairedTablet()
    const ago = (column: string, ms: number) =>
      server.rows(`update tablet_sessions set ${column} = ${column} - $2 * interval '1 millisecond' where id = $1`, [idle.sessionId, ms])
    await ago('last_seen_at', tabletIdleLimit - 5_000)
    expect(await fetchItems(idle)).toMatchObject({ status: 200 })
    await ago('last_seen_at', tabletIdleLimit + 15_000)
    expect(await fetchItems(idle)).toMatchObject(over)

    const long = await pairedTablet()
    await server.rows("update tablet_sessions set paired_at = paired_at - interval '61 minutes' where id = $1", [long.sessionId])
    expect(await fetchItems(long)).toMatchObject(over)

    const deleted = await pairedTablet()
    await (await server.as('admin')).contacts.delete({ id: deleted.id })
    expect(await fetchItems(deleted)).toMatchObject(over)
  })

  it('opens and answers nothing in a browser that is signed in as staff', async () => {
    const patient = await patientWithForms()
    const { code } = await desk.tablet.open({ contactId: patient.id, items: [item(patient.formIds[0]!)] })
    await expect(desk.tablet.pair({ code })).rejects.toMatchObject({ code: 'SIGNED_IN', status: 409 })
    const { body } = await pair(code)
    await expect(desk.tablet.fetch({ sessionToken: String(body!.sessionToken) })).rejects.toMatchObject({ code: 'SESSION_OVER' })
  })

  it('is given only for what the patient can do now', async () => {
    const [patient, other] = [await patientWithForms(), await patientWithForms()]
    await desk.forms.withdraw({ id: patient.formIds[1]! })
    for (const id of [patient.formIds[1]!, other.formIds[0]!, randomUUID()])
      await expect(desk.tablet.open({ contactId: patient.id, items: [item(id)] })).rejects.toMatchObject({
        code: 'INVALID_REFERENCE',
        data: { fields: { items: expect.any(String) } },
      })
    await expect(desk.tablet.open({ contactId: patient.id, items: [] })).rejects.toMatchObject({ status: 422 })
    expect((await desk.tablet.ofContact({ contactId: patient.id })).session).toBeNull()
  })
})
