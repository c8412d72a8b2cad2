import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { receiveEmail, inboxBadge, createSender, openConversation, messageList } from '../pages/inbox.ts'
import { consentPdf } from '../pages/patient-documents.ts'
import { loseConnection } from '../support/offline.ts'

const attached = consentPdf.toString('base64')

test('shows an incoming email in badge and list, marks it read after a second, and replies by keyboard from the conversation’s address', async ({
  open,
  clinic,
}) => {
  const page = await open('sales', '/tasks')
  const patient = await createSender(page)
  await receiveEmail(clinic, {
    from: patient.email,
    fromName: patient.name,
    subject: 'My consultation',
    text: 'May I come at three?\nSee https://a.example/map.',
  })
  await expect(inboxBadge(page)).toContainText('unread messages')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/\/inbox$/)
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: patient.name })
  await expect(row).toContainText('My consultation')
  await expect(row).toContainText('unread')
  await page.keyboard.press('/')
  await page.keyboard.type(patient.name)
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(row).toBeVisible()
  await page.keyboard.press('j')
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/conversation=/)
  await expect(messageList(page)).toContainText('May I come at three?')
  await expect(messageList(page).getByRole('link', { name: 'https://a.example/map', exact: true })).toHaveAttribute('rel', /noopener/)
  // After a second on screen it is marked read.
  await expect(messageList(page).getByText('Unread')).toHaveCount(0)
  await expect(row).not.toContainText('unread')

  await page.keyboard.press('r')
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await page.keyboard.type('Of course.')
  await page.keyboard.press('Control+Enter')
  await expect(messageList(page)).toContainText('Of course.')
  await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toHaveText('')
  const sent = clinic.outbox.messages.filter(({ To }) => To === patient.email)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ Subject: 'Re: My consultation', TextBody: 'Of course.' })
  expect(sent[0]!.ReplyTo).toMatch(/^team\+[0-9a-f]{32}@refyne\.example$/)

  // A reply to that address joins the same thread, whatever its sender.
  await receiveEmail(clinic, { from: `other-${patient.email}`, to: sent[0]!.ReplyTo!, subject: 'Something else', text: 'See you then.' })
  await expect(messageList(page)).toContainText('See you then.')
  await expect(messageList(page)).toContainText('From another address')

  await page.getByRole('complementary', { name: 'Sender' }).getByRole('link', { name: patient.name }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Of course.' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'May I come at three?' })).toBeVisible()
})

test('marks a message unread with u, archives with e and Undo, assigns with a, and updates the list', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const patient = await createSender(page)
  const subject = `Parking ${crypto.randomUUID().slice(0, 8)}`
  await receiveEmail(clinic, { from: patient.email, subject, text: 'Where can I park?' })
  await openConversation(page, subject)
  await expect(messageList(page)).toContainText('Where can I park?')
  await expect(messageList(page).getByText('Unread')).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(messageList(page).getByText('Unread')).toBeVisible()
  // A message marked unread stays unread while on screen.
  await expect(page.getByRole('button', { name: new RegExp(patient.name) }).first()).toContainText('unread')
  await page.waitForResponse((response) => response.url().includes('/api/inbox/unread/count'), { timeout: 35_000 })
  await expect(messageList(page).getByText('Unread')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Assigned to: Me' })).toBeVisible()
  await page.getByRole('tab', { name: 'Mine' }).click()
  await expect(page).toHaveURL(/show=mine/)
  const list = page.getByRole('list', { name: 'Conversations' })
  await expect(list).toContainText(subject)
  await page.keyboard.press('e')
  await expect(page.getByText('Conversation archived')).toBeVisible()
  await expect(page.getByText(subject)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list).toContainText(subject)
  await page.getByRole('tab', { name: 'Unread by patient' }).click()
  const unread = page.getByRole('list', { name: 'Unread by patient' })
  await expect(unread).toContainText(patient.name)
  await unread.getByRole('button', { name: `Mark all from ${patient.name} as read` }).click()
  await expect(unread.getByText(patient.name)).toHaveCount(0)
})

