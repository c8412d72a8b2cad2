import type { Page } from '@playwright/test'
import { createPatient, fetchJson, unusedMonday } from '../pages/appointments.ts'
import { bookSurgery } from '../pages/surgeries.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const banner = (page: Page) => page.getByRole('region', { name: 'Allergies and alerts' })
const section = (page: Page, name: string) =>
  page.getByRole('tabpanel', { name: 'Chart' }).getByRole('region', { name: new RegExp(`^${name}`) })
const add = (page: Page, contactId: string, entry: object) => fetchJson(page, `/contacts/${contactId}/health/entries`, entry)

test('shows an allergy that the front desk records to the surgeon in the case', { tag: '@journey' }, async ({ open }) => {
  const desk = await open('frontdesk', '/contacts')
  const surgery = await bookSurgery(desk, unusedMonday(), '08:00')
  const patient = surgery.contact
  const surgeon = await open('provider', `/surgeries?surgery=${surgery.id}`)
  const drawer = surgeon.getByRole('dialog', { name: `${patient.firstName} ${patient.lastName}` })
  await expect(drawer.getByText('Allergies not recorded yet')).toBeVisible()

  await desk.goto(`/contacts/${patient.id}?tab=chart`)
  await expect(banner(desk)).toContainText('Allergies not recorded yet')
  await expect(section(desk, 'Allergies')).toContainText('Not asked yet')
  await expect(section(desk, 'Medications')).toHaveCount(0)
  await expect(section(desk, 'Vitals and measurements')).toHaveCount(0)
  // By keyboard alone, from the button to the row.
  const addAllergy = desk.getByRole('button', { name: 'Add allergy' })
  await addAllergy.press('Enter')
  const editor = desk.getByRole('group', { name: 'Add entry' })
  await expect(editor.getByLabel('Allergic to')).toBeFocused()
  await desk.keyboard.press('Enter')
  await expect(editor.getByText('Enter a name')).toBeVisible()
  await desk.keyboard.type('Penicillin')
  await desk.keyboard.press('Tab')
  await desk.keyboard.press('Enter')
  await desk.getByRole('option', { name: 'Severe' }).press('Enter')
  await editor.getByLabel('Reaction').fill('Anaphylaxis, 2014')
  await desk.keyboard.press('Enter')
  await expect(editor).toHaveCount(0)
  await expect(addAllergy).toBeFocused()
  await expect(banner(desk)).toContainText('Allergies: Penicillin (Anaphylaxis, 2014, severe)')
  await expect(section(desk, 'Allergies').getByRole('listitem')).toContainText('Anaphylaxis, 2014')
  await desk.getByRole('button', { name: 'Reviewed, no change' }).click()
  await expect(banner(desk)).toContainText(/Last reviewed .* by Theo Lindgren/)

  // Without a reload.
  await expect(drawer.getByText('Allergies: Penicillin (Anaphylaxis, 2014, severe)')).toBeVisible()
})

