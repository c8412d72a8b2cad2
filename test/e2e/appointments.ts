import type { Locator, Page } from '@playwright/test'
import { daysLater, instantOf } from '../../src/shared/zoned-time.ts'
import { expect } from './clinic.ts'

export const timeZone = 'America/Toronto'

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
/** A calendar day of the practice. Days are counted, not hours: a day on which the clocks change has 23 or 25. */
export const dayFromNow = (days: number): string => daysLater(today(), days)

let weeks = 60

/** A Monday of a week that no other test looks at, and which the demo's own appointments do not reach. */
export function freshMonday(): string {
  const weekday = new Date(`${today()}T00:00:00Z`).getUTCDay() || 7
  return daysLater(today(), 8 - weekday + 7 * ++weeks)
}

/** A Monday long past, of a week that no other test looks at: what is to be missed or completed has to have begun. */
export const freshPastMonday = (): string => daysLater(freshMonday(), -7 * 400)

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

export interface Booked {
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

/** What an answer says, once it is a good one. */
export async function answered<Answer>(page: Page, path: string, data?: unknown): Promise<Answer> {
  const answer = data === undefined ? await page.request.get(`/api${path}`) : await page.request.post(`/api${path}`, { data })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return (await answer.json()) as Answer
}

export const provider = async (page: Page): Promise<{ id: string; fullName: string }> =>
  (await answered<{ id: string; fullName: string; role: string }[]>(page, '/people')).find(({ role }) => role === 'provider')!

export const patient = (page: Page, lastName = `Arsenault-${crypto.randomUUID().slice(0, 8)}`) =>
  answered<{ id: string; firstName: string; lastName: string; funnelStageId: string | null }>(page, '/contacts', {
    firstName: 'Odile',
    lastName,
  })

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`

/** An appointment of a new patient with the provider, 45 minutes unless it is said. */
export async function booked(page: Page, day: string, time: string, given: Record<string, unknown> = {}): Promise<Booked> {
  const contactId = (await patient(page)).id
  const startsAt = instantOf({ day, time }, timeZone).toISOString()
  const usual = {
    contactId,
    type: 'consult',
    providerId: (await provider(page)).id,
    startsAt,
    minutes: 45,
    idempotencyKey: crypto.randomUUID(),
  }
  return answered<Booked>(page, '/appointments', { ...usual, ...given })
}

export const stored = (page: Page, id: string) => answered<Booked>(page, `/appointments/${id}`)

export const eventOf = (page: Page, { id }: { id: string }): Locator => page.locator(`[data-calendar] [data-entry="${id}"]`)

/** The calendar scrolls to the morning once it is drawn: whatever is measured before that is somewhere else a moment later. */
async function stands(page: Page): Promise<void> {
  const scrolled = () =>
    page
      .locator('[data-calendar]')
      .evaluate((calendar) => Math.max(...[...calendar.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)))
  await expect.poll(scrolled).toBeGreaterThan(0)
}

/** Where a time of a column is on the page, in px: a little below its line. */
async function pointAt(page: Page, column: string, time: string): Promise<{ x: number; y: number }> {
  const lane = page.locator(`[data-calendar] [role="cell"][data-date="${column}"]`)
  const [hour, minute] = time.split(':').map(Number)
  const slot = page.locator(`[data-calendar] [data-time="${String(hour).padStart(2, '0')}:00:00"]`).last()
  await slot.scrollIntoViewIfNeeded()
  const [across, down] = [await lane.boundingBox(), await slot.boundingBox()]
  // A row of the grid is a quarter of an hour.
  return { x: across!.x + across!.width / 2, y: down!.y + (down!.height * minute!) / 15 + 4 }
}

/** Marks a time by the pointer, from one moment to another. */
export async function mark(page: Page, column: string, from: string, to: string): Promise<void> {
  await stands(page)
  const [begin, end] = [await pointAt(page, column, from), await pointAt(page, column, to)]
  await page.mouse.move(begin.x, begin.y)
  await page.mouse.down()
  await page.mouse.move(begin.x, begin.y + 6)
  // The last step of the calendar that is to be marked.
  await page.mouse.move(end.x, end.y - 10, { steps: 8 })
  await page.mouse.up()
}

/** Drags what is in the calendar to another day and time: taken a little below its top, let go a little below the line. */
export async function drag(page: Page, event: Locator, column: string, to: string): Promise<void> {
  await stands(page)
  const end = await pointAt(page, column, to)
  const box = await event.boundingBox()
  const begin = { x: box!.x + box!.width / 2, y: box!.y + 4 }
  await page.mouse.move(begin.x, begin.y)
  await page.mouse.down()
  await page.mouse.move(begin.x, begin.y + 8)
  await page.mouse.move(end.x, end.y, { steps: 10 })
  await page.mouse.up()
}

/** Chooses a patient in the booking dialog. */
export async function choosePatient(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Patient' }).click()
  await page.getByPlaceholder('Name, email or phone').fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

/** A message of the page. */
export const said = (page: Page, words: string | RegExp): Locator => page.locator('[data-sonner-toaster]').getByText(words)
