import type { Page } from '@playwright/test'
import { daysLater } from '../../../src/shared/zoned-time.ts'
import { brokenRules } from '../axe.ts'
import { booked, choosePatient, dialog, eventOf, freshMonday, fullName, mark, stored } from '../appointments.ts'
import { type Clinic, expect, test } from '../clinic.ts'
import { newPatient } from '../papers.ts'

const mailsTo = ({ outbox }: Clinic, email: string) => outbox.messages.filter(({ To }) => To === email)
const phone = { width: 375, height: 812 }

/** The path of the link in the newest mail to an address, once there are so many. */
async function linkTo(clinic: Clinic, email: string, count = 1): Promise<string> {
  await expect.poll(() => mailsTo(clinic, email).length, 'the mails with their links').toBe(count)
  const link = /^https?:\S+\/appointment\/\S+$/m.exec(mailsTo(clinic, email)[0]!.TextBody ?? '')
  return new URL(link![0]).pathname
}

async function isAccessible(page: Page): Promise<void> {
  expect(await brokenRules(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow, 'nothing scrolls sideways').toBeLessThanOrEqual(0)
}

test('issue 8: a patient who is booked is told by email with an invitation, confirms on their phone, and the calendar shows it live', async ({
  open,
  clinic,
  browser,
}) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/surgeries')]
  await page.goto(`/appointments?day=${monday}`)
  const who = await newPatient(page)
  await mark(page, daysLater(monday, 1), '10:00', '10:45')
  const booking = dialog(page, 'Book appointment')
  await choosePatient(page, who.name)
  const tick = booking.getByRole('checkbox', { name: /Tell the patient by email/ })
  await expect(tick).toBeChecked()
  await expect(booking.getByText(who.email)).toBeVisible()
  await booking.getByRole('button', { name: /^Book / }).click()
  await expect(booking).toHaveCount(0)

  const path = await linkTo(clinic, who.email)
  const [mail] = mailsTo(clinic, who.email)
  expect(mail).toMatchObject({ Attachments: [{ Name: 'appointment.ics', ContentType: 'text/calendar; charset=utf-8; method=REQUEST' }] })
  const event = page.locator('[data-calendar]').getByRole('button', { name: who.name })
  await expect(event).toContainText('Booked')

  const context = await browser.newContext({ viewport: phone, baseURL: clinic.url })
  const theirs = await context.newPage()
  for (const colorScheme of ['light', 'dark'] as const) {
    await theirs.emulateMedia({ colorScheme })
    await theirs.goto(path)
    await expect(theirs.getByRole('heading', { name: 'Your appointment' })).toBeVisible()
    await expect(theirs.getByText('10:00 a.m.')).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Confirm' })).toBeVisible()
    await isAccessible(theirs)
  }
  await expect(theirs.locator('body')).not.toContainText('Tremblay')
  await expect(event).toContainText('Booked')
  await theirs.getByRole('button', { name: 'Confirm' }).click()
  await expect(theirs.getByText('You have confirmed. We look forward to seeing you.')).toBeVisible()
  await expect(theirs.getByRole('heading', { name: 'Your appointment' })).toBeFocused()
  await isAccessible(theirs)
  await theirs.reload()
  await expect(theirs.getByText('You have confirmed. We look forward to seeing you.')).toBeVisible()
  await context.close()

  await expect(event).toContainText('Confirmed')
  await event.click()
  const drawer = dialog(page, who.name)
  const mails = drawer.getByRole('list', { name: 'Emails to the patient' })
  await expect(mails).toContainText('Confirmation')
  await expect(mails).toContainText(`Sent to ${who.email}`)
  await isAccessible(page)
})

