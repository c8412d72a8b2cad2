import { accessibilityViolations } from '../support/axe.ts'
import { addColleague, colleaguePassword, freshPage, emailedLink, signIn } from '../support/colleague.ts'
import { expect, test } from '../support/clinic.ts'

const newAddress = () => `${crypto.randomUUID().slice(0, 12)}@elsewhere.example`

test('invites a user who sets name and password and signs in with the role', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/settings/users')
  const email = newAddress()
  await admin.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = admin.getByRole('dialog', { name: 'Invite someone' })
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog.getByText('Please enter a valid email address')).toBeVisible()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').click()
  await admin.getByRole('option', { name: 'Billing' }).click()
  await expect(admin.getByRole('listbox')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog).toHaveCount(0)
  const invited = admin.getByRole('list', { name: 'Invited' }).getByRole('listitem').filter({ hasText: email })
  await expect(invited).toContainText('Billing')

  const page = await freshPage(browser, clinic)
  await page.goto(await emailedLink(clinic, email, '/invitation'))
  await expect(page.getByText(email, { exact: true })).toBeVisible()
  await page.getByLabel('First name').fill('Inès')
  await page.getByLabel('Last name').fill('Łukasz')
  await page.getByLabel('Password', { exact: true }).fill(colleaguePassword)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Account of Inès Łukasz' })).toBeVisible()
  await page.context().close()

  await expect(invited).toHaveCount(0)
  await expect(admin.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem').filter({ hasText: email })).toContainText(
    'Billing',
  )
})

test.describe('a connection lost between joining and signing in', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })
  test('asks the new user to sign in', async ({ open, clinic, page }) => {
    const admin = await open('admin', '/settings/users')
    const email = newAddress()
    expect((await admin.request.post('/api/invitations', { data: { email, role: 'provider' } })).status()).toBe(200)
    await page.goto(await emailedLink(clinic, email, '/invitation'))
    await page.getByLabel('First name').fill('Inès')
    await page.getByLabel('Last name').fill('Łukasz')
    await page.getByLabel('Password', { exact: true }).fill(colleaguePassword)
    await page.route('**/api/auth/sign-in', (route) => route.abort('connectionfailed'))
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page).toHaveURL('/auth')
    await expect(page.getByText('Your account is ready')).toBeVisible()
    await page.unroute('**/api/auth/sign-in')
    await signIn(page, email)
    await expect(page).toHaveURL('/appointments')
  })
})

test.describe('expired links', () => {
  test.use({ expectedErrors: ['status of 410'] })
  test('shows that an invitation was resent or withdrawn', async ({ open, clinic, page }) => {
    const admin = await open('admin', '/settings/users')
    const email = newAddress()
    expect((await admin.request.post('/api/invitations', { data: { email, role: 'provider' } })).status()).toBe(200)
    const first = await emailedLink(clinic, email, '/invitation')
    const sent = clinic.outbox.messages.length
    await admin.getByRole('button', { name: `Resend: ${email}` }).click()
    await expect.poll(() => clinic.outbox.messages.length).toBeGreaterThan(sent)
    const second = await emailedLink(clinic, email, '/invitation')
    await page.goto(first)
    await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()
    await page.goto(second)
    await expect(page.getByRole('button', { name: 'Join' })).toBeVisible()
    await admin.getByRole('button', { name: `Withdraw: ${email}` }).click()
    await expect(admin.getByText('Invitation withdrawn')).toBeVisible()
    await expect(admin.getByText(email)).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()
  })
})

