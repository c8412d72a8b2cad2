import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { asPatient } from './as-patient.ts'
import type { VerifiedContactId } from './rules.ts'
import { hashCode } from './secrets.ts'

let now = new Date('2026-11-21T15:00:00Z')
const server = useServer({ TRUST_PROXY: 'true' }, { now: () => now })
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

let asked = 0
/** Each call comes from an address of its own, unless told otherwise: or the limits of one would speak first. */
const call = async (name: string, body: unknown, address = `10.9.${Math.floor(++asked / 250)}.${asked % 250}`) => {
  const answer = await server.request(`/api/functions/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json().catch(() => null)) as Record<string, unknown> | null }
}

const mailsTo = (email: string) => server.outbox.messages.filter(({ To }) => To === email)
const codeOf = (subject = ''): string => /^(\d{6}) /.exec(subject)?.[1] ?? ''

async function newCode(email: string): Promise<string> {
  const before = mailsTo(email).length
  expect(await call('request-document-access', { email })).toMatchObject({ status: 200, body: { success: true } })
  await until(() => mailsTo(email).length > before)
  return codeOf(mailsTo(email)[0]?.Subject)
}

async function newPatient(given: { firstName?: string } = {}) {
  const email = `${randomUUID()}@mail.example`
  const id = await insertContact(server, { firstName: 'Éloïse', ...given, email })
  return { id, email }
}

async function signIn() {
  const patient = await newPatient()
  const { body } = await call('verify-document-access', { email: patient.email, otp: await newCode(patient.email) })
  return { ...patient, token: String(body?.sessionToken) }
}

const pdf = (text = 'hello') => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

async function upload(
  patient: { id: string; token: string },
  file: { name: string; bytes: Buffer; type?: string },
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(file.bytes)], file.name, { type: file.type ?? 'application/pdf' }))
  const given = {
    contactId: patient.id,
    sessionToken: patient.token,
    documentType: 'patient_upload',
    description: 'Document uploaded by patient',
    ...fields,
  }
  for (const [name, value] of Object.entries(given)) form.append(name, value)
  const answer = await server.request('/api/functions/patient-document-upload', {
    method: 'POST',
    headers: { 'x-forwarded-for': `10.8.${Math.floor(++asked / 250)}.${asked % 250}` },
    body: form,
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const listOf = async (patient: { id: string; token: string }) =>
  (await call('patient-documents-fetch', { contactId: patient.id, sessionToken: patient.token })).body?.documents as Record<
    string,
    unknown
  >[]

describe('spec 7: a code opens the portal', () => {
  it('is sent to the address in any case, is good once, and gives the session with the patient and the documents', async () => {
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

  it('is stored as a keyed hash, bound to the address', async () => {
    const patient = await newPatient()
    const code = await newCode(patient.email)
    const [row] = await server.rows<{ code_hash: string }>('select code_hash from portal_codes where email = $1', [patient.email])
    const { env } = server.running.runtime
    expect(row!.code_hash).toBe(hashCode(env, patient.email, code))
    expect(row!.code_hash).not.toBe(hashCode({ ...env, APP_SECRET: 'x'.repeat(40) }, patient.email, code))
    expect(await call('verify-document-access', { email: (await newPatient()).email, otp: code })).toMatchObject({ status: 401 })
  })

  it('dies after 15 minutes, after five wrong tries, and when another is sent', async () => {
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

  it('guessed 50 times at once, it dies; at most five guesses are looked at', async () => {
    const patient = await newPatient()
    const code = await newCode(patient.email)
    const guesses = Array.from({ length: 50 }, (_, i) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'))
    const answers = await Promise.all(guesses.map((otp) => call('verify-document-access', { email: patient.email, otp })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(await call('verify-document-access', { email: patient.email, otp: code })).toMatchObject({ status: 401 })
    const [row] = await server.rows<{ wrong_tries: number }>('select wrong_tries from portal_codes where email = $1', [patient.email])
    expect(row!.wrong_tries).toBe(5)
  })

  it('the right one given 50 times at once opens one session', async () => {
    const patient = await newPatient()
    const otp = await newCode(patient.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('verify-document-access', { email: patient.email, otp })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('an address that nobody has gets the same answer and no mail; one that two patients share proves neither', async () => {
    const nobody = `${randomUUID()}@mail.example`
    expect(await call('request-document-access', { email: nobody })).toEqual({ status: 200, body: { success: true } })
    const shared = await newPatient()
    await insertContact(server, { firstName: 'Her husband', otherEmails: [shared.email] })
    expect(await call('request-document-access', { email: shared.email })).toEqual({ status: 200, body: { success: true } })
    await until(() => mailsTo(shared.email).length === 1)
    expect(mailsTo(shared.email)[0]!.TextBody).toContain('More than one patient has given us this address')
    expect(codeOf(mailsTo(shared.email)[0]!.Subject)).toBe('')
    expect(mailsTo(nobody)).toEqual([])
    expect(await server.rows('select 1 from portal_codes where email = any($1)', [[nobody, shared.email]])).toEqual([])
  })

  it('three in a quarter of an hour for one address, known or not; then 429', async () => {
    for (const email of [(await newPatient()).email, `${randomUUID()}@mail.example`]) {
      for (let i = 0; i < 3; i++) expect((await call('request-document-access', { email })).status).toBe(200)
      expect(await call('request-document-access', { email })).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    }
  })

  it('bad input names the field', async () => {
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

describe('a session', () => {
  it('ends after 15 minutes without a call, after an hour in any case, and when the patient signs out', async () => {
    const idle = await signIn()
    later(14)
    expect(await listOf(idle)).toEqual([])
    later(15)
    expect(await call('patient-documents-fetch', { contactId: idle.id, sessionToken: idle.token })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_OVER' },
    })
    const busy = await signIn()
    for (let i = 0; i < 5; i++) {
      later(11)
      expect(await listOf(busy)).toEqual([])
    }
    later(6)
    expect(await listOf(busy)).toBeUndefined()
    const leaving = await signIn()
    await call('patient-sign-out', { sessionToken: leaving.token })
    expect(await listOf(leaving)).toBeUndefined()
  })

  it('is void once the patient is deleted', async () => {
    const patient = await signIn()
    await (await server.as('admin')).contacts.delete({ id: patient.id })
    expect(await listOf(patient)).toBeUndefined()
  })
})

describe('a patient’s documents', () => {
  it('an upload is listed, downloads as it was sent, is on the timeline, and waits for review', async () => {
    const patient = await signIn()
    const bytes = pdf(randomUUID())
    expect(await upload(patient, { name: 'Résumé de santé.pdf', bytes })).toMatchObject({ status: 201, body: { success: true } })
    const [document] = await listOf(patient)
    expect(document).toMatchObject({
      name: 'Résumé de santé.pdf',
      type: 'application/pdf',
      upload_source: 'patient',
      size: bytes.length,
      review_state: 'pending',
      previewUrl: null,
    })
    const answer = await server.request(document!.signedUrl as string)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': `attachment; filename="Resume de sante.pdf"; filename*=UTF-8''R%C3%A9sum%C3%A9%20de%20sant%C3%A9.pdf`,
    })
    const staff = await server.as('front_desk')
    expect((await staff.documents.list({ contactId: patient.id })).map(({ name }) => name)).toEqual(['Résumé de santé.pdf'])
    expect((await staff.documents.waiting()).documents.some(({ contactId }) => contactId === patient.id)).toBe(true)
    expect((await staff.interactions.list({ contactId: patient.id })).data[0]).toMatchObject({
      type: 'document',
      description: 'Sent by the patient: Résumé de santé.pdf',
    })
    const audit = await server.rows<{ actor_role: string }>(
      `select distinct actor_role from audit_log where kind = 'document' and contact_ids = array[$1::uuid] and actor_id is null`,
      [patient.id],
    )
    expect(audit).toEqual([{ actor_role: 'patient' }])
  })

  it('of the clinic’s, those that are shared, and none that is deleted', async () => {
    const patient = await signIn()
    const staff = await server.as('provider')
    const cookie = await server.signIn('provider')
    const add = async (name: string, share: boolean) => {
      const answer = await server.request(`/api/contacts/${patient.id}/documents?name=${name}&type=consent&share=${share}`, {
        method: 'POST',
        headers: { cookie },
        body: new Uint8Array(pdf(name)),
      })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as { id: string }).id
    }
    const hidden = await add('hidden.pdf', false)
    const shown = await add('shown.pdf', true)
    const names = async () => (await listOf(patient)).map(({ name }) => name)
    expect(await names()).toEqual(['shown.pdf'])
    await staff.documents.update({ id: hidden, version: 1, isShared: true })
    expect(await names()).toEqual(['shown.pdf', 'hidden.pdf'])
    const [{ signedUrl }] = (await listOf(patient)) as [{ signedUrl: string }]
    await staff.documents.delete({ id: shown })
    expect(await names()).toEqual(['hidden.pdf'])
    expect((await server.request(signedUrl)).status).toBe(404)
    await staff.documents.restore({ id: shown })
    expect((await server.request(signedUrl)).status).toBe(200)
  })

  it('accepted or rejected, the patient is told by e-mail, and reads why', async () => {
    const patient = await signIn()
    await upload(patient, { name: 'a.pdf', bytes: pdf() })
    const staff = await server.as('sales_rep')
    const [document] = await staff.documents.list({ contactId: patient.id })
    const reject = staff.documents.review({
      id: document!.id,
      version: document!.version,
      decision: 'rejected',
      reason: 'It is too dark to read',
    })
    expect(await reject).toMatchObject({ reviewState: 'rejected', rejectReason: 'It is too dark to read' })
    await until(() => mailsTo(patient.email).some(({ Subject }) => Subject?.includes('could not use your document')))
    expect((await listOf(patient))[0]).toMatchObject({ review_state: 'rejected', reject_reason: 'It is too dark to read' })
    await staff.documents.review({ id: document!.id, version: 2, decision: 'accepted' })
    await until(() => mailsTo(patient.email).some(({ Subject }) => Subject?.includes('has received your document')))
  })
})

describe('patient A with what is B’s', () => {
  it('is answered as if there were nothing, changes nothing, and is written down', async () => {
    const [a, b] = [await signIn(), await signIn()]
    await upload(b, { name: 'secret.pdf', bytes: pdf('of b') })
    const [theirs] = await listOf(b)
    expect(await call('patient-documents-fetch', { contactId: b.id, sessionToken: a.token })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect(await upload(a, { name: 'x.pdf', bytes: pdf() }, { contactId: b.id })).toMatchObject({ status: 404 })
    expect(await listOf(a)).toEqual([])
    expect(await listOf(b)).toHaveLength(1)
    const denied = await server.rows(
      `select 1 from audit_log where action = 'denied' and kind = 'document' and contact_ids = array[$1::uuid]`,
      [a.id],
    )
    expect(denied).toHaveLength(2)

    await upload(a, { name: 'mine.pdf', bytes: pdf('of a') })
    const [mine] = await listOf(a)
    const link = new URL(theirs!.signedUrl as string, server.url)
    const own = new URL(mine!.signedUrl as string, server.url)
    const forged = new URL(link)
    for (const [name, value] of own.searchParams) forged.searchParams.set(name, value)
    const changed = (name: string, value: string) => {
      const other = new URL(link)
      other.searchParams.set(name, value)
      return other
    }
    const session = own.searchParams.get('session')!
    for (const url of [
      forged,
      changed('session', session),
      changed('expires', '99999999999999'),
      changed('as', 'preview'),
      changed('signature', ''),
      changed('signature', 'é'),
    ]) {
      expect([url.search, (await fetch(url)).status]).toEqual([url.search, 404])
    }
    expect((await fetch(link)).status).toBe(200)
    later(1.01)
    expect((await fetch(link)).status).toBe(404)
  })

  it('sees nothing even where the service’s own filter is left out: the database shows the rows of the proven patient alone', async () => {
    const [a, b] = [await signIn(), await signIn()]
    await upload(a, { name: 'a.pdf', bytes: pdf() })
    await upload(b, { name: 'b.pdf', bytes: pdf() })
    const { db, env } = server.running.runtime
    const ask = <Row>(text: ReturnType<typeof sql>) =>
      db.transaction((tx) => asPatient(tx, env, a.id as VerifiedContactId, async (own) => (await own.execute(text)).rows as Row[]))
    expect(await ask(sql`select name from documents`)).toEqual([{ name: 'a.pdf' }])
    expect(await ask(sql`select name from documents where contact_id = ${b.id}`)).toEqual([])
    for (const statement of [
      sql`select * from contacts`,
      sql`select * from interactions`,
      sql`select * from portal_sessions`,
      sql`update documents set name = 'x'`,
      sql`delete from documents`,
      sql`insert into documents (contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared, review_state, scan_state, created_at)
        values (${b.id}, 'x', 'application/pdf', 1, 'a', ${randomUUID()}, 'patient', 'other', true, 'pending', 'off', now())`,
    ]) {
      await expect(ask(statement)).rejects.toMatchObject({ cause: { code: '42501' } })
    }
    const { rows } = await db.execute(sql`select current_user as who, current_setting('refyne.patient', true) as patient`)
    expect(rows).toEqual([{ who: env.DATABASE_APP_ROLE, patient: '' }])
  })
})

describe('what is sent is not what it seems', () => {
  it.each([
    ['page.pdf', Buffer.from('<html><script>alert(1)</script></html>'), 'application/pdf'],
    ['drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'image/svg+xml'],
    ['tool.exe', Buffer.from('MZ\x90\x00\x03'), 'application/pdf'],
    ['tool.pdf', Buffer.from('MZ\x90\x00\x03'), 'application/pdf'],
    ['photo.jpg', pdf(), 'image/jpeg'],
    ['empty.pdf', Buffer.alloc(0), 'application/pdf'],
    ['cut.pdf', Buffer.from('%PDF-1.4 and nothing else'), 'application/pdf'],
  ])('%s is refused with a reason, and leaves nothing', async (name, bytes, type) => {
    const patient = await signIn()
    const answer = await upload(patient, { name, bytes, type })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: expect.stringMatching(/^FILE_/), details: expect.any(String), error: expect.any(String) })
    expect(await listOf(patient)).toEqual([])
  })

  it('10 MB and a byte is 413, 10 MB is taken; nothing is left of what was refused', async () => {
    const patient = await signIn()
    const full = (size: number) => Buffer.concat([pdf().subarray(0, 9), Buffer.alloc(size - 9 - 6, 0x20), Buffer.from('%%EOF\n')])
    expect(await upload(patient, { name: 'big.pdf', bytes: full(10 * 1024 * 1024 + 1) })).toMatchObject({
      status: 413,
      body: { code: 'FILE_TOO_LARGE' },
    })
    expect(await upload(patient, { name: 'full.pdf', bytes: full(10 * 1024 * 1024) })).toMatchObject({ status: 201 })
    const stored: string[] = []
    for await (const { key } of server.running.runtime.files.list()) stored.push(key)
    const rows = await server.rows<{ storage_key: string }>('select storage_key from documents')
    expect(stored.toSorted()).toEqual(rows.map((row) => row.storage_key).toSorted())
  })

  it('names lose what does harm: folders, hidden characters, devices, length', async () => {
    const patient = await signIn()
    for (const name of ['../../etc/passwd.pdf', `${'a'.repeat(300)}.pdf`, 'con.pdf', 'in‮voice.pdf']) {
      expect(await upload(patient, { name, bytes: pdf(name.slice(0, 20)) })).toMatchObject({ status: 201 })
    }
    const names = (await listOf(patient)).map(({ name }) => String(name))
    expect(names.toSorted()).toEqual([`${'a'.repeat(146)}.pdf`, 'con_.pdf', 'in voice.pdf', 'passwd.pdf'].toSorted())
  })

  it('without a live session, or cut off, nothing is kept', async () => {
    const patient = await signIn()
    expect(await upload({ ...patient, token: 'made-up' }, { name: 'a.pdf', bytes: pdf() })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_OVER' },
    })
    const half = await server.request('/api/functions/patient-document-upload', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 half',
    })
    expect(half.status).toBe(422)
    for (const type of ['application/json', 'multipart/form-data', 'text/plain']) {
      const answer = await server.request('/api/functions/patient-document-upload', {
        method: 'POST',
        headers: { 'content-type': type },
        body: 'x',
      })
      expect([type, answer.status]).toEqual([type, type === 'multipart/form-data' ? 415 : 415])
    }
    expect(await listOf(patient)).toEqual([])
  })
})
