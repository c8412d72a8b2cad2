import type { Page } from '@playwright/test'
import { daysLater } from '../../src/shared/zoned-time.ts'
import { answered, booked, dialog, eventOf, freshMonday, freshPastMonday, fullName, patient, said, timeZone } from './appointments.ts'
import { brokenRules } from './axe.ts'
import { expect, test } from './clinic.ts'
import { operated, procedure } from './surgeries.ts'

const readiness = (page: Page) => page.getByRole('status').filter({ hasText: /ready|cleared/i })

/** The one item of every case that the front desk sees to before the surgery. */
const driver = 'Ride home and overnight caregiver arranged'

/** A press of this button sets what was said, and the drawer is told so by the server. */
async function confirm(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Confirm' })).toHaveCount(0)
}

test('issue 8, spec 4: from a consult to ready: a case with a specialist consult waits while one item is open', async ({ open }) => {
  const page = await open('provider', '/tasks')
  const [who, nose, monday] = [await patient(page), await procedure(page), freshMonday()]
  const consult = await booked(page, monday, '09:00', { contactId: who.id })
  await answered(page, `/appointments/${consult.id}/status`, { id: consult.id, version: 1, status: 'completed' })
  const { version } = await answered<{ version: number }>(page, `/contacts/${who.id}`)
  const asked = await page.request.patch(`/api/contacts/${who.id}`, {
    data: {
      id: who.id,
      version,
      requiresSpecialistConsult: true,
      specialistConsultType: 'Cardiology',
      specialistConsultReason: 'Murmur heard at the consult',
    },
  })
  expect(asked.status(), await asked.text()).toBe(200)
  const preOp = await booked(page, daysLater(monday, 1), '13:00', { contactId: who.id, type: 'pre_op', minutes: 30 })
  await answered(page, `/appointments/${preOp.id}/status`, { id: preOp.id, version: 1, status: 'completed' })

  await page.goto(`/contacts/${who.id}?tab=surgery`)
  const panel = page.getByRole('tabpanel', { name: 'Surgery' })
  await expect(panel.getByText('None booked')).toBeVisible()
  // Spec 4: the item shows once surgery is booked, before any case carries a checklist.
  const item = panel.getByRole('list', { name: 'Checklist' }).getByRole('listitem')
  await expect(item).toHaveCount(0)
  const stages = (await (await page.request.get('/api/funnel-stages')).json()) as { id: string; name: string }[]
  const moved = await page.request.patch(`/api/contacts/${who.id}`, {
    data: { id: who.id, version: version + 1, funnelStage: stages.find(({ name }) => name === 'Surgery Booked')!.id },
  })
  expect(moved.status(), await moved.text()).toBe(200)
  await expect(item).toContainText('Specialist consult: Cardiology')
  await expect(item).toContainText('Results not received')
  await panel.getByRole('button', { name: 'Book surgery' }).click()
  const booking = dialog(page, 'Book surgery')
  await expect(booking.getByText(fullName(who))).toBeVisible()
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
  await expect(panel.getByText('Not ready yet. It is not confirmed, and waits for:')).toBeVisible()
  // The record follows.
  await expect(page.getByRole('complementary', { name: 'Details' }).getByText('$8,200.00')).toBeVisible()

  await panel.getByRole('list', { name: 'Next surgery' }).getByRole('button').click()
  const drawer = dialog(page, fullName(who))
  await confirm(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  const before = panel.getByRole('list', { name: 'Before the surgery' })
  const specialist = before.getByRole('listitem').filter({ hasText: 'Specialist’s results received: Cardiology' })
  await expect(specialist).toContainText('Completes when the patient’s record says that the specialist’s results were received.')
  await expect(specialist.getByRole('checkbox')).toHaveCount(0)
  await expect(before.getByRole('listitem').filter({ hasText: 'Pre-op visit' })).toContainText('Completed automatically')
  const words = ['Health history and allergies reviewed', 'Medications reviewed, stop list given', 'Consents signed']
  for (const item of [...words, 'Lab results reviewed']) {
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
  // One is still open, and it is not ready.
  await expect(readiness(page)).toHaveText('Not cleared. Outstanding: Ride home and overnight caregiver arranged')
  await expect(panel.getByText('Confirmed')).toBeVisible()
  await before.getByRole('checkbox', { name: driver }).click()
  await expect(readiness(page)).toContainText('Ready. Confirmed, and nothing that is due by the day of surgery is open.')
  await expect(panel.getByText('Ready', { exact: true }).first()).toBeVisible()
  await before.getByRole('checkbox', { name: 'Consents signed' }).click()
  await expect(readiness(page)).toHaveText('Not cleared. Outstanding: Consents signed')
})

test('issue 8: a checklist takes a note and an item of its own, and gives one up with Undo', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  const one = await operated(page, freshMonday(), '08:00')
  await page.goto(`/surgeries?surgery=${one.id}`)
  const drawer = dialog(page, fullName(one.contact))
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
  await expect(adding.getByText('Say what has to be done')).toBeVisible()
  await adding.getByLabel('What has to be done').fill('Interpreter booked')
  // Billing sees no surgeries, and could not tick it.
  await adding.getByRole('combobox', { name: 'Responsible' }).click()
  await expect(page.getByRole('option')).toHaveText(['Administrator', 'Sales', 'Provider', 'Front desk'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await adding.getByRole('button', { name: 'Add item' }).click()
  await expect(adding).toHaveCount(0)
  await expect(drawer.getByRole('list', { name: 'Before the surgery' })).toContainText('Interpreter booked')
  await line('Interpreter booked').getByRole('button', { name: 'Actions: Interpreter booked' }).click()
  await page.getByRole('menuitem', { name: 'Take off the checklist' }).click()
  await expect(line('Interpreter booked')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(line('Interpreter booked')).toHaveCount(1)
})

test('issue 8: a surgery is completed on its day or after it; one that lacks something asks first; Undo takes it back', async ({
  open,
}) => {
  const page = await open('frontdesk', '/tasks')
  const [coming, past] = [await operated(page, freshMonday(), '08:00'), await operated(page, freshPastMonday(), '08:00')]
  await page.goto(`/surgeries?surgery=${coming.id}`)
  await confirm(page)
  const actions = dialog(page, fullName(coming.contact))
  await expect(actions.getByRole('button', { name: 'Complete' })).toHaveCount(0)
  await actions.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Postpone' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Complete' })).toHaveCount(0)

  await page.goto(`/surgeries?surgery=${past.id}`)
  await confirm(page)
  const drawer = dialog(page, fullName(past.contact))
  await drawer.getByRole('button', { name: 'Complete' }).click()
  const asks = dialog(page, 'Complete with items open?')
  await expect(asks.getByRole('list', { name: 'Still open' })).toContainText('Consents signed')
  await asks.getByRole('button', { name: 'Not yet' }).click()
  await expect(asks).toHaveCount(0)
  await drawer.getByRole('button', { name: 'Complete' }).click()
  await asks.getByRole('button', { name: 'Complete anyway' }).click()
  await expect(asks).toHaveCount(0)
  await expect(said(page, `${fullName(past.contact)}: surgery is completed`)).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Move', exact: true })).toHaveCount(0)
  // That it was confirmed has an Undo of its own.
  await page.locator('[data-sonner-toast]').filter({ hasText: 'is completed' }).getByRole('button', { name: 'Undo' }).click()
  await expect(drawer.getByRole('button', { name: 'Complete' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Move', exact: true })).toBeVisible()
})

test('surgeries within 7 days that miss something come first, in red, and the row opens the item that is due first', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
  const [soon, later] = [
    await operated(page, daysLater(today, 7), '07:00', { surgeonId: null, roomId: null }),
    await operated(page, daysLater(today, 8), '07:00', { surgeonId: null, roomId: null }),
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

test('issue 8: the list says what is missing, is filtered, and its address keeps the filters', async ({ open }) => {
  const page = await open('frontdesk', '/tasks')
  const [monday, nose] = [freshMonday(), await procedure(page)]
  const one = await operated(page, monday, '08:00', { procedureIds: [nose.id] })
  await page.goto('/surgeries')
  const row = page.getByRole('button', { name: fullName(one.contact) })
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
  await page.getByRole('button', { name: 'Only with something missing' }).click()
  await expect(page).toHaveURL('/surgeries?status=tentative&missing=true')
  await page.reload()
  await expect(row).toBeVisible()
  await row.click()
  await dialog(page, fullName(one.contact)).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel surgery…' }).click()
  const asks = dialog(page, 'Cancel this surgery?')
  await asks.getByRole('button', { name: 'Cancel surgery' }).click()
  await expect(asks.getByText('Say why it is cancelled')).toBeVisible()
  await asks.getByLabel('Reason').fill('Pregnant')
  await asks.getByRole('button', { name: 'Cancel surgery' }).click()
  await expect(asks).toHaveCount(0)
  await expect(dialog(page, fullName(one.contact)).getByText('Pregnant')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row).toHaveCount(0)
})

test.describe('where something is refused', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('issue 8: an administrator changes what new surgeries need; the specialist’s item stays; others read it', async ({ open }) => {
    const page = await open('admin', '/settings/checklists')
    const nose = await answered<{ id: string; name: string }>(page, '/procedures', { name: `Nose ${crypto.randomUUID().slice(0, 6)}` })
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
    const one = await operated(page, freshMonday(), '08:00', { procedureIds: [nose.id] })
    expect(one.items.map(({ words }) => words)).toContain('CT of the nose in the room')

    await card.getByRole('button', { name: 'Specialist’s results received' }).click()
    await dialog(page, 'Edit checklist item').getByRole('button', { name: 'Delete item' }).click()
    await expect(said(page, '“Specialist’s results received” stays')).toBeVisible()
    await expect(said(page, 'Every case needs an item for a specialist consult.')).toBeVisible()
    await page.keyboard.press('Escape')

    const theirs = await open('provider', '/settings/checklists')
    const read = theirs.getByRole('region', { name: 'Surgery checklists' })
    await expect(read).toContainText('Administrators change it.')
    await expect(read.getByRole('region', { name: nose.name })).toContainText('CT of the nose in the room')
    await expect(read.getByRole('button')).toHaveCount(0)
  })
})

test('issue 8: a day’s surgeries are printed by room and time, with what is missing', async ({ open }) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
  const one = await operated(page, monday, '08:00', { implants: 'Silicone, 3 mm' })
  const other = await operated(page, monday, '10:30')
  await page.goto(`/surgeries?view=day&day=${monday}`)
  await expect(eventOf(page, one)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('[data-print-sheet]')
  await expect(sheet.getByRole('heading', { name: 'Harbourview, surgeries' })).toBeVisible()
  await expect(sheet).toContainText('2 surgeries')
  const cases = sheet.getByRole('article')
  await expect(cases).toHaveCount(2)
  await expect(cases.nth(0)).toContainText(fullName(one.contact))
  await expect(cases.nth(0)).toContainText('Silicone, 3 mm')
  await expect(cases.nth(0)).toContainText('Consents signed')
  await expect(cases.nth(1)).toContainText(fullName(other.contact))
  await expect(page.locator('[data-calendar]')).toBeHidden()
})

test('issue 8: billing sees no surgeries', async ({ open }) => {
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

test.describe('while the server is away', () => {
  test.use({ expectedErrors: ['ERR_FAILED', 'Failed to load resource'] })

  test('issue 8: surgeries that did not load say so, and are asked for again; a tick that is lost is taken back', async ({ open }) => {
    const page = await open('frontdesk', '/tasks')
    const one = await operated(page, freshMonday(), '08:00')
    await page.route('**/api/surgeries*', (route) => route.abort())
    await page.goto('/surgeries')
    await expect(page.getByText('Couldn’t load surgeries')).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/api/surgeries*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: fullName(one.contact) }).click()
    const box = dialog(page, fullName(one.contact)).getByRole('checkbox', { name: driver })
    await page.route('**/items/*', (route) => route.abort())
    await box.click()
    await expect(said(page, `“${driver}” is still open`)).toBeVisible()
    await expect(box).not.toBeChecked()
  })
})

test('a phone of 375 px: surgeries by day, nothing scrolls sideways, a surgery fills the screen', async ({ open }) => {
  const [monday, page] = [freshMonday(), await open('frontdesk', '/tasks')]
  await page.setViewportSize({ width: 375, height: 812 })
  const one = await operated(page, monday, '08:00')
  await page.goto(`/surgeries?day=${monday}`)
  const row = page.getByRole('button', { name: fullName(one.contact) })
  await row.scrollIntoViewIfNeeded()
  await expect(page.getByRole('radio', { name: 'Week' })).toHaveCount(0)
  await row.click()
  const drawer = dialog(page, fullName(one.contact))
  expect((await drawer.boundingBox())!.width).toBeCloseTo(375, 0)
  await expect(drawer.getByRole('checkbox', { name: driver })).toBeVisible()
  await expect(drawer.getByRole('checkbox', { name: 'Consents signed' })).toHaveCount(0)
  await expect(drawer.getByText('What a provider sees to is ticked by a provider or an administrator.')).toBeVisible()
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
  test(`no WCAG 2.2 AA rule that can be checked by machine is broken: surgeries, ${part} (${colorScheme})`, async ({ open, clinic }) => {
    const [monday, page] = [freshMonday(), await open('admin', '/tasks')]
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const all: Awaited<ReturnType<typeof operated>>[] = []
    for (const at of [0, 1, 2, 3, 4]) all.push(await operated(page, daysLater(monday, at), '10:00', { implants: 'Silicone, 3 mm' }))
    const setStatus = (at: number, data: object) =>
      answered(page, `/surgeries/${all[at]!.id}/status`, { id: all[at]!.id, version: 1, ...data })
    await setStatus(1, { status: 'confirmed' })
    // No one can say so before its day.
    await clinic.rows(`update surgeries set status = 'completed' where id = '${all[2]!.id}'`)
    await setStatus(3, { status: 'postponed' })
    await setStatus(4, { status: 'cancelled', reason: 'Ill' })
    const check = async (where: string) => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await brokenRules(page), where).toEqual([])
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
