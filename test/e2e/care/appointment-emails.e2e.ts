import type { Page } from '@playwright/test'
import { daysLater } from '../../../src/shared/zoned-time.ts'
import { accessibilityViolations } from '../support/axe.ts'
import {
  bookAppointment,
  choosePatient,
  dialog,
  eventOf,
  unusedMonday,
  fullName,
  selectTime,
  getAppointment,
} from '../pages/appointments.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { createPatient } from '../pages/patient-documents.ts'

const emailsTo = ({ outbox }: Clinic, email: string) => outbox.messages.filter(({ To }) => To === email)
const phone = { width: 375, height: 812 }

/** The path of the link in the newest email to an address, once there are `count`. */
async function linkTo(clinic: Clinic, email: string, count = 1): Promise<string> {
  await expect.poll(() => emailsTo(clinic, email).length, 'the emails with their links').toBe(count)
  const link = /^https?:\S+\/appointment\/\S+$/m.exec(emailsTo(clinic, email)[0]!.TextBody ?? '')
  return new URL(link![0]).pathname
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow, 'nothing scrolls sideways').toBeLessThanOrEqual(0)
}

test(
  'emails an invitation for a booking, lets the patient confirm by phone, and shows it live in the calendar',
  { tag: '@journey' },
  async ({ open, clinic, browser }) => {
    const [monday, page] = [unusedMonday(), await open('frontdesk', '/surgeries')]
    await page.goto(`/appointments?day=${monday}`)
    const patient = await createPatient(page)
    await selectTime(page, daysLater(monday, 1), '10:00', '10:45')
    const booking = dialog(page, 'Book appointment')
    await choosePatient(page, patient.name)
    const tick = booking.getByRole('checkbox', { name: /Email confirmation and reminders/ })
    await expect(tick).toBeChecked()
    await expect(booking.getByText(patient.email)).toBeVisible()
    await booking.getByRole('button', { name: /^Book / }).click()
    await expect(booking).toHaveCount(0)

    const path = await linkTo(clinic, patient.email)
    const [mail] = emailsTo(clinic, patient.email)
    expect(mail).toMatchObject({ Attachments: [{ Name: 'appointment.ics', ContentType: 'text/calendar; charset=utf-8; method=REQUEST' }] })
    const event = page.locator('[data-calendar]').getByRole('button', { name: patient.name })
    await expect(event).toContainText('Booked')

    const context = await browser.newContext({ viewport: phone, baseURL: clinic.url })
    const patientPage = await context.newPage()
    for (const colorScheme of ['light', 'dark'] as const) {
      await patientPage.emulateMedia({ colorScheme })
      await patientPage.goto(path)
      await expect(patientPage.getByRole('heading', { name: 'Your appointment' })).toBeVisible()
      await expect(patientPage.getByText('10:00 a.m.')).toBeVisible()
      await expect(patientPage.getByRole('button', { name: 'Confirm' })).toBeVisible()
      await expectAccessible(patientPage)
    }
    await expect(patientPage.locator('body')).not.toContainText('Tremblay')
    await expect(event).toContainText('Booked')
    await patientPage.getByRole('button', { name: 'Confirm' }).click()
    await expect(patientPage.getByText('Your appointment is confirmed. We look forward to seeing you.')).toBeVisible()
    await expect(patientPage.getByRole('heading', { name: 'Your appointment' })).toBeFocused()
    await expectAccessible(patientPage)
    await patientPage.reload()
    await expect(patientPage.getByText('Your appointment is confirmed. We look forward to seeing you.')).toBeVisible()
    await context.close()

    await expect(event).toContainText('Confirmed')
    await event.click()
    const drawer = dialog(page, patient.name)
    const emails = drawer.getByRole('list', { name: 'Emails to the patient' })
    await expect(emails).toContainText('Confirmation')
    await expect(emails).toContainText(`Sent to ${patient.email}`)
    await expectAccessible(page)
  },
)

