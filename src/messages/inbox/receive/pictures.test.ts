import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { hooksAt } from '../../../../demo/messages/hooks.ts'
import { startClamdSimulator } from '../../../../simulators/clamd/server.ts'
import { hookPassword, createPatient, useInbox } from '../../../../test/messages/inbox.ts'
import { picture } from '../../../../test/documents/test-images.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

type File = { name: string; contentType: string; contentBase64: string; contentId?: string }
const file = (name: string, contentType: string, bytes: Uint8Array | string, contentId?: string): File => ({
  name,
  contentType,
  contentBase64: Buffer.from(bytes).toString('base64'),
  ...(contentId ? { contentId } : {}),
})

/** Mails with files, read as the inbox reads them. */
function inboxOf(server: TestServer) {
  async function receive(from: string, html: string, attachments: File[]) {
    const subject = randomUUID()
    const { status } = await server.outbox.inbound({ from, subject, html, attachments })
    expect(status).toBe(200)
    const client = await server.as('sales_rep')
    const [row] = (await client.inbox.conversations({ search: subject })).data
    return row!.id
  }
  async function shownIn(id: string) {
    const [message] = (await (await server.as('sales_rep')).inbox.conversation({ id })).messages
    const cookie = await server.signIn('sales_rep')
    const html = await (await server.request(`/api/inbox/messages/${message!.id}/mail`, { headers: { cookie } })).text()
    return {
      srcs: [...html.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src]) => src!),
      shown: message!.attachments.map(({ name, isShown }) => [name, isShown]),
      attachments: message!.attachments,
    }
  }
  return { receive, shownIn }
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
const letter = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'
const places = (...ids: string[]) => `<p>Look</p>${ids.map((id) => `<img src="cid:${id}">`).join('')}`
const isData = (kind: string) => expect.stringMatching(new RegExp(`^data:image/${kind};base64,[A-Za-z\\d+/=]{20,}$`)) as string

describe('images attached to an email', () => {
  const server = useInbox()
  const { receive, shownIn } = inboxOf(server)

  it('shows images inline, before and after the sender is known, and marks them in the file list', async () => {
    const [png, jpeg] = [await picture('png'), await picture('jpeg')]
    const attachments = [
      file('logo.png', 'image/png', png, 'logo@work'),
      file('photo.jpg', 'image/jpeg', jpeg, 'photo@work'),
      file('beside.png', 'image/png', png),
      file('letter.pdf', 'application/pdf', letter, 'letter@work'),
    ]
    const id = await receive(
      `${randomUUID()}@unknown-sender.example`,
      places('logo@work', 'photo@work', 'letter@work', 'nowhere@work'),
      attachments,
    )
    const expected = [isData('png'), isData('jpeg'), 'cid:letter@work', 'cid:nowhere@work']
    const shown = [
      ['logo.png', true],
      ['photo.jpg', true],
      ['beside.png', false],
      ['letter.pdf', false],
    ]
    const before = await shownIn(id)
    expect([before.srcs, before.shown]).toEqual([expected, shown])
    await (await server.as('sales_rep')).inbox.link({ id, firstName: 'Odile', lastName: 'Roy' })
    const after = await shownIn(id)
    expect([after.srcs, after.shown]).toEqual([before.srcs, shown])
    expect(after.attachments.every(({ documentId }) => documentId !== null)).toBe(true)
  })

  it('removes images from the email when the document is deleted', async () => {
    const { email } = await createPatient(server)
    const id = await receive(email, places('a'), [file('a.png', 'image/png', await picture('png'), 'a')])
    const { attachments, srcs } = await shownIn(id)
    expect(srcs).toEqual([isData('png')])
    await (await server.as('admin')).documents.delete({ id: attachments[0]!.documentId! })
    const after = await shownIn(id)
    expect([after.srcs, after.shown]).toEqual([['cid:a'], [['a.png', false]]])
  })

  it('shows no SVG, no file mislabelled as an image, and no second file with the same id', async () => {
    const png = await picture('png')
    const id = await receive(`${randomUUID()}@unknown-sender.example`, places('svg', 'called', 'page', 'twice'), [
      file('a.svg', 'image/svg+xml', svg, 'svg'),
      file('b.png', 'image/png', svg, 'called'),
      file('c.jpg', 'image/jpeg', '<!doctype html><script>alert(1)</script>', 'page'),
      file('d.pdf', 'image/png', letter, 'twice'),
      file('d.png', 'image/png', png, 'twice'),
    ])
    const { srcs, shown } = await shownIn(id)
    expect(srcs).toEqual(['cid:svg', 'cid:called', 'cid:page', 'cid:twice'])
    expect(shown.every(([, isShown]) => isShown === false)).toBe(true)
  })
})

describe('images attached to an email, with a virus scanner', () => {
  let scanner: Awaited<ReturnType<typeof startClamdSimulator>>
  let server: TestServer
  beforeAll(async () => {
    scanner = await startClamdSimulator()
    server = await startTestServer(inject('postgres'), { POSTMARK_HOOK_PASSWORD: hookPassword, CLAMD_URL: scanner.url })
    server.outbox.setHooks(hooksAt(server.url, hookPassword))
  })
  afterAll(async () => {
    await scanner.stop()
    await server.stop()
  })

  it('shows images from an unknown sender only once they belong to a patient and are clean', async () => {
    const { receive, shownIn } = inboxOf(server)
    const id = await receive(`${randomUUID()}@unknown-sender.example`, places('a'), [file('a.png', 'image/png', await picture('png'), 'a')])
    expect((await shownIn(id)).srcs).toEqual(['cid:a'])
    const { contact } = await (await server.as('sales_rep')).inbox.link({ id, firstName: 'Odile', lastName: 'Roy' })
    const client = await server.as('admin')
    await until(async () => (await client.documents.list({ contactId: contact!.id }))[0]?.scanState === 'clean')
    expect((await shownIn(id)).srcs).toEqual([isData('png')])
  })
})
