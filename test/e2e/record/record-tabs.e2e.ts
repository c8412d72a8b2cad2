import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { daysLater } from '../../../src/shared/zoned-time.ts'
import { bookAppointment, unusedMonday } from '../pages/appointments.ts'
import { createPatient, photoPng, uploadAsPatient } from '../pages/patient-documents.ts'
import { bookSurgery } from '../pages/surgeries.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const isOpen = async (page: Page, name: string) => expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('moves through a patient’s tabs by arrow keys, and keeps the tab in the URL', async ({ open }) => {
      const page = await open('sales', '/contacts')
      const { id } = await createPatient(page)
      await page.goto(`/contacts/${id}`)
      await isOpen(page, 'Timeline')
      await tab(page, 'Timeline').focus()
      for (const [name, at] of [
        ['Tasks', 'tasks'],
        ['Messages', 'messages'],
        ['Appointments', 'appointments'],
        ['Surgery', 'surgery'],
        ['Quotes and payments', 'account'],
        ['Documents', 'documents'],
        ['History', 'history'],
      ] as const) {
        await page.keyboard.press('ArrowRight')
        await isOpen(page, name)
        await expect(tab(page, name)).toBeFocused()
        await expect(page).toHaveURL(`/contacts/${id}?tab=${at}`)
        await expect(page.getByRole('tabpanel', { name }).getByRole('status', { name: 'Loading' })).toHaveCount(0)
      }
      await page.reload()
      await isOpen(page, 'History')
      await tab(page, 'History').focus()
      await page.keyboard.press('Home')
      await isOpen(page, 'Timeline')
      await expect(page).toHaveURL(`/contacts/${id}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    })

    test('shows who changed what, with the original value', async ({ open }) => {
      const page = await open('sales', '/contacts')
      const { id } = await createPatient(page)
      const change = await page.request.patch(`/api/contacts/${id}`, { data: { version: 1, city: 'Oakville', phone: '905-555-0142' } })
      expect(change.status()).toBe(200)
      await page.goto(`/contacts/${id}?tab=history`)
      const lines = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
      await expect(lines).toHaveCount(2)
      await expect(lines.first()).toContainText('changed')
      await expect(lines.first().getByRole('term')).toHaveText(['Phone', 'City'], { useInnerText: true })
      await expect(lines.first()).toContainText('Oakville')
      await expect(lines.first()).toContainText('(905) 555-0142')
      await expect(lines.last()).toContainText('added the patient')
    })
  })
}

test('lists the patient’s messages under Messages, with links to the inbox', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const { id, email } = await createPatient(page)
  await page.goto(`/contacts/${id}?tab=messages`)
  await expect(page.getByText('No messages yet')).toBeVisible()
  const data = {
    contactId: id,
    email,
    subject: 'About your visit',
    text: 'Hello',
    isCommercial: false,
    idempotencyKey: crypto.randomUUID(),
  }
  expect((await page.request.post('/api/inbox/conversations', { data })).status()).toBe(200)
  // Without a reload.
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('button', { name: /About your visit/ }).click()
  await expect(page).toHaveURL(/\/inbox\?.*conversation=/)
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('About your visit')
})

test('shows the next appointment and surgery, starts emails and tasks, and counts documents to review', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const patient = await createPatient(page)
  await page.goto(`/contacts/${patient.id}`)
  const header = page.locator('header', { has: page.getByRole('button', { name: 'Book', exact: true }) }).last()
  await expect(header).toContainText('Added')
  await expect(header).not.toContainText('Next appointment')

  const [monday, later] = [unusedMonday(), unusedMonday()]
  await bookAppointment(page, monday, '09:00', { contactId: patient.id })
  await bookAppointment(page, later, '09:00', { contactId: patient.id })
  await expect(header.getByRole('link', { name: /^Next appointment Mon, .* 9:00 a\.m\.$/ })).toBeVisible()
  await bookSurgery(page, daysLater(monday, 1), '08:00', { contactId: patient.id })
  await header.getByRole('link', { name: /^Surgery Tue, .* 8:00 a\.m\.$/ }).click()
  await isOpen(page, 'Surgery')

  await tab(page, 'Timeline').click()
  const composer = page.getByRole('group', { name: 'What to add' })
  await composer.getByRole('button', { name: 'Email' }).click()
  await expect(page.getByRole('dialog', { name: 'New message' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await composer.getByRole('button', { name: 'Task' }).click()
  await expect(page.getByRole('dialog', { name: 'Create New Task' })).toBeVisible()
  await page.keyboard.press('Escape')

  await uploadAsPatient(clinic, patient, { 'front.png': photoPng, 'side.png': photoPng })
  await expect(page.getByRole('tab', { name: /^Documents/ })).toContainText('2 to review')
})

test('accepts a patient page’s shortcuts on each tab, and shows only the tabs of one’s role', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const { id } = await createPatient(page)
  await page.goto(`/contacts/${id}?tab=history`)
  await isOpen(page, 'History')
  await expect(tab(page, 'Messages')).toHaveCount(0)
  await page.keyboard.press('t')
  await expect(page.getByRole('dialog', { name: 'Create New Task' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('b')
  await expect(page.getByRole('dialog', { name: 'Book appointment' })).toBeVisible()

  const otherPage = await open('billing', `/contacts/${id}?tab=appointments`)
  await isOpen(otherPage, 'Timeline')
  await expect(tab(otherPage, 'Appointments')).toHaveCount(0)
  await expect(tab(otherPage, 'Quotes and payments')).toBeVisible()
})
