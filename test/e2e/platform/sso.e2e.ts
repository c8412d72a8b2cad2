import type { Browser, Page } from '@playwright/test'
import { type IdentityProvider, oidcClientId, oidcClientSecret, startIdentityProvider } from '../../oidc.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test as base } from '../support/clinic.ts'

type Sso = { url: string; provider: IdentityProvider }

/** The clinic with single sign-on, as an extra process. */
async function withSso(clinic: Clinic, settings: Record<string, string>, use: (sso: Sso) => Promise<void>) {
  const holder: { provider?: IdentityProvider } = {}
  const server = await clinic.startWith(async (url) => {
    holder.provider = await startIdentityProvider(`${url}/auth/sso/callback`)
    return {
      OIDC_ISSUER: holder.provider.issuer,
      OIDC_CLIENT_ID: oidcClientId,
      OIDC_CLIENT_SECRET: oidcClientSecret,
      OIDC_NAME: 'Harbour ID',
      OIDC_DOMAINS: 'refyne.example',
      OIDC_TIMEOUT_SECONDS: '2',
      ...settings,
    }
  })
  const provider = holder.provider!
  await use({ url: server.url, provider })
  await server.stop()
  await provider.stop()
}

const test = base.extend<{ sso: Sso; settings: Record<string, string> }>({
  settings: [{}, { option: true }],
  sso: async ({ clinic, settings }, use) => withSso(clinic, settings, use),
})
test.use({ expectedErrors: ['status of 503', 'status of 403'] })

const button = (page: Page) => page.getByRole('button', { name: 'Continue with Harbour ID' })
const newPage = async (browser: Browser, url: string) => (await browser.newContext({ baseURL: url })).newPage()
const lena = { sub: 'lena', email: 'lena.fortier@refyne.example', email_verified: true, given_name: 'Léna', family_name: 'Fortier' }

test('signs in with the practice’s provider by keyboard alone, and keeps no code in the address', async ({ browser, sso }) => {
  sso.provider.person = lena
  const page = await newPage(browser, sso.url)
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.goto('/auth')
  await expect(button(page)).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  // After the tabs and their panel, the button is first, before the password form.
  await page.getByRole('tab', { name: 'Login' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(button(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${sso.url}/appointments`)
  await page.goto('/settings/profile')
  await expect(page.getByText('lena.fortier@refyne.example')).toBeVisible()
  await page.context().close()
})

test('says why someone was not signed in, and starts again', async ({ browser, sso }) => {
  sso.provider.person = { ...lena, sub: 'stranger', email: 'someone@elsewhere.example' }
  const page = await newPage(browser, sso.url)
  await page.goto('/auth')
  await button(page).click()
  await expect(page.getByRole('heading', { name: 'You were not signed in' })).toBeVisible()
  await expect(page.getByText('There is no account for your email address. Please ask an administrator to invite you.')).toBeVisible()
  await expect(page).toHaveURL(`${sso.url}/auth/sso/callback`)
  expect(await accessibilityViolations(page)).toEqual([])
  sso.provider.person = null
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('You went back, or your provider did not let you in. Nothing was changed.')).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(`${sso.url}/auth`)
  await page.context().close()
})

test('says when the provider does not respond, and still offers the password', async ({ browser, clinic }) => {
  await withSso(clinic, { OIDC_ISSUER: 'http://127.0.0.1:1' }, async ({ url }) => {
    const page = await newPage(browser, url)
    await page.goto('/auth')
    await button(page).click()
    await expect(page.getByRole('alert')).toHaveText('Your sign-in provider is not available right now. Please try again in a few minutes.')
    await expect(button(page)).toBeEnabled()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await page.context().close()
  })
})

test('confirms a sensitive action at the provider, in another tab, without a password', async ({ browser, clinic, sso }) => {
  sso.provider.person = { ...lena, sub: 'prover', email: 'prover@refyne.example' }
  const page = await newPage(browser, sso.url)
  await page.goto('/auth')
  await button(page).click()
  await expect(page).toHaveURL(`${sso.url}/appointments`)
  await clinic.rows(
    "update sessions set proven_at = now() - interval '6 minutes' where user_id = (select id from profiles where email = 'prover@refyne.example')",
  )
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByLabel('Name').fill('Laptop')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you to add a passkey' })
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Confirm with Harbour ID' }).click()
  await expect(dialog).toHaveCount(0)
  await page.context().close()
})
