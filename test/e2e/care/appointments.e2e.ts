import { daysLater, instantOf } from '../../../src/shared/zoned-time.ts'
import {
  bookAppointment,
  choosePatient,
  dialog,
  dragEvent,
  eventOf,
  unusedMonday,
  unusedPastMonday,
  fullName,
  selectTime,
  createPatient,
  getProvider,
  toastMessage,
  getAppointment,
  timeZone,
} from '../pages/appointments.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

test('books a consult by dragging over its time, moves the patient to Consult Booked and adds a timeline entry', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  await page.goto(`/appointments?day=${monday}`)
  const [patient, tuesday] = [await createPatient(page), daysLater(monday, 1)]
  await selectTime(page, tuesday, '10:00', '10:45')
  const booking = dialog(page, 'Book appointment')
  await expect(booking.getByLabel('Date')).toHaveValue(/^Tue, |, 20\d\d$/)
  await expect(booking.getByLabel('Time')).toHaveValue('10:00 a.m.')
  await expect(booking.getByLabel('Duration')).toHaveValue('45')
  await expect(booking.getByText('Until 10:45 a.m.')).toBeVisible()
  await choosePatient(page, fullName(patient))
  await booking.getByRole('combobox', { name: 'Room' }).click()
  await page.getByRole('option', { name: 'Consult room 1' }).click()
  await booking.getByRole('button', { name: /^Book / }).click()
  await expect(booking).toHaveCount(0)
  await expect(toastMessage(page, `${fullName(patient)} is booked for`)).toBeVisible()
  const event = page.locator('[data-calendar]').getByRole('button', { name: fullName(patient) })
  await expect(event).toContainText('10:00 – 10:45 a.m. · Consult')
  await expect(event).toContainText('Booked')

  await event.click()
  await dialog(page, fullName(patient)).getByRole('link', { name: 'Open patient' }).click()
  await expect(page.getByRole('list', { name: 'Stages' }).or(page.getByText('Consult Booked').first())).toBeVisible()
  await expect(page.getByText(/Consultation booked for .* at 10:00 a\.m\..* in Consult room 1/)).toBeVisible()
  const { funnelStageId } = (await (await page.request.get(`/api/contacts/${patient.id}`)).json()) as { funnelStageId: string }
  const stages = (await (await page.request.get('/api/funnel-stages')).json()) as { id: string; value: string }[]
  expect(stages.find(({ id }) => id === funnelStageId)?.value).toBe('consult_booked')
})

