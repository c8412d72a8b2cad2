import type { Page } from '@playwright/test'
import { daysLater } from '../../../src/shared/zoned-time.ts'
import {
  fetchJson,
  bookAppointment,
  dialog,
  eventOf,
  unusedMonday,
  unusedPastMonday,
  fullName,
  createPatient,
  toastMessage,
  timeZone,
} from '../pages/appointments.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { bookSurgery, getProcedure } from '../pages/surgeries.ts'

const readiness = (page: Page) => page.getByRole('status').filter({ hasText: /ready|cleared/i })

/** The item of every case for which the front desk is responsible before surgery. */
const driver = 'Ride home and overnight caregiver arranged'

/** Clicks the button and waits for the server to confirm the change in the drawer. */
async function confirm(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Confirm' })).toHaveCount(0)
}

test('keeps a case with a specialist consult not ready while one item is open (spec 4)', async ({ open }) => {
  const page = await open('provider', '/tasks')
  const [patient, nose, monday] = [await createPatient(page), await getProcedure(page), unusedMonday()]
  const consult = await bookAppointment(page, monday, '09:00', { contactId: patient.id })
  await fetchJson(page, `/appointments/${consult.id}/status`, { id: consult.id, version: 1, status: 'completed' })
  const { version } = await fetchJson<{ version: number }>(page, `/contacts/${patient.id}`)
  const asked = await page.request.patch(`/api/contacts/${patient.id}`, {
    data: {
      id: patient.id,
      version,
      requiresSpecialistConsult: true,
      specialistConsultType: 'Cardiology',
      specialistConsultReason: 'Murmur heard at the consult',
    },
  })
  expect(asked.status(), await asked.text()).toBe(200)
  const preOp = await bookAppointment(page, daysLater(monday, 1), '13:00', { contactId: patient.id, type: 'pre_op', minutes: 30 })
  await fetchJson(page, `/appointments/${preOp.id}/status`, { id: preOp.id, version: 1, status: 'completed' })

  await page.goto(`/contacts/${patient.id}?tab=surgery`)
  const panel = page.getByRole('tabpanel', { name: 'Surgery' })
  await expect(panel.getByText('None booked')).toBeVisible()
  // The item appears once surgery is booked, before any case has a checklist (spec 4).
  const item = panel.getByRole('list', { name: 'Checklist' }).getByRole('listitem')
  await expect(item).toHaveCount(0)
  const stages = (await (await page.request.get('/api/funnel-stages')).json()) as { id: string; name: string }[]
  const moved = await page.request.patch(`/api/contacts/${patient.id}`, {
    data: { id: patient.id, version: version + 1, funnelStage: stages.find(({ name }) => name === 'Surgery Booked')!.id },
  })
  expect(moved.status(), await moved.text()).toBe(200)
  await expect(item).toContainText('Specialist consult: Cardiology')
  await expect(item).toContainText('Results not received')
  await panel.getByRole('button', { name: 'Book surgery' }).click()
  const booking = dialog(page, 'Book surgery')
  await expect(booking.getByText(fullName(patient))).toBeVisible()
  await booking.getByRole('combobox', { name: 'Procedures' }).click()
  await page.getByPlaceholder('Procedure', { exact: true }).fill(nose.name)
  await page.getByRole('option', { name: nose.name, exact: true }).click()
  await expect(booking.getByRole('list', { name: 'Chosen procedures' })).toHaveText(nose.name)
  await booking.getByRole('button', { name: 'Book surgery' }).click()
  await expect(booking.getByText('Select anaesthesia')).toBeVisible()
  await booking.getByRole('combobox', { name: 'Anaesthesia' }).click()
  await page.getByRole('option', { name: 'General' }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await booking.getByLabel('Date').fill(daysLater(monday, 2))
  await booking.getByLabel('Time').fill('08:00')
  await booking.getByLabel('Price').fill('8,200')
  await booking.getByRole('button', { name: 'Book surgery' }).click()
  await expect(booking).toHaveCount(0)
  await expect(panel.getByText('Not cleared: not confirmed. Outstanding:')).toBeVisible()
  // The record updates too.
  await expect(page.getByRole('complementary', { name: 'Details' }).getByText('$8,200.00')).toBeVisible()

  await panel.getByRole('list', { name: 'Next surgery' }).getByRole('button').click()
  const drawer = dialog(page, fullName(patient))
  await confirm(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  const before = panel.getByRole('list', { name: 'Before the surgery' })
  const specialist = before.getByRole('listitem').filter({ hasText: 'Specialist’s results received: Cardiology' })
  await expect(specialist).toContainText('Completes when the patient’s record says that the specialist’s results were received.')
  await expect(specialist.getByRole('checkbox')).toHaveCount(0)
  await expect(before.getByRole('listitem').filter({ hasText: 'Pre-op visit' })).toContainText('Completed automatically')
  for (const section of ['allergies', 'medications', 'history'])
    await fetchJson(page, `/contacts/${patient.id}/health/reviews`, { section })
  for (const item of ['Health history and allergies reviewed', 'Medications reviewed, stop list given'])
    await expect(before.getByRole('listitem').filter({ hasText: item })).toContainText('Completed automatically')
  for (const item of ['Consents signed', 'Lab results reviewed']) {
    await before.getByRole('checkbox', { name: item }).click()
    await expect(before.getByRole('listitem').filter({ hasText: item })).toContainText('Done today by')
  }
  await expect(readiness(page)).toContainText(
    'Not cleared. Outstanding: Specialist’s results received · Ride home and overnight caregiver arranged',
  )
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(page.getByText(/Surgery booked: .* at 8:00 a\.m\./)).toBeVisible()
  await page.getByRole('button', { name: 'Mark results received' }).click()
  await page.getByRole('tab', { name: 'Surgery' }).click()
  await expect(specialist).toContainText('Completed automatically')
  // One item is open, so the case is not ready.
  await expect(readiness(page)).toHaveText('Not cleared. Outstanding: Ride home and overnight caregiver arranged')
  await expect(panel.getByText('Confirmed')).toBeVisible()
  await before.getByRole('checkbox', { name: driver }).click()
  await expect(readiness(page)).toContainText('Ready. Confirmed, with nothing outstanding that is due by the day of surgery.')
  await expect(panel.getByText('Ready', { exact: true }).first()).toBeVisible()
  await before.getByRole('checkbox', { name: 'Consents signed' }).click()
  await expect(readiness(page)).toHaveText('Not cleared. Outstanding: Consents signed')
})

test('adds a note and an item to a checklist, and removes one with Undo', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  const surgery = await bookSurgery(page, unusedMonday(), '08:00')
  await page.goto(`/surgeries?surgery=${surgery.id}`)
  const drawer = dialog(page, fullName(surgery.contact))
  const line = (words: string) => drawer.getByRole('listitem').filter({ hasText: words })
  await line('Consents signed').getByRole('button', { name: 'Actions: Consents signed' }).click()
  await page.getByRole('menuitem', { name: 'Add note' }).click()
  await dialog(page, 'Consents signed').getByLabel('Note').fill('Wants to read them at home')
  await dialog(page, 'Consents signed').getByRole('button', { name: 'Save note' }).click()
  await expect(dialog(page, 'Consents signed')).toHaveCount(0)
  await expect(line('Consents signed')).toContainText('Wants to read them at home')

  await drawer.getByRole('button', { name: 'Add item' }).click()
  const adding = dialog(page, 'Add to the checklist')
  await adding.getByRole('button', { name: 'Add item' }).click()
  await expect(adding.getByText('Describe what has to be done')).toBeVisible()
  await adding.getByLabel('What has to be done').fill('Interpreter booked')
  // Billing has no access to surgeries and could not tick it.
  await adding.getByRole('combobox', { name: 'Responsible' }).click()
  await expect(page.getByRole('option')).toHaveText(['Administrator', 'Sales', 'Provider', 'Front desk'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await adding.getByRole('button', { name: 'Add item' }).click()
  await expect(adding).toHaveCount(0)
  await expect(drawer.getByRole('list', { name: 'Before the surgery' })).toContainText('Interpreter booked')
  await line('Interpreter booked').getByRole('button', { name: 'Actions: Interpreter booked' }).click()
  await page.getByRole('menuitem', { name: 'Remove from checklist' }).click()
  await expect(line('Interpreter booked')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(line('Interpreter booked')).toHaveCount(1)
})

test('completes a surgery on or after its day, confirms when items are open, and undoes it', async ({ open, clinic }) => {
  const page = await open('frontdesk', '/tasks')
  const [coming, past] = [await bookSurgery(page, unusedMonday(), '08:00'), await bookSurgery(page, unusedPastMonday(), '08:00')]
  await page.goto(`/surgeries?surgery=${coming.id}`)
  await confirm(page)
  const actions = dialog(page, fullName(coming.contact))
  await expect(actions.getByRole('button', { name: 'Complete' })).toHaveCount(0)
  await actions.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Postpone' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Complete' })).toHaveCount(0)

  await clinic.rows(
    `insert into safety_phases (surgery_id, phase, outcome, reason, closed_at)
     select $1, phase, 'waived', 'Done on paper', now() from unnest(array['sign_in', 'time_out', 'sign_out']) as phase`,
    [past.id],
  )
  await page.goto(`/surgeries?surgery=${past.id}`)
  await confirm(page)
  const drawer = dialog(page, fullName(past.contact))
  await drawer.getByRole('button', { name: 'Complete' }).click()
  const confirmation = dialog(page, 'Complete with items open?')
  await expect(confirmation.getByRole('list', { name: 'Still open' })).toContainText('Consents signed')
  await confirmation.getByRole('button', { name: 'Not yet' }).click()
  await expect(confirmation).toHaveCount(0)
  await drawer.getByRole('button', { name: 'Complete' }).click()
  await confirmation.getByRole('button', { name: 'Complete anyway' }).click()
  await expect(confirmation).toHaveCount(0)
  await expect(toastMessage(page, `${fullName(past.contact)}: surgery is completed`)).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Move', exact: true })).toHaveCount(0)
  // The confirmation has its own Undo.
  await page.locator('[data-sonner-toast]').filter({ hasText: 'is completed' }).getByRole('button', { name: 'Undo' }).click()
  await expect(drawer.getByRole('button', { name: 'Complete' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Move', exact: true })).toBeVisible()
})

test('lists surgeries within 7 days with open items first, in red, and opens the item due first', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
  const [soon, later] = [
    await bookSurgery(page, daysLater(today, 7), '07:00', { surgeonId: null, roomId: null }),
    await bookSurgery(page, daysLater(today, 8), '07:00', { surgeonId: null, roomId: null }),
  ]
  await page.goto('/surgeries')
  const urgent = page.getByRole('region', { name: 'Within 7 days, with items missing' })
  await expect(urgent.getByRole('button', { name: fullName(soon.contact) })).toBeVisible()
  await expect(urgent.getByRole('button', { name: fullName(later.contact) })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 3 }).first()).toContainText('Within 7 days, with items missing')
  const item = urgent
    .getByRole('listitem')
    .filter({ hasText: fullName(soon.contact) })
    .getByRole('button', { name: /^Open item: / })
  await expect(item).toHaveClass(/text-danger-fg/)
  const words = (await item.getAttribute('aria-label'))!.replace('Open item: ', '')
  await item.click()
  const opened = dialog(page, fullName(soon.contact)).getByRole('listitem').filter({ hasText: words })
  await expect(opened).toHaveAttribute('aria-current', 'true')
  await expect(opened).toBeInViewport()
  await expect(page).toHaveURL(/item=/)
})

test('filters the list by open items, and keeps filters in the URL', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  const [monday, nose] = [unusedMonday(), await getProcedure(page)]
  const surgery = await bookSurgery(page, monday, '08:00', { procedureIds: [nose.id] })
  await page.goto('/surgeries')
  const row = page.getByRole('button', { name: fullName(surgery.contact) })
  await expect(row).toContainText(nose.name)
  await expect(row).toContainText('Operating room')
  await expect(row).toContainText('2 h')
  await expect(row).toContainText('Tentative')
  const line = page.getByRole('listitem').filter({ has: row })
  await expect(line).toContainText('6 missing')
  await expect(line).toContainText('Health history and allergies reviewed')
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Cancelled' }).click()
  await expect(row).toHaveCount(0)
  await expect(page).toHaveURL('/surgeries?status=cancelled')
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Tentative' }).click()
  await page.getByRole('button', { name: 'Only with missing items' }).click()
  await expect(page).toHaveURL('/surgeries?status=tentative&missing=true')
  await page.reload()
  await expect(row).toBeVisible()
  await row.click()
  await dialog(page, fullName(surgery.contact)).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel surgery…' }).click()
  const confirmation = dialog(page, 'Cancel this surgery?')
  await confirmation.getByRole('button', { name: 'Cancel surgery' }).click()
  await expect(confirmation.getByText('Enter a reason for the cancellation')).toBeVisible()
  await confirmation.getByRole('textbox', { name: 'Reason' }).fill('Pregnant')
  await confirmation.getByRole('button', { name: 'Cancel surgery' }).click()
  await expect(confirmation).toHaveCount(0)
  await expect(dialog(page, fullName(surgery.contact)).getByText('Pregnant')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row).toHaveCount(0)
})

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('lets an administrator change the checklist of new surgeries except the specialist’s item, and shows it to others', async ({
    open,
  }) => {
    const page = await open('admin', '/settings/checklists')
    const nose = await fetchJson<{ id: string; name: string }>(page, '/procedures', { name: `Nose ${crypto.randomUUID().slice(0, 6)}` })
    const card = page.getByRole('region', { name: 'Surgery checklists' })
    await card.getByRole('button', { name: 'Add item' }).click()
    const adding = dialog(page, 'Add checklist item')
    await adding.getByRole('combobox', { name: 'Procedure' }).click()
    await page.getByRole('option', { name: nose.name }).click()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await adding.getByLabel('What has to be done').fill('CT of the nose in the room')
    await adding.getByLabel('Days').fill('0')
    await adding.getByRole('button', { name: 'Add item' }).click()
    await expect(adding.getByText('Enter a number of days from 1 to 365')).toBeVisible()
    await adding.getByLabel('Days').fill('3')
    await adding.getByRole('button', { name: 'Add item' }).click()
    await expect(adding).toHaveCount(0)
    const group = card.getByRole('region', { name: nose.name })
    await expect(group).toContainText('CT of the nose in the room')
    await expect(group).toContainText('Front desk · 3 days before')
    const surgery = await bookSurgery(page, unusedMonday(), '08:00', { procedureIds: [nose.id] })
    expect(surgery.items.map(({ words }) => words)).toContain('CT of the nose in the room')

    await card.getByRole('button', { name: 'Specialist’s results received' }).click()
    await dialog(page, 'Edit checklist item').getByRole('button', { name: 'Delete item' }).click()
    await expect(toastMessage(page, 'Couldn’t delete “Specialist’s results received”')).toBeVisible()
    await expect(toastMessage(page, 'Every case needs an item for a specialist consult.')).toBeVisible()
    await page.keyboard.press('Escape')

    const otherPage = await open('provider', '/settings/checklists')
    const read = otherPage.getByRole('region', { name: 'Surgery checklists' })
    await expect(read).toContainText('Administrators can change it.')
    await expect(read.getByRole('region', { name: nose.name })).toContainText('CT of the nose in the room')
    await expect(read.getByRole('button')).toHaveCount(0)
  })
})

