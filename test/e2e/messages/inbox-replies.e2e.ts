import type { Page } from '@playwright/test'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { inboxBadge, createSender, openConversation, messageList } from '../pages/inbox.ts'

/** Sends a lead through the form of a source that an administrator has just added, which welcomes new leads (spec 9). */
async function arriveAsLead({ url }: Clinic, page: Page, email: string, lastName: string): Promise<void> {
  const name = `Landing page ${crypto.randomUUID().slice(0, 8)}`
  const response = await page.request.post('/api/lead-sources', { data: { name } })
  const { webhookKey } = (await response.json()) as { webhookKey: string }
  await page.goto('/settings/lead-sources')
  const source = page.getByRole('list', { name: 'Lead sources' }).getByRole('switch', { name: new RegExp(`^${name}`) })
  await expect(source).toBeChecked()
  const lead = await fetch(`${url}/api/leads/${webhookKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Noor', last_name: lastName, email, phone: '905-555-0142' }),
  })
  expect(lead.status).toBe(202)
}

test(
  'welcomes a new lead by email, receives and answers the reply in the inbox, and shows it all on the timeline',
  { tag: '@journey' },
  async ({ open, clinic }) => {
    const admin = await open('admin', '/settings/lead-sources')
    const email = `${crypto.randomUUID()}@fastmail.example`
    const lastName = `Haddad ${crypto.randomUUID().slice(0, 8)}`
    const fullName = `Noor ${lastName}`
    await arriveAsLead(clinic, admin, email, lastName)
    const emailsTo = () => clinic.outbox.messages.filter(({ To }) => To === email)
    await expect.poll(() => emailsTo().length).toBe(1)
    const [welcome] = emailsTo()
    expect(welcome).toMatchObject({ Subject: 'Thank you for contacting Harbourview' })
    expect(welcome!.ReplyTo).toMatch(/^team\+[0-9a-f]{32}@refyne\.example$/)

    // The patient replies from their email program.
    const page = await open('sales', '/tasks')
    const unread = async () => ((await (await page.request.get('/api/inbox/unread/count')).json()) as { count: number }).count
    const before = await unread()
    const response = await clinic.outbox.inbound({
      from: `${fullName} <${email.toUpperCase()}>`,
      to: welcome!.ReplyTo!,
      subject: `Re: ${welcome!.Subject}`,
      text: 'Do you see patients on Saturdays?\n\n> Hello Noor,',
    })
    expect(response.status).toBe(200)
    expect(await unread()).toBe(before + 1)
    // The badge counts up to 25.
    await expect(inboxBadge(page)).toContainText(before + 1 < 25 ? `${before + 1}` : '25+')

    await inboxBadge(page).click()
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: fullName })
    await expect(row).toContainText('Do you see patients on Saturdays?')
    await expect(row).toContainText('unread')
    await row.click()
    // The initial welcome is collapsed above the reply, below the day.
    await expect(messageList(page).getByRole('listitem')).toHaveCount(3)
    await expect(messageList(page)).toContainText('sent by the clinic')
    await expect(messageList(page)).toContainText('Do you see patients on Saturdays?')
    await expect.poll(unread).toBe(before)
    await page.keyboard.press('r')
    await expect(page.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
    await page.keyboard.type('Every second Saturday.')
    await page.keyboard.press('Control+Enter')
    await expect(messageList(page).getByText(/^Email · Sent /)).toHaveCount(2)
    await expect.poll(() => emailsTo().length).toBe(2)
    const [reply] = emailsTo()
    expect(reply).toMatchObject({ Subject: `Re: ${welcome!.Subject}`, TextBody: 'Every second Saturday.', ReplyTo: welcome!.ReplyTo })

    await page.getByRole('complementary', { name: 'Sender' }).getByRole('link', { name: fullName }).click()
    // The conversation, which has the same text, is shown until the record has loaded.
    await expect(page.getByRole('tab', { name: 'Timeline' })).toBeVisible()
    const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await expect(entry('Every second Saturday.')).toContainText('emailed Noor')
    await expect(entry('Do you see patients on Saturdays?')).toContainText('Noor wrote')
    await expect(entry('Hello Noor,')).toContainText('The clinic emailed Noor')
    await entry('Do you see patients on Saturdays?').getByRole('link', { name: 'Open conversation' }).click()
    await expect(page).toHaveURL(/\/inbox\?conversation=[0-9a-f-]{36}$/)
    await expect(messageList(page)).toContainText('Every second Saturday.')
  },
)

test('shows an email on the timeline without a link to the conversation to roles without the inbox', async ({ open }) => {
  const sales = await open('sales', '/tasks')
  const patient = await createSender(sales)
  const mail = {
    contactId: patient.id,
    email: patient.email,
    subject: 'Your visit',
    text: 'Bring your card.',
    idempotencyKey: crypto.randomUUID(),
  }
  expect((await sales.request.post('/api/inbox/conversations', { data: mail })).status()).toBe(200)
  await sales.goto(`/contacts/${patient.id}`)
  await expect(sales.getByRole('link', { name: 'Open conversation' })).toBeVisible()
  const page = await open('provider', `/contacts/${patient.id}`)
  await expect(page.getByText('Bring your card.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open conversation' })).toHaveCount(0)
})

test('lets only administrators choose which sources send a welcome', async ({ open }) => {
  const page = await open('frontdesk', '/settings/lead-sources')
  const sources = page.getByRole('list', { name: 'Lead sources' })
  await expect(sources).toContainText('Welcome email: Sent')
  await expect(sources.getByRole('switch')).toHaveCount(0)
})

test.describe('marketing email', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('refuses a marketing email without consent, explains it at the checkbox, and sends it after consent', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createSender(page)
    await clinic.outbox.inbound({ from: patient.email, subject: `Offers for ${patient.name}`, text: 'What do you offer?' })
    await openConversation(page, `Offers for ${patient.name}`)
    const reply = page.getByRole('textbox', { name: 'Your reply' })
    await reply.fill('Two for one in May.')
    const tick = page.getByRole('checkbox', { name: /^Marketing email \(requires consent\)/ })
    await expect(tick).toHaveCount(0)
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Marketing email (requires consent)' }).click()
    await expect(tick).toBeChecked()
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(page.getByText(/^This patient has not consented to marketing email/)).toBeVisible()
    await expect(reply).toHaveText('Two for one in May.')
    await expect(page.getByRole('link', { name: 'View the patient’s consent' })).toHaveAttribute('href', `/contacts/${patient.id}`)

    await page.getByRole('button', { name: 'Record consent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record consent' })
    await dialog.getByRole('button', { name: 'Record consent' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Consent recorded. You can send the message now.')).toBeVisible()
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
    await expect(tick).toHaveCount(0)
    const sent = clinic.outbox.messages.find(({ To }) => To === patient.email)!
    expect(sent.TextBody).toContain('Two for one in May.')
    expect(sent.TextBody).toMatch(/Unsubscribe: http/)
    expect(sent.Headers?.map(({ Name }) => Name)).toContain('List-Unsubscribe')
  })

  test('ticks and locks the marketing checkbox for a marketing template, in a reply and in a new message', async ({ open, clinic }) => {
    const page = await open('frontdesk', '/settings/lead-sources')
    const name = `Spring ${crypto.randomUUID().slice(0, 8)}`
    const template = { name, subject: 'Spring offers', body: 'Dear {{first_name}}, come by.', category: 'marketing' }
    expect((await page.request.post('/api/email-templates', { data: template })).status()).toBe(200)
    const sales = await open('sales', '/inbox')
    const patient = await createSender(sales)
    await clinic.outbox.inbound({ from: patient.email, subject: `Spring for ${patient.name}`, text: 'Hello' })
    await openConversation(sales, `Spring for ${patient.name}`)
    const insert = async () => {
      await sales.getByRole('button', { name: 'Template', exact: true }).click()
      await sales.getByRole('button', { name }).click()
      await sales.getByRole('dialog', { name: 'Templates' }).getByRole('button', { name: 'Insert' }).click()
      await expect(sales.getByRole('dialog', { name: 'Templates' })).toHaveCount(0)
    }
    await insert()
    const tick = sales.getByRole('checkbox', { name: /^Marketing email \(requires consent\)/ })
    await expect(tick).toBeChecked()
    await expect(tick).toBeDisabled()
    const reply = sales.getByRole('textbox', { name: 'Your reply' })
    await expect(reply).toHaveText('Dear Inés, come by.')
    await reply.fill('')
    await expect(tick).toHaveCount(0)

    await sales.goto(`/contacts/${patient.id}`)
    await sales.getByRole('button', { name: 'Email', exact: true }).first().click()
    const dialog = sales.getByRole('dialog', { name: 'New message' })
    await expect(dialog.getByRole('checkbox')).toBeEnabled()
    await insert()
    await expect(dialog.getByRole('checkbox')).toBeChecked()
    await expect(dialog.getByRole('checkbox')).toBeDisabled()
    await dialog.getByRole('button', { name: 'Send message' }).click()
    await expect(dialog.getByText(/^This patient has not consented to marketing email/)).toBeVisible()
    await expect(dialog.getByLabel('Subject')).toHaveValue('Spring offers')
  })
})

test('shows inline images in place, and marks them in the list of attachments', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const subject = `Swelling ${crypto.randomUUID()}`
  const attachments = [
    { name: 'today.png', contentType: 'image/png', contentBase64: pixel, contentId: 'today@phone' },
    { name: 'beside.png', contentType: 'image/png', contentBase64: pixel },
  ]
  const html = '<p>Is this normal?</p><img alt="Today" src="cid:today@phone" width="40" height="40">'
  const { status } = await clinic.outbox.inbound({ from: 'somebody@work.example', subject, html, attachments })
  expect(status).toBe(200)
  await page.getByRole('button', { name: subject }).click()
  const picture = page.frameLocator('iframe').getByRole('img', { name: 'Today' })
  await expect(picture).toHaveAttribute('src', /^data:image\/png;base64,/)
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1)
  const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(files.filter({ hasText: 'today.png' })).toContainText('Shown in the email')
  await expect(files.filter({ hasText: 'beside.png' })).not.toContainText('Shown in the email')
})
