import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../test/factories.ts'
import { codeOf, portalOf } from '../../test/portal.ts'
import { useServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { matchesCode } from './codes.ts'

let now = new Date('2026-11-21T15:00:00Z')
const server = useServer({ TRUST_PROXY: 'true' }, { now: () => now })
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const { call, emailsTo, newCode, newPatient } = portalOf(server)

describe('spec 7: portal codes', () => {
  it('matches the email in any case, works once, and returns the session, the patient and the documents', async () => {
    const patient = await newPatient()
    const code = await newCode(patient.email.toUpperCase().replace('MAIL.EXAMPLE', 'mail.example').toLowerCase())
    expect(code).toMatch(/^\d{6}$/)
    const answer = await call('verify-document-access', { email: ` ${patient.email.toUpperCase()} `, otp: ` ${code} ` })
    expect(answer).toMatchObject({ status: 200, body: { contact: { id: patient.id, first_name: 'Éloïse' }, documents: [] } })
    expect(Object.keys(answer.body!.contact as object)).toEqual(['id', 'first_name'])
    expect(await call('verify-document-access', { email: patient.email, otp: code })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CODE', error: 'Invalid verification code' },
    })
    const [stored] = await server.rows<{ row: string }>('select portal_sessions::text as row from portal_sessions where contact_id = $1', [
      patient.id,
    ])
    expect(stored!.row).not.toContain(answer.body!.sessionToken)
    expect(stored!.row).toContain(createHash('sha256').update(String(answer.body!.sessionToken)).digest('base64url'))
  })

  it('is emailed in the patient’s preferred language', async () => {
    const { id, email } = await newPatient()
    await server.rows("update contacts set preferred_language = 'fr' where id = $1", [id])
    expect(await newCode(email)).toMatch(/^\d{6}$/)
    expect(emailsTo(email)[0]).toMatchObject({
      Subject: expect.stringContaining('est votre code pour'),
      TextBody: expect.stringContaining('Il sert une seule fois et expire dans 15 minutes.'),
    })
    expect(emailsTo(email)[0]!.TextBody).toContain(`/portal?email=${encodeURIComponent(email)}`)
  })

  it('is emailed in the language of the page to a patient without a preferred one (issue 29)', async () => {
    const { email } = await newPatient()
    const ask = (given: object) => call('request-document-access', { email, ...given })
    expect(await ask({ language: 'fr' })).toMatchObject({ status: 200 })
    await until(() => emailsTo(email).length > 0)
    expect(emailsTo(email)[0]!.Subject).toContain('est votre code pour')
    expect(await ask({ language: 'de' })).toMatchObject({ status: 422 })
  })

  it('is emailed with what it opens: the form or consent form that asked for it, or the portal', async () => {
    const { id, email } = await newPatient()
    const target = randomUUID()
    const mailFor = async (opens: object | null, language: string | null) => {
      await server.rows('update contacts set preferred_language = $2 where id = $1', [id, language])
      const before = emailsTo(email).length
      expect(await call('request-document-access', { email, ...(opens && { opens }) })).toEqual({ status: 200, body: { success: true } })
      await until(() => emailsTo(email).length > before)
      return emailsTo(email)[0]!.TextBody!
    }
    const form = await mailFor({ kind: 'form', id: target }, null)
    expect(form).toContain('Your code to fill in the form for your visit is:')
    expect(form).toContain(`/forms/${target}?email=${encodeURIComponent(email)}`)
    const consent = await mailFor({ kind: 'consent form', id: target }, 'fr')
    expect(consent).toContain('Votre code pour lire le document pour votre rendez-vous est\u00a0:')
    expect(consent).toContain(`/consents/${target}?language=fr&email=${encodeURIComponent(email)}`)
    expect(await mailFor(null, 'en')).toContain('Your code for the patient document portal is:')
    for (const opens of [{ kind: 'invoice', id: target }, { kind: 'form', id: '../portal' }, 'form'])
      expect(await call('request-document-access', { email: 'a@mail.example', opens })).toMatchObject({ status: 422 })
  })

  it('is not sent to an address that complained, with the same response and a timeline entry', async () => {
    const patient = await newPatient()
    await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'complaint', now())`, [patient.email])
    const [known, unknown] = [patient.email, `${randomUUID()}@mail.example`].map((email) => call('request-document-access', { email }))
    expect(await known).toEqual(await unknown)
    const staff = await server.as('front_desk')
    const [entry] = await until(async () => {
      const { data } = await staff.interactions.list({ contactId: patient.id, kind: 'emails' })
      return data.length > 0 && data
    })
    expect(entry!.description).toBe(
      `A code for the portal could not be emailed to ${patient.email}: the owner of this address has marked an email as spam`,
    )
    expect(emailsTo(patient.email)).toEqual([])
  })

  it('is stored as a keyed hash that is bound to the email address', async () => {
    const patient = await newPatient()
    const code = await newCode(patient.email)
    const [row] = await server.rows<{ code_hash: string }>('select code_hash from portal_codes where email = $1', [patient.email])
    const { env } = server.running.runtime
    expect(matchesCode(env, patient.email, code, row!.code_hash)).toBe(true)
    expect(matchesCode(env, `x${patient.email}`, code, row!.code_hash)).toBe(false)
    expect(matchesCode({ ...env, APP_SECRET: 'x'.repeat(40) }, patient.email, code, row!.code_hash)).toBe(false)
    expect(row!.code_hash).not.toContain(code)
    expect(await call('verify-document-access', { email: (await newPatient()).email, otp: code })).toMatchObject({ status: 401 })
  })

  it('expires after 15 minutes, after five wrong attempts, and when another one is sent', async () => {
    const patient = await newPatient()
    const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const verify = (otp: string) => call('verify-document-access', { email: patient.email, otp })
    const first = await newCode(patient.email)
    const second = await newCode(patient.email)
    if (first !== second) expect((await verify(first)).status).toBe(401)
    for (let i = 0; i < 4; i++) expect((await verify(wrong(second))).status).toBe(401)
    expect((await verify(second)).status).toBe(401)
    later(16)
    const third = await newCode(patient.email)
    later(15)
    expect((await verify(third)).status).toBe(401)
  })

  it('checks at most five of 50 simultaneous guesses and then rejects the code', async () => {
    const patient = await newPatient()
    const code = await newCode(patient.email)
    const guesses = Array.from({ length: 50 }, (_, i) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'))
    const answers = await Promise.all(guesses.map((otp) => call('verify-document-access', { email: patient.email, otp })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(await call('verify-document-access', { email: patient.email, otp: code })).toMatchObject({ status: 401 })
    const [row] = await server.rows<{ wrong_tries: number }>('select wrong_tries from portal_codes where email = $1', [patient.email])
    expect(row!.wrong_tries).toBe(5)
  })

  it('opens one session for 50 simultaneous requests with the right code', async () => {
    const patient = await newPatient()
    const otp = await newCode(patient.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('verify-document-access', { email: patient.email, otp })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('answers the same for an unknown address without an email, and refuses an address shared by two patients', async () => {
    const unknownEmail = `${randomUUID()}@mail.example`
    expect(await call('request-document-access', { email: unknownEmail })).toEqual({ status: 200, body: { success: true } })
    const shared = await newPatient()
    await insertContact(server, { firstName: 'Her husband', otherEmails: [shared.email] })
    expect(await call('request-document-access', { email: shared.email })).toEqual({ status: 200, body: { success: true } })
    await until(() => emailsTo(shared.email).length === 1)
    expect(emailsTo(shared.email)[0]!.TextBody).toContain('More than one patient has given us this email address')
    expect(codeOf(emailsTo(shared.email)[0]!.Subject)).toBe('')
    expect(emailsTo(unknownEmail)).toEqual([])
    expect(await server.rows('select 1 from portal_codes where email = any($1)', [[unknownEmail, shared.email]])).toEqual([])
  })

  it('allows three requests in 15 minutes per address, known or not, then answers 429', async () => {
    for (const email of [(await newPatient()).email, `${randomUUID()}@mail.example`]) {
      for (let i = 0; i < 3; i++) expect((await call('request-document-access', { email })).status).toBe(200)
      expect(await call('request-document-access', { email })).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    }
  })

  it('that was used does not count: a patient follows one link after the other, and guesses stay limited', async () => {
    const patient = await newPatient()
    const ask = () => call('request-document-access', { email: patient.email })
    const sessions = new Set<unknown>()
    for (let link = 0; link < 12; link++) {
      const { status, body } = await call('verify-document-access', { email: patient.email, otp: await newCode(patient.email) })
      expect(status).toBe(200)
      sessions.add(body!.sessionToken)
    }
    expect(sessions.size).toBe(12)
    // Codes that are guessed, or not used, count as before.
    let guesses = 0
    for (let asked = 0; asked < 3; asked++) {
      const code = await newCode(patient.email)
      for (let tries = 0; tries < 6; tries++, guesses++) {
        const otp = String((Number(code) + 1 + tries) % 1_000_000).padStart(6, '0')
        expect(await call('verify-document-access', { email: patient.email, otp })).toMatchObject({ status: 401 })
      }
      expect(await call('verify-document-access', { email: patient.email, otp: code })).toMatchObject({ status: 401 })
    }
    expect(guesses).toBe(18)
    expect(await ask()).toMatchObject({ status: 429 })
  })

  it('limits a network address without using up the limits of the email addresses it asks for', async () => {
    const ask = async (email: string, address: string) =>
      (
        await server.request('/api/functions/request-document-access', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({ email }),
        })
      ).status
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(`${randomUUID()}@mail.example`, '10.77.0.1')))
    expect([answers.includes(429), await ask(`${randomUUID()}@mail.example`, '10.77.0.1')]).toEqual([true, 429])
    const { email } = await newPatient()
    for (let i = 0; i < 5; i++) expect(await ask(email, '10.77.0.1')).toBe(429)
    expect(await ask(email, '10.77.0.2')).toBe(200)
  })

  it('names the invalid field', async () => {
    for (const email of ['', 'a', 'a@b', 1, null])
      expect(await call('request-document-access', { email })).toMatchObject({
        status: 422,
        body: { data: { fields: { email: expect.any(String) } } },
      })
    for (const otp of ['', '12345', '1234567', 'abcdef', '12 456']) {
      expect(await call('verify-document-access', { email: 'a@mail.example', otp })).toMatchObject({
        status: 422,
        body: { data: { fields: { otp: 'Invalid verification code' } } },
      })
    }
  })
})
