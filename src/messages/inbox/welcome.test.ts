import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useInbox } from '../../../test/messages/inbox.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { type Client, webhookKey } from '../../../test/server.ts'
import { untilNoneLeft } from '../../../test/jobs.ts'
import { until } from '../../../test/until.ts'

describe('the welcome email of a new lead (spec 9)', () => {
  const server = useInbox({ PRACTICE_NAME: 'Refyne' })
  let admin: Client
  let key: string
  let sourceId: string
  beforeAll(async () => {
    admin = await server.as('admin')
    const source = await admin.leadSources.create({ name: 'Landing page' })
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
  /** After all queued welcome emails were written or given up. */
  async function welcomesTo(email: string) {
    await untilNoneLeft(server, 'inbox.welcome')
    return server.rows('select created_by, status, is_commercial from messages where lower(to_email) = lower($1)', [email])
  }

  it('goes out in a conversation that no user started, with the patient’s values escaped in HTML', async () => {
    const email = address()
    const { contact_id } = await lead(email, { name: '<script>$&' })
    const [mail] = await emailsTo(server, email)
    expect(mail).toMatchObject({ Subject: 'Thank you for contacting Refyne', To: email })
    expect(mail!.TextBody).toContain('Hello <script>$&,')
    expect(mail!.HtmlBody).toContain('Hello &lt;script&gt;$&amp;,')
    expect(mail!.ReplyTo).toMatch(/^team\+[0-9a-f]{32}@inbound\.example$/)
    const { data } = await admin.inbox.conversations({ contactId: contact_id, show: 'all' })
    expect(data).toMatchObject([{ address: email, lastDirection: 'outbound' }])
    expect((await admin.inbox.conversation({ id: data[0]!.id })).messages).toMatchObject([{ createdBy: null, direction: 'outbound' }])
    expect((await admin.contacts.get({ id: contact_id })).lastContactDate).toBeNull()
  })

  it.each(['fr', 'fr-CA', 'Français'])('is in French for a lead from a form in %j', async (language) => {
    const email = address()
    await lead(email, { more: { language } })
    const [mail] = await emailsTo(server, email)
    expect(mail!.Subject).toBe('Merci d’avoir communiqué avec Refyne')
    expect(mail!.TextBody).toContain('Bonjour Ana,')
    expect(await welcomesTo(email)).toHaveLength(1)
  })

  it.each([
    ['WIN $500 today', 'completed'],
    ['WIN $500: https://evil.example/claim', 'error'],
  ])('does not send a name that looks like advertising: with "%s" the lead is created (%s) without an email', async (name, status) => {
    const email = address()
    expect(await lead(email, { name })).toMatchObject({ status })
    expect(await welcomesTo(email)).toEqual([])
  })

  it('goes to new leads of every source, including one just added, unless switched off for the source', async () => {
    const { webhookKey: newKey, ...added } = await admin.leadSources.create({ name: 'Billboard' })
    expect(added.sendsWelcome).toBe(true)
    for (const to of [webhookKey, newKey]) {
      const email = address()
      await lead(email, { to })
      expect(await welcomesTo(email)).toHaveLength(1)
    }
    expect(await admin.leadSources.update({ id: sourceId, sendsWelcome: false })).toMatchObject({ sendsWelcome: false })
    const unwelcomed = address()
    await lead(unwelcomed)
    expect(await welcomesTo(unwelcomed)).toEqual([])
    await admin.leadSources.update({ id: sourceId, sendsWelcome: true })
  })

  it('goes out once per address ever, across simultaneous leads and deleted patients', async () => {
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

  it('goes to the first of several addresses, and only to a valid one', async () => {
    const [first, second] = [address(), address()]
    expect(await lead(`Ana <${first}>; ${second}`)).toMatchObject({ status: 'completed' })
    expect([await welcomesTo(first), await welcomesTo(second)]).toEqual([[expect.anything()], []])
    for (const email of ['ana', 'ana@example.com\nBcc: x@example.com']) {
      expect(await lead(email, { more: { message: randomUUID() } })).toMatchObject({ status: 'error' })
      expect(await welcomesTo(email)).toEqual([])
    }
  })

  it('creates the lead without it when the template is missing or the address bounced (spec 8)', async () => {
    const bounced = address()
    await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [bounced])
    expect(await lead(bounced)).toMatchObject({ status: 'completed' })
    expect(await welcomesTo(bounced)).toEqual([])

    await server.rows(`update email_templates set name = 'set_aside' where name = 'welcome_email'`)
    const email = address()
    expect(await lead(email)).toMatchObject({ status: 'completed' })
    expect(await welcomesTo(email)).toEqual([])
    await server.rows(`update email_templates set name = 'welcome_email' where name = 'set_aside'`)
  })
})