test('issue 8: a patient asks for another time by the keyboard alone; staff have a task, are reminded of it, and see the wish', async ({
  open,
  clinic,
  browser,
}) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/surgeries')]
  const who = await newPatient(page)
  const one = await booked(page, monday, '09:00', { contactId: who.id, tellsPatient: true })
  const path = await linkTo(clinic, who.email)
  const context = await browser.newContext({ viewport: phone, baseURL: clinic.url })
  const theirs = await context.newPage()
  await theirs.goto(path)
  await theirs.getByRole('button', { name: 'Ask for another time' }).focus()
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByRole('heading', { name: 'Ask for another time' })).toBeVisible()
  await expect(theirs.getByRole('checkbox', { name: 'Monday' })).toBeFocused()
  // The clinic is closed then.
  await expect(theirs.getByRole('checkbox', { name: 'Sunday' })).toHaveCount(0)
  await isAccessible(theirs)
  await theirs.keyboard.press('Tab')
  await theirs.keyboard.press('Space')
  await expect(theirs.getByRole('checkbox', { name: 'Tuesday' })).toBeChecked()
  await theirs.getByRole('checkbox', { name: 'Afternoons' }).press('Space')
  await theirs.getByRole('textbox').fill('After three, <b>please</b>')
  await theirs.getByRole('button', { name: 'Send to the clinic' }).press('Enter')
  await expect(theirs.getByText('You have asked for another time.')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await context.close()

  expect(await stored(page, one.id)).toMatchObject({ status: 'booked' })
  await page.goto(`/appointments?day=${monday}`)
  await eventOf(page, one).click()
  const drawer = dialog(page, fullName(one.contact))
  await expect(drawer.getByText('The patient asks for another time')).toBeVisible()
  await expect(drawer.getByText('Tuesday. Afternoons.')).toBeVisible()
  await expect(drawer.getByText('After three, <b>please</b>')).toBeVisible()
  const tasks = (await (await page.request.get(`/api/contacts/${who.id}/tasks`)).json()) as {
    title: string
    assignees: { email: string }[]
  }[]
  expect(tasks).toMatchObject([
    { title: expect.stringContaining('Reschedule request'), assignees: [{ email: 'frontdesk@refyne.example' }] },
  ])
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  // It is due within the hour, or tomorrow at night.
  await clinic.rows("update tasks set due_at = now(), remind_at = now() where title like 'Reschedule request%'")
  await clinic.remind()
  const popups = page.getByRole('listitem', { name: /^Overdue: Reschedule request/ })
  await popups.first().getByRole('button', { name: 'Complete' }).click()
  await expect(popups).toHaveCount(0)
})

test('issue 8: who has no address is not told; a cancellation may be kept to oneself; a link of what was cancelled says so', async ({
  open,
  clinic,
  browser,
}) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/surgeries')]
  const silent = await booked(page, monday, '13:00')
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

  const who = await newPatient(page)
  const one = await booked(page, monday, '09:00', { contactId: who.id, tellsPatient: true })
  const path = await linkTo(clinic, who.email)
  await eventOf(page, one).click()
  const drawer = dialog(page, fullName(one.contact))
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
  const asks = dialog(page, 'Cancel this appointment?')
  await expect(asks.getByRole('checkbox', { name: /Tell the patient by email/ })).toBeChecked()
  await asks.getByLabel('Reason').fill('Is ill')
  await asks.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(asks).toHaveCount(0)
  await expect.poll(() => mailsTo(clinic, who.email)[0]?.Subject).toMatch(/is cancelled$/)

  const context = await browser.newContext({ viewport: phone, baseURL: clinic.url })
  const theirs = await context.newPage()
  await theirs.goto(path)
  await expect(theirs.getByRole('heading', { name: 'Your appointment is cancelled' })).toBeVisible()
  await expect(theirs.getByRole('button')).toHaveCount(0)
  await isAccessible(theirs)
  await theirs.goto(`/appointment/${'x'.repeat(43)}`)
  await expect(theirs.getByText('This link no longer works.')).toBeVisible()
  await isAccessible(theirs)
  await context.close()
})

test('issue 8: a provider makes the secret address of their calendar, copies it, and revokes it; others see no such thing', async ({
  open,
}) => {
  const page = await open('provider', '/settings/calendar-feed')
  const card = page.getByRole('region', { name: 'Your calendar elsewhere' })
  await card.getByRole('button', { name: 'Create private link' }).click()
  const address = card.getByLabel('Secret address')
  await expect(address).toHaveValue(/\/api\/calendar\/[\w-]{43}\.ics$/)
  await isAccessible(page)
  const path = new URL(await address.inputValue()).pathname
  expect(await (await page.request.get(path)).text()).toContain('BEGIN:VCALENDAR')
  await page.reload()
  await expect(card.getByText('The address was shown when it was made.')).toBeVisible()
  await expect(address).toHaveCount(0)
  await expect(card.getByText(/last fetched on/)).toBeVisible()
  await card.getByRole('button', { name: 'Revoke' }).click()
  await dialog(page, 'Revoke the address?').getByRole('button', { name: 'Revoke' }).click()
  await expect(card.getByText('No calendar feed yet')).toBeVisible()
  expect((await page.request.get(path)).status()).toBe(404)
  const theirs = await open('frontdesk', '/settings')
  const sections = theirs.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByRole('link', { name: 'Hours and rooms' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'Calendar feed' })).toHaveCount(0)
})
