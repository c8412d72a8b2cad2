import type { Page } from '@playwright/test'
import {
  choosePatient,
  createPatient,
  dialog,
  fetchJson,
  fullName,
  getAppointment,
  getProvider,
  toastMessage,
  unusedMonday,
} from '../pages/appointments.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

interface VisitType {
  id: string
  name: string
  roomIds: string[]
}

/** A name as long as the screen must be able to show. */
const makeLongName = () =>
  `Rhinoplasty revision consultation with imaging, second opinion and interpreter ${crypto.randomUUID().slice(0, 4)}`

/** Adds a visit of the provider in either consult room, which takes 45 minutes and 15 minutes of buffer. */
async function addVisitType(page: Page, given: object = {}): Promise<VisitType> {
  const rooms = await fetchJson<{ id: string; name: string }[]>(page, '/rooms')
  return fetchJson<VisitType>(page, '/visit-types', {
    name: `Consult ${crypto.randomUUID().slice(0, 6)}`,
    nameFr: null,
    description: null,
    descriptionFr: null,
    type: 'consult',
    minutes: 45,
    bufferBefore: 0,
    bufferAfter: 15,
    noticeHours: 0,
    horizonDays: 90,
    changeHours: 24,
    maxPerDay: null,
    patients: 'all',
    isOnline: false,
    providerIds: [(await getProvider(page)).id],
    secondIds: [],
    roomIds: rooms.filter(({ name }) => name.startsWith('Consult')).map(({ id }) => id),
    ...given,
  })
}

// Each test has its own visit types, which are chosen by default. Other tests book without any.
const endVisitTypes = ({ clinic }: { clinic: Clinic }) => clinic.rows('update visit_types set is_active = false')
test.beforeEach(endVisitTypes)
test.afterEach(endVisitTypes)

test('a visit type is set in parts, and one with a problem opens with the field in focus, by keyboard and on a phone (issue 29)', async ({
  open,
}) => {
  const page = await open('admin', '/settings/visit-types')
  await page.getByRole('button', { name: 'Add visit type' }).click()
  const adding = dialog(page, 'Add visit type')
  const tab = (name: string) => adding.getByRole('tab', { name })
  await expect(adding.getByLabel('Name', { exact: true })).toBeFocused()
  // Backwards to the tabs, whose arrow keys open the next part.
  await page.keyboard.press('Shift+Tab')
  await expect(tab('Visit')).toBeFocused()
  for (const next of ['Availability', 'Online booking']) {
    await page.keyboard.press('ArrowRight')
    await expect(tab(next)).toBeFocused()
  }
  await adding.getByLabel('Patients may book it themselves').check()
  await adding.getByLabel('Minimum notice').fill('soon')
  expect(await accessibilityViolations(page)).toEqual([])
  await tab('Series').click()
  await adding.getByLabel('Series of visits').check()
  await page.keyboard.press('Control+Enter')
  // The first part with a problem; the other one is marked.
  await expect(adding.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(tab('Online booking').getByLabel('has errors')).toBeVisible()
  const name = `Peel ${crypto.randomUUID().slice(0, 6)}`
  await page.keyboard.type(name)
  await adding.getByRole('combobox', { name: 'Providers' }).click()
  await page.getByRole('option', { name: /Okafor/ }).click()
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await adding.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.keyboard.press('Control+Enter')
  await expect(adding.getByLabel('Minimum notice')).toBeFocused()
  expect(await accessibilityViolations(page)).toEqual([])
  await adding.getByLabel('Minimum notice').fill('24')
  await page.keyboard.press('Control+Enter')
  await expect(toastMessage(page, `${name} was added`)).toBeVisible()
  const added = (
    await fetchJson<{ name: string; noticeHours: number; isOnline: boolean; seriesVisits: number }[]>(page, '/visit-types')
  ).find((one) => one.name === name)
  expect(added).toMatchObject({ noticeHours: 24, isOnline: true, seriesVisits: 4 })
})

test('changes to a visit type are not discarded without asking, and a percentage requires a price (issue 29)', async ({ open }) => {
  const page = await open('admin', '/settings/visit-types')
  await page.getByRole('button', { name: 'Add visit type' }).click()
  const adding = dialog(page, 'Add visit type')
  const asked = dialog(page, 'Leave without saving?')
  await adding.getByLabel('Name', { exact: true }).fill('Peel')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => adding.getByRole('button', { name: 'Close' }).click(),
    () => adding.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await close()
    await asked.getByRole('button', { name: 'Keep editing' }).click()
    await expect(adding.getByLabel('Name', { exact: true })).toHaveValue('Peel')
  }
  await adding.getByRole('tab', { name: 'Deposit and fees' }).click()
  await expect(adding.getByLabel('Displayed price (optional)')).toBeVisible()
  await adding.getByRole('combobox', { name: 'Deposit' }).click()
  await page.getByRole('option', { name: 'Percentage of the price' }).click()
  await expect(adding.getByLabel('Displayed price', { exact: true })).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await asked.getByRole('button', { name: 'Discard changes' }).click()
  await expect(adding).toBeHidden()
})