test('creates a patient from an unknown sender in one click, with the attachments', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox?show=unknown')
  const lastName = `Sauvageau-${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@work.example`
  await receiveEmail(clinic, {
    from: email,
    fromName: `Beatrix ${lastName}`,
    subject: 'New here',
    text: 'Do you see patients from Gatineau?',
    attachments: [
      { name: 'referral.pdf', contentType: 'application/pdf', contentBase64: attached },
      { name: 'virus.exe', contentType: 'application/octet-stream', contentBase64: 'TVqQAAMAAAAEAAAA' },
    ],
  })
  await page.getByRole('button', { name: `Beatrix ${lastName}` }).click()
  const attachments = page.getByRole('list', { name: 'Attachments' })
  await expect(attachments.getByRole('listitem').filter({ hasText: 'virus.exe' })).toContainText('Not kept:')
  const download = page.waitForEvent('download')
  await attachments.getByRole('button', { name: /referral\.pdf/ }).click()
  expect((await download).suggestedFilename()).toBe('referral.pdf')

  await page.getByRole('button', { name: 'Create patient' }).click()
  await expect(page.getByRole('link', { name: `Beatrix ${lastName}` })).toBeVisible()
  await attachments.getByRole('button', { name: /referral\.pdf/ }).click()
  const viewer = page.getByRole('dialog', { name: 'referral.pdf' })
  await expect(viewer).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: `Beatrix ${lastName}` }).click()
  await expect(page.getByRole('tab', { name: 'Documents 1' })).toBeVisible()
})

