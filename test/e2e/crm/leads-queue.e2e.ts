import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

/** Creates a source that has received these leads. */
async function createSource(page: Page, ...bodies: object[]) {
  const name = `Landing ${randomUUID().slice(0, 8)}`
  const created = await page.request.post('/api/lead-sources', { data: { name, sendsWelcome: false } })
  const { id, webhookKey } = (await created.json()) as { id: string; webhookKey: string }
  for (const data of bodies) expect((await page.request.post(`/api/leads/${webhookKey}`, { data })).status()).toBe(202)
  const entries = async () => (await (await page.request.get(`/api/lead-entries?sourceId=${id}`)).json()) as { data: { status: string }[] }
  await expect.poll(async () => (await entries()).data.filter(({ status }) => status === 'error').length).toBe(bodies.length)
  return { id, name, webhookKey }
}
const newAddress = () => `${randomUUID()}@example.com`
const contactWith = async (page: Page, email: string) =>
  (await (await page.request.get(`/api/contacts/by-email?email=${encodeURIComponent(email)}`)).json()) as {
    id: string
    lastName: string
  } | null

for (const width of [1440, 375]) {
  test(`shows a lead without an email on the Patients page, completes it by mouse, or discards it with Undo (${width} px)`, async ({
    open,
  }) => {
    const admin = await open('admin', '/')
    const email = newAddress()
    const { name, id } = await createSource(
      admin,
      { f1: 'van der Berg, Anna', f2: email, f3: '(416) 555-0142', f4: 'Rhinoplasty' },
      { f1: 'Buy followers now', f2: 'see our page' },
    )
    const page = await open('sales', '/contacts')
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('link', { name: /^Leads to complete/ }).click()
    await page.goto(`/contacts/leads?source=${id}`)
    const list = page.getByRole('list', { name: `Leads of ${name}` })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await list
      .getByRole('listitem')
      .filter({ hasText: 'followers' })
      .getByRole('button', { name: /^Discard/ })
      .click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(2)

    await list
      .getByRole('listitem')
      .filter({ hasText: 'van der Berg' })
      .getByRole('button', { name: /^Complete/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Complete lead' })
    await dialog.getByRole('button', { name: /van der Berg, Anna.*Use for First name/ }).click()
    await dialog.getByRole('button', { name: new RegExp(`${email}.*Use for Email`) }).click()
    await dialog.getByLabel('Phone').focus()
    await dialog
      .getByRole('button', { name: /Use for Phone/ })
      .filter({ hasText: '555-0142' })
      .click()
    await expect(dialog.getByLabel('Last name')).toHaveValue('van der Berg')
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/complete-${width}.png` })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await dialog.getByRole('button', { name: 'Complete lead' }).click()
    await expect(dialog).toBeHidden()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    expect(await contactWith(page, email)).toMatchObject({ firstName: 'Anna', lastName: 'van der Berg', phone: '(416) 555-0142' })
    if (process.env.SHOTS) {
      await page.goto('/contacts/leads')
      await expect(page.getByRole('list', { name: /^Leads of/ }).first()).toBeVisible()
      await page.screenshot({ path: `/tmp/shots/queue-${width}.png` })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.screenshot({ path: `/tmp/shots/queue-dark-${width}.png` })
      await page.goto('/contacts')
      await expect(page.getByRole('link', { name: /^Leads to complete/ })).toBeVisible()
      await page.screenshot({ path: `/tmp/shots/list-${width}.png` })
      await page.goto('/')
      await expect(page.getByText('missing required fields')).toBeVisible()
      await page.screenshot({ path: `/tmp/shots/dashboard-${width}.png` })
    }
  })
}

test('maps fields by click once, processes all waiting leads of the source, and empties the queue live', async ({ open }) => {
  const admin = await open('admin', '/')
  const emails = [newAddress(), newAddress(), newAddress()]
  const { id, name, webhookKey } = await createSource(admin, ...emails.map((email, i) => ({ f1: `Ana Silva-${i}`, f2: email })))
  const page = await open('sales', `/contacts/leads?source=${id}`)
  await page.getByRole('button', { name: `Map fields of ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Map fields of ${name}` })
  await dialog.getByRole('button', { name: /^f1:.*Use for Full name/ }).click()
  await dialog.getByRole('button', { name: /^f2:.*Use for Email/ }).click()
  if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/map-1440.png` })
  await dialog.getByRole('button', { name: 'Save and process 3 leads' }).click()
  await expect(page.getByText('All leads are complete')).toBeVisible()
  for (const [i, email] of emails.entries())
    await expect.poll(async () => (await contactWith(page, email))?.lastName ?? null).toBe(`Silva-${i}`)
  // Later leads of the source are mapped the same way; one that cannot be mapped appears live.
  const later = newAddress()
  await page.request.post(`/api/leads/${webhookKey}`, { data: { f1: 'Mia Lim', f2: later } })
  await page.request.post(`/api/leads/${webhookKey}`, { data: { f1: 'Prince' } })
  await expect(page.getByRole('list', { name: `Leads of ${name}` }).getByRole('listitem')).toHaveText(/Prince/)
  expect(await contactWith(page, later)).toMatchObject({ lastName: 'Lim' })
})

test('opens a lead in the queue by keyboard, and Escape closes it and restores focus', async ({ open }) => {
  const admin = await open('admin', '/')
  const { id } = await createSource(admin, { f1: 'Ana' }, { f1: 'Mia' })
  const page = await open('sales', `/contacts/leads?source=${id}`)
  await expect(page.getByRole('button', { name: /^Complete lead/ })).toHaveCount(2)
  for (const row of [0, 1]) {
    await page.keyboard.press('j')
    await expect(page.getByRole('button', { name: /^Complete lead/ }).nth(row)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Complete lead' }).locator('input:focus')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Complete lead/ }).nth(1)).toBeFocused()
})

test('focuses the next lead after one is discarded or completed by keyboard, and the heading after the last', async ({ open }) => {
  const admin = await open('admin', '/')
  const { id } = await createSource(admin, { first_name: 'Dee' }, { first_name: 'Cy' }, { first_name: 'Bo' }, { first_name: 'Al' })
  const page = await open('sales', `/contacts/leads?source=${id}`)
  const complete = (name: string) => page.getByRole('button', { name: `Complete lead: ${name}` })
  await expect(complete('Al')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(complete('Bo')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(complete('Bo')).toHaveCount(0)
  await expect(complete('Cy')).toBeFocused()
  // The list's shortcuts continue from there.
  await page.keyboard.press('j')
  await expect(complete('Dee')).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Complete lead' })
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('Lim')
  await dialog.getByRole('textbox', { name: 'Email' }).fill(newAddress())
  await page.keyboard.press('Control+Enter')
  await expect(complete('Dee')).toHaveCount(0)
  await expect(complete('Cy')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(complete('Cy')).toHaveCount(0)
  await expect(complete('Al')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'All leads are complete' })).toBeFocused()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks for leads with no, few and many fields (${colorScheme})`, async ({ open }) => {
    const admin = await open('admin', '/')
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, 'x']))
    const { id } = await createSource(admin, {}, { first_name: 'Ana' }, many)
    const page = await open('sales', `/contacts/leads?source=${id}`)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.getByText('No fields were received')).toBeVisible()
    await expect(page.getByText('and 5 more')).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
  })
}

test('shows set-up steps for a tool with its URL, and the mapped fields, on a source’s page', async ({ open }) => {
  const page = await open('admin', '/')
  const { id } = await createSource(page, { f1: 'Ana' })
  await page.goto(`/settings/lead-sources/${id}`)
  await page.getByRole('combobox', { name: 'Tool' }).click()
  await page.getByRole('option', { name: 'Elementor' }).click()
  const steps = page.getByRole('list', { name: 'Steps for Elementor' })
  await expect(steps).toContainText('Webhook URL')
  await expect(page.getByRole('region', { name: 'Address to paste' })).toContainText('/api/leads/')
  await expect(page.getByText('1 lead is missing required fields')).toBeVisible()
  await page.getByRole('button', { name: 'Map fields' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^f1:.*Use for Full name/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save and process 1 lead' }).click()
  await expect(page.getByRole('region', { name: 'Field mapping' })).toContainText('Full name')
  await expect(page.getByRole('region', { name: 'Field mapping' })).toContainText('f1')
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/source-${width}.png` })
  }
})

test('names who may see leads to roles without access, and offers no link', async ({ open }) => {
  const page = await open('frontdesk', '/contacts/leads')
  await expect(page.getByText('Only sales and administrators can complete leads')).toBeVisible()
  await page.goto('/contacts')
  await expect(page.getByRole('link', { name: 'New patient' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Leads to complete/ })).toHaveCount(0)
})