test('keeps medications, history and measurements, with stop dates, ends, errors and Undo', async ({ open }) => {
  const page = await open('provider', '/contacts')
  const { id } = await createPatient(page)
  await page.goto(`/contacts/${id}?tab=chart`)
  const medications = section(page, 'Medications')
  await medications.getByRole('button', { name: 'Add medication' }).click()
  const editor = page.getByRole('group', { name: 'Add entry' })
  await editor.getByLabel('Medication', { exact: true }).fill('Semaglutide')
  await editor.getByLabel('Dose').fill('0.5 mg weekly')
  await editor.getByLabel('Stop before surgery').fill('14')
  await editor.getByRole('checkbox', { name: 'Weight-loss medication' }).check()
  await editor.getByRole('button', { name: 'Add', exact: true }).click()
  const row = medications.getByRole('listitem')
  await expect(row).toContainText('Stop 14 days before surgery')
  const monday = unusedMonday()
  await bookSurgery(page, monday, '08:00', { contactId: id })
  await expect(row).toContainText('Stop by')

  // The record names it, and cannot be changed there.
  await page.goto(`/contacts/${id}/edit`)
  await expect(page.getByLabel('Weight-loss medication')).toHaveValue('Listed in the chart')
  await expect(page.getByLabel('Weight-loss medication')).not.toBeEditable()
  await expect(page.getByText('This comes from the chart. Change it under Medications there.')).toBeVisible()
  await page.goto(`/contacts/${id}?tab=chart`)

  await row.getByRole('button').click()
  await page.getByRole('button', { name: 'Stopped' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('Semaglutide')
  await row.getByRole('button').click()
  await page.getByRole('button', { name: 'Entered in error' }).click()
  const dialog = page.getByRole('dialog', { name: 'Entered in error' })
  await dialog.getByRole('button', { name: 'Mark as entered in error' }).click()
  await expect(dialog.getByText('Enter why this was entered in error')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Another patient')
  await dialog.getByRole('button', { name: 'Mark as entered in error' }).click()
  await medications.getByRole('button', { name: 'Show past (1)' }).click()
  await expect(row).toContainText('Entered in error: Another patient')

  await page.getByRole('button', { name: 'Add measurement' }).click()
  const measuring = page.getByRole('dialog', { name: 'Add measurement' })
  await measuring.getByRole('button', { name: 'Add measurement' }).click()
  await expect(measuring.getByText('Enter at least one measurement')).toBeVisible()
  await measuring.getByLabel('Height').fill('168')
  await measuring.getByLabel('Weight').fill('71,2')
  await measuring.getByRole('button', { name: 'Add measurement' }).click()
  await expect(measuring).toHaveCount(0)
  await expect(section(page, 'Vitals and measurements')).toContainText('25.2')

  // The height counts on, so that a new weight has its BMI.
  await page.getByRole('button', { name: 'Add measurement' }).click()
  await measuring.getByLabel('Weight').fill('68')
  await measuring.getByRole('button', { name: 'Add measurement' }).click()
  await page.getByRole('button', { name: 'View all 2' }).click()
  const rows = page.getByRole('dialog', { name: 'Measurements' }).getByRole('listitem')
  await expect(rows.first()).toContainText('68 kgBMI 24.1')
  await expect(rows.last()).toContainText('168 cm71.2 kgBMI 25.2')
})

test('shows both versions of an entry that someone else changed, and loses nothing', async ({ open, expectedErrors }) => {
  expectedErrors.push('409')
  const page = await open('provider', '/contacts')
  const { id } = await createPatient(page)
  const { entries } = (await add(page, id, { kind: 'allergy', name: 'Latex' })) as { entries: { id: string }[] }
  await page.goto(`/contacts/${id}?tab=chart`)
  await section(page, 'Allergies').getByRole('button', { name: /Latex/ }).click()
  const editor = page.getByRole('group', { name: 'Edit Latex' })
  await editor.getByLabel('Reaction').fill('Contact rash')
  const other = await page.request.patch(`/api/health-entries/${entries[0]!.id}`, { data: { version: 1, severity: 'moderate' } })
  expect(other.status()).toBe(200)
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByText('Someone else has changed this entry.')).toBeVisible()
  await editor.getByRole('button', { name: 'Keep what I typed' }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)
  await expect(section(page, 'Allergies').getByRole('listitem')).toContainText('Contact rash')
  await expect(section(page, 'Allergies').getByRole('listitem')).toContainText('Moderate')
})

test('warns when allergies cannot be loaded, and loads them on demand', async ({ open, expectedErrors }) => {
  expectedErrors.push('503')
  const page = await open('provider', '/contacts')
  const { id } = await createPatient(page)
  await page.route(`**/api/contacts/${id}/health`, (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(`/contacts/${id}?tab=chart`)
  await expect(page.getByText('Couldn’t load the allergies. Ask the patient.')).toBeVisible()
  await page.unroute(`**/api/contacts/${id}/health`)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(banner(page)).toContainText('Allergies not recorded yet')
})

test('is absent for sales, at its address and in bookings', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const { id } = await createPatient(page)
  await page.goto(`/contacts/${id}?tab=chart`)
  await expect(page.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tab', { name: 'Chart' })).toHaveCount(0)
  await page.keyboard.press('b')
  await expect(page.getByRole('dialog', { name: 'Book appointment' })).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
})

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 1440],
  ['light', 375],
  ['dark', 375],
] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: chart (${colorScheme}, ${width} px)`, async ({ open }) => {
    const page = await open('provider', '/contacts')
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { id } = await createPatient(page)
    await add(page, id, { kind: 'allergy', name: 'Penicillin', severity: 'severe' })
    await add(page, id, {
      kind: 'alert',
      name: 'Faints at blood draws: lie down first, and have someone stay in the room until it is over',
    })
    await add(page, id, { kind: 'medication', name: 'Semaglutide', dose: '0.5 mg weekly', stopDays: 14 })
    await page.goto(`/contacts/${id}?tab=chart`)
    await expect(banner(page)).toContainText('Penicillin (severe)')
    if (width === 375) {
      await expect(page.getByRole('button', { name: 'Add medication' })).toHaveCount(0)
      await page.getByRole('button', { name: /^Medications/ }).click()
      await banner(page).getByRole('button').click()
      await expect(banner(page).getByRole('button')).toHaveAttribute('aria-expanded', 'true')
    }
    await page.getByRole('button', { name: 'Add medication' }).click()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}
