import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../test/factories.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { imagesOfPdf, textOfPdf } from '../../../test/formats/pdf.ts'
import { newQuote } from '../../../test/billing/quotes.ts'

describe('practice logo in emails and PDFs', () => {
  const till = usePointOfSale({ PRACTICE_NAME: 'Harbour "View" <b>' }, {}, { now: () => new Date('2026-11-22T15:00:00Z') })
  const blue = { r: 20, g: 60, b: 200 }

  async function upload(size: { width: number; height: number }, alpha = 1) {
    const png = await sharp({ create: { ...size, channels: 4, background: { ...blue, alpha } } })
      .png()
      .toBuffer()
    const cookie = await till.server.signIn('admin')
    const response = await till.server.request('/api/practice/logo', { method: 'POST', headers: { cookie }, body: png as BodyInit })
    expect(response.status).toBe(201)
  }
  const pdfAt = async (path: string) => {
    const response = await till.server.request(path, { headers: { cookie: await till.server.signIn('admin') } })
    expect(response.status).toBe(200)
    return new Uint8Array(await response.arrayBuffer())
  }
  /** Requests a portal code and returns the email sent to the patient. */
  async function sendPortalMail() {
    const email = `${randomUUID()}@patient.example`
    await insertContact(till.server, { email })
    expect((await till.server.send('POST', '/api/functions/request-document-access', { email })).status).toBe(200)
    return (await emailsTo(till.server, email))[0]!
  }

  it('sends emails and renders PDFs without a logo when none is set', async () => {
    const mail = await sendPortalMail()
    expect([mail.Attachments ?? [], mail.HtmlBody]).toEqual([[], expect.not.stringContaining('<img')])
    expect(await imagesOfPdf(await pdfAt(`/api/contacts/${await insertContact(till.server)}/statement.pdf`))).toEqual([])
  })

  it('attaches the logo to emails by content id, with its aspect ratio, at twice the displayed size', async () => {
    await upload({ width: 512, height: 128 })
    const mail = await sendPortalMail()
    const [file, ...others] = mail.Attachments!
    expect(others).toEqual([])
    expect(file).toMatchObject({ Name: 'logo.png', ContentType: 'image/png', ContentID: 'cid:practice-logo.png' })
    expect(mail.HtmlBody).toMatch(
      /^<div [^>]*><img src="cid:practice-logo\.png" alt="Harbour &quot;View&quot; &lt;b&gt;" width="192" height="48" /,
    )
    const picture = sharp(Buffer.from(file!.Content, 'base64'))
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 384, height: 96 })
    expect(mail.From).toBe('"Harbour  View  <b>" <no-reply@refyne.example>')
    expect(mail.TextBody).not.toContain('logo')
  })

  it('puts a transparent logo on white, so that it is readable in dark mode', async () => {
    await upload({ width: 100, height: 40 }, 0)
    const [file] = (await sendPortalMail()).Attachments!
    const { data, info } = await sharp(Buffer.from(file!.Content, 'base64')).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([116, 56])
    expect(Array.from(data.subarray(0, 3))).toEqual([255, 255, 255])
  })

  /** The paths of a statement, a quote and a receipt. */
  async function createMoneyPdfs() {
    const client = await till.server.as('admin')
    const contactId = await insertContact(till.server)
    const quote = await client.quotes.create(await newQuote(client, contactId))
    const sale = await client.pos.createReceipt(
      await newSale(client, await createCustomer(client), [{ name: 'Rhinoplasty', unitPrice: 1_000 }]),
    )
    return [`/api/contacts/${contactId}/statement.pdf`, `/api/quotes/${quote.id}.pdf`, `/api/pos/receipts/${sale.receiptId}.pdf`]
  }

  it('prints the HST registration number and the address on statements, quotes and receipts only when set', async () => {
    const client = await till.server.as('admin')
    const paths = await createMoneyPdfs()
    const readTexts = () => Promise.all(paths.map(async (path) => (await textOfPdf(await pdfAt(path))).join(' ')))
    await client.practice.changeSettings({ hstNumber: '12345 6789rt0001', address: '12 Plains Road, Burlington' })
    for (const text of await readTexts()) {
      expect(text).toContain('HST registration number: 123456789 RT0001')
      expect(text).toContain('12 Plains Road, Burlington')
    }
    await client.practice.changeSettings({ hstNumber: null, address: null })
    for (const text of await readTexts()) expect(text).not.toContain('registration')
  })

  it('shows the logo at the top of statements, quotes and receipts', async () => {
    await upload({ width: 320, height: 104 })
    for (const path of await createMoneyPdfs()) {
      const [picture] = await imagesOfPdf(await pdfAt(path))
      expect(picture).toMatchObject({ width: 320, height: 104, middle: Object.values(blue) })
      expect(picture!.shown.width / picture!.shown.height).toBeCloseTo(320 / 104, 2)
    }
  })

  it('adds the logo to automatic inbox emails but not to emails typed by staff', async () => {
    await upload({ width: 64, height: 64 })
    const client = await till.server.as('admin')
    const source = await client.leadSources.create({ name: 'Landing page', sendsWelcome: true })
    const lead = { first_name: 'Ana', last_name: 'Silva', email: `${randomUUID()}@patient.example` }
    await till.server.send('POST', `/api/leads/${source.webhookKey}`, lead)
    const [welcome] = await emailsTo(till.server, lead.email)
    expect(welcome!.HtmlBody).toContain('<img src="cid:practice-logo.png"')
    expect(welcome!.Attachments).toMatchObject([{ ContentID: 'cid:practice-logo.png' }])

    const email = `${randomUUID()}@patient.example`
    const contactId = await insertContact(till.server, { email })
    await client.inbox.start({ contactId, email, subject: 'Your visit', text: 'See you soon', idempotencyKey: randomUUID() })
    const [typed] = await emailsTo(till.server, email)
    expect([typed!.HtmlBody ?? null, typed!.Attachments ?? []]).toEqual([null, []])
  })
})
