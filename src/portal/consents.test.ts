import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { completeSigning, definitionOf, publishConsent, republish } from '../../test/chart/consent-forms.ts'
import { textOfPdf } from '../../test/formats/pdf.ts'
import { pdf, portalOf } from '../../test/portal.ts'
import { refusal } from '../../test/refusal.ts'
import { type Client, useServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import type { OwnConsent } from '../chart/consent-forms/contract.ts'
import type { ConsentDefinition } from '../chart/consent-forms/definition-rules.ts'
import { isUnbroken } from '../chart/consent-forms/evidence.ts'
import { catchUpSeals, mailCopy, sealConsent } from '../chart/consent-forms/service.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { Scope, VerifiedContactId } from '../kernel/scope.ts'
import { knownCertificates, verifyPdf } from '../platform/seals/service.ts'
import { dayAt } from '../shared/zoned-time.ts'

type Own = { contactId: string; sessionToken: string; id: string }

const server = useServer({ TRUST_PROXY: 'true' })
const portal = portalOf(server)
const scope = () => ({ ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'test', address: null } })
const photos: Partial<ConsentDefinition> = { use: 'photos', scopes: ['chart', 'education'], intro: null }
let admin: Client
let desk: Client
let provider: Client
beforeAll(async () => {
  admin = await server.as('admin')
  desk = await server.as('front_desk')
  provider = await server.as('provider')
})

const fetchConsent = async (own: Own) =>
  (await portal.call('patient-consent-fetch', own)) as { status: number; body: OwnConsent & { code?: string } }
const sign = (own: Own, body: object) => portal.call('patient-consent-sign', { ...own, language: 'en', ...body })

async function given(definition: Partial<ConsentDefinition> = photos, options: { substitute?: { name: string; relation: string } } = {}) {
  const { id: templateId } = await publishConsent(admin, definition)
  const patient = await portal.signIn()
  const consent = await desk.consentForms.send({ contactId: patient.id, templateId, email: null, ...options })
  return { own: { contactId: patient.id, sessionToken: patient.token, id: consent.id }, templateId, patient, consent }
}
async function ready(definition?: Partial<ConsentDefinition>) {
  const { own, ...rest } = await given(definition)
  const { body } = await fetchConsent(own)
  return { ...rest, own, textHash: body.hashes.en, signing: completeSigning(body.texts.en), text: body.texts.en }
}
async function signed(definition?: Partial<ConsentDefinition>) {
  const all = await ready(definition)
  expect(await sign(all.own, { textHash: all.textHash, signing: all.signing })).toMatchObject({ status: 200 })
  return all
}
const rowOf = async (id: string) =>
  (await server.rows<{ status: string; signing: unknown }>('select status, signing from consent_forms where id = $1', [id]))[0]!

