import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../test/factories.ts'
import { amountsIn, textOfPdf } from '../../../test/formats/pdf.ts'
import { newQuote, createSentQuote } from '../../../test/billing/quotes.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'

describe('quote PDF and email', () => {
  const till = usePointOfSale({ PRACTICE_PHONE: '(905) 555-0142' }, {}, { now: () => new Date('2026-11-22T15:00:00Z') })
  const clerk = () => till.server.as('front_desk')
  const emailsTo = (email: string) => till.server.outbox.messages.filter(({ To }) => To === email)
  const readQuotePdf = async (id: string, query = '') => {
    const answer = await till.server.request(`/api/quotes/${id}.pdf${query}`, {
      headers: { cookie: await till.server.signIn('front_desk') },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return {
      name: answer.headers.get('content-disposition'),
      text: (await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' '),
    }
  }

  it('prints the patient, each line with tax, totals, expiry and payment schedule', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server, { firstName: 'Łucja', lastName: 'Nguyễn' })
    const quote = await client.quotes.create(await newQuote(client, contactId, { note: 'Garments are included.' }))
    const { name, text } = await readQuotePdf(quote.id)
    expect(name).toBe(`inline; filename="quote-${quote.number}.pdf"`)
    for (const part of [
      'Draft',
      `Quote ${quote.number}`,
      'Łucja Nguyễn',
      'Dec 22, 2026',
      'Operating room, per hour',
      '3 × $558.66',
      '$1,675.98',
      'HST ON 13% on $7,875.98',
      '$1,023.88',
      'Exempt from tax: Referred, airway obstruction',
      '$10,899.88',
      'On acceptance',
      '$5,449.94',
      'Instalment 1 of 2',
      'Jan 15, 2027',
      'Garments are included.',
    ])
      expect(text).toContain(part)
    // The clinic's line type means nothing to the patient.
    for (const type of ['Surgeon', 'Facility', 'Extras']) expect(text).not.toContain(type)
    const accepted = await createSentQuote(client, contactId)
    await client.quotes.accept({ id: accepted.id, totalCents: accepted.totalCents, name: 'Łucja Nguyễn' })
    expect((await readQuotePdf(accepted.id)).text).toContain('signed Łucja Nguyễn')
  })

  it('prints in the patient’s language or the one that was chosen, with the same figures', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server, { firstName: 'Océane', lastName: 'Gagné' })
    const quote = await createSentQuote(client, contactId)
    await till.server.rows("insert into procedures (name, name_fr) values ('Rhinoplasty', 'Rhinoplastie')")
    await client.quotes.accept({ id: quote.id, totalCents: quote.totalCents, name: 'Océane Gagné' })
    expect((await readQuotePdf(quote.id)).text).toContain('Payment schedule')
    await till.server.rows("update contacts set preferred_language = 'fr' where id = $1", [contactId])
    const french = await readQuotePdf(quote.id)
    expect(french.name).toBe(`inline; filename="soumission-${quote.number}.pdf"`)
    for (const part of [
      `Soumission ${quote.number}`,
      'Patient ou patiente Océane Gagné',
      'Intervention Rhinoplastie',
      'Rhinoplastie TVH ON 13 %',
      'Valide jusqu’au 22 déc. 2026',
      'signée par Océane Gagné',
      'TVH ON 13 % sur 7 875,98 $',
      'Exonéré de taxe : Referred, airway obstruction',
      'Calendrier des paiements',
      'À l’acceptation 5 449,94 $',
      'Versement 1 de 2',
      '15 janv. 2027',
      'Appelez-nous au (905) 555-0142.',
      'Page 1 de 1',
    ])
      expect(french.text).toContain(part)
    for (const english of ['HST', 'Total:', 'Instalment', 'Page 1 of', 'Tax ', 'Quote']) expect(french.text).not.toContain(english)
    const english = await readQuotePdf(quote.id, '?language=en')
    expect(english.name).toBe(`inline; filename="quote-${quote.number}.pdf"`)
    expect(amountsIn(english.text).length).toBeGreaterThan(10)
    expect(amountsIn(french.text)).toEqual(amountsIn(english.text))
  })

  it('moves the patient to Quote Sent when first sent or delivered, unless they are in a later stage or lost', async () => {
    const client = await clerk()
    const stages = await client.pipeline.stages()
    const stageAfter = async (value: string) => {
      const contactId = await insertContact(till.server, { stage: value })
      const { id, version } = await client.quotes.create(await newQuote(client, contactId))
      const stageOf = async () => {
        const { funnelStageId } = await client.contacts.get({ id: contactId })
        return stages.find((stage) => stage.id === funnelStageId)!.value
      }
      expect(await stageOf()).toBe(value)
      await client.quotes.send({ id, version, email: null, idempotencyKey: randomUUID() })
      return stageOf()
    }
    expect(await stageAfter('consult_done')).toBe('quote_sent')
    expect(await stageAfter('lead')).toBe('quote_sent')
    expect(await stageAfter('surgery_booked')).toBe('surgery_booked')
    expect(await stageAfter('cold_lead')).toBe('cold_lead')
  })

  it('emails in the patient’s preferred language', async () => {
    const client = await clerk()
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(till.server, { email })
    await till.server.rows("update contacts set preferred_language = 'fr' where id = $1", [contactId])
    const { id, version, number } = await client.quotes.create(await newQuote(client, contactId))
    await client.quotes.send({ id, version, email, idempotencyKey: randomUUID() })
    const [mail] = await until(() => (emailsTo(email).length > 0 ? emailsTo(email) : undefined))
    expect(mail!.Subject).toContain(`Soumission ${number} de `)
    expect(mail!.TextBody).toMatch(/Elle est valide jusqu’au \d+ \p{L}+ \d{4}\./u)
    expect(mail!.Attachments![0]!.Name).toBe(`soumission-${number}.pdf`)
    const pdf = Buffer.from(mail!.Attachments![0]!.Content, 'base64')
    expect((await textOfPdf(new Uint8Array(pdf))).join(' ')).toContain('10 899,88 $')
  })

  it('emails the PDF and a portal link to the patient once per key, and names nothing quoted in the email', async () => {
    const client = await clerk()
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(till.server, { email })
    const { id, version, number } = await client.quotes.create(await newQuote(client, contactId))
    expect((await client.quotes.choices({ contactId })).addresses).toEqual([email])
    const sending = { id, version, email: email.toUpperCase(), idempotencyKey: randomUUID() }
    const sent = await Promise.all(Array.from({ length: 5 }, () => client.quotes.send(sending)))
    expect(new Set(sent.map((quote) => JSON.stringify(quote))).size).toBe(1)
    expect(sent[0]).toMatchObject({ status: 'sent', sentTo: email })
    const [mail] = await until(() => (emailsTo(email).length > 0 ? emailsTo(email) : undefined))
    expect(mail).toMatchObject({
      Subject: expect.stringContaining(`Quote ${number} from`),
      Attachments: [{ Name: `quote-${number}.pdf`, ContentType: 'application/pdf' }],
    })
    expect(mail!.TextBody).toContain(`/portal?email=${encodeURIComponent(email)}`)
    expect(`${mail!.Subject} ${mail!.TextBody}`).not.toMatch(/rhinoplasty|\$/i)
    const pdf = Buffer.from(mail!.Attachments![0]!.Content, 'base64')
    expect((await textOfPdf(new Uint8Array(pdf))).join(' ')).toContain('$10,899.88')

    // A deliberate resend.
    await client.quotes.send({ id, version: sent[0]!.version, email, idempotencyKey: randomUUID() })
    await until(() => emailsTo(email).length === 2)
    const descriptionsFor = async (role: 'provider' | 'billing') =>
      (await (await till.server.as(role)).interactions.list({ contactId })).data.map(({ description }) => description)
    const mailed = `Quote ${number} emailed to ${email}`
    const moved = 'Stage changed from Lead to Quote Sent'
    // All have the same instant on this clock, so their order is undefined.
    expect((await descriptionsFor('billing')).toSorted()).toEqual([mailed, mailed, moved])
    expect(await descriptionsFor('provider')).toEqual([moved])
  })

  it('refuses an unknown address and an expired quote', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server, { email: `${randomUUID()}@mail.example` })
    const { id, version } = await client.quotes.create(await newQuote(client, contactId))
    const sending = { id, version, email: 'stranger@mail.example', idempotencyKey: randomUUID() }
    expect(await refusal(client.quotes.send(sending))).toMatchObject({
      code: 'INVALID_REFERENCE',
      data: { fields: { email: expect.any(String) } },
    })
    await till.server.rows("update quotes set valid_until = '2026-11-21' where id = $1", [id])
    expect(await refusal(client.quotes.send({ ...sending, email: null }))).toMatchObject({
      code: 'INVALID_REFERENCE',
      data: { fields: { validUntil: 'Choose a later "valid until" first.' } },
    })
    expect(await client.quotes.get({ id })).toMatchObject({ status: 'draft' })
  })
})