test('changes a role, signing the user out immediately, and blocks a disabled user', async ({ open, clinic, browser }) => {
  const admin = await open('admin', '/settings/users')
  const { email, name } = await addColleague(clinic, admin, 'front_desk')
  const page = await freshPage(browser, clinic)
  await signIn(page, email)
  await expect(page).toHaveURL('/appointments')

  const row = admin.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem').filter({ hasText: email })
  await admin.getByRole('button', { name: `More about ${name}` }).click()
  await admin.getByRole('menuitem', { name: 'Change role' }).click()
  const dialog = admin.getByRole('dialog', { name: `Role of ${name}` })
  await dialog.getByLabel('Role').click()
  await admin.getByRole('option', { name: 'Provider' }).click()
  await expect(admin.getByRole('listbox')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(row).toContainText('Provider')
  await expect(page).toHaveURL('/auth')
  await page.context().close()

  await admin.getByRole('button', { name: `More about ${name}` }).click()
  await admin.getByRole('menuitem', { name: 'Disable' }).click()
  await admin
    .getByRole('dialog', { name: `Disable ${name}?` })
    .getByRole('button', { name: 'Disable' })
    .click()
  await expect(row).toContainText('Disabled')
  const refused = await admin.request.post('/api/auth/sign-in', { data: { email, password: colleaguePassword } })
  expect(refused.status()).toBe(403)
})

test('lists a user pending approval first, and approves them', async ({ open, clinic }) => {
  const admin = await open('admin', '/settings/users')
  const { email, id, name } = await addColleague(clinic, admin, 'front_desk')
  await clinic.rows("update profiles set status = 'pending' where id = $1", [id])
  await admin.reload()
  await expect(admin.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem').first()).toContainText('Awaiting approval')
  await admin.getByRole('button', { name: `Approve ${name}` }).click()
  const confirmation = admin.getByRole('dialog', { name: `Let ${name} in?` })
  await expect(confirmation).toContainText(email)
  await confirmation.getByRole('button', { name: 'Approve' }).click()
  await expect(admin.getByText(`${name} is approved`)).toBeVisible()
  expect((await admin.request.post('/api/auth/sign-in', { data: { email, password: colleaguePassword } })).status()).toBe(200)
})

test('hides the page and its settings entry from other roles', async ({ open }) => {
  const page = await open('sales', '/settings/users')
  await expect(page.getByRole('heading', { name: 'Setting not found' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' })).toHaveCount(0)
})

test.describe('during a server error', () => {
  test.use({ expectedErrors: ['status of 500'] })
  test('shows an error when users fail to load, and loads them on retry', async ({ open }) => {
    const page = await open('admin', '/')
    let isBroken = true
    await page.route(/api\/accounts$/, (route) => (isBroken ? route.fulfill({ status: 500 }) : route.continue()))
    await page.goto('/settings/users')
    await expect(page.getByRole('heading', { name: 'Couldn’t load the users' })).toBeVisible({ timeout: 20_000 })
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('list', { name: 'Users', exact: true })).toBeVisible()
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`passes the axe checks on users at desktop width and 375 px (${colorScheme})`, async ({ open, clinic }) => {
    const page = await open('admin', '/settings/users')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { name } = await addColleague(clinic, page, 'billing')
    await page.request.post('/api/invitations', { data: { email: newAddress(), role: 'provider' } })
    const check = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await expect(page.getByRole('button', { name: `More about ${name}` })).toBeVisible()
    await check()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Invite someone' }).getByLabel('Email')).toBeFocused()
    await check()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.setViewportSize({ width: 375, height: 812 })
    await expect(page.getByRole('list', { name: 'Invited' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await check()
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`an invitation (${colorScheme})`, () => {
    test.use({ colorScheme, expectedErrors: ['status of 410', 'status of 422'] })
    test('passes the axe checks on the page, its errors and an expired link, at 1440 and 375 px', async ({ open, clinic, page }) => {
      const admin = await open('admin', '/')
      const email = newAddress()
      expect((await admin.request.post('/api/invitations', { data: { email, role: 'provider' } })).status()).toBe(200)
      const link = await emailedLink(clinic, email, '/invitation')
      const check = async (what: string) => {
        await expect(page.getByRole('main')).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), what).toBeLessThanOrEqual(0)
        expect(await accessibilityViolations(page), what).toEqual([])
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/invitation-${what}-${colorScheme}.png` })
      }
      for (const width of [1440, 375]) {
        await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
        await page.goto(link)
        await expect(page.getByText(email, { exact: true })).toBeVisible()
        await check(`${width}`)
        await page.getByRole('button', { name: 'Join' }).click()
        await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused()
        await expect(page.getByRole('textbox', { name: 'First name' })).toHaveAttribute('aria-invalid', 'true')
        await check(`${width}-mistakes`)
        await page.goto('/invitation?token=made-up')
        await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()
        await check(`${width}-over`)
      }
    })
  })
}