test(
  'books a visit with anyone at an opening, and reserves provider, room and buffer (issue 29)',
  { tag: '@journey' },
  async ({ open }) => {
    const [admin, page] = [await open('admin', '/tasks'), await open('frontdesk', '/tasks')]
    const people = await fetchJson<{ id: string; fullName: string; role: string }[]>(page, '/people')
    const nurse = people.find(({ role }) => role === 'front_desk')!
    const visit = await addVisitType(admin, { secondIds: [nurse.id] })
    const [patient, monday] = [await createPatient(page), unusedMonday()]
    await page.goto(`/appointments?day=${monday}`)
    await page.getByRole('button', { name: 'Book appointment' }).click()
    const booking = dialog(page, 'Book appointment')
    await expect(booking.getByRole('combobox', { name: 'Visit' })).toHaveText(visit.name)
    await choosePatient(page, fullName(patient))
    await booking.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Anyone' }).click()
    await expect(booking.getByRole('combobox', { name: 'Room' })).toHaveText('Any free room')
    await booking.getByLabel('Date').fill(monday)
    const openings = booking.getByRole('region', { name: 'Openings' })
    await expect(openings.getByText('Openings fit 45 minutes plus 15 minutes of buffer.')).toBeVisible()
    await openings.getByText('10:00 a.m.', { exact: true }).click()
    await booking.getByRole('button', { name: /^Book Mon, .*10:00 a\.m\.$/ }).click()
    await expect(toastMessage(page, `${fullName(patient)} is booked for`)).toBeVisible()
    const event = page.locator('[data-calendar]').getByRole('button', { name: fullName(patient) })
    await expect(event).toContainText('10:00 – 10:45 a.m.')
    const made = await getAppointment(page, (await event.getAttribute('data-entry'))!)
    expect(made).toMatchObject({ providerId: (await getProvider(page)).id, secondPersonId: nurse.id, roomId: visit.roomIds[0] })
    await event.click()
    const drawer = dialog(page, fullName(patient))
    await expect(drawer.getByText(visit.name)).toBeVisible()
    await expect(drawer.getByText(nurse.fullName)).toBeVisible()
  },
)

