import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'

describe('the email frame', () => {
  const server = useInbox()

  async function messageOf(mail: { text?: string; html?: string }): Promise<string> {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    await server.outbox.inbound({ from: email, subject: randomUUID(), ...mail })
    const { data } = await client.inbox.unreadOfContact({ contactId })
    return data[0]!.id
  }
  const open = async (path: string) => {
    const { cookie } = await server.account({ role: 'sales_rep' })
    return server.request(path, { headers: { cookie } })
  }

  it('200: serves the HTML without scripts, in an opaque origin, and only inside our pages', async () => {
    const id = await messageOf({
      html: '<p style="color: red">Hello</p><img src="https://outside.invalid/a.png"><script>alert(1)</script>',
    })
    const answer = await open(`/api/inbox/messages/${id}/mail`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: cid:; /)
    expect(policy).toMatch(/frame-ancestors 'self'$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const html = await answer.text()
    expect(html).toContain('Hello')
    expect(html).not.toContain('<script')
    expect(html).not.toContain(' src="https:')

    const withPictures = await open(`/api/inbox/messages/${id}/mail?pictures=shown`)
    expect(withPictures.headers.get('content-security-policy')).toContain('img-src data: cid: https:;')
    expect(await withPictures.text()).toContain(' src="https://outside.invalid/a.png"')
  })

  it('404: for a message without HTML, an unknown message and an invalid id', async () => {
    const id = await messageOf({ text: 'Hello' })
    for (const given of [id, randomUUID(), 'x']) {
      expect([given, (await open(`/api/inbox/messages/${given}/mail`)).status]).toEqual([given, 404])
    }
  })
})
