import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useInbox } from '../../../test/inbox.ts'
import { mailsTo } from '../../../test/mails.ts'
import { type Client, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

describe('spec 9: the welcome e-mail of a new lead', () => {
  const server = useInbox({ PRACTICE_NAME: 'Refyne' })
  let admin: Client
  let key: string
  let sourceId: string
  beforeAll(async () => {
    admin = await server.as('admin')
    const source = await admin.leadSources.create({ name: 'Landing page', sendsWelcome: true })
    ;[key, sourceId] = [source.webhookKey, source.id]
  })
  const address = () => `${randomUUID()}@example.com`
  async function lead(email: string, { to = key, name = 'Ana', more = {} } = {}) {
    const answer = await server.send('POST', `/api/leads/${to}`, { first_name: name, last_name: 'Silva', email, ...more })
    const { id } = (await answer.json()) as { id: string }
    return until(async () => {
      const [entry] = await server.rows<{ status: string; contact_id: string }>('select * from lead_entries where id = $1', [id])
      return entry && entry.status !== 'processing' && entry
    })
  }
  const welcomesTo = (email: string) =>
    server.rows('select created_by, status, is_commercial from messages where lower(to_email) = lower($1)', [email])

  it('goes out as a message of a conversation that nobody has written, with the patient’s values, harmless in HTML', async () => {
    const email = address()
    const { contact_id } = await lead(email, { name: '<script>$&' })
    const [mail] = await mailsTo(server, email)
    expect(mail).toMatchObject({ Subject: 'Thank you for contacting Refyne', To: email })
    expect(mail!.TextBody).toContain('Hello <script>$&,')
    expect(mail!.HtmlBody).toContain('Hello &lt;script&gt;$&amp;,')
    expect(mail!.ReplyTo).toMatch(/^team\+[0-9a-f]{32}@inbound\.example$/)
    const { data } = await admin.inbox.conversations({ contactId: contact_id, show: 'all' })
    expect(data).toMatchObject([{ address: email, lastDirection: 'outbound' }])
    expect((await admin.inbox.conversation({ id: data[0]!.id })).messages).toMatchObject([{ createdBy: null, direction: 'outbound' }])
    expect((await admin.contacts.get({ id: contact_id })).lastContactDate).toBeNull()
  })

  it('is not sent to greet somebody by an advertisement: the lead is there, and no mail', async () => {
    const email = address()
    const entry = await lead(email, { name: 'WIN $500: https://evil.example/claim' })
    expect(entry.status).toBe('completed')
    expect(await welcomesTo(email)).toEqual([])
  })

  it('is not sent where the source does not want it, and is once it does', async () => {
    expect((await admin.leadSources.list()).find(({ name }) => name === 'Website Form')!.sendsWelcome).toBe(false)
    const email = address()
    await lead(email, { to: webhookKey })
    expect(await welcomesTo(email)).toEqual([])
    expect(await admin.leadSources.update({ id: sourceId, sendsWelcome: false })).toMatchObject({ sendsWelcome: false })
    await lead(address())
    await admin.leadSources.update({ id: sourceId, sendsWelcome: true })
  })

  it('is sent once per address ever, of many leads at once and to a patient who was deleted too', async () => {
    const email = address()
    const entries = await Promise.all(
      Array.from({ length: 10 }, (_, i) => lead(i % 2 ? email : email.toUpperCase(), { more: { message: String(i) } })),
    )
    expect(await welcomesTo(email)).toHaveLength(1)
    await admin.contacts.delete({ id: entries[0]!.contact_id })
    await lead(email, { more: { message: 'again' } })
    expect(await welcomesTo(email)).toEqual([])
    expect(server.outbox.messages.filter(({ To }) => To?.toLowerCase() === email)).toHaveLength(1)
  })

  it('what is no single address is not mailed, and its lead succeeds', async () => {
    for (const email of [`a@example.com, ${address()}`, 'ana', 'ana@example.com\nBcc: x@example.com']) {
      expect(await lead(email, { more: { message: randomUUID() } })).toMatchObject({ status: 'completed' })
      expect(await welcomesTo(email)).toEqual([])
    }
  })

  it('spec 8: without its template, or to an address that bounced, the lead still succeeds', async () => {
    const bounced = address()
    await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [bounced])
    expect(await lead(bounced)).toMatchObject({ status: 'completed' })
    expect(await welcomesTo(bounced)).toEqual([])

    await server.rows(`update email_templates set name = 'set_aside' where name = 'welcome_email'`)
    const email = address()
    expect(await lead(email)).toMatchObject({ status: 'completed' })
    expect(await server.rows('select 1 from welcomed_addresses')).toHaveLength(2)
    await server.rows(`update email_templates set name = 'welcome_email' where name = 'set_aside'`)
  })
})