test('books all visits of a series, says which visit it is, and cancels those that follow (issue 29)', async ({ open }) => {
  const [admin, page] = [await open('admin', '/tasks'), await open('frontdesk', '/tasks')]
  await addVisitType(admin, { seriesVisits: 3, seriesWeeks: 1 })
  const [patient, monday] = [await createPatient(page), unusedMonday()]
  await page.goto(`/appointments?day=${monday}`)
  await page.getByRole('button', { name: 'Book appointment' }).click()
  const booking = dialog(page, 'Book appointment')
  await choosePatient(page, fullName(patient))
  await booking.getByLabel('Date').fill(monday)
  await booking.getByRole('region', { name: 'Openings' }).getByText('10:00 a.m.', { exact: true }).click()
  const dates = booking.getByRole('list', { name: 'Dates of the series' })
  await expect(dates.getByRole('listitem')).toHaveCount(3)
  expect(await accessibilityViolations(page)).toEqual([])
  await booking.getByRole('button', { name: /^Book 3 visits from Mon, / }).click()
  await expect(toastMessage(page, `${fullName(patient)} is booked for 3 visits from`)).toBeVisible()
  await page
    .locator('[data-calendar]')
    .getByRole('button', { name: fullName(patient) })
    .click()
  const drawer = dialog(page, fullName(patient))
  await expect(drawer.getByText('Visit 1 of 3')).toBeVisible()
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
  const question = dialog(page, 'Cancel this appointment?')
  await question.getByLabel('Reason').fill('Moves away')
  await question.getByRole('radio', { name: 'This and the following' }).check()
  await question.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(toastMessage(page, `${fullName(patient)} is cancelled`)).toBeVisible()
  const all = await fetchJson<{ status: string }[]>(page, `/contacts/${patient.id}/appointments`)
  expect(all.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
})

test('books a visit by keyboard alone (issue 29)', async ({ open }) => {
  const [admin, page] = [await open('admin', '/tasks'), await open('frontdesk', '/tasks')]
  const [first, second] = [await addVisitType(admin), await addVisitType(admin, { name: makeLongName(), minutes: 60 })]
  const [patient, monday] = [await createPatient(page), unusedMonday()]
  await page.goto(`/appointments?day=${monday}`)
  await expect(page.locator('[data-calendar]')).toBeVisible()
  await page.keyboard.press('b')
  const booking = dialog(page, 'Book appointment')
  await expect(booking.getByRole('combobox', { name: 'Patient' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type(patient.lastName)
  await expect(page.getByRole('option', { name: fullName(patient) })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(booking.getByRole('combobox', { name: 'Patient' })).toBeFocused()
  await page.keyboard.press('Tab')
  const chosen = booking.getByRole('combobox', { name: 'Visit' })
  await expect(chosen).toBeFocused()
  await expect(chosen).toHaveText(first.name)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Rhinoplasty')
  await expect(page.getByRole('option', { name: second.name })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(chosen).toHaveText(second.name)
  await expect(booking.getByLabel('Duration')).toHaveValue('60')
  await expect(chosen).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(booking.getByLabel('Date')).toBeFocused()
  await page.keyboard.type(monday)
  const openings = booking.getByRole('region', { name: 'Openings' })
  const times = openings.getByRole('radiogroup', { name: 'Openings of the day' })
  await expect(times).toBeVisible()
  // Until the first opening of the day has the focus.
  for (let presses = 0; presses < 30; presses++) {
    if (await times.evaluate((group) => group.contains(document.activeElement))) break
    await page.keyboard.press('Tab')
  }
  await expect(times.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  const time = await booking.getByLabel('Time').inputValue()
  await page.keyboard.press('Enter')
  await expect(booking).toHaveCount(0)
  await expect(
    toastMessage(page, new RegExp(`^${fullName(patient)} is booked for .*${time.replaceAll('.', String.raw`\.`)}`)),
  ).toBeVisible()
})

test.describe('when two book at once', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('says that the opening is taken, and offers those that are left (issue 29)', async ({ open }) => {
    const [admin, one, other] = [await open('admin', '/tasks'), await open('frontdesk', '/tasks'), await open('sales', '/tasks')]
    await addVisitType(admin)
    const monday = unusedMonday()
    const prepare = async (page: Page) => {
      const patient = await createPatient(page)
      await page.goto(`/appointments?day=${monday}`)
      await page.getByRole('button', { name: 'Book appointment' }).click()
      const booking = dialog(page, 'Book appointment')
      await choosePatient(page, fullName(patient))
      await booking.getByRole('combobox', { name: 'Provider' }).click()
      await page.getByRole('option', { name: 'Anyone' }).click()
      await booking.getByLabel('Date').fill(monday)
      await booking.getByRole('region', { name: 'Openings' }).getByText('10:00 a.m.', { exact: true }).click()
      return booking
    }
    const [mine, theirs] = [await prepare(one), await prepare(other)]
    await mine.getByRole('button', { name: /^Book Mon/ }).click()
    await expect(mine).toHaveCount(0)
    await theirs.getByRole('button', { name: /^Book Mon/ }).click()
    await expect(theirs.getByText('No one who does this visit is free then, or no room is')).toBeVisible()
    await expect(theirs.getByRole('radio', { name: '10:00 a.m.', exact: true })).toHaveCount(0)
    await theirs.getByRole('region', { name: 'Openings' }).getByText('1:00 p.m.', { exact: true }).click()
    await theirs.getByRole('button', { name: /^Book Mon, .*1:00 p\.m\.$/ }).click()
    await expect(theirs).toHaveCount(0)
  })
})

test('shows long names on a phone without scrolling sideways (issue 29)', async ({ open }) => {
  const [admin, page] = [await open('admin', '/tasks'), await open('frontdesk', '/tasks')]
  const { name } = await addVisitType(admin, { name: makeLongName() })
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/appointments')
  await page.getByRole('button', { name: 'Book appointment' }).click()
  const booking = dialog(page, 'Book appointment')
  await expect(booking.getByRole('combobox', { name: 'Visit' })).toHaveText(name)
  await booking.getByRole('combobox', { name: 'Visit' }).click()
  const option = page.getByRole('option', { name })
  const box = (await option.boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(375)
  await page.keyboard.press('Escape')
  expect(await booking.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  expect(await accessibilityViolations(page)).toEqual([])
})