describe('a consent form in the portal', () => {
  it('is read in both languages and signed once, with its evidence', async () => {
    const { own, textHash, signing, consent, text } = await ready()
    const done = await sign(own, { textHash, signing })
    expect(done).toMatchObject({ status: 200, body: { signedAt: expect.any(String) } })
    expect(await sign(own, { textHash, signing })).toEqual(done)
    expect(await fetchConsent(own)).toMatchObject({ status: 409, body: { code: 'SIGNED' } })
    const whole = await provider.consentForms.get({ id: consent.id })
    expect(whole).toMatchObject({
      shownStatus: 'signed',
      language: 'en',
      scopes: ['chart', 'education'],
      signing: { initials: { risks: 'A.T.' }, signature: { kind: 'typed', name: text.patientName } },
      text: { statement: 'I have read this consent, I understand it, and I am signing it freely.' },
    })
    expect(whole.events.map(({ kind }) => kind)).toEqual(['sent', 'opened', 'signed'])
    expect(whole.events[2]).toMatchObject({
      actorName: whole.text.patientName,
      address: expect.stringMatching(/^10\./),
      detail: { text: textHash, used: 'own device' },
    })
  })

  it('is signed once by two tabs at the same moment', async () => {
    const { own, textHash, signing, consent } = await ready()
    const answers = await Promise.all([1, 2, 3, 4].map(() => sign(own, { textHash, signing })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body!.signedAt)).size).toBe(1)
    const { events } = await provider.consentForms.get({ id: consent.id })
    expect(events.filter(({ kind }) => kind === 'signed')).toHaveLength(1)
    const other = await sign(own, { textHash, signing: { ...signing, scopes: ['chart'] } })
    expect(other).toMatchObject({ status: 409, body: { code: 'SIGNED' } })
  })

  it.each([
    ['a clause that was not shown', { shown: ['what'] }, 'shown'],
    ['missing initials', { initials: {} }, 'initials'],
    ['no chosen use', { scopes: [] }, 'scopes'],
    ['a statement that is not ticked', { agrees: false }, 'agrees'],
    ['an empty signature', { signature: { kind: 'typed', name: ' ' } }, 'signature'],
    ['no signature', { signature: null }, 'signature'],
    ['the name of someone else', { signature: { kind: 'typed', name: 'Ana Test' } }, 'name'],
  ])('is not signed with %s', async (_name, part, field) => {
    const { own, textHash, signing } = await ready()
    expect(await sign(own, { textHash, signing: { ...signing, ...part } })).toMatchObject({
      status: 422,
      body: { code: 'INCOMPLETE', data: { problems: [{ field }] } },
    })
    expect(await rowOf(own.id)).toMatchObject({ status: 'sent', signing: null })
  })

  it.each([
    ['a hash that is none', { textHash: 'x'.repeat(65) }, 'textHash'],
    ['a language that does not exist', { language: 'de' }, 'language'],
    ['a list of initials', { signing: { shown: [], initials: [], agrees: true } }, 'signing.initials'],
  ])('refuses %s with the field', async (_name, part, field) => {
    const { own, textHash, signing } = await ready()
    expect(await sign(own, { textHash, signing, ...part })).toMatchObject({
      status: 422,
      body: { data: { fields: { [field]: expect.any(String) } } },
    })
  })

  it('needs a witness and an interpreter where its version says so', async () => {
    const { own, textHash, signing } = await ready({ ...photos, needsWitness: true, needsInterpreter: true })
    expect(await sign(own, { textHash, signing })).toMatchObject({
      status: 422,
      body: { data: { problems: [{ field: 'witness' }, { field: 'interpreter' }] } },
    })
    expect(await sign(own, { textHash, signing: { ...signing, witness: 'Yasmin Torres', interpreter: 'Li Wei' } })).toMatchObject({
      status: 200,
    })
  })

  it('is not signed in words that have changed since they were read', async () => {
    const { own, textHash, signing, patient } = await ready()
    const { version } = await desk.contacts.get({ id: patient.id })
    await desk.contacts.update({ id: patient.id, version, lastName: 'Nouveau' })
    const late = await sign(own, { textHash, signing })
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'CHANGED', data: { current: { texts: { en: { patientName: 'Éloïse Nouveau' } } } } },
    })
    const { body } = await fetchConsent(own)
    expect(await sign(own, { textHash: body.hashes.en, signing })).toMatchObject({ status: 422 })
    expect(await sign(own, { textHash: body.hashes.en, signing: completeSigning(body.texts.en) })).toMatchObject({ status: 200 })
    // The hash of one language does not sign the other.
    const second = await ready()
    expect(await sign(second.own, { textHash: second.textHash, language: 'fr', signing: second.signing })).toMatchObject({
      status: 409,
      body: { code: 'CHANGED' },
    })
  })

  it('is signed by a substitute decision-maker, whom staff have named', async () => {
    const { own } = await given(photos, { substitute: { name: 'Marie Roy', relation: 'Mother' } })
    const { body } = await fetchConsent(own)
    expect(body.signerName).toBe('Marie Roy')
    expect(body.texts.en.statement).toMatch(/on behalf of Éloïse/)
    await sign(own, { textHash: body.hashes.en, signing: completeSigning(body.texts.en) })
    const { events } = await provider.consentForms.get({ id: own.id })
    expect(events.at(-1)).toMatchObject({ kind: 'signed', actorName: 'Marie Roy' })
  })

  it('asks staff to decide who signs for a patient under 18', async () => {
    const { id: templateId } = await publishConsent(admin, photos)
    const patient = await portal.newPatient()
    const { version } = await desk.contacts.get({ id: patient.id })
    await desk.contacts.update({ id: patient.id, version, dateOfBirth: '2015-01-31' })
    const one = { contactId: patient.id, templateId, email: null }
    expect((await refusal(desk.consentForms.send(one))).data.fields).toEqual({ substitute: 'Choose who signs: the patient is under 18' })
    expect(await desk.consentForms.send({ ...one, substitute: null })).toMatchObject({ substitute: null, status: 'sent' })
  })

  it('names what its text needs and is not known', async () => {
    const { id: templateId } = await publishConsent(admin, {
      ...photos,
      intro: { en: 'Born {{birth_date}}, on {{surgery_date}}', fr: 'Le {{surgery_date}}' },
    })
    const { id } = await portal.newPatient()
    const answer = await refusal(desk.consentForms.send({ contactId: id, templateId, email: null }))
    expect([answer.code, answer.data]).toEqual(['MISSING_VALUES', { missing: ['birth_date', 'surgery_date'] }])
  })

  it('tells staff of a question once, in a task that names nothing', async () => {
    const { own, patient } = await given()
    const ask = () => portal.call('patient-consent-ask', { ...own, question: 'How long does numbness last?' })
    const first = await ask()
    expect(first).toMatchObject({ status: 200 })
    expect(await ask()).toEqual(first)
    const tasks = await server.rows<{ title: string; description: string | null }>(
      'select title, description from tasks where contact_id = $1',
      [patient.id],
    )
    expect(tasks).toEqual([{ title: 'A patient has a question before signing', description: null }])
    const { events } = await provider.consentForms.get({ id: own.id })
    expect(events.at(-1)).toMatchObject({ kind: 'asked', detail: { question: 'How long does numbness last?' } })
  })

  it('is signed in the newest version: one that is published while the patient reads is shown, and what was read is refused', async () => {
    const { own, textHash, signing, templateId, consent } = await ready()
    const clauses = definitionOf().clauses.map((clause) => ({ ...clause, text: { en: 'Something else.', fr: 'Autre chose.' } }))
    await republish(admin, templateId, { ...photos, clauses }, false)
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([
      { id: own.id, versionNumber: 2, status: 'sent' },
    ])
    const answers = await Promise.all([1, 2].map(() => sign(own, { textHash, signing })))
    for (const refused of answers)
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'CHANGED', data: { current: { texts: { en: { clauses: [{ text: 'Something else.' }, {}] } } } } },
      })
    expect(await rowOf(own.id)).toMatchObject({ status: 'sent', signing: null })
    const { body } = await fetchConsent(own)
    expect(await sign(own, { textHash: body.hashes.en, signing })).toMatchObject({ status: 200 })
    const { events, text, versionNumber } = await provider.consentForms.get({ id: consent.id })
    expect([text.clauses[0]!.text, versionNumber]).toEqual(['Something else.', 2])
    expect(events.map(({ kind }) => kind)).toEqual(['sent', 'opened', 'revised', 'signed'])
    expect(events[2]).toMatchObject({ detail: { version: 2, before: 1 } })
  })

  it('is signed by a publication and a patient at the same moment in one of the two versions, never in part', async () => {
    const { own, textHash, signing, templateId } = await ready()
    const [answer] = await Promise.all([
      sign(own, { textHash, signing }),
      republish(admin, templateId, { ...photos, needsInterpreter: true }, true),
    ])
    const { status, versionNumber, text } = await provider.consentForms.get({ id: own.id })
    if (answer.status === 200) expect([status, versionNumber, text.needsInterpreter]).toEqual(['signed', 1, false])
    else expect([answer.body!.code, status, versionNumber]).toEqual(['CHANGED', 'sent', 2])
  })

  it('is read in the newest version also if it was left behind, such as with a patient who was deleted and restored', async () => {
    const { own, templateId } = await ready()
    const first = (await admin.consentForms.template({ id: templateId })).published!
    await republish(admin, templateId, { ...photos, needsInterpreter: true }, false)
    await server.rows('update consent_forms set version_id = $2 where id = $1', [own.id, first.id])
    expect((await fetchConsent(own)).body.texts.en.needsInterpreter).toBe(true)
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([{ versionNumber: 2 }])
  })

  it('cannot be read while its text names what is not known, and staff see what', async () => {
    const { own, textHash, signing, templateId } = await ready()
    await republish(admin, templateId, { ...photos, intro: { en: 'On {{surgery_date}}', fr: 'Le {{surgery_date}}' } }, false)
    expect(await fetchConsent(own)).toMatchObject({ status: 409, body: { code: 'NOT_READY' } })
    expect(await sign(own, { textHash, signing })).toMatchObject({ status: 409, body: { code: 'NOT_READY' } })
    expect(await provider.consentForms.get({ id: own.id })).toMatchObject({ missing: ['surgery_date'] })
  })

  it('is declined once, and can no longer be signed', async () => {
    const { own, textHash, signing } = await ready()
    const decline = () => portal.call('patient-consent-decline', { ...own, reason: 'Not sure yet' })
    const first = await decline()
    expect(first).toMatchObject({ status: 200 })
    expect(await decline()).toEqual(first)
    expect(await sign(own, { textHash, signing })).toMatchObject({ status: 409, body: { code: 'DECLINED' } })
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([{ shownStatus: 'declined' }])
    expect(await provider.consentForms.get({ id: own.id })).toMatchObject({ declineReason: 'Not sure yet' })
  })

  it('is withdrawn in parts and as a whole, once each', async () => {
    const { own } = await signed()
    const withdraw = (scopes: string[] | null) => portal.call('patient-consent-withdraw', { ...own, scopes })
    const part = await withdraw(['education'])
    expect(part).toMatchObject({ status: 200 })
    expect(await withdraw(['education'])).toEqual(part)
    expect(await withdraw(['publication'])).toMatchObject({ status: 409, body: { code: 'NOT_SIGNED' } })
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([
      { shownStatus: 'signed', withdrawnScopes: ['education'] },
    ])
    const whole = await withdraw(null)
    expect(await withdraw(null)).toEqual(whole)
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([{ shownStatus: 'withdrawn' }])
    const { events } = await provider.consentForms.get({ id: own.id })
    expect(events.filter(({ kind }) => kind === 'withdrawn')).toHaveLength(2)
    const list = await portal.call('patient-consents-fetch', { contactId: own.contactId, sessionToken: own.sessionToken })
    expect(list).toMatchObject({ status: 200, body: { consents: [{ status: 'withdrawn', id: own.id }] } })
  })

  it('of another patient does not exist, by id and in the database, and the attempt is audited', async () => {
    const { own } = await given()
    const other = await portal.signIn()
    const theirs = { contactId: other.id, sessionToken: other.token, id: own.id }
    for (const [name, body] of [
      ['patient-consent-fetch', {}],
      [
        'patient-consent-sign',
        { language: 'en', textHash: 'a'.repeat(64), signing: { shown: [], initials: {}, agrees: true, signature: null } },
      ],
      ['patient-consent-ask', {}],
      ['patient-consent-decline', {}],
      ['patient-consent-withdraw', {}],
    ] as const)
      expect([name, (await portal.call(name, { ...theirs, ...body })).status]).toEqual([name, 404])
    const denials = await server.rows(
      "select 1 from audit_log where action = 'denied' and kind = 'consent form' and contact_ids @> array[$1::uuid]",
      [other.id],
    )
    expect(denials).toHaveLength(5)
    const { db, env } = server.running.runtime
    const seen = await db.transaction((tx) =>
      asPatient(tx, env, other.id as VerifiedContactId, async (mine) => {
        const all = await mine.execute(sql`select id from consent_forms`)
        const changed = await mine.execute(sql`update consent_forms set status = 'declined', declined_at = now() where id = ${own.id}`)
        return [all.rowCount, changed.rowCount]
      }),
    )
    expect(seen).toEqual([0, 0])
  })

  it('stays as it was signed, even if someone writes to the database', async () => {
    const { own } = await signed()
    const change = (set: string) => server.rows(`update consent_forms set ${set} where id = $1`, [own.id])
    for (const set of [
      "signing = '{}'",
      "text_hash = 'b'",
      "status = 'declined', declined_at = now()",
      'signed_at = now()',
      "language = 'fr'",
    ])
      await expect(change(set)).rejects.toThrow(/stays as it is|check constraint/)
    await expect(server.rows("update consent_events set actor_name = 'x' where consent_form_id = $1", [own.id])).rejects.toThrow(
      /stays as it is/,
    )
    const events = await server.rows<Parameters<typeof isUnbroken>[0][number]>(
      `select id, consent_form_id as "consentFormId", kind, at, actor_id as "actorId", actor_name as "actorName", address, device, detail, hash
       from consent_events where consent_form_id = $1 order by id`,
      [own.id],
    )
    expect(isUnbroken(events)).toBe(true)
    expect(isUnbroken(events.filter(({ kind }) => kind !== 'opened'))).toBe(false)
    expect(isUnbroken(events.map((event) => ({ ...event, actorName: 'Someone' })))).toBe(false)
  })
})