test('keeps the patient a colleague linked in the meantime, and says so to the slower user', async ({ open, clinic, expectedErrors }) => {
  expectedErrors.push('status of 409')
  const page = await open('sales', '/inbox')
  const patient = await createSender(page)
  const subject = `Linked in the meantime ${crypto.randomUUID().slice(0, 8)}`
  await receiveEmail(clinic, { from: 'pharmacy@work.example', subject, text: 'Which dose?' })
  const id = await openConversation(page, subject)
  await page.getByLabel('Last name').fill('Pharmacy')
  await page.route(`**/api/inbox/conversations/${id}/contact`, async (route) => {
    const linked = await page.request.post(route.request().url(), { data: { contactId: patient.id }, headers: { origin: clinic.url } })
    expect(linked.status()).toBe(200)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create patient' }).click()
  await expect(page.getByText('Someone has linked this conversation since you opened it.')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Sender' }).getByRole('link', { name: patient.name })).toBeVisible()
})

test('attaches a template and a document to a reply, never sends a note, and keeps drafts across a reload', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const patient = await createSender(page)
  const uploaded = await page.request.post(`/api/contacts/${patient.id}/documents?name=consent.pdf&type=other&share=true`, {
    data: consentPdf,
    headers: { origin: clinic.url, 'content-type': 'application/pdf' },
  })
  expect(uploaded.status()).toBe(201)
  await receiveEmail(clinic, { from: patient.email, subject: `Form for ${patient.name}`, text: 'Please send me the form.' })
  await openConversation(page, `Form for ${patient.name}`)
  await expect(messageList(page)).toContainText('Please send me the form.')
  await page.keyboard.press('n')
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await expect(note).toBeFocused()
  await expect(page.getByText('Only staff can see it; it is never sent.')).toBeVisible()
  await page.keyboard.type('Careful: she has asked twice.')
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  const reply = page.getByRole('textbox', { name: 'Your reply' })
  await expect(reply).toHaveText('')
  await page.getByRole('button', { name: 'Template', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Follow-up Do/ })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Templates' }).getByRole('button', { name: /^Appointment/ })).toHaveCount(0)
  await page.getByRole('button', { name: /^Follow-up Do/ }).click()
  const preview = page.getByRole('dialog', { name: 'Templates' })
  await expect(preview).toContainText('Hello Inés,')
  await expect(preview).toContainText('No value for procedure')
  await preview.getByRole('button', { name: 'Insert' }).click()
  await expect(reply).toHaveText(/Hello Inés,/)
  await expect(page.getByText('No value for procedure. Check the message')).toBeVisible()
  await page.getByRole('button', { name: 'Attach', exact: true }).click()
  await page.getByRole('checkbox', { name: /consent\.pdf/ }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('consent.pdf')
  await page.reload()
  await expect(reply).toHaveText(/Hello Inés,/)
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('consent.pdf')
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
  await page.getByRole('button', { name: 'Internal note' }).click()
  await expect(note).toHaveValue('Careful: she has asked twice.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(messageList(page).getByText('Careful: she has asked twice.')).toBeVisible()

  const emails = clinic.outbox.messages.filter(({ To }) => To === patient.email)
  expect(emails).toHaveLength(1)
  expect(emails[0]!.Attachments).toMatchObject([{ Name: 'consent.pdf', Content: attached }])
  expect(JSON.stringify(clinic.outbox.messages)).not.toContain('asked twice')
})

test('keeps text written while a reply or a timeline entry is being sent', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const patient = await createSender(page)
  await receiveEmail(clinic, { from: patient.email, subject: `Meanwhile ${patient.name}`, text: 'Hello' })
  await openConversation(page, `Meanwhile ${patient.name}`)
  /** Holds the next response until the returned function is called. */
  async function holdResponse(address: string) {
    const gate = Promise.withResolvers<void>()
    await page.route(
      address,
      async (route) => {
        const response = await route.fetch()
        await gate.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    return gate.resolve
  }

  const reply = page.getByRole('textbox', { name: 'Your reply' })
  const note = page.getByRole('textbox', { name: 'Internal note' })
  const releaseReply = await holdResponse('**/api/inbox/conversations/*/reply')
  await reply.fill('The first reply')
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByRole('button', { name: 'Internal note' }).click()
  await note.fill('Begun in the meantime')
  releaseReply()
  await expect(messageList(page)).toContainText('The first reply')
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await expect(reply).toHaveText('')

  const releaseSecondReply = await holdResponse('**/api/inbox/conversations/*/reply')
  await reply.fill('The second reply')
  await page.getByRole('button', { name: 'Send email' }).click()
  await reply.fill('Written in the meantime')
  releaseSecondReply()
  await expect(page.getByRole('button', { name: 'Send email' })).toBeEnabled()
  await expect(messageList(page)).toContainText('The second reply')
  await expect(reply).toHaveText('Written in the meantime')
  await page.reload()
  await expect(reply).toHaveText('Written in the meantime')
  await page.getByRole('button', { name: 'Internal note' }).click()
  await expect(note).toHaveValue('Begun in the meantime')

  await page.goto(`/contacts/${patient.id}`)
  const composer = page.getByRole('form', { name: 'Log a call or add a note' })
  await composer.getByRole('button', { name: 'Note', exact: true }).click()
  const releaseNote = await holdResponse('**/api/contacts/*/interactions')
  await composer.getByRole('textbox', { name: 'Note' }).fill('The first note')
  await composer.getByRole('button', { name: 'Add note' }).click()
  await composer.getByRole('textbox', { name: 'Note' }).fill('Another in the meantime')
  releaseNote()
  await expect(page.getByText('Note added')).toBeVisible()
  await expect(composer.getByRole('textbox', { name: 'Note' })).toHaveValue('Another in the meantime')
})

test.describe('when sending fails', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })

  test('shows why an email was refused and resends it, and keeps the text while offline', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createSender(page)
    await receiveEmail(clinic, { from: patient.email, subject: `Refused ${patient.name}`, text: 'Are you there?' })
    await openConversation(page, `Refused ${patient.name}`)
    const refuse = { status: 422, errorCode: 300, message: 'Invalid email request' }
    await fetch(`${clinic.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify(refuse) })
    const reply = page.getByRole('textbox', { name: 'Your reply' })
    await reply.fill('Yes, we are.')
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(messageList(page)).toContainText('Not sent.')
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend' })).toHaveCount(0)

    await reply.fill('One more thing.')
    await loseConnection(page)
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(page.getByText('Failed to send email')).toBeVisible()
    await expect(reply).toHaveText('One more thing.')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(messageList(page)).toContainText('One more thing.')
    await expect.poll(() => clinic.outbox.messages.filter(({ To }) => To === patient.email).map(({ TextBody }) => TextBody)).toHaveLength(2)
    expect(clinic.outbox.messages.filter(({ TextBody }) => TextBody === 'One more thing.')).toHaveLength(1)
  })

  test('shows a delayed email as sent and late, and a spam complaint as delivered', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createSender(page)
    await receiveEmail(clinic, { from: patient.email, subject: `Late ${patient.name}`, text: 'Hello' })
    await openConversation(page, `Late ${patient.name}`)
    await page.getByRole('textbox', { name: 'Your reply' }).fill('Hello to you')
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
    await clinic.outbox.event({ type: 'Transient', email: patient.email })
    await expect(messageList(page)).toContainText('Sent. It may not have arrived: The server could not temporarily deliver your message')
    await clinic.outbox.event({ type: 'SpamComplaint', email: patient.email })
    await expect(messageList(page)).toContainText('Sent. The recipient marked it as spam.')
    await expect(messageList(page)).not.toContainText('Not delivered.')
  })

  test('refuses replies to a bounced address but accepts notes', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createSender(page)
    await receiveEmail(clinic, { from: patient.email, subject: `Bounced ${patient.name}`, text: 'Hello' })
    await openConversation(page, `Bounced ${patient.name}`)
    await page.getByRole('textbox', { name: 'Your reply' }).fill('Hello to you')
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
    await clinic.outbox.event({ type: 'HardBounce', email: patient.email })
    await expect(messageList(page)).toContainText('Not delivered.')
    await expect(page.getByText('No email is sent to this address.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your reply' })).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Internal note' })).toBeVisible()
  })
})

test('sends a new message to a patient from the inbox and from the patient’s page', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const patient = await createSender(page)
  await page.goto(`/contacts/${patient.id}`)
  await page.getByRole('button', { name: 'Email', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await dialog.getByRole('button', { name: 'Send message' }).click()
  await expect(dialog).toContainText('Subject is required')
  await expect(dialog).toContainText('Write a message')
  await dialog.getByLabel('Subject').fill('Your appointment')
  await dialog.getByLabel('Message').fill('It is on Thursday.')
  await dialog.getByRole('button', { name: 'Send message' }).click()
  await expect(dialog).toHaveCount(0)
  await expect
    .poll(() => clinic.outbox.messages.some(({ To, Subject }) => To === patient.email && Subject === 'Your appointment'))
    .toBe(true)

  await page.goto('/inbox')
  await page.getByRole('button', { name: 'New message' }).click()
  await dialog.getByRole('combobox', { name: 'Patient' }).click()
  await page.keyboard.type(patient.email)
  await page.getByRole('option', { name: patient.name }).click()
  await expect(dialog.getByRole('combobox', { name: 'To' })).toContainText(patient.email)
  await dialog.getByLabel('Subject').fill('One more')
  await dialog.getByLabel('Message').fill('Bring your card.')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/conversation=/)
  await expect(messageList(page)).toContainText('Bring your card.')
})

test('hides the inbox from other roles, and names who has access', async ({ open, clinic }) => {
  const sales = await open('sales', '/tasks')
  const patient = await createSender(sales)
  await receiveEmail(clinic, { from: patient.email, subject: 'Hello', text: 'Hello' })
  await expect(inboxBadge(sales)).toContainText('unread messages')
  const page = await open('provider', '/inbox')
  await expect(page.getByRole('heading', { name: 'The inbox is for sales' })).toBeVisible()
  await expect(page.getByText('Helena Marchetti')).toBeVisible()
  await expect(inboxBadge(page)).toHaveCount(0)
})

test('shows one pane at a time on a phone, with a back button and no horizontal scrolling', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  await page.setViewportSize({ width: 375, height: 812 })
  const patient = await createSender(page)
  await receiveEmail(clinic, {
    from: patient.email,
    subject: 'From my phone',
    text: 'word '.repeat(200),
    html: `<table width="900"><tr><td>${'wide '.repeat(100)}</td></tr></table>`,
  })
  await page.getByRole('button', { name: patient.name }).click()
  await expect(messageList(page)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Conversations' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Reply by email' }).click()
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Send email' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.getByRole('button', { name: 'Collapse' }).click()
  await expect(page.getByRole('button', { name: 'Reply by email' })).toBeFocused()
  await page.getByRole('button', { name: 'Sender' }).click()
  await expect(page.getByRole('dialog', { name: 'Sender' })).toContainText(patient.name)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.getByRole('button', { name: patient.name })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: the inbox (${colorScheme})`, async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const patient = await createSender(page)
    await receiveEmail(clinic, {
      from: patient.email,
      subject: `Seen by axe ${patient.name}`,
      text: 'Hello',
      html: '<p>Hello <img src="https://outside.invalid/a.png"></p>',
      attachments: [
        { name: 'a.pdf', contentType: 'application/pdf', contentBase64: attached },
        { name: 'b.exe', contentType: 'application/octet-stream', contentBase64: 'TVqQAAMAAAAEAAAA' },
      ],
    })
    await receiveEmail(clinic, { from: 'someone@work.example', subject: `Unknown to ${patient.name}`, text: 'Hello' })
    const violations = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      return accessibilityViolations(page)
    }
    await openConversation(page, `Seen by axe ${patient.name}`)
    // axe cannot run in the frame, where scripts are disabled.
    await expect(messageList(page).locator('iframe')).toHaveAttribute('title', 'The email as it was sent')
    await page.getByRole('button', { name: 'Show as text' }).click()
    expect(await violations()).toEqual([])
    await page.keyboard.press('n')
    await expect(page.getByRole('textbox', { name: 'Internal note' })).toBeFocused()
    await page.keyboard.type('A note')
    await page.keyboard.press('Control+Enter')
    await expect(messageList(page)).toContainText('A note')
    expect(await violations()).toEqual([])
    await openConversation(page, `Unknown to ${patient.name}`)
    await expect(page.getByRole('button', { name: 'Create patient' })).toBeVisible()
    expect(await violations()).toEqual([])
    await page.goto('/inbox?show=patients')
    await expect(page.getByRole('tab', { name: 'Unread by patient' })).toHaveAttribute('aria-selected', 'true')
    expect(await violations()).toEqual([])
  })
}
