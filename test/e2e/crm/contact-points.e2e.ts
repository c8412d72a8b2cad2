import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const widths = [
  { name: '1440 px', size: { width: 1440, height: 900 }, isPhone: false },
  { name: '375 px', size: { width: 375, height: 812 }, isPhone: true },
]

const address = () => `${randomUUID().slice(0, 13)}@example.com`
const getContact = async (page: Page, id: string) =>
  (await page.request.get(`/api/contacts/${id}`)).json() as Promise<Record<string, unknown>>

async function createPatient(page: Page, more: Record<string, unknown> = {}) {
  const response = await page.request.post('/api/contacts', { data: { firstName: 'Noor', lastName: randomUUID().slice(0, 8), ...more } })
  expect(response.status()).toBe(200)
  return (await response.json()) as { id: string; lastName: string }
}

for (const { name, size, isPhone } of widths) {
  test.describe(name, () => {
    test.use({ contextOptions: { viewport: size }, expectedErrors: ['status of 422', 'status of 409'] })

    async function openRecord(page: Page, id: string) {
      await page.goto(`/contacts/${id}`)
      if (isPhone) await page.getByRole('tab', { name: 'Details' }).click()
    }

    test('adds an email on the patient’s page by keyboard, makes it primary and removes one', async ({ open }) => {
      const page = await open('sales', '/')
      const [first, second] = [address(), address()]
      const { id } = await createPatient(page, { email: first })
      await openRecord(page, id)
      const fact = page.getByRole('button', { name: `Email: ${first}` })
      await fact.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Add another email' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('textbox', { name: 'Other email 1' })).toBeFocused()
      await page.keyboard.type(first.toUpperCase())
      await page.keyboard.press('Enter')
      await expect(page.getByText('This email is listed twice')).toBeVisible()
      await page.getByRole('textbox', { name: 'Other email 1' }).fill(second)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: `Email: ${first} , also ${second}` })).toBeFocused()
      expect(await getContact(page, id)).toMatchObject({ email: first, otherEmails: [second], version: 2 })

      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Make ${second} the primary email` }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(second)
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('button', { name: `Email: ${second} , also ${first}` })).toBeVisible()
      expect(await getContact(page, id)).toMatchObject({ email: second, otherEmails: [first], version: 3 })

      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${first}` }).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('button', { name: `Email: ${second}`, exact: true })).toBeVisible()
      expect(await getContact(page, id)).toMatchObject({ email: second, otherEmails: [], version: 4 })
    })

    test('adds phones in the form by pointer, and shows the matching number in the list', async ({ open }) => {
      const page = await open('frontdesk', '/')
      const digits = String(Math.floor(1000 + Math.random() * 9000))
      const { id, lastName } = await createPatient(page, { phone: '(905) 555-0101', email: address() })
      await page.goto(`/contacts/${id}/edit`)
      await page.getByRole('button', { name: 'Add another phone' }).click()
      await page.getByRole('textbox', { name: 'Other phone 1' }).fill(`289 734 ${digits}`)
      await page.getByRole('button', { name: 'Add another phone' }).click()
      await page.getByRole('textbox', { name: 'Other phone 2' }).fill('226 555 0111')
      await page.getByRole('button', { name: 'Make 226 555 0111 the primary phone' }).click()
      expect(await accessibilityViolations(page, 'section[aria-label="Contact"]')).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await page.getByRole('button', { name: /^Save/ }).first().click()
      await expect(page).toHaveURL(`/contacts/${id}`)
      expect(await getContact(page, id)).toMatchObject({ phone: '226 555 0111', otherPhones: [`289 734 ${digits}`, '(905) 555-0101'] })

      await page.goto(`/contacts?search=734${digits}`)
      await expect(page.getByText(lastName).first()).toBeVisible()
      await expect(page.getByText(`(289) 734-${digits}`)).toBeVisible()
    })

    test('refuses a new patient with another patient’s secondary email, and names that patient', async ({ open }) => {
      const page = await open('sales', '/')
      const second = address()
      const { lastName } = await createPatient(page, { email: address(), otherEmails: [second] })
      await page.goto('/contacts/new')
      await page.getByLabel('First name').fill('Noor')
      await page.getByLabel('Last name').fill('Again')
      await page.getByRole('button', { name: 'Add another email' }).click()
      await page.getByRole('textbox', { name: 'Other email 1' }).fill(second)
      await page.keyboard.press('Enter')
      await expect(page.getByText('A patient with this email already exists')).toBeVisible()
      await expect(page.getByRole('link', { name: `Noor ${lastName}` })).toBeVisible()
    })
  })
}