describe('consent forms of staff', () => {
  it('are countersigned by providers only, once', async () => {
    const { own } = await signed({ ...photos, needsCountersignature: true })
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([{ awaitsCountersignature: true }])
    expect((await refusal(admin.consentForms.countersign({ id: own.id }))).code).toBe('FORBIDDEN')
    expect(await provider.consentForms.countersign({ id: own.id })).toMatchObject({
      shownStatus: 'countersigned',
      awaitsCountersignature: false,
    })
    expect((await refusal(provider.consentForms.countersign({ id: own.id }))).code).toBe('ALREADY_COUNTERSIGNED')
    const open = await given()
    expect((await refusal(provider.consentForms.countersign({ id: open.own.id }))).code).toBe('NOT_SIGNED')
  })

  it('are withdrawn with the day, by whom and how far, by the front desk too', async () => {
    const { own } = await signed()
    const today = dayAt(new Date(), 'America/Toronto')
    const withdraw = (part: object) => desk.consentForms.withdraw({ id: own.id, on: today, by: 'The patient, by phone', ...part })
    expect((await refusal(withdraw({ on: '2199-01-01' }))).data.fields).toEqual({ on: 'This day is in the future' })
    expect((await refusal(withdraw({ on: '2020-01-01' }))).data.fields).toEqual({ on: 'It was not signed yet on this day' })
    expect((await refusal(withdraw({ by: ' ' }))).data.fields).toEqual({ by: 'Enter who withdrew it' })
    expect((await refusal(withdraw({ scopes: ['publication'] }))).data.fields).toMatchObject({ scopes: expect.any(String) })
    expect(await withdraw({ scopes: ['education'] })).toMatchObject({ status: 'signed', withdrawnScopes: ['education'] })
    expect(await withdraw({})).toMatchObject({ status: 'withdrawn', withdrawnOn: today })
    expect(await provider.consentForms.get({ id: own.id })).toMatchObject({ withdrawnBy: 'The patient, by phone' })
  })

  it('are not given twice while one is open, and can be cancelled until they are signed', async () => {
    const { own, templateId, patient, textHash, signing } = await ready()
    const send = () => desk.consentForms.send({ contactId: patient.id, templateId, email: null })
    expect((await refusal(send())).code).toBe('ALREADY_SENT')
    expect(await desk.consentForms.cancel({ id: own.id })).toMatchObject({ status: 'cancelled' })
    expect(await sign(own, { textHash, signing })).toMatchObject({ status: 409, body: { code: 'CANCELLED' } })
    await send()
    const other = await signed()
    expect((await refusal(desk.consentForms.cancel({ id: other.own.id }))).code).toBe('SIGNED')
  })

  it('are emailed in the patient’s language without naming anything', async () => {
    const { id: templateId } = await publishConsent(admin, photos)
    const patient = await portal.newPatient()
    const { version } = await desk.contacts.get({ id: patient.id })
    await desk.contacts.update({ id: patient.id, version, preferredLanguage: 'fr' })
    const consent = await desk.consentForms.send({ contactId: patient.id, templateId, email: patient.email.toUpperCase() })
    await until(() => portal.emailsTo(patient.email).length > 0)
    const mail = portal.emailsTo(patient.email)[0]!
    expect(mail.Subject).toMatch(/^Un document à lire/)
    expect(mail.TextBody).toContain(`/consents/${consent.id}?language=fr&email=`)
    // Without a preference the page follows the browser.
    const other = await portal.newPatient()
    const sent = await desk.consentForms.send({ contactId: other.id, templateId, email: other.email })
    await until(() => portal.emailsTo(other.email).length > 0)
    expect(portal.emailsTo(other.email)[0]!.TextBody).toContain(`/consents/${sent.id}?email=`)
    expect(sent.link).toMatch(new RegExp(`/consents/${sent.id}$`))
    expect(`${mail.Subject} ${mail.TextBody}`).not.toMatch(/rhinoplast/i)
    const wrong = desk.consentForms.send({ contactId: patient.id, templateId, email: 'someone@else.example' })
    expect((await refusal(wrong)).data.fields).toEqual({ email: 'This is not one of the patient’s addresses' })
  })

  it('are emailed again while they are open, if they were emailed', async () => {
    const { id: templateId } = await publishConsent(admin, photos)
    const { id: contactId, email } = await portal.newPatient()
    const { id } = await desk.consentForms.send({ contactId, templateId, email })
    await until(() => portal.emailsTo(email).length === 1)
    expect(await desk.consentForms.resend({ id })).toMatchObject({ id, sentTo: email, emailProblem: null })
    await until(() => portal.emailsTo(email).length === 2)
    await desk.consentForms.cancel({ id })
    expect(await refusal(desk.consentForms.resend({ id }))).toMatchObject({ status: 409, code: 'CANCELLED' })
    const link = await desk.consentForms.send({ contactId, templateId, email: null })
    expect(await refusal(desk.consentForms.resend({ id: link.id }))).toMatchObject({ status: 409, code: 'NOT_EMAILED' })
    expect(await refusal(desk.consentForms.resend({ id: randomUUID() }))).toMatchObject({ status: 404 })
  })

  it('say nothing to sales and billing, and their content not to the front desk', async () => {
    const { own } = await signed()
    for (const role of ['sales_rep', 'billing'] as const) {
      const client = await server.as(role)
      expect((await refusal(client.consentForms.ofContact({ contactId: own.contactId }))).code).toBe('FORBIDDEN')
    }
    expect((await refusal(desk.consentForms.get({ id: own.id }))).code).toBe('FORBIDDEN')
    expect(JSON.stringify(await desk.consentForms.ofContact({ contactId: own.contactId }))).not.toMatch(/Bleeding|A\.T\./)
  })

  it('say why the patient was not told of the sealed copy', async () => {
    const { own, patient, textHash, signing } = await ready()
    await server.rows("insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())", [patient.email])
    expect(await sign(own, { textHash, signing })).toMatchObject({ status: 200 })
    const { emailProblem } = await until(async () => {
      const [line] = await desk.consentForms.ofContact({ contactId: own.contactId })
      return line!.emailProblem !== null && line!
    })
    expect(emailProblem).toMatch(/bounce/i)
    await server.rows('delete from suppressed_addresses where address = $1', [patient.email])
    await mailCopy.run(scope(), { id: own.id }, { last: false })
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([{ emailProblem: null }])
    const unreachable = { ...scope(), env: { ...scope().env, POSTMARK_URL: 'http://127.0.0.1:9' } }
    await expect(mailCopy.run(unreachable, { id: own.id }, { last: false })).rejects.toThrow(/network|fetch|mail/i)
    await mailCopy.run(unreachable, { id: own.id }, { last: true })
    expect(await desk.consentForms.ofContact({ contactId: own.contactId })).toMatchObject([{ emailProblem: 'Postmark did not answer' }])
  })

  it('answer 404 for what does not exist', async () => {
    const id = randomUUID()
    for (const call of [
      () => provider.consentForms.get({ id }),
      () => provider.consentForms.countersign({ id }),
      () => desk.consentForms.cancel({ id }),
      () => desk.consentForms.ofContact({ contactId: id }),
      () => desk.consentForms.ofSurgery({ id }),
    ])
      expect((await refusal(call())).status).toBe(404)
  })
})

