import { brokenRules } from './axe.ts'
import { expect, test } from './clinic.ts'
import { arrive, badge, newWriter, openConversation, thread } from './inbox.ts'
import { consent } from './papers.ts'
import { loseConnection } from './offline.ts'

const attached = consent.toString('base64')

test('issue 7: a mail arrives: badge, list, read after a second, reply by keyboard with the conversation’s own address, timeline', async ({
  open,
  clinic,
}) => {
  const page = await open('sales', '/tasks')
  const patient = await newWriter(page)
  await arrive(clinic, {
    from: patient.email,
    fromName: patient.name,
    subject: 'My consultation',
    text: 'May I come at three?\nSee https://a.example/map.',
  })
  await expect(badge(page)).toContainText('unread messages')
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
  await expect(thread(page)).toContainText('May I come at three?')
  await expect(thread(page).getByRole('link', { name: 'https://a.example/map', exact: true })).toHaveAttribute('rel', /noopener/)
  // Looked at for a second, it is read.
  await expect(thread(page).getByText('Unread')).toHaveCount(0)
  await expect(row).not.toContainText('unread')

  await page.keyboard.press('r')
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await page.keyboard.type('Of course.')
  await page.keyboard.press('Control+Enter')
  await expect(thread(page)).toContainText('Of course.')
  await expect(thread(page).getByText('Sent', { exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toHaveValue('')
  const sent = clinic.outbox.messages.filter(({ To }) => To === patient.email)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ Subject: 'Re: My consultation', TextBody: 'Of course.' })
  expect(sent[0]!.ReplyTo).toMatch(/^team\+[0-9a-f]{32}@refyne\.example$/)

  // The answer to it comes into the same thread by that address, from wherever it is sent.
  await arrive(clinic, { from: `other-${patient.email}`, to: sent[0]!.ReplyTo!, subject: 'Totally else', text: 'See you then.' })
  await expect(thread(page)).toContainText('See you then.')
  await expect(thread(page)).toContainText('From another address')

  await page.getByRole('complementary', { name: 'Who writes' }).getByRole('link', { name: patient.name }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Of course.' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'May I come at three?' })).toBeVisible()
})

test('issue 7: u keeps a message unread, e archives with a way back, a assigns, and the list follows', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const patient = await newWriter(page)
  const subject = `Parking ${crypto.randomUUID().slice(0, 8)}`
  await arrive(clinic, { from: patient.email, subject, text: 'Where can I park?' })
  await openConversation(page, subject)
  await expect(thread(page)).toContainText('Where can I park?')
  await expect(thread(page).getByText('Unread')).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(thread(page).getByText('Unread')).toBeVisible()
  // In sight for longer than a second it stays as someone has marked it.
  await expect(page.getByRole('button', { name: new RegExp(patient.name) }).first()).toContainText('unread')
  await page.waitForResponse((response) => response.url().includes('/api/inbox/unread/count'), { timeout: 35_000 })
  await expect(thread(page).getByText('Unread')).toBeVisible()
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

test('issue 7: an unknown sender is a patient with one click, and what came with the mail is theirs', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox?show=unknown')
  const lastName = `Sauvageau-${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@work.example`
  await arrive(clinic, {
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
  const coming = page.waitForEvent('download')
  await attachments.getByRole('button', { name: /referral\.pdf/ }).click()
  expect((await coming).suggestedFilename()).toBe('referral.pdf')

  await page.getByRole('button', { name: 'Create patient' }).click()
  await expect(page.getByRole('link', { name: `Beatrix ${lastName}` })).toBeVisible()
  await attachments.getByRole('button', { name: /referral\.pdf/ }).click()
  const viewer = page.getByRole('dialog', { name: 'referral.pdf' })
  await expect(viewer).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: `Beatrix ${lastName}` }).click()
  await expect(page.getByRole('tab', { name: 'Documents 1' })).toBeVisible()
})

test('issue 7: an unknown sender whom a colleague links in the meantime stays with that patient, and anyone who was slower is told', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('status of 409')
  const page = await open('sales', '/inbox')
  const patient = await newWriter(page)
  const subject = `Linked in the meantime ${crypto.randomUUID().slice(0, 8)}`
  await arrive(clinic, { from: 'pharmacy@work.example', subject, text: 'Which dose?' })
  const id = await openConversation(page, subject)
  await page.getByLabel('Last name').fill('Pharmacy')
  await page.route(`**/api/inbox/conversations/${id}/contact`, async (route) => {
    const linked = await page.request.post(route.request().url(), { data: { contactId: patient.id }, headers: { origin: clinic.url } })
    expect(linked.status()).toBe(200)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create patient' }).click()
  await expect(page.getByText('Someone has linked this conversation in the meantime.')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Who writes' }).getByRole('link', { name: patient.name })).toBeVisible()
})

test('issue 7: a template and a document go with a reply; a note is never sent, and what was written outlives the page', async ({
  open,
  clinic,
}) => {
  const page = await open('sales', '/inbox')
  const patient = await newWriter(page)
  const uploaded = await page.request.post(`/api/contacts/${patient.id}/documents?name=consent.pdf&type=other&share=true`, {
    data: consent,
    headers: { origin: clinic.url, 'content-type': 'application/pdf' },
  })
  expect(uploaded.status()).toBe(201)
  await arrive(clinic, { from: patient.email, subject: `Form for ${patient.name}`, text: 'Please send me the form.' })
  await openConversation(page, `Form for ${patient.name}`)
  await expect(thread(page)).toContainText('Please send me the form.')
  await page.keyboard.press('n')
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await expect(note).toBeFocused()
  await expect(page.getByText('Staff alone see it; it is never sent.')).toBeVisible()
  await page.keyboard.type('Careful: she has asked twice.')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  const reply = page.getByRole('textbox', { name: 'Your reply' })
  await expect(reply).toHaveValue('')
  await page.getByRole('button', { name: 'Template', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Follow up' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Templates' }).getByRole('button', { name: /^Appointment/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Follow up' }).click()
  const preview = page.getByRole('dialog', { name: 'Templates' })
  await expect(preview).toContainText('Hello Inés,')
  await expect(preview).toContainText('Nothing is known for procedure')
  await preview.getByRole('button', { name: 'Insert' }).click()
  await expect(reply).toHaveValue(/Hello Inés,/)
  await expect(page.getByText('Nothing is known for procedure. Read it through')).toBeVisible()
  await page.getByRole('button', { name: 'Attach', exact: true }).click()
  await page.getByRole('checkbox', { name: /consent\.pdf/ }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('consent.pdf')
  await page.reload()
  await expect(reply).toHaveValue(/Hello Inés,/)
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('consent.pdf')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(thread(page).getByText('Sent', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Internal note' }).click()
  await expect(note).toHaveValue('Careful: she has asked twice.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(thread(page).getByText('Careful: she has asked twice.')).toBeVisible()

  const mails = clinic.outbox.messages.filter(({ To }) => To === patient.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]!.Attachments).toMatchObject([{ Name: 'consent.pdf', Content: attached }])
  expect(JSON.stringify(clinic.outbox.messages)).not.toContain('asked twice')
})

test('issue 7: what is written while a reply, or an entry of the timeline, is on its way stays', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const patient = await newWriter(page)
  await arrive(clinic, { from: patient.email, subject: `Meanwhile ${patient.name}`, text: 'Hello' })
  await openConversation(page, `Meanwhile ${patient.name}`)
  /** Holds the next answer back until it is let go. */
  async function hold(address: string) {
    const held = Promise.withResolvers<void>()
    await page.route(
      address,
      async (route) => {
        const response = await route.fetch()
        await held.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    return held.resolve
  }

  const reply = page.getByRole('textbox', { name: 'Your reply' })
  const note = page.getByRole('textbox', { name: 'Internal note' })
  const letGo = await hold('**/api/inbox/conversations/*/reply')
  await reply.fill('The first reply')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await page.getByRole('button', { name: 'Internal note' }).click()
  await note.fill('Begun in the meantime')
  letGo()
  await expect(thread(page)).toContainText('The first reply')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(reply).toHaveValue('')

  const letGoAgain = await hold('**/api/inbox/conversations/*/reply')
  await reply.fill('The second reply')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await reply.fill('Written in the meantime')
  letGoAgain()
  await expect(page.getByRole('button', { name: 'Send reply' })).toBeEnabled()
  await expect(thread(page)).toContainText('The second reply')
  await expect(reply).toHaveValue('Written in the meantime')
  await page.reload()
  await expect(reply).toHaveValue('Written in the meantime')
  await page.getByRole('button', { name: 'Internal note' }).click()
  await expect(note).toHaveValue('Begun in the meantime')

  await page.goto(`/contacts/${patient.id}`)
  const composer = page.getByRole('form', { name: 'Log a call or add a note' })
  await composer.getByRole('button', { name: 'Note', exact: true }).click()
  const letGoNote = await hold('**/api/contacts/*/interactions')
  await composer.getByRole('textbox', { name: 'Note' }).fill('The first note')
  await composer.getByRole('button', { name: 'Add note' }).click()
  await composer.getByRole('textbox', { name: 'Note' }).fill('Another in the meantime')
  letGoNote()
  await expect(page.getByText('Note added')).toBeVisible()
  await expect(composer.getByRole('textbox', { name: 'Note' })).toHaveValue('Another in the meantime')
})

test.describe('when the way out is closed', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })

  test('issue 7: a mail that was refused says why and is sent again; offline keeps what was typed', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await newWriter(page)
    await arrive(clinic, { from: patient.email, subject: `Refused ${patient.name}`, text: 'Are you there?' })
    await openConversation(page, `Refused ${patient.name}`)
    const refuse = { status: 422, errorCode: 300, message: 'Invalid email request' }
    await fetch(`${clinic.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify(refuse) })
    const reply = page.getByRole('textbox', { name: 'Your reply' })
    await reply.fill('Yes, we are.')
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(thread(page)).toContainText('Not sent.')
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(thread(page).getByText('Sent', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend' })).toHaveCount(0)

    await reply.fill('One more thing.')
    await loseConnection(page)
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(page.getByText('Failed to send email')).toBeVisible()
    await expect(reply).toHaveValue('One more thing.')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(thread(page)).toContainText('One more thing.')
    await expect.poll(() => clinic.outbox.messages.filter(({ To }) => To === patient.email).map(({ TextBody }) => TextBody)).toHaveLength(2)
    expect(clinic.outbox.messages.filter(({ TextBody }) => TextBody === 'One more thing.')).toHaveLength(1)
  })

  test('issue 7: a mail that was sent and is late says both, and one that the recipient has called spam did arrive', async ({
    open,
    clinic,
  }) => {
    const page = await open('sales', '/inbox')
    const patient = await newWriter(page)
    await arrive(clinic, { from: patient.email, subject: `Late ${patient.name}`, text: 'Hello' })
    await openConversation(page, `Late ${patient.name}`)
    await page.getByRole('textbox', { name: 'Your reply' }).fill('Hello to you')
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(thread(page).getByText('Sent', { exact: true })).toBeVisible()
    await clinic.outbox.event({ type: 'Transient', email: patient.email })
    await expect(thread(page)).toContainText('Sent. It may not have arrived: The server could not temporarily deliver your message')
    await clinic.outbox.event({ type: 'SpamComplaint', email: patient.email })
    await expect(thread(page)).toContainText('Sent. The recipient has marked it as spam.')
    await expect(thread(page)).not.toContainText('Did not arrive.')
  })

  test('issue 7: an address that bounced takes no reply, and a note all the same', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await newWriter(page)
    await arrive(clinic, { from: patient.email, subject: `Bounced ${patient.name}`, text: 'Hello' })
    await openConversation(page, `Bounced ${patient.name}`)
    await page.getByRole('textbox', { name: 'Your reply' }).fill('Hello to you')
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(thread(page).getByText('Sent', { exact: true })).toBeVisible()
    await clinic.outbox.event({ type: 'HardBounce', email: patient.email })
    await expect(thread(page)).toContainText('Did not arrive.')
    await expect(page.getByText('No email goes to this address any more.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your reply' })).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Internal note' })).toBeVisible()
  })
})

test('issue 7: a new message to a patient, from the inbox and from the patient’s page', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const patient = await newWriter(page)
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
  await expect(thread(page)).toContainText('Bring your card.')
})

test('issue 7: a role that sees no inbox is not led there, and is told who may', async ({ open, clinic }) => {
  const sales = await open('sales', '/tasks')
  const patient = await newWriter(sales)
  await arrive(clinic, { from: patient.email, subject: 'Hello', text: 'Hello' })
  await expect(badge(sales)).toContainText('unread messages')
  const page = await open('provider', '/inbox')
  await expect(page.getByRole('heading', { name: 'The inbox is for sales' })).toBeVisible()
  await expect(page.getByText('Helena Marchetti')).toBeVisible()
  await expect(badge(page)).toHaveCount(0)
})

test('issue 7: on a phone one pane at a time, with a way back, and nothing scrolls sideways', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  await page.setViewportSize({ width: 375, height: 812 })
  const patient = await newWriter(page)
  await arrive(clinic, {
    from: patient.email,
    subject: 'From my phone',
    text: 'word '.repeat(200),
    html: `<table width="900"><tr><td>${'wide '.repeat(100)}</td></tr></table>`,
  })
  await page.getByRole('button', { name: patient.name }).click()
  await expect(thread(page)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Conversations' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Send reply' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.getByRole('button', { name: 'Who writes' }).click()
  await expect(page.getByRole('dialog', { name: 'Who writes' })).toContainText(patient.name)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.getByRole('button', { name: patient.name })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no WCAG 2.2 AA rule that can be checked by machine is broken: the inbox (${colorScheme})`, async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const patient = await newWriter(page)
    await arrive(clinic, {
      from: patient.email,
      subject: `Seen by axe ${patient.name}`,
      text: 'Hello',
      html: '<p>Hello <img src="https://outside.invalid/a.png"></p>',
      attachments: [
        { name: 'a.pdf', contentType: 'application/pdf', contentBase64: attached },
        { name: 'b.exe', contentType: 'application/octet-stream', contentBase64: 'TVqQAAMAAAAEAAAA' },
      ],
    })
    await arrive(clinic, { from: 'someone@work.example', subject: `Stranger to ${patient.name}`, text: 'Hello' })
    const broken = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      return brokenRules(page)
    }
    await openConversation(page, `Seen by axe ${patient.name}`)
    // What checks the page cannot run in the frame, where nothing runs.
    await expect(thread(page).locator('iframe')).toHaveAttribute('title', 'The email as it was sent')
    await page.getByRole('button', { name: 'Show as text' }).click()
    expect(await broken()).toEqual([])
    await page.keyboard.press('n')
    await page.keyboard.type('A note')
    await page.keyboard.press('Control+Enter')
    await expect(thread(page)).toContainText('A note')
    expect(await broken()).toEqual([])
    await openConversation(page, `Stranger to ${patient.name}`)
    await expect(page.getByRole('button', { name: 'Create patient' })).toBeVisible()
    expect(await broken()).toEqual([])
    await page.goto('/inbox?show=patients')
    await expect(page.getByRole('tab', { name: 'Unread by patient' })).toHaveAttribute('aria-selected', 'true')
    expect(await broken()).toEqual([])
  })
}
