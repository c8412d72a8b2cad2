import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { usePointOfSale } from '../../test/billing/point-of-sale.ts'
import { textOfPdf } from '../../test/formats/pdf.ts'
import { portalOf } from '../../test/portal.ts'
import { newQuote, createSentQuote } from '../../test/billing/quotes.ts'
import type { Client } from '../../test/server.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'

type Patient = { id: string; token: string }
type Shown = { id: string; shownStatus: string; totalCents: number; fileUrl: string; acceptedName: string | null }

describe('quotes in the portal', () => {
  const now = { at: new Date('2026-11-22T15:00:00Z') }
  const till = usePointOfSale({ TRUST_PROXY: 'true' }, {}, { now: () => now.at })
  let portal: ReturnType<typeof portalOf>
  let desk: Client
  beforeAll(async () => {
    portal = portalOf(till.server)
    desk = await till.server.as('front_desk')
  })
  const own = ({ id, token }: Patient) => ({ contactId: id, sessionToken: token })
  const listOf = async (patient: Patient) => (await portal.call('patient-quotes-fetch', own(patient))).body?.quotes as Shown[]
  const accept = (patient: Patient, { id, totalCents }: { id: string; totalCents: number }, name = 'Éloïse Test') =>
    portal.call('patient-quote-accept', { ...own(patient), id, totalCents, name })
  const tasksOf = async (contactId: string) =>
    (await (await till.server.as('admin')).tasks.ofContact({ contactId })).map(({ title }) => title)

  it('lists only quotes sent to the patient, without drafts and replaced or withdrawn ones', async () => {
    const [patient, other] = [await portal.signIn(), await portal.signIn()]
    await desk.quotes.create(await newQuote(desk, patient.id))
    const sent = await createSentQuote(desk, patient.id)
    const replaced = await createSentQuote(desk, patient.id)
    await desk.quotes.revise({ id: replaced.id, idempotencyKey: randomUUID() })
    const withdrawn = await createSentQuote(desk, patient.id)
    await desk.quotes.withdraw({ id: withdrawn.id, reason: 'Written twice' })
    await createSentQuote(desk, other.id)
    expect(await listOf(patient)).toMatchObject([{ id: sent.id, shownStatus: 'sent', totalCents: sent.totalCents }])
    // Defence in depth: the database returns only these rows for any query.
    const ids = await till.server.running.runtime.db.transaction((tx) =>
      asPatient(tx, till.server.running.runtime.env, patient.id as VerifiedContactId, (inner) => inner.execute(sql`select id from quotes`)),
    )
    expect(ids.rows).toEqual([{ id: sent.id }])
  })

  it('opens the PDF by a signed link, for one minute and only while the session is active', async () => {
    const patient = await portal.signIn()
    await createSentQuote(desk, patient.id)
    const [{ fileUrl }] = (await listOf(patient)) as [Shown]
    const answer = await till.server.request(fileUrl)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'no-store',
    ])
    expect((await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')).toContain('$10,899.88')
    const french = await till.server.request(`${fileUrl}&language=fr`)
    expect(french.headers.get('content-disposition')).toContain('soumission-')
    expect((await textOfPdf(new Uint8Array(await french.arrayBuffer()))).join(' ')).toContain('10 899,88 $')
    for (const broken of [
      fileUrl.replace(/signature=./, 'signature=!'),
      fileUrl.replace(/expires=\d/, 'expires=9'),
      fileUrl.replace(/file\/[^?]+/, `file/${randomUUID()}`),
    ])
      expect((await till.server.request(broken)).status).toBe(404)
    await portal.call('patient-sign-out', { sessionToken: patient.token })
    expect((await till.server.request(fileUrl)).status).toBe(404)
  })

  it('accepts a quote once with a typed name, adds a charge without a staff author, and creates a task', async () => {
    const patient = await portal.signIn()
    const quote = await createSentQuote(desk, patient.id)
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => accept(patient, quote)),
      ...Array.from({ length: 10 }, () => desk.quotes.accept({ id: quote.id, totalCents: quote.totalCents })),
    ])
    expect(answers.slice(0, 10).map((answer) => (answer as { status: number }).status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect((await desk.collections.account({ contactId: patient.id })).entries).toHaveLength(1)

    const alone = await createSentQuote(desk, patient.id)
    const { body } = await accept(patient, alone)
    expect((body!.quotes as Shown[]).find(({ id }) => id === alone.id)).toMatchObject({
      shownStatus: 'accepted',
      acceptedName: 'Éloïse Test',
    })
    expect(await desk.quotes.get({ id: alone.id })).toMatchObject({
      status: 'accepted',
      acceptedBy: null,
      acceptedAddress: expect.stringMatching(/^10\.9\./),
    })
    const [charge] = (await desk.collections.account({ contactId: patient.id })).charges
    expect(charge).toMatchObject({ source: 'quote', createdBy: null, amountCents: alone.totalCents })
    expect(await tasksOf(patient.id)).toContain(`Quote ${alone.number} accepted in the portal: plan what comes next`)
    const [entry] = (await desk.interactions.list({ contactId: patient.id, kind: 'changes' })).data
    expect(entry).toMatchObject({ description: `Quote ${alone.number} accepted by the patient in the portal`, createdBy: null })
    const audit = await till.server.rows(
      "select 1 from audit_log where kind = 'quote' and action = 'changed' and actor_role = 'patient' and after->>'id' = $1",
      [alone.id],
    )
    expect(audit).toHaveLength(1)
  })

  it('declines a quote with a reason for staff, and then refuses acceptance', async () => {
    const patient = await portal.signIn()
    const quote = await createSentQuote(desk, patient.id)
    expect((await portal.call('patient-quote-decline', { ...own(patient), id: quote.id, reason: ' ' })).status).toBe(422)
    const { status } = await portal.call('patient-quote-decline', { ...own(patient), id: quote.id, reason: 'I wait until spring' })
    expect(status).toBe(200)
    expect(await desk.quotes.get({ id: quote.id })).toMatchObject({ status: 'declined', endedBy: null, endReason: 'I wait until spring' })
    expect(await tasksOf(patient.id)).toEqual([`Quote ${quote.number} declined in the portal: call the patient`])
    expect(await accept(patient, quote)).toMatchObject({ status: 409, body: { code: 'NOT_OPEN' } })
    expect(await listOf(patient)).toMatchObject([{ shownStatus: 'declined' }])
  })

  it('refuses acceptance with another total, without a name, of a replaced quote, or after the last day', async () => {
    const patient = await portal.signIn()
    const quote = await createSentQuote(desk, patient.id, { validUntil: '2026-11-22' })
    expect(await accept(patient, { ...quote, totalCents: quote.totalCents - 1 })).toMatchObject({
      status: 422,
      body: { code: 'TOTALS_DIFFER' },
    })
    expect(await accept(patient, quote, ' ')).toMatchObject({ status: 422 })
    const refused = "The name can't contain a web address or a line break"
    expect(await accept(patient, quote, 'Go to https://evil.example')).toMatchObject({ status: 422, body: { error: refused } })
    await expect(desk.quotes.accept({ id: quote.id, totalCents: quote.totalCents, name: 'www.evil.example' })).rejects.toMatchObject({
      status: 422,
      data: { fields: { name: refused } },
    })
    const replaced = await createSentQuote(desk, patient.id)
    await desk.quotes.revise({ id: replaced.id, idempotencyKey: randomUUID() })
    expect(await accept(patient, replaced)).toMatchObject({ status: 409, body: { code: 'SUPERSEDED', error: expect.any(String) } })
    const originalNow = now.at
    try {
      now.at = new Date('2026-11-23T04:59:00Z')
      const late = await portal.signIn()
      const theirs = await createSentQuote(desk, late.id, { validUntil: '2026-11-22' })
      now.at = new Date('2026-11-23T05:00:00Z')
      expect(await listOf(late)).toMatchObject([{ shownStatus: 'expired' }])
      expect(await accept(late, theirs)).toMatchObject({
        status: 409,
        body: { code: 'EXPIRED', error: expect.stringContaining('has expired') },
      })
    } finally {
      now.at = originalNow
    }
    expect(await desk.collections.account({ contactId: patient.id })).toMatchObject({ balanceCents: 0 })
  })

  it('answers 404 for another patient’s quote or a draft and audits it, and 401 without a session', async () => {
    const [patient, other] = [await portal.signIn(), await portal.signIn()]
    const foreign = await createSentQuote(desk, other.id)
    const draft = await desk.quotes.create(await newQuote(desk, patient.id))
    for (const quote of [foreign, draft, { ...draft, id: randomUUID() }]) {
      expect(await accept(patient, quote)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect(await portal.call('patient-quote-decline', { ...own(patient), id: quote.id, reason: 'No' })).toMatchObject({ status: 404 })
    }
    expect(await portal.call('patient-quotes-fetch', { ...own(patient), contactId: other.id })).toMatchObject({ status: 404 })
    expect(await portal.call('patient-quotes-fetch', { ...own(patient), sessionToken: 'made-up' })).toMatchObject({ status: 401 })
    expect(
      await portal.call('patient-quote-accept', { ...own(patient), sessionToken: 'made-up', id: foreign.id, totalCents: 1, name: 'A' }),
    ).toMatchObject({
      status: 401,
      body: { code: 'SESSION_OVER' },
    })
    const denied = await till.server.rows("select 1 from audit_log where action = 'denied' and kind = 'quote' and $1 = any(contact_ids)", [
      patient.id,
    ])
    expect(denied).toHaveLength(7)
    expect(await desk.quotes.get({ id: foreign.id })).toMatchObject({ status: 'sent' })
  })
})