describe('a consent form that was signed on paper', () => {
  async function withScan(definition: Partial<ConsentDefinition> = photos) {
    const all = await given(definition)
    const query = new URLSearchParams({ name: 'scan.pdf', type: 'consent', share: 'false' })
    const uploaded = await server.request(`/api/contacts/${all.patient.id}/documents?${query}`, {
      method: 'POST',
      headers: { cookie: await server.signIn('front_desk') },
      body: new Uint8Array(pdf(all.patient.id)),
    })
    const { id: documentId } = (await uploaded.json()) as { id: string }
    const paper = {
      contactId: all.patient.id,
      templateId: all.templateId,
      versionNumber: 1,
      documentId,
      signedOn: '2026-01-31',
      scopes: ['chart' as const],
    }
    return { ...all, documentId, paper }
  }

  it('counts as signed, says that it is paper, takes the place of an open one, and is never sealed', async () => {
    const { paper, documentId, own, patient } = await withScan({ ...photos, needsCountersignature: true })
    const recorded = await desk.consentForms.recordPaper(paper)
    expect(recorded).toMatchObject({ status: 'signed', sentVia: 'paper', documentId, scopes: ['chart'], awaitsCountersignature: true })
    expect(recorded.signedAt).toBe('2026-01-31T05:00:00.000Z')
    expect(await fetchConsent(own)).toMatchObject({ status: 409, body: { code: 'CANCELLED' } })
    const list = await portal.call('patient-consents-fetch', { contactId: own.contactId, sessionToken: own.sessionToken })
    expect(list.body!.consents).toMatchObject([{ id: recorded.id, isPaper: true, status: 'signed', fileUrl: null }])
    await provider.consentForms.countersign({ id: recorded.id })
    expect(await portal.call('patient-consent-withdraw', { ...own, id: recorded.id, scopes: null })).toMatchObject({ status: 200 })
    await catchUpSeals.run(scope(), {}, { last: false })
    const [job] = await server.rows(
      "select 1 from graphile_worker.jobs where key in (select 'consent-forms.seal ' || id from consent_events where consent_form_id = $1)",
      [recorded.id],
    )
    expect(job).toBeUndefined()
    const whole = await provider.consentForms.get({ id: recorded.id })
    expect(whole).toMatchObject({ status: 'withdrawn', files: [], signing: null, withdrawnBy: expect.stringContaining('Éloïse') })
    expect(whole.events.map(({ kind }) => kind)).toEqual(['recorded', 'countersigned', 'withdrawn'])
    expect(whole.events[0]).toMatchObject({
      actorName: expect.any(String),
      detail: { on: '2026-01-31', signer: expect.stringMatching(/^Éloïse/), version: 1, document: documentId },
    })
    const audited = await server.rows(
      "select actor_role from audit_log where action = 'created' and kind = 'consent form' and after->>'documentId' = $1",
      [documentId],
    )
    expect(audited).toEqual([{ actor_role: 'front_desk' }])
    expect(await desk.consentForms.ofContact({ contactId: patient.id })).toMatchObject([{ status: 'withdrawn' }, { status: 'cancelled' }])
  })

  it('is refused with the field that is wrong, and records nothing', async () => {
    const { paper, patient } = await withScan()
    const other = await withScan()
    const record = (part: object) => desk.consentForms.recordPaper({ ...paper, ...part })
    for (const [part, field] of [
      [{ versionNumber: 2 }, 'versionNumber'],
      [{ templateId: randomUUID() }, 'versionNumber'],
      [{ documentId: other.documentId }, 'documentId'],
      [{ documentId: randomUUID() }, 'documentId'],
      [{ surgeryId: randomUUID() }, 'surgeryId'],
      [{ signedOn: '2199-01-01' }, 'signedOn'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['publication'] }, 'scopes'],
      [{ contactId: randomUUID() }, 'contactId'],
    ] as const)
      expect([field, (await refusal(record(part))).data.fields]).toEqual([field, { [field]: expect.any(String) }])
    const { version } = await desk.contacts.get({ id: patient.id })
    await desk.contacts.update({ id: patient.id, version, dateOfBirth: '2015-05-01' })
    expect((await refusal(record({}))).data.fields).toEqual({ substitute: expect.any(String) })
    expect(await server.rows("select 1 from consent_forms where contact_id = $1 and sent_via = 'paper'", [patient.id])).toEqual([])
    const bySubstitute = await record({ substitute: { name: 'Marie Roy', relation: 'Mother' } })
    expect(bySubstitute).toMatchObject({ substitute: { name: 'Marie Roy' } })
    expect((await refusal(record({ substitute: null }))).code).toBe('ALREADY_RECORDED')
    for (const role of ['sales_rep', 'billing'] as const)
      expect((await refusal((await server.as(role)).consentForms.recordPaper(paper))).code).toBe('FORBIDDEN')
  })

  it('keeps its scan from being deleted, also at the same moment', async () => {
    const { paper, documentId } = await withScan()
    const [deleted, recorded] = await Promise.allSettled([desk.documents.delete({ id: documentId }), desk.consentForms.recordPaper(paper)])
    expect([deleted.status, recorded.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const second = await withScan()
    await desk.consentForms.recordPaper(second.paper)
    expect((await refusal(desk.documents.delete({ id: second.documentId }))).code).toBe('IN_USE')
  })
})

describe('the sealed PDF', () => {
  const filesOf = async (id: string, count: number) =>
    until(async () => {
      const { files } = await provider.consentForms.get({ id })
      return files.length >= count && files
    })
  const sealedAs = async (role: 'provider' | 'front_desk', id: string) => {
    const answer = await server.request(`/api/consent-files/${id}.pdf`, { headers: { cookie: await server.signIn(role) } })
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }

  it('is made once for the signature, the countersignature and the withdrawal, and none alters another', async () => {
    const { own, patient } = await signed({ ...photos, needsCountersignature: true })
    const [first] = await filesOf(own.id, 1)
    expect(first).toMatchObject({ kind: 'signed', timestamp: 'none' })
    const before = await sealedAs('provider', first!.id)
    expect(createHash('sha256').update(before.bytes).digest('hex')).toBe(first!.sha256)
    expect(await verifyPdf(before.bytes, await knownCertificates(scope()))).toMatchObject({ status: 'valid' })
    await provider.consentForms.countersign({ id: own.id })
    await filesOf(own.id, 2)
    await portal.call('patient-consent-withdraw', { ...own, scopes: null })
    const files = await filesOf(own.id, 3)
    expect(files.map(({ kind }) => kind)).toEqual(['withdrawn', 'countersigned', 'signed'])
    expect((await sealedAs('provider', first!.id)).bytes).toEqual(before.bytes)
    await until(() => portal.emailsTo(patient.email).some(({ Subject }) => Subject?.startsWith('Your copy of a document')))
    const mails = portal.emailsTo(patient.email).filter(({ Subject }) => Subject?.startsWith('Your copy'))
    expect(mails).toHaveLength(1)
    expect(mails[0]!.TextBody).not.toMatch(/rhinoplast|consent/i)
    for (const { id } of files) {
      const [event] = await server.rows<{ id: string }>('select event_id as id from consent_files where id = $1', [id])
      await sealConsent.run(scope(), { eventId: event!.id }, { last: false })
    }
    expect(await filesOf(own.id, 3)).toEqual(files)
    await expect(server.rows("update consent_files set sha256 = 'a' where id = $1", [first!.id])).rejects.toThrow(/stays as it is/)
  })

  it('is stored once by two workers at the same moment', async () => {
    const { own } = await signed()
    const [file] = await filesOf(own.id, 1)
    const [event] = await server.rows<{ id: string }>('select event_id as id from consent_files where id = $1', [file!.id])
    await server.rows('delete from consent_files where id = $1', [file!.id])
    await Promise.all([1, 2, 3].map(() => sealConsent.run(scope(), { eventId: event!.id }, { last: false })))
    expect(await filesOf(own.id, 1)).toHaveLength(1)
  })

  it('opens for its patient by a signed link, and for no other', async () => {
    const { own } = await signed()
    await filesOf(own.id, 1)
    const list = await portal.call('patient-consents-fetch', { contactId: own.contactId, sessionToken: own.sessionToken })
    const [{ fileUrl }] = list.body!.consents as [{ fileUrl: string }]
    const answer = await server.request(fileUrl)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const other = await portal.signIn()
    const url = new URL(fileUrl, 'http://x')
    const [session] = await server.rows<{ id: string }>('select id from portal_sessions where contact_id = $1', [other.id])
    url.searchParams.set('session', session!.id)
    expect((await server.request(url.pathname + url.search)).status).toBe(404)
  })

  it('says whether it was signed on a tablet of the practice, and who opened that', async () => {
    const { own, consent } = await given()
    const opened = await desk.tablet.open({ contactId: own.contactId, items: [{ kind: 'consent form', id: own.id }] })
    const { body: tablet } = await portal.call('tablet-pair', { code: opened.code })
    const onTablet = { ...own, sessionToken: String(tablet!.sessionToken) }
    const { body } = await fetchConsent(onTablet)
    await sign(onTablet, { textHash: body.hashes.en, signing: completeSigning(body.texts.en) })
    const { events } = await provider.consentForms.get({ id: consent.id })
    const { fullName: name } = (await desk.auth.session()).user!
    expect(events.at(-1)).toMatchObject({ kind: 'signed', detail: { used: 'tablet', givenBy: name } })
    const evidenceOf = async (id: string) => {
      const [file] = await filesOf(id, 1)
      return (await textOfPdf((await sealedAs('provider', file!.id)).bytes)).join(' ')
    }
    expect(await evidenceOf(own.id)).toContain(`A tablet of the practice, opened by ${name}`)
    const other = await signed()
    expect(await evidenceOf(other.own.id)).toContain('The patient’s own device, with a code from an email')
  })

  it('is refused to the front desk', async () => {
    const { own } = await signed()
    const [file] = await filesOf(own.id, 1)
    expect((await sealedAs('front_desk', file!.id)).status).toBe(403)
  })

  it('says in French what was signed in French', async () => {
    const { own } = await given()
    const { body } = await fetchConsent(own)
    await portal.call('patient-consent-sign', { ...own, language: 'fr', textHash: body.hashes.fr, signing: completeSigning(body.texts.fr) })
    const [file] = await filesOf(own.id, 1)
    const { bytes } = await sealedAs('provider', file!.id)
    expect(new TextDecoder('latin1').decode(bytes)).toContain('fr-CA')
  })
})
