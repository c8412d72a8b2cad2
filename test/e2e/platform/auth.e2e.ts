import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { codeOf, wrongCode } from '../../totp.ts'
import { addColleague, freshPage, emailedLink, signIn } from '../support/colleague.ts'
import { turnOnTwoFactor } from '../support/two-factor.ts'

const password = 'kettle-harbour-71'

async function signUp(page: Page, email: string) {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('First name').fill('Noémie')
  await page.getByLabel('Last name').fill('Bélanger')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Your account has been created. Please check your email to verify your account.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
}

/** Opens the emailed link and enters the sign-up password. */
async function verify(page: Page, link: string) {
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your address is verified')).toBeVisible()
}

test(
  'signs up, verifies by email, signs in as front desk, and resets a forgotten password by email (spec 2, 4)',
  { tag: '@journey' },
  async ({ page, clinic }) => {
    const email = 'noemie@refyne.example'
    await signUp(page, email)
    await verify(page, await emailedLink(clinic, email, '/verify-email'))
    await signIn(page, email, password)
    await expect(page).toHaveURL('/appointments')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()

    await expect(page).toHaveURL('/auth')
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset Password' })
    await expect(dialog.getByText("Enter your email address and we'll send you a link to reset your password.")).toBeVisible()
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.getByText('Check your email for a link to reset your password.')).toBeVisible()
    await page.goto(await emailedLink(clinic, email, '/update-password'))
    await page.getByLabel('New password', { exact: true }).fill('lantern-quay-2204')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your password has been updated.')).toBeVisible()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  },
)

test.describe('with two-factor authentication on', () => {
  test.use({ expectedErrors: ['status of 401'] })

  for (const way of ['the app', 'a recovery code'] as const) {
    test(`asks for a code from ${way} after an emailed password reset, then opens / (spec 2)`, async ({ open, clinic, browser }) => {
      const { email } = await addColleague(clinic, await open('admin', '/'), 'front_desk')
      const settings = await freshPage(browser, clinic)
      await signIn(settings, email)
      await expect(settings).toHaveURL('/appointments')
      await settings.goto('/settings/security')
      const { secret, codes } = await turnOnTwoFactor(settings)
      await settings.context().close()

      const page = await freshPage(browser, clinic)
      await page.goto('/reset-password')
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send Reset Link' }).click()
      await page.goto(await emailedLink(clinic, email, '/update-password'))
      await page.getByLabel('New password', { exact: true }).fill('cobalt-harbour-5518')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
      await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
      expect(await accessibilityViolations(page)).toEqual([])
      // The password alone does not sign in.
      const inside = await page.context().newPage()
      await inside.goto('/contacts')
      await expect(inside).toHaveURL('/auth')
      await inside.close()
      await page.keyboard.type(wrongCode(secret))
      await page.keyboard.press('Enter')
      await expect(page.getByText('This code is incorrect')).toBeVisible()
      await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
      if (way === 'the app') await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1))
      else {
        await page.getByRole('button', { name: 'Use a recovery code' }).click()
        await page.getByLabel('Recovery code').fill(codes[0]!)
      }
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await expect(page).toHaveURL('/')
      await page.context().close()
    })
  }
})

test('shows a pending page to an address outside the company domains until an administrator approves it', async ({
  page,
  clinic,
  open,
}) => {
  const email = 'visitor@elsewhere.example'
  await signUp(page, email)
  await verify(page, await emailedLink(clinic, email, '/verify-email'))
  await signIn(page, email, password)
  await expect(page).toHaveURL('/pending')
  await page.goto('/contacts')
  await expect(page).toHaveURL('/pending')

  const admin = await open('admin', '/')
  const accounts = (await (await admin.request.get('/api/accounts')).json()) as { id: string; email: string }[]
  const { id } = accounts.find((account) => account.email === email)!
  expect((await admin.request.patch(`/api/accounts/${id}`, { data: { status: 'active' }, headers: { origin: clinic.url } })).status()).toBe(
    200,
  )
  await signIn(page, email, password)
  await expect(page).toHaveURL('/appointments')
})

test.describe('with invalid input', () => {
  test.use({ expectedErrors: ['401'] })

  test('asks for the password in a verification link when someone else has signed up with the address', async ({ page, clinic }) => {
    const email = 'new.hire@refyne.example'
    await signUp(page, email)
    const link = await emailedLink(clinic, email, '/verify-email')
    await page.goto(link)
    await expect(page.getByText('Enter the password you signed up with.')).toBeVisible()
    const field = page.getByLabel('Password', { exact: true })
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByText('Password is required')).toBeVisible()
    await field.fill('lantern-quay-2204')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The password is incorrect')).toBeVisible()
    await expect(field).toBeFocused()
    expect(await accessibilityViolations(page)).toEqual([])

    await page.getByRole('link', { name: 'Forgot password' }).click()
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page.goto(await emailedLink(clinic, email, '/update-password'))
    await page.getByLabel('New password', { exact: true }).fill('lantern-quay-2204')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your password has been updated.')).toBeVisible()
    await page.goto(link)
    await field.fill('lantern-quay-2204')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your account is ready.')).toBeVisible()
    await page.getByRole('link', { name: 'Sign In' }).click()
    await signIn(page, email, 'lantern-quay-2204')
    await expect(page).toHaveURL('/appointments')
  })

  test('closes and clears the forgot-password dialog whatever the response (spec 2)', async ({ page, expectedErrors }) => {
    expectedErrors.push('429')
    await page.route('**/api/auth/password-reset', (route) =>
      route.fulfill({ status: 429, json: { code: 'TOO_MANY', status: 429, message: 'Too many attempts', defined: true } }),
    )
    await page.goto('/auth')
    const dialog = page.getByRole('dialog', { name: 'Reset Password' })
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await dialog.getByLabel('Email').fill('sales@refyne.example')
    await dialog.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.getByText('Error sending reset email')).toBeVisible()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await expect(dialog.getByLabel('Email')).toHaveValue('')
  })

  test('shows validation messages under their fields before submitting, and refusals as a toast (spec 5, 8)', async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Please enter a valid email address')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await signIn(page, 'sales@refyne.example', 'not the password')
    await expect(page.getByText('Error signing in')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('sales@refyne.example')

    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText('First name is required')).toBeVisible()
    await expect(page.getByText('Last name is required')).toBeVisible()
    const secret = page.getByLabel('Password', { exact: true })
    for (const [typed, message] of [
      ['12345', 'Password must be at least 6 characters'],
      ['1234567', 'Please use at least 8 characters'],
      ['password1', 'This password is one of the most common ones. Please choose another.'],
    ] as const) {
      await secret.fill(typed)
      await expect(page.getByText(message)).toBeVisible()
    }
  })
})
