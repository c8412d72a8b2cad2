import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { pdf, portalOf } from '../../test/portal.ts'
import { useServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'

let now = new Date('2026-11-21T15:00:00Z')
const server = useServer({ TRUST_PROXY: 'true' }, { now: () => now })
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const { call, emailsTo, signIn, upload, listOf } = portalOf(server)

describe('sessions', () => {
  it('end after 15 minutes without a call, after one hour, and on sign-out', async () => {
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

  it('end when the patient is deleted', async () => {
    const patient = await signIn()
    await (await server.as('admin')).contacts.delete({ id: patient.id })
    expect(await listOf(patient)).toBeUndefined()
  })
})

describe('a patient’s documents', () => {
  it('lists an upload, downloads it unchanged, adds a timeline entry, and queues it for review', async () => {
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
    expect((await staff.documents.waiting({})).data.some(({ contactId }) => contactId === patient.id)).toBe(true)
    expect((await staff.interactions.list({ contactId: patient.id })).data[0]).toMatchObject({
      type: 'document',
      description: 'Patient uploaded: Résumé de santé.pdf',
    })
    const audit = await server.rows<{ actor_role: string }>(
      `select distinct actor_role from audit_log where kind = 'document' and contact_ids = array[$1::uuid] and actor_id is null`,
      [patient.id],
    )
    expect(audit).toEqual([{ actor_role: 'patient' }])
  })

  it('include the clinic’s shared documents, but not deleted ones', async () => {
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
    expect((await server.request(signedUrl, { method: 'HEAD' })).status).toBe(405)
    expect((await server.request(signedUrl)).status).toBe(404)
    await staff.documents.restore({ id: shown })
    expect((await server.request(signedUrl)).status).toBe(200)
  })

  it('emails the patient when a document is accepted or rejected, in the preferred language, with the reason in the portal', async () => {
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
    await until(() => emailsTo(patient.email).some(({ Subject }) => Subject?.includes('could not use your document')))
    expect((await listOf(patient))[0]).toMatchObject({ review_state: 'rejected', reject_reason: 'It is too dark to read' })
    await server.rows("update contacts set preferred_language = 'fr' where id = $1", [patient.id])
    await staff.documents.review({ id: document!.id, version: 2, decision: 'accepted' })
    await until(() => emailsTo(patient.email).some(({ Subject }) => Subject?.includes('a reçu votre document')))
  })

  it('does not email a bounced address about a review, and says so on the timeline', async () => {
    const patient = await signIn()
    await upload(patient, { name: 'a.pdf', bytes: pdf() })
    await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [patient.email])
    const staff = await server.as('sales_rep')
    const [document] = await staff.documents.list({ contactId: patient.id })
    await staff.documents.review({ id: document!.id, version: document!.version, decision: 'accepted' })
    const descriptions = (await staff.interactions.list({ contactId: patient.id })).data.map(({ description }) => description)
    expect(descriptions).toContain(`The patient could not be notified at ${patient.email}: an email to this address bounced permanently`)
    expect(await server.rows(`select 1 from graphile_worker.jobs where task_identifier = 'mail.send'`)).toEqual([])
    expect(emailsTo(patient.email).map(({ Subject }) => Subject)).toEqual([expect.stringMatching(/is your code for/)])
  })
})

describe('access to another patient’s data', () => {
  it('answers not found, changes nothing, and is audited', async () => {
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
    const [patientQuotes] = await listOf(a)
    const link = new URL(theirs!.signedUrl as string, server.url)
    const own = new URL(patientQuotes!.signedUrl as string, server.url)
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

  it('is blocked by the database even without the service’s filter', async () => {
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
