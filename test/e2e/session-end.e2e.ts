import type { Page } from '@playwright/test'
import { brokenRules } from './axe.ts'
import { addColleague, colleaguePassword, freshPage, signIn } from './colleague.ts'
import { type Clinic, expect, test } from './clinic.ts'
import { exportAs } from './export.ts'

/** As if someone had done nothing for so long: the server's clock and the page's agree. */
async function leaveAlone(page: Page, clinic: Clinic, id: string, seconds: number): Promise<void> {
  await clinic.rows("update sessions set seen_at = now() - $2 * interval '1 second' where user_id = $1", [id, seconds])
  await page.clock.fastForward(seconds * 1000)
}

async function openAs(clinic: Clinic, admin: Page, page: Page, role: string) {
  const colleague = await addColleague(clinic, admin, role)
  await page.clock.install()
  await signIn(page, colleague.email)
  await expect(page).toHaveURL('/')
  return colleague
}

const warning = (page: Page) => page.getByRole('dialog', { name: 'Are you still there?' })

test('issue 9: a minute before the end the page asks; anyone who stays, stays', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/')
  const page = await freshPage(browser, clinic)
  const { id } = await openAs(clinic, admin, page, 'sales_rep')
  await expect(page.getByRole('main')).toBeVisible()
  await leaveAlone(page, clinic, id, 15 * 60 - 45)
  await expect(warning(page)).toBeVisible()
  await expect(warning(page).getByRole('timer')).toContainText(/in \d+ s/)
  expect(await brokenRules(page)).toEqual([])
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(warning(page)).toHaveCount(0)
  const [row] = await clinic.rows<{ seconds: number }>(
    'select extract(epoch from now() - seen_at) as seconds from sessions where user_id = $1',
    [id],
  )
  expect(Number(row?.seconds)).toBeLessThan(60)
  await page.context().close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`issue 9: what is said before a session ends, at 1440 and 375 px, by what machines can check (${colorScheme})`, async ({
    open,
    clinic,
    browser,
  }) => {
    const admin = await open('admin', '/')
    const page = await freshPage(browser, clinic, { colorScheme, reducedMotion: 'reduce' })
    const { id } = await openAs(clinic, admin, page, 'sales_rep')
    await expect(page.getByRole('main')).toBeVisible()
    const check = async (what: string) => {
      for (const width of [1440, 375]) {
        await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), what).toBeLessThanOrEqual(0)
        expect(await brokenRules(page), `${what} ${width}`).toEqual([])
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/session-${what}-${width}-${colorScheme}.png` })
      }
    }
    await leaveAlone(page, clinic, id, 15 * 60 - 57)
    await expect(warning(page)).toBeVisible()
    await check('idle')
    await warning(page).getByRole('button', { name: 'Stay signed in' }).click()
    await expect(warning(page)).toHaveCount(0)

    // Ten hours after signing in nothing prolongs it.
    await clinic.rows("update sessions set expires_at = now() + interval '57 seconds', seen_at = now() where user_id = $1", [id])
    await page.reload()
    const last = page.getByRole('dialog', { name: 'Please sign in again' })
    await expect(last).toContainText('You have been signed in for ten hours.')
    await expect(last.getByRole('button', { name: 'Save first' })).toBeFocused()
    await check('last')
    await page.keyboard.press('Enter')
    await expect(last).toHaveCount(0)
    await page.context().close()
  })
}

test.describe('when it is over', () => {
  test.use({ expectedErrors: ['status of 401'] })

  test('issue 9: the page leaves; signing in again leads back to the same address, someone else to the first page', async ({
    open,
    clinic,
    browser,
  }) => {
    const admin = await open('admin', '/')
    const page = await freshPage(browser, clinic)
    const { id, email } = await openAs(clinic, admin, page, 'sales_rep')
    const address = '/contacts?search=an&sort=name'
    await page.goto(address)
    await expect(page.getByRole('table', { name: 'Patients' })).toBeVisible()
    const before = page.url()
    await leaveAlone(page, clinic, id, 15 * 60 + 1)
    await expect(page).toHaveURL('/auth')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(before)

    await leaveAlone(page, clinic, id, 15 * 60 + 1)
    await expect(page).toHaveURL('/auth')
    const other = await addColleague(clinic, admin, 'billing')
    await page.getByLabel('Email').fill(other.email)
    await page.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/')
    await page.context().close()
  })
})

test.describe('actions that need a proof', () => {
  test.use({ expectedErrors: ['status of 403', 'status of 401'] })
  const waitFive = (clinic: Clinic, id: string) =>
    clinic.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [id])

  test('issue 9: an export and an invitation ask for the password once, and go on by themselves; who closes it has done nothing', async ({
    open,
    clinic,
    browser,
  }) => {
    const admin = await open('admin', '/')
    const page = await freshPage(browser, clinic)
    const { email, id } = await addColleague(clinic, admin, 'admin')
    await signIn(page, email)
    await expect(page).toHaveURL('/')
    await page.goto('/collections?tab=receipts')
    await waitFive(clinic, id)
    const proof = page.getByRole('dialog', { name: 'Enter your password to export receipts' })
    await exportAs(page, 'CSV')
    await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByText('The file was not saved')).toBeVisible()

    await exportAs(page, 'CSV')
    await proof.getByLabel('Password', { exact: true }).fill('not-the-password')
    await page.keyboard.press('Enter')
    await expect(proof.getByText('The password is not right')).toBeVisible()
    await proof.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^receipts-.*\.csv$/)
    await expect(proof).toHaveCount(0)

    await page.goto('/settings/users')
    await waitFive(clinic, id)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite someone' })
    const invited = `${crypto.randomUUID().slice(0, 12)}@elsewhere.example`
    await dialog.getByLabel('Email').fill(invited)
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: 'Enter your password to invite someone' })
      .getByLabel('Password', { exact: true })
      .fill(colleaguePassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('list', { name: 'Invited' })).toContainText(invited)
    await page.context().close()
  })
})
