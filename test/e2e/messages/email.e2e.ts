import { expect, test } from '../support/clinic.ts'
import {
  disconnect,
  drafts,
  emailBadge,
  folders,
  redirectToClinic,
  mailboxOf,
  messages,
  openEmail,
  saveState,
  threads,
  emailBody,
} from '../pages/email.ts'
import { createSender } from '../pages/inbox.ts'
import { consentPdf } from '../pages/patient-documents.ts'

test('connects a mailbox on the provider’s page, reads, answers and links its email, and adds it to the timeline', async ({
  open,
  clinic,
}) => {
  const page = await open('sales', '/tasks')
  await disconnect(page, clinic)
  await redirectToClinic(page, clinic)
  await page.goto('/email')
  await expect(page.getByRole('heading', { name: 'Connect your mailbox' })).toBeVisible()
  await page.getByRole('button', { name: 'Connect another provider' }).click()
  await expect(page.getByRole('heading', { name: 'Nylas' })).toBeVisible()
  const email = `reception-${crypto.randomUUID().slice(0, 8)}@refyneclinic.example`
  await page.getByLabel('Mailbox').fill(email)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Your mailbox is connected')).toBeVisible()
  expect(page.url()).toBe(`${clinic.url}/email`)
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  await expect(folders(page).getByRole('button', { name: /Inbox/ })).toHaveAttribute('aria-current', 'true')

  const patient = await createSender(page)
  const { receive, sent } = mailboxOf(clinic, email)
  await receive({ from: { name: patient.name, email: patient.email }, subject: 'My stitches', text: 'May they come out on Thursday?' })
  // Pushed by the provider, not polled.
  const row = threads(page).getByRole('button', { name: patient.name })
  await expect(row).toContainText('My stitches')
  await expect(row).toContainText('unread')
  await expect(emailBadge(page)).toContainText('new emails')
  await row.click()
  await page.getByRole('button', { name: 'Show as text' }).click()
  await expect(messages(page)).toContainText('May they come out on Thursday?')
  // After a second on screen it is marked read.
  await expect(messages(page).getByText('Unread')).toHaveCount(0)
  await expect(row).not.toContainText('unread')

  await page.keyboard.press('r')
  await expect(emailBody(page)).toBeFocused()
  await expect(page.getByText('The email you answer is quoted below')).toBeVisible()
  await page.keyboard.type('They may.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Sending…')).toBeVisible()
  await expect(emailBody(page)).toHaveCount(0)
  await expect(messages(page).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeFocused()
  expect(sent()[0]).toMatchObject({ to: [patient.email], subject: 'Re: My stitches' })
  expect(sent()[0]!.text).toContain('They may.')
  expect(sent()[0]!.text).toContain('May they come out on Thursday?')

  await page.getByRole('button', { name: `Link to ${patient.name}` }).click()
  await expect(row).toContainText(patient.name)
  await page.getByRole('link', { name: `Linked to ${patient.name}` }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My stitches' }).first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'They may.' }).first()).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'Unlink' }).click()
  const dialog = page.getByRole('dialog', { name: `Unlink from ${patient.name}?` })
  await expect(dialog).toContainText('leaves their timeline')
  await dialog.getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByRole('button', { name: `Link to ${patient.name}` })).toBeVisible()
  await page.goto(`/contacts/${patient.id}`)
  await expect(page.getByRole('heading', { name: patient.name })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'My stitches' })).toHaveCount(0)
})

test('links a thread to a patient found by search, whose panel opens the record', async ({ open, clinic }) => {
  const { page, receive } = await openEmail(clinic, open)
  const patient = await createSender(page)
  await receive({
    from: { name: 'Clinique du Lac', email: 'reception@lac.example' },
    subject: 'Referral',
    text: 'About a patient of yours.',
  })
  await threads(page)
    .getByRole('button', { name: /Clinique du Lac/ })
    .click()
  await page.getByRole('button', { name: 'Link to a patient' }).click()
  await page.getByRole('combobox', { name: 'Patient' }).click()
  await page.keyboard.type(patient.email)
  await page.getByRole('option', { name: patient.name }).click()
  await expect(page.getByRole('link', { name: `Linked to ${patient.name}` })).toBeVisible()
  await page.getByRole('button', { name: 'The patient' }).click()
  const panel = page.getByRole('dialog', { name: 'The patient' })
  await expect(panel.getByRole('link', { name: patient.name })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1700, height: 900 })
  await page.getByRole('complementary', { name: 'The patient' }).getByRole('link', { name: patient.name }).click()
  await expect(page).toHaveURL(new RegExp(`/contacts/${patient.id}$`))
})

