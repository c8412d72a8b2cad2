import { demoPassword, expect, test } from './clinic.ts'

test('spec 2: a signed-out visitor of a guarded page is led to /auth, and after sign-in to the dashboard', async ({ page }) => {
  await page.goto('/contacts')
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email').fill('sales@refyne.example')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/auth')
  await expect(page).toHaveURL('/')
})

test('spec 2: the sidebar has its entries in order, collapses by ctrl+B, and remembers that', async ({ open }) => {
  const page = await open('sales', '/')
  const entries = page.getByRole('navigation').first().getByRole('link')
  await expect(entries).toContainText([
    'Dashboard',
    'Patients',
    'Tasks',
    'Inbox',
    'Surgeries',
    'Reports',
    'Collections',
    'Email',
    'Settings',
  ])
  await page.keyboard.press('Control+b')
  await expect.poll(async () => (await page.context().cookies()).find((cookie) => cookie.name === 'sidebar_state')?.value).toBe('false')
  await page.reload()
  await expect(page.getByText('Plastic Surgery, Oakville')).toBeHidden()
})

test('spec 2: below 768 px the sidebar is a drawer that Escape closes', async ({ open }) => {
  const page = await open('sales', '/')
  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Patients' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('spec 2: any other path shows the 404 page with its link home', async ({ open }) => {
  const page = await open('sales', '/nowhere/at-all')
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('spec 2: signing out of one tab ends the other tab too', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const other = await page.context().newPage()
  await other.goto('/contacts')
  await expect(other.getByRole('link', { name: 'Patients' }).first()).toBeVisible()
  await page
    .getByRole('button', { name: /account|priya|avatar|menu/i })
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(other).toHaveURL('/auth')
})
