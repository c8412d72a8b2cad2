import { daysLater, instantOf } from '../../../src/shared/zoned-time.ts'
import {
  fetchJson,
  choosePatient,
  dialog,
  dragEvent,
  eventOf,
  unusedMonday,
  fullName,
  selectTime,
  createPatient,
  getProvider,
  toastMessage,
  timeZone,
} from '../pages/appointments.ts'
import { expect, test } from '../support/clinic.ts'
import { bookSurgery, getSurgery } from '../pages/surgeries.ts'

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('moves a dragged surgery, and returns it when the time is taken', async ({ open }) => {
    const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
    const [surgery, other] = [await bookSurgery(page, monday, '08:00'), await bookSurgery(page, daysLater(monday, 1), '12:00')]
    await page.goto(`/surgeries?view=week&day=${monday}`)
    await expect(eventOf(page, surgery)).toContainText('8:00 – 10:00 a.m.')
    await dragEvent(page, eventOf(page, surgery), daysLater(monday, 1), '09:30')
    await expect(toastMessage(page, `${fullName(surgery.contact)} moved to`)).toBeVisible()
    await expect(eventOf(page, surgery)).toContainText('9:30 – 11:30 a.m.')
    const startsAt = instantOf({ day: daysLater(monday, 1), time: '09:30' }, timeZone).toISOString()
    await expect.poll(() => getSurgery(page, surgery.id)).toMatchObject({ startsAt, version: 2 })

    await dragEvent(page, eventOf(page, other), daysLater(monday, 1), '10:30')
    await expect(toastMessage(page, `${fullName(other.contact)} was not moved`)).toBeVisible()
    await expect(toastMessage(page, 'has a surgery, 9:30 – 11:30 a.m.')).toBeVisible()
    await expect(eventOf(page, other)).toContainText('12:00 – 2:00 p.m.')
    expect(await getSurgery(page, other.id)).toMatchObject({ startsAt: other.startsAt, version: 1 })
  })

  test('shows other bookings in the booking dialog, and names overlaps', async ({ open }) => {
    const [monday, page] = [unusedMonday(), await open('sales', '/tasks')]
    const [patient, surgery] = [await createPatient(page), await bookSurgery(page, monday, '08:00')]
    await bookSurgery(page, monday, '14:00', { contactId: patient.id, surgeonId: null, roomId: null })
    await page.goto('/surgeries?book=new')
    const booking = dialog(page, 'Book surgery')
    await choosePatient(page, fullName(patient))
    await booking.getByRole('combobox', { name: 'Procedures' }).click()
    await page.getByRole('option').first().click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await booking.getByRole('combobox', { name: 'Anaesthesia' }).click()
    await page.getByRole('option', { name: 'Local' }).click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await booking.getByRole('combobox', { name: 'Surgeon' }).click()
    await page.getByRole('option', { name: (await getProvider(page)).fullName }).click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await booking.getByLabel('Date').fill(daysLater(monday, -7 * 600))
    await expect(booking.getByText('This date has passed.')).toBeVisible()
    await booking.getByLabel('Date').fill(monday)
    await expect(booking.getByText('This date has passed.')).toHaveCount(0)
    await booking.getByLabel('Time').fill('09:00')
    await expect(booking.getByRole('region', { name: 'Other bookings' })).toContainText(`${fullName(surgery.contact)}, surgery`)
    await booking.getByRole('button', { name: 'Book surgery' }).click()
    await expect(booking.getByText(/has a surgery, 8:00 – 10:00 a\.m\./)).toBeVisible()
    await booking.getByLabel('Time').fill('13:00')
    await booking.getByRole('button', { name: 'Book surgery' }).click()
    await expect(booking.getByText('The patient has another surgery, 2:00 – 4:00 p.m.')).toBeVisible()
    await booking.getByLabel('Time').fill('10:00')
    await booking.getByRole('button', { name: 'Book surgery' }).click()
    await expect(booking).toHaveCount(0)
    await expect(page.getByRole('button', { name: fullName(patient) })).toHaveCount(2)
  })

  test('does not overwrite another user’s change of a surgery', async ({ open }) => {
    const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
    const surgery = await bookSurgery(page, monday, '08:00')
    await page.goto(`/surgeries?surgery=${surgery.id}`)
    const drawer = dialog(page, fullName(surgery.contact))
    await drawer.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const editing = dialog(page, 'Edit surgery')
    await editing.getByLabel('Notes').fill('Paper tape only')
    const change = await page.request.patch(`/api/surgeries/${surgery.id}`, {
      data: { id: surgery.id, version: surgery.version, minutes: 150 },
    })
    expect(change.status(), await change.text()).toBe(200)
    await editing.getByRole('button', { name: 'Save surgery' }).click()
    await expect(editing.getByText('Someone has changed this surgery in the meantime.')).toBeVisible()
    await editing.getByRole('button', { name: 'Keep what I typed' }).click()
    await expect(editing.getByLabel('Duration')).toHaveValue('150')
    await editing.getByRole('button', { name: 'Save surgery' }).click()
    await expect(editing).toHaveCount(0)
    await expect(drawer.getByText('Paper tape only')).toBeVisible()
    await expect(drawer.getByText('2 h 30 min')).toBeVisible()
  })
})