test('prints a day’s surgeries by room and time, with open items', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  const surgery = await bookSurgery(page, monday, '08:00', { implants: 'Silicone, 3 mm' })
  const other = await bookSurgery(page, monday, '10:30')
  await page.goto(`/surgeries?view=day&day=${monday}`)
  await expect(eventOf(page, surgery)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('[data-print-sheet]')
  await expect(sheet.getByRole('heading', { name: 'Harbourview, surgeries' })).toBeVisible()
  await expect(sheet).toContainText('2 surgeries')
  const cases = sheet.getByRole('article')
  await expect(cases).toHaveCount(2)
  await expect(cases.nth(0)).toContainText(fullName(surgery.contact))
  await expect(cases.nth(0)).toContainText('Silicone, 3 mm')
  await expect(cases.nth(0)).toContainText('Consents signed')
  await expect(cases.nth(1)).toContainText(fullName(other.contact))
  await expect(page.locator('[data-calendar]')).toBeHidden()
})

test('hides surgeries from billing', async ({ open }) => {
  const page = await open('billing', '/surgeries')
  await expect(page.getByRole('heading', { name: 'Billing sees no surgeries' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Book surgery' })).toHaveCount(0)
  await page.goto('/settings')
  const sections = page.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByRole('link', { name: 'Hours and rooms' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'Surgery checklists' })).toHaveCount(0)
  await page.goto('/settings/checklists')
  await expect(page.getByText('Setting not found')).toBeVisible()
})

test.describe('when the server is unreachable', () => {
  test.use({ expectedErrors: ['ERR_FAILED', 'Failed to load resource'] })

  test('shows an error when surgeries fail to load, and reverts a failed tick', async ({ open }) => {
    const page = await open('frontdesk', '/tasks')
    const surgery = await bookSurgery(page, unusedMonday(), '08:00')
    await page.route('**/api/surgeries*', (route) => route.abort())
    await page.goto('/surgeries')
    await expect(page.getByText('Couldn’t load surgeries')).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/api/surgeries*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: fullName(surgery.contact) }).click()
    const box = dialog(page, fullName(surgery.contact)).getByRole('checkbox', { name: driver })
    await page.route('**/items/*', (route) => route.abort())
    await box.click()
    await expect(toastMessage(page, `Couldn’t tick “${driver}”`)).toBeVisible()
    await expect(box).not.toBeChecked()
  })
})

