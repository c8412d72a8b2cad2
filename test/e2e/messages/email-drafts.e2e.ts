import { expect, test } from '../support/clinic.ts'
import { drafts, folders, openEmail, saveState, threads, emailBody } from '../pages/email.ts'
import { loseConnection } from '../support/offline.ts'

test('does not save an empty draft', async ({ open, clinic }) => {
  const { page } = await openEmail(clinic, open)
  await threads(page).getByRole('button').first().click()
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeVisible()
  await page.keyboard.press('r')
  await expect(emailBody(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(emailBody(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeFocused()
  const listed = await page.request.get('/api/mailbox/drafts')
  const { length } = ((await listed.json()) as { subject: string }[]).filter(({ subject }) => subject.startsWith('Re: '))
  expect(length).toBe(0)
  await expect(page.getByRole('button', { name: 'Continue the draft' })).toHaveCount(0)
})

test.describe('a text that is too long', () => {
  test.use({ expectedErrors: ['status of 422'] })

  test('says that it is not saved, until it is shorter', async ({ open, clinic }) => {
    const { page } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Subject' }).fill('All of it')
    await emailBody(page).focus()
    await page.keyboard.insertText('a word '.repeat(8_000))
    await expect(saveState(page)).toHaveText('Not saved: Use at most 50,000 characters')
    await emailBody(page).fill('Less of it')
    await expect(saveState(page)).toHaveText('Saved')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('Draft discarded')).toBeVisible()
  })
})

test.describe('a page that closes while saving', () => {
  // The response to the last save was never received, and the text is the same.
  test.use({ expectedErrors: ['status of 409'] })

  test('saves a draft automatically, keeps it across a reload, and lists it in Drafts', async ({ open, clinic }) => {
    const { page } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('c')
    await page.keyboard.type('lab@lab.example,')
    await page.getByRole('textbox', { name: 'Subject' }).fill('Half a thought')
    await emailBody(page).fill('It begins')
    await expect(saveState(page)).toHaveText('Saved')
    await emailBody(page).pressSequentially(', and goes on')
    // Not saved on the server yet, but kept in the tab.
    await page.reload()
    await expect(emailBody(page)).toHaveText('It begins, and goes on')
    await expect(page.getByRole('button', { name: 'Remove lab@lab.example' })).toBeVisible()
    await expect(saveState(page)).toHaveText('Saved')
    await page.keyboard.press('Escape')
    await expect(emailBody(page)).toHaveCount(0)
    await folders(page)
      .getByRole('button', { name: /^Drafts 1/ })
      .click()
    await expect(drafts(page)).toContainText('Half a thought')
    await drafts(page).getByRole('button').click()
    await expect(emailBody(page)).toHaveText('It begins, and goes on')

    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('Draft discarded')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(drafts(page)).toContainText('Half a thought')
  })
})

test.describe('with a lost connection or two windows', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })

  test('keeps text in the tab while offline, says so, and saves it when back online', async ({ open, clinic }) => {
    const { page, sent } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await loseConnection(page)
    await page.keyboard.press('c')
    await page.keyboard.type('lab@lab.example,')
    await emailBody(page).fill('Written on a train')
    await expect(saveState(page)).toHaveText(/^Not saved: The connection was lost/)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('The email was not sent')).toBeVisible()
    await expect(emailBody(page)).toHaveText('Written on a train')
    await page.keyboard.press('Escape')
    await folders(page)
      .getByRole('button', { name: /^Drafts 1/ })
      .click()
    await expect(drafts(page)).toContainText('Not saved yet')
    await page.context().setOffline(false)
    await expect(drafts(page)).not.toContainText('Not saved yet')
    await drafts(page).getByRole('button').click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => sent()[0]?.text).toContain('Written on a train')
  })

  test('syncs a draft between two windows, and asks when both have changed', async ({ open, clinic }) => {
    const { page } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Subject' }).fill('Two windows')
    await emailBody(page).fill('One')
    await expect(saveState(page)).toHaveText('Saved')
    const other = await open('sales', page.url().slice(clinic.url.length))
    await expect(emailBody(other)).toHaveText('One')
    await emailBody(other).fill('Two')
    await expect(saveState(other)).toHaveText('Saved')
    await expect(emailBody(page)).toHaveText('Two')

    for (const choice of ['Keep what is here', 'Use what is there']) {
      await loseConnection(page)
      await emailBody(page).fill(`Mine before ${choice}`)
      await expect(saveState(page)).toHaveText(/^Not saved/)
      await emailBody(other).fill(`Theirs before ${choice}`)
      await expect(saveState(other)).toHaveText('Saved')
      await page.context().setOffline(false)
      const alert = page.getByRole('status').filter({ hasText: 'This draft was changed in another window.' })
      await expect(alert).toContainText(`Theirs before ${choice}`)
      await expect(emailBody(page)).toHaveText(`Mine before ${choice}`)
      await page.getByRole('button', { name: choice }).click()
      await expect(alert).toHaveCount(0)
      const winner = choice === 'Keep what is here' ? 'Mine' : 'Theirs'
      await expect(emailBody(page)).toHaveText(`${winner} before ${choice}`)
      await expect(emailBody(other)).toHaveText(`${winner} before ${choice}`)
    }

    // A draft discarded in one window is not restored by the other.
    await other.getByRole('button', { name: 'Discard' }).click()
    await expect(other.getByText('Draft discarded')).toBeVisible()
    await emailBody(page).fill('Too late')
    await expect(page.getByText('This draft was sent or discarded in another window.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep as a new draft' }).click()
    await expect(emailBody(page)).toHaveText('Too late')
    await expect(saveState(page)).toHaveText('Saved')
  })
})
