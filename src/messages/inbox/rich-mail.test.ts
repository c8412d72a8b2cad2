import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { purgePictures } from './pictures.ts'
import { sendScheduled } from './scheduled.ts'

describe('an email with formatting (issue 28)', () => {
  const server = useInbox({ CLAMD_URL: 'tcp://127.0.0.1:1' })
  let client: Client
  let cookie: string
  beforeAll(async () => {
    client = await server.as('sales_rep')
    cookie = await server.signIn('sales_rep')
  })
  const runtime = () => ({ ...server.running.runtime, actor: null, origin: { requestId: 'test', address: null } }) as unknown as Scope

  async function write(given: object) {
    const patient = await createPatient(server)
    const mail = { contactId: patient.id, email: patient.email, subject: 'Your visit', text: '', idempotencyKey: randomUUID(), ...given }
    return { patient, mail, start: () => client.inbox.start(mail) }
  }
  const photo = (width: number) =>
    sharp({ create: { width, height: 300, channels: 3, background: '#c00' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ana' }, IFD3: { GPSLatitude: '43/1 39/1 0/1' } })
      .toBuffer()
  const upload = (name: string, body: Uint8Array, as = cookie) =>
    server.request(`/api/inbox/pictures?name=${name}`, { method: 'POST', headers: { cookie: as }, body: new Uint8Array(body) })
  const uploaded = async () => ((await (await upload('map.jpg', await photo(1600))).json()) as { id: string }).id

  it('is sent with its HTML and text; both are in the conversation, and the search finds them', async () => {
    const html =
      '<p>Dear <b>Ana</b>,</p><ul><li><p>water</p></li><li><p><em>rest</em></p></li></ul><p>See <a href="https://a.example/x">this</a></p>'
    const { patient, start } = await write({ html })
    const { id } = await start()
    const [sent] = await emailsTo(server, patient.email)
    const text = 'Dear Ana,\n\n- water\n- rest\n\nSee this (https://a.example/x)'
    expect(sent!.TextBody).toBe(text)
    expect(sent!.HtmlBody).toContain('<p>Dear <strong>Ana</strong>,</p><ul><li><p>water</p></li><li><p><em>rest</em></p></li></ul>')
    const { messages } = await client.inbox.conversation({ id })
    expect(messages).toMatchObject([{ body: text, htmlBody: expect.stringContaining('<strong>Ana</strong>') as string }])
    expect((await client.inbox.conversations({ search: 'water', contactId: patient.id })).data).toHaveLength(1)
  })

  it.each([
    ['a script', '<p>Hi</p><script>alert(1)</script>'],
    ['handlers', '<p onclick="alert(1)">Hi</p><img src=x onerror=alert(1)>'],
    ['a script address', '<p><a href="java\nscript:alert(1)">Hi</a></p>'],
    ['a data address', '<p><a href="data:text/html,<script>1</script>">Hi</a><img src="data:image/png;base64,AAAA"></p>'],
    ['styles', '<style>p{background:url(https://t.example)}</style><p style="background:url(https://t.example)">Hi</p>'],
    ['remote pictures', '<p>Hi<img src="https://t.example/p.png"></p>'],
    ['frames and forms', '<form action="https://t.example"><p>Hi</p></form><iframe src="https://t.example"></iframe>'],
    ['SVG', '<svg onload=alert(1)><p>Hi</p></svg>'],
  ])('leaves out %s', async (_what, html) => {
    const { patient, start } = await write({ html })
    await start()
    const [sent] = await emailsTo(server, patient.email)
    expect(sent!.TextBody).toBe('Hi')
    expect(sent!.HtmlBody).not.toMatch(/script|alert|onerror|onload|onclick|data:|url\(|t\.example|<img|<form|<iframe|<svg/i)
  })

  it('refuses what no one writes: nesting, tags and text without end, and no words at all', async () => {
    const refusedWith = async (given: object) => {
      const { start } = await write(given)
      const { status, code, data } = await refusal(start())
      return [status, code, Object.keys(data?.fields ?? {})]
    }
    expect(await refusedWith({ html: '<b>'.repeat(20_000) })).toEqual([422, 'INVALID_REFERENCE', ['html']])
    expect(await refusedWith({ html: '<'.repeat(90_000) })).toEqual([422, 'INVALID_REFERENCE', ['html']])
    expect(await refusedWith({ html: 'x'.repeat(100_001) })).toEqual([422, 'INVALID_INPUT', ['html']])
    expect(await refusedWith({ html: '<p> </p><script>x</script>' })).toEqual([422, 'INVALID_REFERENCE', ['text']])
    expect(await refusedWith({})).toEqual([422, 'INVALID_INPUT', ['text']])
    const large = await server.send('POST', '/api/inbox/conversations', { html: 'x'.repeat(10_000_000) }, cookie)
    expect(large.status).toBe(413)
    const { start } = await write({ html: `<p>${'<blockquote>'.repeat(1_000)}deep` })
    await start()
  })

  it('shows uploaded pictures, drawn again without their metadata, in the email and to staff', async () => {
    const id = await uploaded()
    const shown = await server.request(`/api/inbox/pictures/${id}`, { headers: { cookie } })
    const { format, width, exif } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata()
    expect({ format, width, exif }).toEqual({ format: 'jpeg', width: 1200, exif: undefined })

    const { patient, start, mail } = await write({ html: `<p>Where to park:</p><p><img src="cid:${id}" alt="A map" width="300"></p>` })
    const { id: conversation, messageId } = await start()
    const [sent] = await emailsTo(server, patient.email)
    expect(sent!.TextBody).toBe('Where to park:\n\n[A map]')
    expect(sent!.Attachments).toMatchObject([{ Name: 'map.jpg', ContentType: 'image/jpeg', ContentID: `cid:${id}` }])
    const { messages } = await client.inbox.conversation({ id: conversation })
    expect(messages[0]!.attachments).toMatchObject([{ name: 'map.jpg', contentId: id, documentId: null, isShown: true }])
    const frame = await server.request(`/api/inbox/messages/${messageId}/mail`, { headers: { cookie } })
    expect(await frame.text()).toContain('src="data:image/jpeg;base64,')
    const file = await server.request(`/api/inbox/attachments/${messages[0]!.attachments[0]!.id}/file`, { headers: { cookie } })
    expect(file.status).toBe(200)

    // The same call again sends nothing, and another email cannot have the same picture.
    expect(await start()).toEqual({ id: conversation, messageId })
    expect(await refusal(client.inbox.start({ ...mail, idempotencyKey: randomUUID() }))).toMatchObject({
      status: 422,
      code: 'INVALID_REFERENCE',
      data: { fields: { html: 'A picture in this email is no longer available. Remove it and add it again.' } },
    })
  })

  it('refuses files that are no pictures, too many pictures, and pictures in a text message', async () => {
    expect(await (await upload('a.png', Buffer.from('<svg/>'))).json()).toMatchObject({
      code: 'FILE_TYPE',
      message: 'Choose a picture: a JPEG, PNG or HEIC',
    })
    expect((await upload('a.pdf', Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'))).status).toBe(422)
    expect((await upload('a.jpg', Buffer.alloc(15_000_001, 1))).status).toBe(413)
    const pictures = Array.from({ length: 11 }, () => `<img src="cid:${randomUUID()}">`).join('')
    const { start } = await write({ html: `<p>Hi${pictures}</p>` })
    expect(await refusal(start())).toMatchObject({ status: 422, data: { fields: { html: 'An email can have at most 10 pictures' } } })
    const { patient } = await write({})
    const text = {
      contactId: patient.id,
      channel: 'sms' as const,
      address: '+14165550142',
      text: '',
      html: '<p>Hi</p>',
      sendAt: new Date(Date.now() + 3600_000).toISOString(),
    }
    expect(await refusal(client.inbox.schedule({ ...text, idempotencyKey: randomUUID() }))).toMatchObject({
      status: 422,
      data: { fields: { html: 'A text message has no formatting' } },
    })
  })

  it('ends with the author’s signature in the patient’s language, if it is asked for', async () => {
    await client.signatures.save({ language: 'en', html: '<p>Ana Test<br><b>Patient coordinator</b></p>' })
    expect(await client.signatures.save({ language: 'fr', html: '<p>Ana Test<br>Coordonnatrice</p>' })).toHaveLength(2)
    const { patient, mail, start } = await write({ text: 'See you <soon>.', withSignature: true })
    await start()
    const [sent] = await emailsTo(server, patient.email)
    expect(sent!.TextBody).toBe('See you <soon>.\n\n-- \nAna Test\nPatient coordinator')
    expect(sent!.HtmlBody).toContain('<p>See you &lt;soon&gt;.</p>')
    expect(sent!.HtmlBody).toContain('<strong>Patient coordinator</strong>')
    await server.rows(`update contacts set preferred_language = 'fr' where id = $1`, [patient.id])
    await client.inbox.start({ ...mail, html: '<p><i>À demain</i></p>', text: '', idempotencyKey: randomUUID() })
    const [french] = await emailsTo(server, patient.email, 2)
    expect(french!.TextBody).toBe('À demain\n\n-- \nAna Test\nCoordonnatrice')
    await client.inbox.start({ ...mail, withSignature: false, idempotencyKey: randomUUID() })
    const [bare] = await emailsTo(server, patient.email, 3)
    expect([bare!.TextBody, bare!.HtmlBody]).toEqual(['See you <soon>.', undefined])
    expect(await client.signatures.save({ language: 'en', html: null })).toMatchObject([{ language: 'fr' }])
  })

  it('waits for its time with its formatting, pictures and signature', async () => {
    const author = await server.as('admin')
    await author.signatures.save({ language: 'en', html: '<p>Dr. Test</p>' })
    const [id, other] = [await uploaded(), await uploaded()]
    const { patient } = await write({})
    const { id: scheduled } = await author.inbox.schedule({
      contactId: patient.id,
      channel: 'email',
      address: patient.email,
      subject: 'Later',
      text: '',
      html: `<p><b>Later</b> <img src="cid:${id}"></p>`,
      withSignature: true,
      sendAt: new Date(Date.now() + 3600_000).toISOString(),
      idempotencyKey: randomUUID(),
    })
    await server.rows(`update pending_pictures set created_at = now() - interval '40 days'`)
    await purgePictures.run(runtime(), {}, { last: false })
    expect((await server.request(`/api/inbox/pictures/${other}`, { headers: { cookie } })).status).toBe(404)
    await server.rows(`update scheduled_messages set send_at = now() - interval '1 second' where id = $1`, [scheduled])
    await sendScheduled.run(runtime(), { id: scheduled }, { last: false })
    const [sent] = await emailsTo(server, patient.email)
    expect(sent!.TextBody).toBe('Later [image]\n\n-- \nDr. Test')
    expect(sent!.Attachments).toMatchObject([{ ContentID: `cid:${id}` }])
  })

  it('lets only those upload who have the inbox', async () => {
    expect((await upload('a.jpg', await photo(10), await server.signIn('billing'))).status).toBe(403)
  })
})