test('resets a confirmed appointment to booked when dragged to another time, and restores both on Undo', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const appointment = await bookAppointment(page, monday, '10:00')
  await page.request.post(`/api/appointments/${appointment.id}/status`, { data: { version: 1, status: 'confirmed' } })
  await page.goto(`/appointments?day=${monday}`)
  await expect(eventOf(page, appointment)).toContainText('10:00 – 10:45 a.m.')
  await dragEvent(page, eventOf(page, appointment), daysLater(monday, 2), '13:15')
  await expect(toastMessage(page, `${fullName(appointment.contact)} moved to`)).toBeVisible()
  await expect(eventOf(page, appointment)).toContainText('1:15 – 2:00 p.m.')
  const wednesday = instantOf({ day: daysLater(monday, 2), time: '13:15' }, timeZone).toISOString()
  expect(await getAppointment(page, appointment.id)).toMatchObject({ startsAt: wednesday, version: 3, status: 'booked' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(eventOf(page, appointment)).toContainText('10:00 – 10:45 a.m.')
  await expect.poll(() => getAppointment(page, appointment.id)).toMatchObject({ startsAt: appointment.startsAt, status: 'confirmed' })
})

test('creates a rebooking task on no-show', async ({ open }) => {
  const [monday, page] = [unusedPastMonday(), await open('frontdesk', '/tasks')]
  const appointment = await bookAppointment(page, monday, '11:00')
  await page.goto(`/appointments?day=${monday}`)
  await eventOf(page, appointment).click()
  await dialog(page, fullName(appointment.contact)).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'No-show' }).click()
  await expect(toastMessage(page, `${fullName(appointment.contact)} did not show up. A rebooking task was created`)).toBeVisible()
  await expect(eventOf(page, appointment)).toHaveCount(0)
  await dialog(page, fullName(appointment.contact)).getByRole('link', { name: 'Open patient' }).click()
  await page.getByRole('tab', { name: 'Tasks' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Tasks' }).getByText(/^Rebook: missed consultation on /)).toBeVisible()
})

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('moves a dragged appointment back when the time is taken, and names the conflict', async ({ open }) => {
    const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
    const [appointment, other] = [await bookAppointment(page, monday, '09:00'), await bookAppointment(page, daysLater(monday, 1), '14:00')]
    await page.goto(`/appointments?day=${monday}`)
    await expect(eventOf(page, other)).toBeVisible()
    await dragEvent(page, eventOf(page, appointment), daysLater(monday, 1), '14:30')
    await expect(toastMessage(page, `${fullName(appointment.contact)} was not moved`)).toBeVisible()
    await expect(toastMessage(page, 'has another appointment, 2:00 – 2:45 p.m.')).toBeVisible()
    await expect(eventOf(page, appointment)).toContainText('9:00 – 9:45 a.m.')
    expect(await getAppointment(page, appointment.id)).toMatchObject({ startsAt: appointment.startsAt, version: 1 })
  })

  test('shows changes by other users live and does not overwrite them', async ({ open }) => {
    const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
    await page.goto(`/appointments?day=${monday}`)
    await expect(page.locator('[data-calendar]')).toBeVisible()
    const otherPage = await open('sales', '/tasks')
    const appointment = await bookAppointment(otherPage, monday, '09:00')
    await expect(eventOf(page, appointment)).toContainText('9:00 – 9:45 a.m.')
    await eventOf(page, appointment).click()
    const drawer = dialog(page, fullName(appointment.contact))
    await drawer.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const editing = dialog(page, 'Edit appointment')
    await editing.getByLabel('Notes').fill('Brings her mother')
    const change = await otherPage.request.patch(`/api/appointments/${appointment.id}`, {
      data: { id: appointment.id, version: appointment.version, minutes: 60, outsideHours: false },
    })
    expect(change.status(), await change.text()).toBe(200)
    await editing.getByRole('button', { name: 'Save appointment' }).click()
    await expect(editing.getByText('Someone has changed this appointment in the meantime.')).toBeVisible()
    await editing.getByRole('button', { name: 'Keep what I typed' }).click()
    await expect(editing.getByLabel('Duration')).toHaveValue('60')
    await editing.getByRole('button', { name: 'Save appointment' }).click()
    await expect(editing).toHaveCount(0)
    await expect(drawer.getByText('Brings her mother')).toBeVisible()
    await expect(drawer.getByText('9:00 – 10:00 a.m.')).toBeVisible()
  })

  test('lets an administrator change rooms and hours, and shows them to others', async ({ open }) => {
    const page = await open('admin', '/settings/hours-and-rooms')
    const name = `Recovery ${crypto.randomUUID().slice(0, 6)}`
    await page.getByRole('button', { name: 'Add room' }).click()
    const adding = dialog(page, 'Add room')
    await adding.getByRole('button', { name: 'Add room' }).click()
    await expect(adding.getByText('Name the room')).toBeVisible()
    await adding.getByLabel('Name').fill('consult ROOM 1')
    await adding.getByRole('button', { name: 'Add room' }).click()
    await expect(adding.getByText('A room with this name already exists')).toBeVisible()
    await expect(adding.getByLabel('Name')).toBeFocused()
    await adding.getByLabel('Name').fill(name)
    await expect(adding.getByLabel('Location'), 'there is one').toHaveCount(0)
    await adding.getByRole('button', { name: 'Add room' }).click()
    await expect(adding).toHaveCount(0)
    const section = page.getByRole('region', { name: 'Rooms' })
    await section.getByRole('button', { name }).click()
    await dialog(page, 'Edit room').getByRole('checkbox', { name: 'Active' }).click()
    await dialog(page, 'Edit room').getByRole('button', { name: 'Save room' }).click()
    await expect(section.getByRole('button', { name })).toContainText('Inactive')

    await page.getByRole('button', { name: 'Change hours' }).click()
    const changing = dialog(page, 'Practice hours')
    await changing.getByRole('checkbox', { name: 'Sunday' }).click()
    await changing.getByLabel('Sunday opens').fill('12:00')
    await changing.getByLabel('Sunday closes').fill('11:00')
    await changing.getByRole('button', { name: 'Save hours' }).click()
    await expect(changing.getByText('Closing time must be after opening time')).toBeVisible()
    await changing.getByLabel('Sunday closes').fill('15:00')
    await changing.getByRole('button', { name: 'Save hours' }).click()
    await expect(changing).toHaveCount(0)
    const hours = page.getByRole('region', { name: 'Practice hours' })
    await expect(hours).toContainText('Sunday12:00 p.m. to 3:00 p.m.')

    const otherPage = await open('provider', '/settings/hours-and-rooms')
    await expect(otherPage.getByRole('region', { name: 'Practice hours' })).toContainText('Administrators can change them.')
    await expect(otherPage.getByRole('region', { name: 'Rooms' })).toContainText(name)
    await expect(otherPage.getByRole('button', { name: 'Add room' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Change hours' }).click()
    await changing.getByRole('checkbox', { name: 'Sunday' }).click()
    await changing.getByRole('button', { name: 'Save hours' }).click()
    // Changes by other users appear live.
    await expect(otherPage.getByRole('region', { name: 'Practice hours' })).toContainText('SundayClosed')
  })
})

test('asks for a reason when cancelling, frees the time, and shows the appointment only among the cancelled', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const appointment = await bookAppointment(page, monday, '09:00')
  await page.goto(`/appointments?day=${monday}`)
  await eventOf(page, appointment).click()
  const drawer = dialog(page, fullName(appointment.contact))
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
  const confirmation = dialog(page, 'Cancel this appointment?')
  await confirmation.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(confirmation.getByText('Enter a reason for the cancellation')).toBeVisible()
  await confirmation.getByRole('textbox', { name: 'Reason' }).fill('Has to travel for work')
  await confirmation.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(confirmation).toHaveCount(0)
  await expect(drawer.getByText('Has to travel for work')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(eventOf(page, appointment)).toHaveCount(0)
  expect(await getAppointment(page, appointment.id)).toMatchObject({ status: 'cancelled', cancelReason: 'Has to travel for work' })
  await bookAppointment(page, monday, '09:00')
  await page.getByRole('button', { name: 'Show cancelled and missed' }).click()
  await expect(eventOf(page, appointment)).toContainText('Cancelled')
})

test('books, browses, opens and moves appointments by keyboard, and restores focus', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const [patient, appointment] = [await createPatient(page), await bookAppointment(page, monday, '13:00')]
  await page.goto(`/appointments?day=${monday}`)
  await expect(eventOf(page, appointment)).toBeVisible()
  await page.keyboard.press('b')
  const booking = dialog(page, 'Book appointment')
  await expect(booking.getByRole('combobox', { name: 'Patient' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByPlaceholder('Name, email or phone')).toBeFocused()
  await page.keyboard.type(patient.lastName)
  await expect(page.getByRole('option', { name: fullName(patient) })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(booking.getByRole('combobox', { name: 'Patient' })).toBeFocused()
  await booking.getByLabel('Time').focus()
  await page.keyboard.type('0915AM')
  await page.keyboard.press('Enter')
  await expect(booking).toHaveCount(0)
  const mine = page.locator('[data-calendar]').getByRole('button', { name: fullName(patient) })
  await expect(mine).toContainText('9:15 – 10:00 a.m.')

  await page.keyboard.press('j')
  await expect(mine).toBeFocused()
  await page.keyboard.press('j')
  await expect(eventOf(page, appointment)).toBeFocused()
  await page.keyboard.press('k')
  await expect(mine).toBeFocused()
  await page.keyboard.press('Enter')
  const drawer = dialog(page, fullName(patient))
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(mine).toBeFocused()

  await page.keyboard.press('m')
  const moving = dialog(page, `Move ${fullName(patient)}`)
  await expect(moving.getByLabel('Date')).toBeFocused()
  await moving.getByLabel('Time').focus()
  await page.keyboard.type('1030AM')
  await page.keyboard.press('Enter')
  await expect(moving).toHaveCount(0)
  await expect(mine).toContainText('10:30 – 11:15 a.m.')
  await expect(mine).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(new RegExp(`day=${daysLater(monday, 7)}`))
})

test('books from the patient’s page, lists upcoming appointments first, and offers their actions', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const patient = await createPatient(page)
  const [before, monday] = [unusedMonday(), unusedMonday()]
  await page.goto(`/contacts/${patient.id}`)
  await page.getByRole('tab', { name: 'Appointments' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Appointments' })
  await expect(panel.getByText('No upcoming appointments')).toBeVisible()
  await page.keyboard.press('b')
  const booking = dialog(page, 'Book appointment')
  await expect(booking.getByText(fullName(patient))).toBeVisible()
  await booking.getByLabel('Date').fill(monday)
  await booking.getByLabel('Time').fill('09:30')
  await booking.getByRole('button', { name: /^Book / }).click()
  await expect(booking).toHaveCount(0)
  const next = panel.getByRole('list', { name: 'Upcoming appointments' })
  await expect(next.getByRole('listitem')).toHaveCount(1)
  await bookAppointment(page, before, '09:30', { contactId: patient.id, type: 'pre_op', minutes: 30 })
  await expect(next.getByRole('listitem')).toHaveText([/9:30 – 10:00 a\.m\..*Pre-op/s, /9:30 – 10:15 a\.m\..*Consult/s])

  await expect(page.getByRole('button', { name: 'Book', exact: true })).toBeVisible()
  await next
    .getByRole('button', { name: /^Actions:/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
  const confirmation = dialog(page, 'Cancel this appointment?')
  await confirmation.getByRole('textbox', { name: 'Reason' }).fill('Feels unwell')
  await confirmation.getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(confirmation).toHaveCount(0)
  await expect(next.getByRole('listitem')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Show past (1)' }).click()
  await panel.getByRole('list', { name: 'Past appointments' }).getByText('Pre-op').click()
  await expect(dialog(page, fullName(patient)).getByText('Feels unwell')).toBeVisible()
})

test('opens the calendar and its booking dialog from the command palette', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  await expect(page.getByRole('tab', { name: 'All open' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search patients and pages' }).fill('book app')
  await expect(page.getByRole('option', { name: 'Book appointment' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Book appointment').getByRole('combobox', { name: 'Patient' })).toBeFocused()
  await expect(page).toHaveURL('/appointments')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Appointments', level: 1 })).toBeVisible()
})

test('prints a day’s appointments by provider and time, or by room', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const [doctor, patient] = [await getProvider(page), await createPatient(page)]
  await bookAppointment(page, monday, '11:00')
  await bookAppointment(page, monday, '09:00', { contactId: patient.id, notes: 'Brings her photographs' })
  await bookAppointment(page, monday, '10:00', { providerId: null })
  await page.goto(`/appointments?view=day&day=${monday}`)
  await expect(page.getByRole('button', { name: 'Print this day' })).toBeVisible()
  const sheet = page.locator('[data-print-sheet]')
  await expect(sheet).toContainText('3 appointments')
  await page.emulateMedia({ media: 'print' })
  await expect(sheet.getByRole('heading', { name: 'Harbourview, appointments' })).toBeVisible()
  await expect(page.locator('[data-calendar]')).toBeHidden()
  const ofDoctor = sheet.locator('section').filter({ has: page.getByRole('heading', { name: doctor.fullName }) })
  await expect(ofDoctor.getByRole('article')).toHaveText([/^9:00 – 9:45 a\.m\./, /^11:00 – 11:45 a\.m\./])
  await expect(ofDoctor.getByRole('article').first()).toContainText(fullName(patient))
  await expect(ofDoctor.getByRole('article').first()).toContainText('Brings her photographs')
  await expect(sheet.getByRole('heading', { name: 'No provider' })).toBeVisible()
  await page.goto(`/appointments?view=day&by=room&day=${monday}`)
  await expect(sheet.getByRole('heading', { name: 'No room' })).toBeVisible()
  await expect(sheet.locator('section')).toHaveCount(1)
})

test('shows availability per day, walks the openings by arrow keys, names conflicts, and repeats the time on the button', async ({
  open,
}) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const [doctor, patient] = [await getProvider(page), await createPatient(page)]
  const appointment = await bookAppointment(page, monday, '09:00')
  await page.goto(`/appointments?provider=${doctor.id}&day=${monday}`)
  await expect(page.locator('[data-calendar]')).toBeVisible()
  await page.keyboard.press('b')
  const booking = dialog(page, 'Book appointment')
  await choosePatient(page, fullName(patient))
  const openings = booking.getByRole('region', { name: 'Openings' })
  await expect(openings.getByRole('button', { name: /^Monday, .*: \d+ open$/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(openings.getByRole('button', { name: /^Sunday, .*: closed$/ })).toBeVisible()
  await expect(openings.getByRole('button', { name: /^Next available: / })).toBeVisible()
  await expect(openings.getByRole('heading', { name: 'Morning' })).toBeVisible()
  await expect(openings.getByRole('heading', { name: 'Afternoon' })).toBeVisible()
  await expect(openings.getByRole('radio', { name: '9:00 a.m.', exact: true })).toHaveCount(0)
  await expect(booking.getByText('No room is reserved.')).toBeVisible()

  await booking.getByLabel('Time').fill('9:15')
  await expect(booking.getByText('9:15 a.m. is already booked')).toBeVisible()
  await expect(
    booking
      .getByRole('alert')
      .or(booking.getByRole('status'))
      .filter({ hasText: fullName(appointment.contact) }),
  ).toBeVisible()

  await openings.getByRole('radio', { name: '1:00 p.m.', exact: true }).click()
  await expect(booking.getByLabel('Time')).toHaveValue('1:00 p.m.')
  await page.keyboard.press('ArrowRight')
  await expect(booking.getByLabel('Time')).toHaveValue('1:15 p.m.')
  await booking.getByRole('button', { name: /^Book Mon, .*1:15 p\.m\.$/ }).click()
  await expect(toastMessage(page, `${fullName(patient)} is booked for`)).toBeVisible()
})

test('shows what fits in each day of the month view, counts the rest, and opens a day on click', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  for (const hour of ['08', '09', '10', '11', '12', '13', '14', '15']) await bookAppointment(page, monday, `${hour}:30`, { minutes: 30 })
  await page.goto(`/appointments?view=month&day=${monday}`)
  const cell = page.locator(`[data-calendar] [role="cell"][data-date="${monday}"]`)
  await expect(cell.getByText(/^\+\d more$/)).toBeVisible()
  const [shown, frame] = [await cell.locator('[data-entry]').last().boundingBox(), await cell.boundingBox()]
  expect(shown!.y + shown!.height).toBeLessThanOrEqual(frame!.y + frame!.height)
  await cell.getByText(/^\+\d more$/).click()
  await expect(page).toHaveURL(new RegExp(`view=day.*day=${monday}|day=${monday}.*view=day`))
  const tuesday = daysLater(monday, 1)
  await page.goto(`/appointments?view=month&day=${monday}`)
  await page.locator(`[data-calendar] [role="cell"][data-date="${tuesday}"]`).click()
  await expect(page).toHaveURL(new RegExp(`view=day.*day=${tuesday}|day=${tuesday}.*view=day`))
})

test('hides appointments from billing', async ({ open }) => {
  const page = await open('billing', '/appointments')
  await expect(page.getByRole('heading', { name: 'Billing sees no appointments' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Book appointment' })).toHaveCount(0)
})

test.describe('when the server is unreachable', () => {
  test.use({ expectedErrors: ['ERR_FAILED', 'Failed to load resource'] })

  test('shows an error when the calendar fails to load, and loads it on retry', async ({ open }) => {
    const page = await open('frontdesk', '/tasks')
    await page.route('**/api/appointments?**', (route) => route.abort())
    await page.goto('/appointments')
    await expect(page.getByText('Couldn’t load appointments')).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/api/appointments?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.locator('[data-calendar]')).toBeVisible()
  })
})

test('fits a 375 px phone: a list by day, no horizontal scrolling, full-screen booking and details', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/contacts')]
  await page.setViewportSize({ width: 375, height: 812 })
  const appointment = await bookAppointment(page, monday, '09:00')
  await page.goto(`/appointments?day=${monday}`)
  const row = page.getByRole('button', { name: fullName(appointment.contact) })
  await expect(row).toBeVisible()
  expect(Math.round((await row.boundingBox())!.height)).toBeGreaterThanOrEqual(44)
  await expect(page.getByRole('radio', { name: 'List' })).toHaveAttribute('aria-checked', 'true')
  await expect(page.getByRole('radio', { name: 'Week' })).toHaveCount(0)
  await row.click()
  const drawer = dialog(page, fullName(appointment.contact))
  expect((await drawer.boundingBox())!.width).toBeCloseTo(375, 0)
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(drawer).toHaveCount(0)
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(dialog(page, 'Book appointment').getByRole('combobox', { name: 'Patient' })).toBeVisible()
  expect((await dialog(page, 'Book appointment').boundingBox())!.width).toBeCloseTo(375, 0)
  await page.keyboard.press('Escape')
  for (const view of ['List', 'Day', 'Month']) {
    await page.getByRole('radio', { name: view }).click()
    await expect(page.getByRole('radio', { name: view })).toHaveAttribute('aria-checked', 'true')
    await expect(view === 'List' ? row : page.locator('[data-calendar]')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(375)
  }
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: /appointments (${colorScheme})`, async ({ open, clinic }) => {
    const [monday, page] = [unusedMonday(), await open('admin', '/tasks')]
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const types = ['consult', 'pre_op', 'post_op', 'follow_up', 'treatment', 'other']
    const all: Awaited<ReturnType<typeof bookAppointment>>[] = []
    for (const [at, type] of types.entries())
      all.push(await bookAppointment(page, daysLater(monday, at % 5), at < 5 ? '10:00' : '12:00', { type, minutes: 20 + 5 * at }))
    const setStatus = (at: number, data: object) =>
      page.request.post(`/api/appointments/${all[at]!.id}/status`, { data: { id: all[at]!.id, version: 1, ...data } })
    await setStatus(0, { status: 'completed' })
    // The API refuses a no-show before the appointment has begun.
    await clinic.rows(`update appointments set status = 'no_show' where id = '${all[1]!.id}'`)
    await setStatus(2, { status: 'cancelled', reason: 'Ill' })
    const check = async (where: string) => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page), where).toEqual([])
    }
    for (const view of ['month', 'week', 'day', 'day&by=room', 'list']) {
      await page.goto(`/appointments?view=${view}&day=${monday}&all=true`)
      await expect(page.locator(`[data-entry="${all[0]!.id}"]`)).toBeVisible()
      await check(view)
    }
    await page.goto(`/appointments?day=${monday}&appointment=${all[3]!.id}`)
    await expect(page.getByRole('dialog').getByText('Follow-up')).toBeVisible()
    await check('drawer')
    await page.getByRole('button', { name: 'Move' }).click()
    await expect(dialog(page, /^Move /).getByRole('region', { name: 'Other bookings' })).toBeVisible()
    await check('dialog')
    await page.goto('/settings/hours-and-rooms')
    await page.getByRole('button', { name: 'Change hours' }).click()
    await expect(dialog(page, 'Practice hours')).toBeVisible()
    await check('hours')
    await page.goto(`/contacts/${all[3]!.contact.id}?tab=appointments`)
    await expect(page.getByRole('list', { name: 'Upcoming appointments' })).toBeVisible()
    await check('record')
  })
}