test('requests another time by keyboard only, and shows staff the request, its task and a reminder', async ({ open, clinic, browser }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/surgeries')]
  const patient = await createPatient(page)
  const appointment = await bookAppointment(page, monday, '09:00', { contactId: patient.id, notifiesPatient: true })
  const path = await linkTo(clinic, patient.email)
  const context = await browser.newContext({ viewport: phone, baseURL: clinic.url })
  const patientPage = await context.newPage()
  await patientPage.goto(path)
  await patientPage.getByRole('button', { name: 'Ask for another time' }).focus()
  await patientPage.keyboard.press('Enter')
  await expect(patientPage.getByRole('heading', { name: 'Ask for another time' })).toBeVisible()
  await expect(patientPage.getByRole('checkbox', { name: 'Monday' })).toBeFocused()
  // The clinic is closed on Sundays.
  await expect(patientPage.getByRole('checkbox', { name: 'Sunday' })).toHaveCount(0)
  await expectAccessible(patientPage)
  await patientPage.keyboard.press('Tab')
  await patientPage.keyboard.press('Space')
  await expect(patientPage.getByRole('checkbox', { name: 'Tuesday' })).toBeChecked()
  await patientPage.getByRole('checkbox', { name: 'Afternoons' }).press('Space')
  await patientPage.getByRole('textbox').fill('After three, <b>please</b>')
  await patientPage.getByRole('button', { name: 'Send to the clinic' }).press('Enter')
  await expect(patientPage.getByText('You have asked for another time.')).toBeVisible()
  await expect(patientPage.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await context.close()

  expect(await getAppointment(page, appointment.id)).toMatchObject({ status: 'booked' })
  await page.goto(`/appointments?day=${monday}`)
  await eventOf(page, appointment).click()
  const drawer = dialog(page, fullName(appointment.contact))
  await expect(drawer.getByText('The patient asked to reschedule')).toBeVisible()
  await expect(drawer.getByText('Tuesday. Afternoons.')).toBeVisible()
  await expect(drawer.getByText('After three, <b>please</b>')).toBeVisible()
  const tasks = (await (await page.request.get(`/api/contacts/${patient.id}/tasks`)).json()) as {
    title: string
    assignees: { email: string }[]
  }[]
  expect(tasks).toMatchObject([
    { title: expect.stringContaining('Reschedule request'), assignees: [{ email: 'frontdesk@refyne.example' }] },
  ])
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  // It is due within the hour, or tomorrow if created at night.
  await clinic.rows("update tasks set due_at = now(), remind_at = now() where title like 'Reschedule request%'")
  await clinic.remind()
  const popups = page.getByRole('listitem', { name: /^Overdue: Reschedule request/ })
  await popups.first().getByRole('button', { name: 'Complete' }).click()
  await expect(popups).toHaveCount(0)
})

test('does not email a patient without an address, makes the cancellation email optional, and marks its link as cancelled', async ({
  open,
  clinic,
  browser,
}) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/surgeries')]
  const silent = await bookAppointment(page, monday, '13:00')
  await page.goto(`/appointments?day=${monday}`)
  await eventOf(page, silent).click()
  const quiet = dialog(page, fullName(silent.contact))
  await expect(quiet.getByText('The patient is not emailed.')).toBeVisible()
  await quiet.getByRole('button', { name: 'Move' }).click()
  await expect(dialog(page, /^Move/).getByText('The patient has no email address and is not notified.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page, /^Move/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(quiet).toHaveCount(0)

  const patient = await createPatient(page)
  const appointment = await bookAppointment(page, monday, '09:00', { contactId: patient.id, notifiesPatient: true })
  const path = await linkTo(clinic, patient.email)
  await eventOf(page, appointment).click()
  const drawer = dialog(page, fullName(appointment.contact))
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
  const confirmation = dialog(page, 'Cancel this appointment?')
  await expect(confirmation.getByRole('checkbox', { name: /Email the patient/ })).toBeChecked()
  await confirmation.getByRole('textbox', { name: 'Reason' }).fill('Is ill')
  await confirmation.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(confirmation).toHaveCount(0)
  await expect.poll(() => emailsTo(clinic, patient.email)[0]?.Subject).toMatch(/is cancelled$/)

  const context = await browser.newContext({ viewport: phone, baseURL: clinic.url })
  const patientPage = await context.newPage()
  await patientPage.goto(path)
  await expect(patientPage.getByRole('heading', { name: 'Your appointment is cancelled' })).toBeVisible()
  await expect(patientPage.getByRole('main').getByRole('button')).toHaveCount(0)
  await expectAccessible(patientPage)
  await patientPage.goto(`/appointment/${'x'.repeat(43)}`)
  await expect(patientPage.getByText('This link no longer works.')).toBeVisible()
  await expectAccessible(patientPage)
  await context.close()
})

test('creates, copies and revokes a provider’s private calendar link, hidden from others', async ({ open }) => {
  const page = await open('provider', '/settings/calendar-feed')
  const card = page.getByRole('region', { name: 'Calendar feed' })
  await card.getByRole('button', { name: 'Create private link' }).click()
  const address = card.getByLabel('Private link')
  await expect(address).toHaveValue(/\/api\/calendar\/[\w-]{43}\.ics$/)
  await expectAccessible(page)
  const path = new URL(await address.inputValue()).pathname
  expect(await (await page.request.get(path)).text()).toContain('BEGIN:VCALENDAR')
  await page.reload()
  await expect(card.getByText('The link is only shown when it is created.')).toBeVisible()
  await expect(address).toHaveCount(0)
  await expect(card.getByText(/last fetched/)).toBeVisible()
  await card.getByRole('button', { name: 'Revoke' }).click()
  await dialog(page, 'Revoke the link?').getByRole('button', { name: 'Revoke link' }).click()
  await expect(card.getByText('No calendar feed yet')).toBeVisible()
  expect((await page.request.get(path)).status()).toBe(404)
  const patientPage = await open('frontdesk', '/settings')
  const sections = patientPage.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByRole('link', { name: 'Hours and rooms' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'Calendar feed' })).toHaveCount(0)
})