test('shows surgeries that occupy a surgeon or a room in the appointment calendar, in week and day view', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const surgery = await bookSurgery(page, monday, '10:00')
  const band = page.getByText(`${fullName(surgery.contact)}, surgery · ${(await getProvider(page)).fullName}`)
  await page.goto(`/appointments?day=${monday}`)
  await expect(band).toBeVisible()
  await page.goto(`/appointments?view=day&by=room&day=${monday}`)
  await expect(band).toBeVisible()
  await fetchJson(page, `/surgeries/${surgery.id}/status`, { id: surgery.id, version: 1, status: 'postponed' })
  await expect(band).toHaveCount(0)
})

test('gives each selected person a column, even without bookings, and books the marked time for them', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const people = await fetchJson<{ id: string; fullName: string; role: string }[]>(page, '/people')
  const surgeon = people.find(({ role }) => role === 'admin')!
  await page.goto(`/surgeries?view=day&by=provider&provider=${surgeon.id}&day=${monday}`)
  await expect(page.locator('[data-calendar]').getByText(surgeon.fullName)).toBeVisible()
  await expect(page.locator('[data-calendar]').getByText('No provider')).toHaveCount(0)
  await selectTime(page, '2001-01-01', '09:00', '10:30')
  const booking = dialog(page, 'Book surgery')
  await expect(booking.getByRole('combobox', { name: 'Surgeon' })).toContainText(surgeon.fullName)
  await expect(booking.getByLabel('Time')).toHaveValue('9:00 a.m.')
  await expect(booking.getByLabel('Duration')).toHaveValue('90')
})

test.describe('when the server is unreachable', () => {
  test.use({ expectedErrors: ['500'] })

  test('shows an error in the booking dialog when staff fail to load, and loads them on retry', async ({ open }) => {
    const page = await open('frontdesk', '/tasks')
    await page.route('**/api/people', (route) => route.fulfill({ status: 500, json: {} }))
    for (const [address, title] of [
      ['/surgeries?book=new', 'Book surgery'],
      ['/appointments?book=new', 'Book appointment'],
    ] as const) {
      await page.goto(address)
      await expect(dialog(page, title).getByText('Couldn’t load the staff list')).toBeVisible({ timeout: 20_000 })
    }
    await page.unroute('**/api/people')
    const booking = dialog(page, 'Book appointment')
    await booking.getByRole('button', { name: 'Try again' }).click()
    await expect(booking.getByLabel('Date')).toBeVisible()
  })
})

test('keeps a typed booking after the browser’s Back and Esc unless discarded', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  await page.getByRole('link', { name: 'Surgeries', exact: true }).click()
  await page.getByRole('button', { name: 'Book surgery' }).click()
  const booking = dialog(page, 'Book surgery')
  await booking.getByLabel('Notes').fill('Brings her sister')
  await page.goBack()
  const confirmation = dialog(page, 'Leave without saving?')
  await confirmation.getByRole('button', { name: 'Keep editing' }).click()
  await expect(confirmation).toHaveCount(0)
  await expect(booking.getByLabel('Notes')).toHaveValue('Brings her sister')
  await booking.getByLabel('Notes').press('Escape')
  await confirmation.getByRole('button', { name: 'Discard changes' }).click()
  await expect(booking).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/tasks/)
})

test('opens and moves a surgery by keyboard only, and restores focus', { tag: '@journey' }, async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const [surgery, other] = [await bookSurgery(page, monday, '08:00'), await bookSurgery(page, monday, '12:00')]
  await page.goto(`/surgeries?view=week&day=${monday}`)
  await expect(eventOf(page, other)).toBeVisible()
  await page.keyboard.press('j')
  await expect(eventOf(page, surgery)).toBeFocused()
  await page.keyboard.press('j')
  await expect(eventOf(page, other)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const drawer = dialog(page, fullName(surgery.contact))
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(eventOf(page, surgery)).toBeFocused()
  await page.keyboard.press('m')
  const moving = dialog(page, `Move ${fullName(surgery.contact)}`)
  await expect(moving.getByLabel('Date')).toBeFocused()
  await moving.getByLabel('Time').focus()
  await page.keyboard.type('0930AM')
  await page.keyboard.press('Enter')
  await expect(moving).toHaveCount(0)
  await expect(eventOf(page, surgery)).toContainText('9:30 – 11:30 a.m.')
  await expect(eventOf(page, surgery)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(new RegExp(`day=${daysLater(monday, 7)}`))
  await page.keyboard.press('b')
  await expect(dialog(page, 'Book surgery').getByRole('combobox', { name: 'Patient' })).toBeFocused()
})