test('browses folders and unread email, searches in the provider’s syntax, and restores the scroll position', async ({ open, clinic }) => {
  const { page, receive } = await openEmail(clinic, open)
  const word = `Zirkonia${crypto.randomUUID().slice(0, 6)}`
  await receive({ from: { name: 'Lab', email: 'lab@lab.example' }, subject: `About ${word}`, text: 'It is here.' })
  await expect(threads(page).getByText(`About ${word}`)).toBeVisible()

  await folders(page).getByRole('button', { name: 'Archive' }).click()
  await expect(page).toHaveURL(/folder=archive/)
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  const list = threads(page).locator('..')
  // More load near the end of the list.
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo(0, 80 * 60))
    await expect(threads(page).locator('[aria-posinset="62"]')).toBeInViewport({ timeout: 500 })
  }).toPass()
  const target = threads(page).locator('[aria-posinset="62"]').getByRole('button')
  const name = await target.textContent()
  await target.click()
  await expect(messages(page)).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
  await expect(page).toHaveURL(/\/tasks/)
  await page.goBack()
  await expect(threads(page).locator('[aria-posinset="62"]').getByRole('button')).toHaveText(name!)
  await expect(threads(page).locator('[aria-posinset="62"]')).toBeInViewport()

  await folders(page).getByRole('button', { name: 'Sent' }).click()
  await expect(page).toHaveURL(/folder=sent/)
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible()
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  await folders(page).getByRole('button', { name: /Inbox/ }).click()
  await page.getByRole('button', { name: 'Unread', exact: true }).click()
  await expect(page).toHaveURL(/show=unread/)
  await expect(threads(page).getByRole('listitem').first()).toContainText('unread')
  await page.getByRole('button', { name: 'Unread', exact: true }).click()

  await page.keyboard.press('/')
  await page.keyboard.type(`subject:${word}`)
  await expect(threads(page).getByRole('listitem')).toHaveCount(1)
  await expect(threads(page)).toContainText(`About ${word}`)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('subject:nothinglikethisatall')
  await expect(page.getByRole('heading', { name: 'No email matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await expect(page).not.toHaveURL(/search=/)
  await expect(threads(page).getByText(`About ${word}`)).toBeVisible()
})

test('moves through the list, archives, restores, trashes and marks as unread by keyboard only', async ({ open, clinic }) => {
  const { page, receive } = await openEmail(clinic, open)
  for (const subject of ['First of three', 'Second of three', 'Third of three'])
    await receive({ from: { name: subject.split(' ')[0]!, email: 'writer@work.example' }, subject, text: `${subject}.` })
  await expect(threads(page).getByText('Third of three', { exact: true })).toBeVisible()
  await expect(threads(page).getByText('First of three', { exact: true })).toBeVisible()
  await page.keyboard.press('j')
  await expect(threads(page).getByRole('button', { name: 'Third' })).toBeFocused()
  await page.keyboard.press('j')
  await expect(threads(page).getByRole('button', { name: 'Second' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Second of three' })).toBeVisible()
  await expect(messages(page).getByText('Unread')).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(messages(page).getByText('Unread')).toBeVisible()
  await expect(threads(page).getByRole('button', { name: 'Second' })).toContainText('unread')
  await page.keyboard.press('e')
  await expect(page.getByText('Archived')).toBeVisible()
  await expect(threads(page).getByText('Second of three', { exact: true })).toHaveCount(0)
  // The next thread opens in its place.
  await expect(page.getByRole('heading', { name: 'First of three' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(threads(page).getByText('Second of three', { exact: true })).toBeVisible()
  await page.keyboard.press('#')
  await expect(page.getByText('Moved to the trash')).toBeVisible()
  await expect(threads(page).getByText('First of three', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(threads(page).getByText('First of three', { exact: true })).toBeVisible()
  await threads(page).getByRole('button', { name: 'Third' }).click()
  await expect(page.getByRole('heading', { name: 'Third of three' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Nothing is open' })).toBeVisible()
  await expect(threads(page).getByRole('button', { name: 'Third' })).toBeFocused()
})

test('writes and sends an email by keyboard only, with suggested patients and attachments', async ({ open, clinic }) => {
  const { page, sent } = await openEmail(clinic, open)
  const patient = await createSender(page)
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('c')
  const to = page.getByRole('combobox', { name: 'To' })
  await expect(to).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Add a recipient')).toBeVisible()
  await expect(to).toBeFocused()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Tab')
  await expect(page.getByText('This is not an email address: nobody')).toBeVisible()
  await to.fill(patient.name)
  await expect(page.getByRole('option', { name: patient.email })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Remove ${patient.name}` })).toBeVisible()
  await page.keyboard.type('Lab <lab@lab.example>,')
  await expect(page.getByRole('button', { name: 'Remove Lab' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Subject' }).fill('Two documents')
  await emailBody(page).fill('They are attached.')
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'one.pdf', mimeType: 'application/pdf', buffer: consentPdf },
    { name: 'two.pdf', mimeType: 'application/pdf', buffer: consentPdf },
  ])
  const attached = page.getByRole('list', { name: 'Attached' })
  await expect(attached.getByRole('listitem')).toHaveCount(2)
  await attached.getByRole('button', { name: 'Remove one.pdf' }).click()
  await expect(attached.getByRole('listitem')).toHaveCount(1)
  await expect(saveState(page)).toHaveText('Saved')
  await emailBody(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Sending…')).toBeVisible()
  await expect.poll(() => sent()[0]).toMatchObject({ to: [patient.email, 'lab@lab.example'], subject: 'Two documents', files: ['two.pdf'] })
  await expect(folders(page).getByRole('button', { name: 'Drafts', exact: true })).not.toContainText('begun')
})

test('suggests only the typed members of a family that shares an address', async ({ open, clinic }) => {
  const { page } = await openEmail(clinic, open)
  const lastName = `Q${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`
  for (const firstName of ['Ana', 'Ben', 'Chloé', 'Zoé']) {
    expect((await page.request.post('/api/contacts', { data: { firstName, lastName } })).status()).toBe(200)
  }
  await clinic.rows(
    "update contacts set email = case first_name when 'Ana' then 'ana.' when 'Zoé' then 'zoe.' else '' end || $1 where last_name = $2",
    [`${lastName}@fastmail.example`, lastName],
  )
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('c')
  const to = page.getByRole('combobox', { name: 'To' })
  await to.pressSequentially(lastName)
  await expect(page.getByRole('option')).toHaveCount(4)
  for (const firstName of ['Ben', 'Chloé']) {
    await to.fill(`${firstName} ${lastName}`)
    await expect(page.getByRole('option')).toHaveText([new RegExp(`${firstName} ${lastName}`)])
  }
  await to.fill('')
})

test('downloads an email’s attachments and forwards it with them', async ({ open, clinic }) => {
  const { page, sent } = await openEmail(clinic, open, { at: '/email?search=has:attachment .pdf' })
  await threads(page).getByRole('button').first().click()
  const files = page.getByRole('list', { name: 'Attachments' })
  await expect(files.first()).toBeVisible()
  const download = page.waitForEvent('download')
  await files.getByRole('button', { name: /\.pdf/ }).first().click()
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  await page.keyboard.press('f')
  await expect(page.getByRole('combobox', { name: 'To' })).toBeFocused()
  await page.keyboard.type('colleague@refyne.example,')
  await expect(page.getByText('with its files')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue(/^Fwd: /)
  await emailBody(page).fill('For you.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => sent()[0]).toMatchObject({ to: ['colleague@refyne.example'] })
  expect(sent()[0]!.text).toContain('Forwarded message')
  expect(sent()[0]!.files.length).toBeGreaterThan(0)
})

test('shows why an email was refused in Drafts and resends it, and warns when delivery is uncertain', async ({ open, clinic }) => {
  const { page, sent } = await openEmail(clinic, open)
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  clinic.nylas.fault({ kind: 'status', status: 400, match: 'messages/send' })
  await page.keyboard.press('c')
  await page.keyboard.type('lab@lab.example,')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Refused at first')
  await emailBody(page).fill('Hello')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Not sent: Refused at first')).toBeVisible()
  await folders(page)
    .getByRole('button', { name: /^Drafts 1/ })
    .click()
  await expect(drafts(page)).toContainText('Not sent.')
  await drafts(page).getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
  await expect.poll(() => sent()[0]).toMatchObject({ subject: 'Refused at first' })

  // The connection broke during sending, and the email is not among those sent.
  clinic.nylas.fault({ kind: 'dropBefore', match: 'messages/send' })
  await page.keyboard.press('c')
  await page.keyboard.type('lab@lab.example,')
  await emailBody(page).fill('Did it go?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(drafts(page)).toContainText('It may have gone out.')
  await expect(drafts(page)).toContainText('Look for it before you send it again.')
  await expect(drafts(page).getByRole('button', { name: 'Resend' })).toBeVisible()
})

test('connects a Google mailbox, reads and replies, and shows the owner’s labels', async ({ open, clinic }) => {
  const page = await open('billing', '/tasks')
  await disconnect(page, clinic)
  await redirectToClinic(page, clinic)
  await page.goto('/email')
  await page.getByRole('button', { name: 'Connect with Google' }).click()
  await expect(page.getByRole('heading', { name: 'Google' })).toBeVisible()
  const email = `billing-${crypto.randomUUID().slice(0, 8)}@refyneclinic.example`
  await page.getByLabel('Mailbox').fill(email)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Your mailbox is connected')).toBeVisible()
  expect(page.url()).toBe(`${clinic.url}/email`)
  await folders(page).getByRole('button', { name: 'Suppliers' }).click()
  await threads(page).getByRole('button').first().click()
  await expect(messages(page).getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('r')
  await expect(emailBody(page)).toBeFocused()
  await page.keyboard.type('Thank you.')
  await page.keyboard.press('Control+Enter')
  await expect(emailBody(page)).toHaveCount(0)
  await expect
    .poll(() => {
      const newest = clinic.gmail
        .mailbox(email)
        .list()
        .find(({ labels }) => labels.has('SENT'))
      return `${newest?.subject} ${newest?.text ?? ''}${newest?.html ?? ''}`
    })
    .toMatch(/^Re: [^]*Thank you\./)
})
