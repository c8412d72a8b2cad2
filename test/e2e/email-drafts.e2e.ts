import { expect, test } from './clinic.ts'
import { drafts, folders, openEmail, saveState, threads, words } from './email.ts'
import { loseConnection } from './offline.ts'

test('issue 7: what no one wrote anything into is no draft', async ({ open, clinic }) => {
  const { page } = await openEmail(clinic, open)
  await threads(page).getByRole('button').first().click()
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeVisible()
  await page.keyboard.press('r')
  await expect(words(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(words(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeFocused()
  const listed = await page.request.get('/api/mailbox/drafts')
  const { length } = ((await listed.json()) as { subject: string }[]).filter(({ subject }) => subject.startsWith('Re: '))
  expect(length).toBe(0)
  await expect(page.getByRole('button', { name: 'Continue the draft' })).toHaveCount(0)
})

test('issue 7: of a text that is too long for a mail as much is taken as can be saved', async ({ open, clinic }) => {
  const { page } = await openEmail(clinic, open)
  await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Subject' }).fill('All of it')
  await words(page).focus()
  await page.keyboard.insertText('a word '.repeat(8_000))
  await expect(words(page)).toHaveValue(/^(a word )+/)
  expect(await words(page).inputValue()).toHaveLength(50_000)
  await expect(saveState(page)).toHaveText('Saved')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Draft thrown away')).toBeVisible()
})

test.describe('a page that ends while it saves', () => {
  // The answer to its last save was never seen, and the words are the same.
  test.use({ expectedErrors: ['status of 409'] })

  test('issue 7: what was begun is saved by itself, outlives a reload, and is found in Drafts', async ({ open, clinic }) => {
    const { page } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('c')
    await page.keyboard.type('lab@lab.example,')
    await page.getByRole('textbox', { name: 'Subject' }).fill('Half a thought')
    await words(page).fill('It begins')
    await expect(saveState(page)).toHaveText('Saved')
    await words(page).pressSequentially(', and goes on')
    // Before it is saved: what the server does not have the tab has.
    await page.reload()
    await expect(words(page)).toHaveValue('It begins, and goes on')
    await expect(page.getByRole('button', { name: 'Remove lab@lab.example' })).toBeVisible()
    await expect(saveState(page)).toHaveText('Saved')
    await page.keyboard.press('Escape')
    await expect(words(page)).toHaveCount(0)
    await folders(page)
      .getByRole('button', { name: /^Drafts 1/ })
      .click()
    await expect(drafts(page)).toContainText('Half a thought')
    await drafts(page).getByRole('button').click()
    await expect(words(page)).toHaveValue('It begins, and goes on')

    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('Draft thrown away')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(drafts(page)).toContainText('Half a thought')
  })
})

test.describe('when the connection is lost, or two windows write', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })

  test('issue 7: offline the words stay in the tab and say so, and are saved when the connection is back', async ({ open, clinic }) => {
    const { page, sent } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await loseConnection(page)
    await page.keyboard.press('c')
    await page.keyboard.type('lab@lab.example,')
    await words(page).fill('Written on a train')
    await expect(saveState(page)).toHaveText(/^Not saved: The connection was lost/)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('The email was not sent')).toBeVisible()
    await expect(words(page)).toHaveValue('Written on a train')
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

  test('issue 7: two windows: the other’s words show where nothing was written, and where both were written one chooses', async ({
    open,
    clinic,
  }) => {
    const { page } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Subject' }).fill('For two hands')
    await words(page).fill('One')
    await expect(saveState(page)).toHaveText('Saved')
    const other = await open('sales', page.url().slice(clinic.url.length))
    await expect(words(other)).toHaveValue('One')
    await words(other).fill('Two')
    await expect(saveState(other)).toHaveText('Saved')
    await expect(words(page)).toHaveValue('Two')

    for (const choice of ['Keep what is here', 'Use what is there']) {
      await loseConnection(page)
      await words(page).fill(`Mine before ${choice}`)
      await expect(saveState(page)).toHaveText(/^Not saved/)
      await words(other).fill(`Theirs before ${choice}`)
      await expect(saveState(other)).toHaveText('Saved')
      await page.context().setOffline(false)
      const alert = page.getByRole('status').filter({ hasText: 'This draft was changed in another window.' })
      await expect(alert).toContainText(`Theirs before ${choice}`)
      await expect(words(page)).toHaveValue(`Mine before ${choice}`)
      await page.getByRole('button', { name: choice }).click()
      await expect(alert).toHaveCount(0)
      const kept = choice === 'Keep what is here' ? 'Mine' : 'Theirs'
      await expect(words(page)).toHaveValue(`${kept} before ${choice}`)
      await expect(words(other)).toHaveValue(`${kept} before ${choice}`)
    }

    // Thrown away in one, it is not brought back by the other.
    await other.getByRole('button', { name: 'Discard' }).click()
    await expect(other.getByText('Draft thrown away')).toBeVisible()
    await words(page).fill('Too late')
    await expect(page.getByText('This draft was sent or thrown away in another window.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep as a new draft' }).click()
    await expect(words(page)).toHaveValue('Too late')
    await expect(saveState(page)).toHaveText('Saved')
  })
})