test('fits a 375 px phone: surgeries by day, no horizontal scrolling, full-screen details', async ({ open }) => {
  const [monday, page] = [unusedMonday(), await open('frontdesk', '/tasks')]
  await page.setViewportSize({ width: 375, height: 812 })
  const surgery = await bookSurgery(page, monday, '08:00')
  await page.goto(`/surgeries?day=${monday}`)
  const row = page.getByRole('button', { name: fullName(surgery.contact) })
  await row.scrollIntoViewIfNeeded()
  await expect(page.getByRole('radio', { name: 'Week' })).toHaveCount(0)
  await row.click()
  const drawer = dialog(page, fullName(surgery.contact))
  expect((await drawer.boundingBox())!.width).toBeCloseTo(375, 0)
  await expect(drawer.getByRole('checkbox', { name: driver })).toBeVisible()
  await expect(drawer.getByRole('checkbox', { name: 'Consents signed' })).toHaveCount(0)
  await expect(drawer.getByText('Items assigned to a provider can only be ticked by a provider or an administrator.')).toBeVisible()
  expect(await drawer.evaluate((element) => element.scrollWidth)).toBeLessThanOrEqual(375)
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(drawer).toHaveCount(0)
  for (const view of ['Day', 'Month', 'List']) {
    await page.getByRole('radio', { name: view }).click()
    await expect(page.getByRole('radio', { name: view })).toHaveAttribute('aria-checked', 'true')
    await expect(view === 'List' ? row : page.locator('[data-calendar]')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(375)
  }
})

for (const [colorScheme, part] of [
  ['light', 'views'],
  ['dark', 'views'],
  ['light', 'dialogs'],
  ['dark', 'dialogs'],
] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: surgeries, ${part} (${colorScheme})`, async ({ open, clinic }) => {
    const [monday, page] = [unusedMonday(), await open('admin', '/tasks')]
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const all: Awaited<ReturnType<typeof bookSurgery>>[] = []
    for (const at of [0, 1, 2, 3, 4]) all.push(await bookSurgery(page, daysLater(monday, at), '10:00', { implants: 'Silicone, 3 mm' }))
    const setStatus = (at: number, data: object) =>
      fetchJson(page, `/surgeries/${all[at]!.id}/status`, { id: all[at]!.id, version: 1, ...data })
    await setStatus(1, { status: 'confirmed' })
    // The API refuses it before the day of surgery.
    await clinic.rows(`update surgeries set status = 'completed' where id = '${all[2]!.id}'`)
    await setStatus(3, { status: 'postponed' })
    await setStatus(4, { status: 'cancelled', reason: 'Ill' })
    const check = async (where: string) => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page), where).toEqual([])
    }
    if (part === 'views') {
      for (const view of ['list', 'month', 'week', 'day', 'day&by=room']) {
        await page.goto(`/surgeries?view=${view}&day=${monday}`)
        await expect(page.locator(`[data-entry="${all[0]!.id}"]`)).toBeVisible()
        await check(view)
      }
      for (const status of ['postponed', 'cancelled'] as const) {
        await page.goto(`/surgeries?status=${status}`)
        await expect(page.locator(`[data-entry="${all[status === 'postponed' ? 3 : 4]!.id}"]`)).toBeVisible()
        await check(status)
      }
      return
    }
    await page.goto(`/surgeries?surgery=${all[1]!.id}`)
    await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Consents signed' })).toBeVisible()
    await check('drawer')
    await page.getByRole('dialog').getByRole('button', { name: 'Add item' }).click()
    await expect(dialog(page, 'Add to the checklist')).toBeVisible()
    await check('item')
    await page.goto('/surgeries?book=new')
    await expect(dialog(page, 'Book surgery').getByLabel('Date')).toBeVisible()
    await check('dialog')
    await page.goto('/settings/checklists')
    await expect(page.getByRole('region', { name: 'Every surgery' })).toBeVisible()
    await check('settings')
    await page.goto(`/contacts/${all[1]!.contact.id}?tab=surgery`)
    await expect(page.getByRole('list', { name: 'Next surgery' })).toBeVisible()
    await check('record')
  })
}
