import type { Browser, Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test as base } from '../support/clinic.ts'
import { addColleague, colleaguePassword, signIn } from '../support/colleague.ts'
import { turnOnTwoFactor } from '../support/two-factor.ts'

/** A passkey belongs to a host: the clinic under the address that its settings name. */
const test = base.extend<{ site: string }>({
  site: async ({ clinic }, use) => {
    const server = await clinic.startWith(() => ({}))
    await use(server.url)
    await server.stop()
  },
})

/** A page whose browser has a fingerprint reader, through Chromium's own virtual authenticator. */
async function pageWithAuthenticator(browser: Browser, baseURL: string) {
  const page = await (await browser.newContext({ baseURL })).newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setVerified = (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { page, setVerified }
}

const passkeys = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')

async function addPasskey(page: Page, name: string) {
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passkey added')).toBeVisible()
  await expect(passkeys(page)).toContainText(name)
}

test.use({ expectedErrors: ['status of 401'] })

test('adds a passkey, signs in with it alone and as the second factor, and removes it', async ({ browser, clinic, open, site }) => {
  const admin = await open('admin', '/')
  const { email } = await addColleague(clinic, admin, 'front_desk')
  const { page, setVerified } = await pageWithAuthenticator(browser, site)
  await signIn(page, email)
  await expect(page).toHaveURL(`${site}/appointments`)
  await addPasskey(page, 'Front desk laptop')
  await expect(passkeys(page)).toContainText('never used')
  expect(await accessibilityViolations(page)).toEqual([])

  await page.context().clearCookies()
  await page.goto('/auth')
  await page.getByLabel('Email').focus()
  await page.getByRole('button', { name: 'Use a passkey' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site}/appointments`)
  await page.goto('/settings/security')
  await expect(passkeys(page)).toContainText('last used just now')
  await turnOnTwoFactor(page)

  await page.context().clearCookies()
  await signIn(page, email)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await setVerified(false)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('No passkey was used. You cancelled, or this device has none for this address.')).toBeVisible()
  await setVerified(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(`${site}/appointments`)

  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Remove Front desk laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No passkeys yet.')).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('This passkey was not accepted.')).toBeVisible()
  await page.context().close()
})

test('confirms a sensitive action with a passkey', async ({ browser, clinic, open, site }) => {
  const admin = await open('admin', '/')
  const { email, id } = await addColleague(clinic, admin, 'front_desk')
  const { page } = await pageWithAuthenticator(browser, site)
  await signIn(page, email, colleaguePassword)
  await expect(page).toHaveURL(`${site}/appointments`)
  await addPasskey(page, 'Phone')
  await clinic.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [id])
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password to remove this passkey' })
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('No passkeys yet.')).toBeVisible()
  await page.context().close()
})
