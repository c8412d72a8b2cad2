import type { Page } from '@playwright/test'
import { codeOf, wrongCode } from '../../totp.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { addColleague, colleaguePassword, freshPage, signIn } from '../support/colleague.ts'
import { expect, test } from '../support/clinic.ts'
import { turnOnTwoFactor, twoFactor } from '../support/two-factor.ts'

const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')

test.describe('two-factor authentication', () => {
  test.use({ expectedErrors: ['status of 401'] })

  test('turns on two-factor authentication with an app, signs in by code or single-use recovery code, and turns it off', async ({
    open,
    clinic,
    browser,
  }) => {
    const admin = await open('admin', '/')
    const { email } = await addColleague(clinic, admin, 'front_desk')
    const page = await freshPage(browser, clinic)
    await signIn(page, email)
    await expect(page).toHaveURL('/appointments')
    await page.goto('/settings/security')
    const { secret, codes } = await turnOnTwoFactor(page)
    await expect(twoFactor(page).getByText('On', { exact: true })).toBeVisible()

    const elsewhere = await freshPage(browser, clinic)
    await signIn(elsewhere, email)
    await expect(elsewhere.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await expect(elsewhere.getByLabel('Code')).toBeFocused()
    await elsewhere.keyboard.type(wrongCode(secret))
    await elsewhere.keyboard.press('Enter')
    await expect(elsewhere.getByText('This code is incorrect')).toBeVisible()
    await elsewhere.getByLabel('Code').fill(codeOf(secret, 1))
    await elsewhere.keyboard.press('Enter')
    await expect(elsewhere).toHaveURL('/appointments')
    await elsewhere.context().close()

    const third = await freshPage(browser, clinic)
    for (const [attempt, isBurned] of [
      [codes[0]!, false],
      [codes[0]!, true],
    ] as const) {
      await third.context().clearCookies()
      await signIn(third, email)
      await third.getByRole('button', { name: 'Use a recovery code' }).click()
      await third.getByLabel('Recovery code').fill(attempt)
      await third.keyboard.press('Enter')
      if (isBurned) await expect(third.getByText('This code is incorrect')).toBeVisible()
      else await expect(third).toHaveURL('/appointments')
    }
    await third.context().close()

    await page.reload()
    await expect(twoFactor(page).getByText('9 recovery codes are left.')).toBeVisible()
    await twoFactor(page).getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' })
    await dialog.getByLabel('Password', { exact: true }).fill('not-the-password')
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await expect(dialog.getByText('The password is incorrect')).toBeVisible()
    await dialog.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await expect(twoFactor(page).getByRole('button', { name: 'Turn on' })).toBeVisible()
    await page.context().close()
  })
})

test('lists sessions with their devices, and ends one immediately, then all others', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/')
  const { email } = await addColleague(clinic, admin, 'billing')
  const [page, phone, tablet] = [
    await freshPage(browser, clinic),
    await freshPage(browser, clinic, {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    }),
    await freshPage(browser, clinic),
  ]
  for (const each of [page, phone, tablet]) {
    await signIn(each, email)
    await expect(each).toHaveURL('/')
  }
  await page.goto('/settings/security')
  await expect(sessions(page)).toHaveCount(3)
  await expect(sessions(page).filter({ hasText: 'This device' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Sign out: Safari on iPhone' }).click()
  await expect(phone).toHaveURL('/auth')
  await expect(sessions(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(tablet).toHaveURL('/auth')
  await expect(sessions(page)).toHaveCount(1)
  for (const each of [page, phone, tablet]) await each.context().close()
})

test('changes the password by the rules, and signs out this session too', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/')
  const { email } = await addColleague(clinic, admin, 'billing')
  const page = await freshPage(browser, clinic)
  await signIn(page, email)
  await expect(page).toHaveURL('/')
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill(colleaguePassword)
  await dialog.getByLabel('New password').fill('password1')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText('This password is one of the most common ones. Please choose another.')).toBeVisible()
  await dialog.getByLabel('New password').fill('quiet-harbour-3391')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your password has been updated.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.context().close()
})

test('changes one’s own name by keyboard and shows it immediately', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/')
  const { email } = await addColleague(clinic, admin, 'front_desk')
  const page = await freshPage(browser, clinic)
  await signIn(page, email)
  await expect(page).toHaveURL('/appointments')
  await page.goto('/settings/profile')
  await expect(page.getByRole('region', { name: 'Profile' }).getByText(email)).toBeVisible()
  await page.getByLabel('First name').fill('Zoë')
  await page.getByLabel('Last name').fill('')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Last name is required')).toBeVisible()
  await page.getByLabel('Last name').fill('Nguyễn')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Name saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account of Zoë Nguyễn' })).toBeVisible()
  await page.context().close()
})

test('sets email notifications here and behind the bell', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/')
  const { email } = await addColleague(clinic, admin, 'front_desk')
  const page = await freshPage(browser, clinic)
  await signIn(page, email)
  await expect(page).toHaveURL('/appointments')
  await page.goto('/settings/notifications')
  const preference = page.getByRole('switch', { name: 'Email me when a task is assigned to me' })
  const before = await preference.getAttribute('aria-checked')
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await preference.click()
  await saved
  await expect(preference).not.toHaveAttribute('aria-checked', before!)
  const after = await preference.getAttribute('aria-checked')
  await page.reload()
  await expect(preference).toHaveAttribute('aria-checked', after!)
  await page.context().close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`passes the axe checks on profile, security and their dialogs, at desktop width and 375 px (${colorScheme})`, async ({
    open,
    clinic,
    browser,
  }) => {
    const admin = await open('admin', '/')
    const { email } = await addColleague(clinic, admin, 'front_desk')
    const page = await freshPage(browser, clinic, { colorScheme, reducedMotion: 'reduce' })
    const check = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await signIn(page, email)
    await expect(page).toHaveURL('/appointments')
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 })
      for (const section of ['profile', 'security', 'notifications']) {
        await page.goto(`/settings/${section}`)
        await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible()
        await check()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
    }
    await page.goto('/settings/security')
    await twoFactor(page).getByRole('button', { name: 'Turn on' }).click()
    const first = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
    await first.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await first.getByRole('button', { name: 'Continue' }).click()
    const app = page.getByRole('dialog', { name: 'Add this account to your app' })
    await expect(app.getByRole('img')).toBeVisible()
    await check()
    const secret = (await app.getByLabel('Key').innerText()).replaceAll(' ', '')
    await app.getByLabel('Code from the app').fill(codeOf(secret))
    await app.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
    await check()
    await page.getByRole('button', { name: 'I saved them' }).click()
    await page.context().clearCookies()
    await signIn(page, email)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await check()
    await page.context().close()
  })
}
