import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { addColleague, colleaguePassword, freshPage, signIn } from '../support/colleague.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { exportAs } from '../support/export.ts'

/** Simulates inactivity of this duration on the server's clock and the page's. */
async function simulateInactivity(page: Page, clinic: Clinic, id: string, seconds: number): Promise<void> {
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

const warning = (page: Page) => page.getByRole('dialog', { name: 'You’ll be signed out soon' })

test('warns a minute before the session ends, and keeps it on request', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/')
  const page = await freshPage(browser, clinic)
  const { id } = await openAs(clinic, admin, page, 'sales_rep')
  await expect(page.getByRole('main')).toBeVisible()
  await simulateInactivity(page, clinic, id, 15 * 60 - 45)
  await expect(warning(page)).toBeVisible()
  await expect(warning(page).getByRole('timer')).toContainText(/in \d+ s/)
  expect(await accessibilityViolations(page)).toEqual([])
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
  test(`passes the axe checks on the warning before a session ends, at 1440 and 375 px (${colorScheme})`, async ({
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
        expect(await accessibilityViolations(page), `${what} ${width}`).toEqual([])
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/session-${what}-${width}-${colorScheme}.png` })
      }
    }
    await simulateInactivity(page, clinic, id, 15 * 60 - 57)
    await expect(warning(page)).toBeVisible()
    await check('idle')
    await warning(page).getByRole('button', { name: 'Stay signed in' }).click()
    await expect(warning(page)).toHaveCount(0)

    // Ten hours after signing in, the session can no longer be extended.
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

test.describe('an ended session', () => {
  test.use({ expectedErrors: ['status of 401'] })

  test('leaves the page, returns to the same URL after signing in, and to the home page for someone else', async ({
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
    await simulateInactivity(page, clinic, id, 15 * 60 + 1)
    await expect(page).toHaveURL('/auth')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(before)

    await simulateInactivity(page, clinic, id, 15 * 60 + 1)
    await expect(page).toHaveURL('/auth')
    const other = await addColleague(clinic, admin, 'billing')
    await page.getByLabel('Email').fill(other.email)
    await page.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/')
    await page.context().close()
  })
})

test.describe('actions that require the password', () => {
  test.use({ expectedErrors: ['status of 403', 'status of 401'] })
  const expireProof = (clinic: Clinic, id: string) =>
    clinic.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [id])

  test('asks for the password once for an export and an invitation, continues automatically, and does nothing on cancel', async ({
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
    await expireProof(clinic, id)
    const proof = page.getByRole('dialog', { name: 'Enter your password to export receipts' })
    await exportAs(page, 'CSV')
    await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByText('The file was not saved')).toBeVisible()

    await exportAs(page, 'CSV')
    await proof.getByLabel('Password', { exact: true }).fill('not-the-password')
    await page.keyboard.press('Enter')
    await expect(proof.getByText('The password is incorrect')).toBeVisible()
    await proof.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^receipts-.*\.csv$/)
    await expect(proof).toHaveCount(0)

    await page.goto('/settings/users')
    await expireProof(clinic, id)
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
