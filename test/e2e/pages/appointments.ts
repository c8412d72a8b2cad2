import type { Locator, Page } from '@playwright/test'
import { weekdayOf } from '../../../src/platform/practice/rules.ts'
import { daysLater, instantOf } from '../../../src/shared/zoned-time.ts'
import { expect } from '../support/clinic.ts'

export const timeZone = 'America/Toronto'

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
/** A calendar day of the practice, in days from today. Counts days, not hours: a day on which the clocks change has 23 or 25. */
export const dayFromNow = (days: number): string => daysLater(today(), days)

/** The first Monday to Friday from then on: a booking on a day on which the practice is closed asks first. */
export function weekdayFromNow(days: number): string {
  const day = dayFromNow(days)
  return weekdayOf(day) <= 5 ? day : weekdayFromNow(days + 1)
}

let weeks = 60

/** A Monday of a week that no other test uses, beyond the demo's own appointments. */
export function unusedMonday(): string {
  const weekday = new Date(`${today()}T00:00:00Z`).getUTCDay() || 7
  return daysLater(today(), 8 - weekday + 7 * ++weeks)
}

/** A past Monday of a week that no other test uses: an appointment must have begun to be missed or completed. */
export const unusedPastMonday = (): string => daysLater(unusedMonday(), -7 * 400)

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

export interface Appointment {
  id: string
  version: number
  status: string
  startsAt: string
  endsAt: string
  providerId: string | null
  roomId: string | null
  cancelReason: string | null
  contact: { id: string; firstName: string; lastName: string }
}

/** The JSON of a successful response; posts when there is `data`. */
export async function fetchJson<Body>(page: Page, path: string, data?: unknown): Promise<Body> {
  const response = data === undefined ? await page.request.get(`/api${path}`) : await page.request.post(`/api${path}`, { data })
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
  return (await response.json()) as Body
}

export const getProvider = async (page: Page): Promise<{ id: string; fullName: string }> =>
  (await fetchJson<{ id: string; fullName: string; role: string }[]>(page, '/people')).find(({ role }) => role === 'provider')!

export const createPatient = (page: Page, lastName = `Arsenault-${crypto.randomUUID().slice(0, 8)}`) =>
  fetchJson<{ id: string; firstName: string; lastName: string; funnelStageId: string | null }>(page, '/contacts', {
    firstName: 'Odile',
    lastName,
  })

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`

/** Books an appointment for a new patient with the provider; 45 minutes by default. */
export async function bookAppointment(page: Page, day: string, time: string, given: Record<string, unknown> = {}): Promise<Appointment> {
  const contactId = (await createPatient(page)).id
  const startsAt = instantOf({ day, time }, timeZone).toISOString()
  const defaults = {
    contactId,
    type: 'consult',
    providerId: (await getProvider(page)).id,
    startsAt,
    minutes: 45,
    idempotencyKey: crypto.randomUUID(),
  }
  return fetchJson<Appointment>(page, '/appointments', { ...defaults, ...given })
}

export const getAppointment = (page: Page, id: string) => fetchJson<Appointment>(page, `/appointments/${id}`)

export const eventOf = (page: Page, { id }: { id: string }): Locator => page.locator(`[data-calendar] [data-entry="${id}"]`)

/** Waits until the calendar has scrolled to the morning: positions measured before would be outdated. */
async function waitForScroll(page: Page): Promise<void> {
  const scrolled = () =>
    page
      .locator('[data-calendar]')
      .evaluate((calendar) => Math.max(...[...calendar.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)))
  await expect.poll(scrolled).toBeGreaterThan(0)
}

/** The position of a time in a column on the page, in px: a little below its line. */
async function pointAt(page: Page, column: string, time: string): Promise<{ x: number; y: number }> {
  const lane = page.locator(`[data-calendar] [role="cell"][data-date="${column}"]`)
  const [hour, minute] = time.split(':').map(Number)
  const slot = page.locator(`[data-calendar] [data-time="${String(hour).padStart(2, '0')}:00:00"]`).last()
  await slot.scrollIntoViewIfNeeded()
  const [across, down] = [await lane.boundingBox(), await slot.boundingBox()]
  // A row of the grid is 15 minutes.
  return { x: across!.x + across!.width / 2, y: down!.y + (down!.height * minute!) / 15 + 4 }
}

/** Selects a period in a column by dragging the pointer. */
export async function selectTime(page: Page, column: string, from: string, to: string): Promise<void> {
  await waitForScroll(page)
  const [begin, end] = [await pointAt(page, column, from), await pointAt(page, column, to)]
  await page.mouse.move(begin.x, begin.y)
  await page.mouse.down()
  await page.mouse.move(begin.x, begin.y + 6)
  // The last grid row to select.
  await page.mouse.move(end.x, end.y - 10, { steps: 8 })
  await page.mouse.up()
}

/** Drags an event to another day and time: grabbed a little below its top, dropped a little below the line. */
export async function dragEvent(page: Page, event: Locator, column: string, to: string): Promise<void> {
  await waitForScroll(page)
  const end = await pointAt(page, column, to)
  const box = await event.boundingBox()
  const begin = { x: box!.x + box!.width / 2, y: box!.y + 4 }
  await page.mouse.move(begin.x, begin.y)
  await page.mouse.down()
  await page.mouse.move(begin.x, begin.y + 8)
  await page.mouse.move(end.x, end.y, { steps: 10 })
  await page.mouse.up()
}

/** Selects a patient in the booking dialog. */
export async function choosePatient(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Patient' }).click()
  await page.getByPlaceholder('Name, email or phone').fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

/** A toast with this text. */
export const toastMessage = (page: Page, text: string | RegExp): Locator => page.locator('[data-sonner-toaster]').getByText(text)
