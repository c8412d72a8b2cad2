import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { bookAppointment, choosePatient, dialog, eventOf, fetchJson, toastMessage, unusedMonday } from '../pages/appointments.ts'
import { bookSurgery } from '../pages/surgeries.ts'

const newPatient = (page: Page, given: Record<string, unknown> = {}) =>
  fetchJson<{ id: string; lastName: string }>(page, '/contacts', {
    firstName: 'Deepa',
    lastName: `Thambirajah-${crypto.randomUUID().slice(0, 8)}`,
    preferredName: 'Dee',
    dateOfBirth: '1988-03-14',
    pronouns: 'she/her',
    procedureOfInterest: 'Septorhinoplasty',
    ...given,
  })

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('adds a portrait beside the name, and removes it (issue 26)', async ({ open }) => {
      const page = await open('frontdesk', '/contacts')
      const { id } = await newPatient(page)
      await page.goto(`/contacts/${id}`)
      const menu = page.getByRole('button', { name: /^Portrait of Deepa/ })
      await menu.press('Enter')
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('menuitem', { name: 'Add portrait' }).press('Enter')
      // Taller than wide, as from a phone.
      const buffer = await sharp({ create: { width: 900, height: 1600, channels: 3, background: '#2a7' } })
        .jpeg()
        .toBuffer()
      await (await choosing).setFiles({ name: 'portrait.jpg', mimeType: 'image/jpeg', buffer })
      const picture = menu.locator('img')
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.reload()
      await expect(picture).toBeVisible()
      await menu.press('Enter')
      await page.getByRole('menuitem', { name: 'Remove portrait' }).press('Enter')
      await expect(picture).toHaveCount(0)
    })

    test('adds a health card, shows its number on request, hides it again, and removes it', async ({ open, clinic }) => {
      const page = await open('frontdesk', '/contacts')
      const { id } = await newPatient(page)
      await page.goto(`/contacts/${id}`)
      const heading = page.locator('header', { has: page.getByRole('heading', { level: 1 }) }).last()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Deepa “Dee” Thambirajah/)
      await expect(heading).toContainText(/Born Mar 14, 1988 \(\d+\)·she\/her·Septorhinoplasty/)
      if (viewport.width < 1152) await page.getByRole('tab', { name: 'Details' }).click()

      await page.getByRole('button', { name: 'Add health card' }).click()
      const form = dialog(page, 'Add health card')
      await form.getByLabel('Number').fill('9876 543 218')
      await form.getByLabel('Version code').fill('ab')
      await form.getByRole('button', { name: 'Add health card' }).click()
      await expect(form.getByText('This is not a valid Ontario health card number. Check each digit.')).toBeVisible()
      await form.getByLabel('Number').fill('9876 543 217')
      await form.getByLabel('Number').press('Enter')
      await expect(toastMessage(page, 'Health card added')).toBeVisible()
      await expect(heading).toContainText('Health card •••• 3217')

      const number = page.getByText('9876 543 217 AB')
      await page.getByRole('button', { name: 'Show health card number' }).click()
      await expect(number).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Hide health card number' }).click()
      await expect(number).toHaveCount(0)
      const views = await clinic.rows(
        "select 1 from audit_log where action = 'viewed' and kind = 'health card' and contact_ids = array[$1]::uuid[]",
        [id],
      )
      expect(views).toHaveLength(1)

      await page.getByRole('button', { name: 'Remove health card' }).click()
      await dialog(page, 'Remove the health card?').getByRole('button', { name: 'Remove health card' }).click()
      await expect(toastMessage(page, 'Health card removed')).toBeVisible()
      await expect(heading).not.toContainText('Health card')
    })

    test('warns of two patients with the same name on one day', async ({ open }) => {
      const page = await open('frontdesk', '/appointments')
      const day = unusedMonday()
      const { id: first, lastName } = await newPatient(page)
      const { id: second } = await newPatient(page, { lastName: lastName.toUpperCase(), preferredName: null, dateOfBirth: '1971-06-02' })
      const visit = await bookAppointment(page, day, '10:00', { contactId: first })
      const surgery = await bookSurgery(page, day, '13:00', { contactId: second })
      const warning = 'Same name as another patient on this day: check the birth date.'

      await page.goto(`/appointments?view=day&day=${day}`)
      await expect(eventOf(page, visit)).toContainText(`${warning} This patient: Mar 14, 1988. Other: Jun 2, 1971.`)
      await eventOf(page, visit).click()
      const drawer = page.getByRole('dialog')
      await expect(drawer.getByRole('heading', { name: /Deepa “Dee” Thambirajah/ })).toBeVisible()
      await expect(drawer).toContainText(/Born Mar 14, 1988 \(\d+\)/)
      await expect(drawer.getByRole('status').filter({ hasText: warning })).toContainText('Other: Jun 2, 1971.')
      expect(await accessibilityViolations(page)).toEqual([])

      await page.goto(`/appointments?view=list&day=${day}`)
      await expect(page.getByRole('button', { name: new RegExp(warning) })).toBeVisible()
      await page.goto(`/surgeries?view=day&day=${day}&surgery=${surgery.id}`)
      await expect(page.getByRole('dialog').getByRole('status').filter({ hasText: warning })).toContainText('Other: Mar 14, 1988.')
    })
  })
}

test('names the patient with the birth date while booking, and warns afterwards', async ({ open }) => {
  const page = await open('frontdesk', '/appointments')
  const day = unusedMonday()
  const { id: first, lastName } = await newPatient(page)
  const { lastName: same } = await newPatient(page, { lastName: `${lastName}.`, dateOfBirth: null })
  await bookAppointment(page, day, '10:00', { contactId: first })
  await page.goto(`/appointments?view=day&day=${day}`)
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await choosePatient(page, `Deepa ${same}`)
  const form = dialog(page, 'Book appointment')
  await expect(form.getByText('Birth date not recorded')).toBeVisible()
  await form.getByLabel('Date').fill(day)
  await form.getByLabel('Time').fill('14:00')
  await form.getByRole('button', { name: /^Book / }).click()
  await expect(toastMessage(page, 'Same name as another patient on this day: check the birth date')).toBeVisible()
})

test('shows sales no health card', async ({ open }) => {
  const desk = await open('frontdesk', '/contacts')
  const { id } = await newPatient(desk)
  const saved = await desk.request.put(`/api/contacts/${id}/health-card`, { data: { version: 0, number: '9876543217' } })
  expect(saved.status(), await saved.text()).toBe(200)
  const page = await open('sales', `/contacts/${id}`)
  await expect(page.getByRole('heading', { name: 'Identity' })).toBeVisible()
  await expect(page.getByText(/health card/i)).toHaveCount(0)
})
