import { daysLater, instantOf } from '../../../src/shared/zoned-time.ts'
import {
  answered,
  choosePatient,
  dialog,
  drag,
  eventOf,
  freshMonday,
  fullName,
  mark,
  patient,
  provider,
  said,
  timeZone,
} from '../appointments.ts'
import { expect, test } from '../clinic.ts'
import { operated, storedSurgery } from '../surgeries.ts'

test.describe('where something is refused', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('issue 8: a surgery is dragged; onto a time that is taken it is not, and goes back', async ({ open }) => {
    const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
    const [one, other] = [await operated(page, monday, '08:00'), await operated(page, daysLater(monday, 1), '12:00')]
    await page.goto(`/surgeries?view=week&day=${monday}`)
    await expect(eventOf(page, one)).toContainText('8:00 – 10:00 a.m.')
    await drag(page, eventOf(page, one), daysLater(monday, 1), '09:30')
    await expect(said(page, `${fullName(one.contact)} moved to`)).toBeVisible()
    await expect(eventOf(page, one)).toContainText('9:30 – 11:30 a.m.')
    const startsAt = instantOf({ day: daysLater(monday, 1), time: '09:30' }, timeZone).toISOString()
    await expect.poll(() => storedSurgery(page, one.id)).toMatchObject({ startsAt, version: 2 })

    await drag(page, eventOf(page, other), daysLater(monday, 1), '10:30')
    await expect(said(page, `${fullName(other.contact)} was not moved`)).toBeVisible()
    await expect(said(page, 'has a surgery, 9:30 – 11:30 a.m.')).toBeVisible()
    await expect(eventOf(page, other)).toContainText('12:00 – 2:00 p.m.')
    expect(await storedSurgery(page, other.id)).toMatchObject({ startsAt: other.startsAt, version: 1 })
  })

  test('issue 8: the booking dialog shows what else there is, and names what an overlap is with', async ({ open }) => {
    const [monday, page] = [freshMonday(), await open('sales', '/tasks')]
    const [who, one] = [await patient(page), await operated(page, monday, '08:00')]
    await operated(page, monday, '14:00', { contactId: who.id, surgeonId: null, roomId: null })
    await page.goto('/surgeries?book=new')
    const booking = dialog(page, 'Book surgery')
    await choosePatient(page, fullName(who))
    await booking.getByRole('combobox', { name: 'Procedures' }).click()
    await page.getByRole('option').first().click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await booking.getByRole('combobox', { name: 'Anaesthesia' }).click()
    await page.getByRole('option', { name: 'Local' }).click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await booking.getByRole('combobox', { name: 'Surgeon' }).click()
    await page.getByRole('option', { name: (await provider(page)).fullName }).click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await booking.getByLabel('Date').fill(daysLater(monday, -7 * 600))
    await expect(booking.getByText('This date has passed.')).toBeVisible()
    await booking.getByLabel('Date').fill(monday)
    await expect(booking.getByText('This date has passed.')).toHaveCount(0)
    await booking.getByLabel('Time').fill('09:00')
    await expect(booking.getByRole('region', { name: 'What else there is' })).toContainText(`${fullName(one.contact)}, surgery`)
    await booking.getByRole('button', { name: 'Book surgery' }).click()
    await expect(booking.getByText(/has a surgery, 8:00 – 10:00 a\.m\./)).toBeVisible()
    await booking.getByLabel('Time').fill('13:00')
    await booking.getByRole('button', { name: 'Book surgery' }).click()
    await expect(booking.getByText('The patient has another surgery, 2:00 – 4:00 p.m.')).toBeVisible()
    await booking.getByLabel('Time').fill('10:00')
    await booking.getByRole('button', { name: 'Book surgery' }).click()
    await expect(booking).toHaveCount(0)
    await expect(page.getByRole('button', { name: fullName(who) })).toHaveCount(2)
  })

  test('issue 8: what someone else has changed of a surgery is not overwritten', async ({ open }) => {
    const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
    const one = await operated(page, monday, '08:00')
    await page.goto(`/surgeries?surgery=${one.id}`)
    const drawer = dialog(page, fullName(one.contact))
    await drawer.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const editing = dialog(page, 'Edit surgery')
    await editing.getByLabel('Notes').fill('Paper tape only')
    const change = await page.request.patch(`/api/surgeries/${one.id}`, { data: { id: one.id, version: one.version, minutes: 150 } })
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

test('issue 8: the calendar of appointments shows the surgeries that take up a surgeon and a room, in its week and in a day’s columns', async ({
  open,
}) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
  const one = await operated(page, monday, '10:00')
  const band = page.getByText(`${fullName(one.contact)}, surgery · ${(await provider(page)).fullName}`)
  await page.goto(`/appointments?day=${monday}`)
  await expect(band).toBeVisible()
  await page.goto(`/appointments?view=day&by=room&day=${monday}`)
  await expect(band).toBeVisible()
  await answered(page, `/surgeries/${one.id}/status`, { id: one.id, version: 1, status: 'postponed' })
  await expect(band).toHaveCount(0)
})

test('issue 8: anyone who is chosen has a column of their own, also where nothing is booked; what is marked there is theirs, and as long as marked', async ({
  open,
}) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
  const people = await answered<{ id: string; fullName: string; role: string }[]>(page, '/people')
  const surgeon = people.find(({ role }) => role === 'admin')!
  await page.goto(`/surgeries?view=day&by=provider&provider=${surgeon.id}&day=${monday}`)
  await expect(page.locator('[data-calendar]').getByText(surgeon.fullName)).toBeVisible()
  await expect(page.locator('[data-calendar]').getByText('No provider')).toHaveCount(0)
  await mark(page, '2001-01-01', '09:00', '10:30')
  const booking = dialog(page, 'Book surgery')
  await expect(booking.getByRole('combobox', { name: 'Surgeon' })).toContainText(surgeon.fullName)
  await expect(booking.getByLabel('Time')).toHaveValue('9:00 a.m.')
  await expect(booking.getByLabel('Duration')).toHaveValue('90')
})

test.describe('while the server is away', () => {
  test.use({ expectedErrors: ['500'] })

  test('issue 8: booking says that the staff did not load, and asks for them again', async ({ open }) => {
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

test('issue 8: what is typed of a booking survives the browser’s Back; Esc asks the same, and discards it on request', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  await page.getByRole('link', { name: 'Surgeries', exact: true }).click()
  await page.getByRole('button', { name: 'Book surgery' }).click()
  const booking = dialog(page, 'Book surgery')
  await booking.getByLabel('Notes').fill('Brings her sister')
  await page.goBack()
  const asks = dialog(page, 'Leave without saving?')
  await asks.getByRole('button', { name: 'Keep editing' }).click()
  await expect(asks).toHaveCount(0)
  await expect(booking.getByLabel('Notes')).toHaveValue('Brings her sister')
  await booking.getByLabel('Notes').press('Escape')
  await asks.getByRole('button', { name: 'Discard changes' }).click()
  await expect(booking).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/tasks/)
})

test('issue 8: by the keyboard alone: go to a surgery, open it, move it, and the focus comes back', async ({ open }) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
  const [one, other] = [await operated(page, monday, '08:00'), await operated(page, monday, '12:00')]
  await page.goto(`/surgeries?view=week&day=${monday}`)
  await expect(eventOf(page, other)).toBeVisible()
  await page.keyboard.press('j')
  await expect(eventOf(page, one)).toBeFocused()
  await page.keyboard.press('j')
  await expect(eventOf(page, other)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const drawer = dialog(page, fullName(one.contact))
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(eventOf(page, one)).toBeFocused()
  await page.keyboard.press('m')
  const moving = dialog(page, `Move ${fullName(one.contact)}`)
  await expect(moving.getByLabel('Date')).toBeFocused()
  await moving.getByLabel('Time').focus()
  await page.keyboard.type('0930AM')
  await page.keyboard.press('Enter')
  await expect(moving).toHaveCount(0)
  await expect(eventOf(page, one)).toContainText('9:30 – 11:30 a.m.')
  await expect(eventOf(page, one)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(new RegExp(`day=${daysLater(monday, 7)}`))
  await page.keyboard.press('b')
  await expect(dialog(page, 'Book surgery').getByRole('combobox', { name: 'Patient' })).toBeFocused()
})
