import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

const addSource = async ({ rows }: Clinic) => {
  const name = `Billboard ${randomUUID().slice(0, 8)}`
  const [row] = await rows<{ id: string }>('insert into lead_sources (name) values ($1) returning id', [name])
  return { name, id: row!.id }
}
const savedOf = async ({ rows }: Clinic, id: string) =>
  (
    await rows<{ month: string; cents: number }>('select month::text, cents::int from source_spend where source_id = $1 order by month', [
      id,
    ])
  ).map(({ month, cents }) => [month, cents])
const field = (page: Page, name: string, month: string) => page.getByRole('textbox', { name: `${name}, ${month} 2019` })
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('types, walks, pastes and clears amounts by keyboard, and shows them in the report (issue 28)', async ({ open, clinic }) => {
  const { name, id } = await addSource(clinic)
  const page = await open('admin', '/reports?report=return')
  await page.getByRole('link', { name: 'Enter spend' }).click()
  await expect(page.getByRole('table', { name: /^Spend by source/ })).toBeVisible()
  await page.goto('/reports/spend?year=2019')
  await field(page, name, 'January').focus()
  await page.keyboard.type('about 40')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('January 2019: Enter an amount such as 1,250.00')
  await expect(field(page, name, 'January')).toHaveAttribute('aria-invalid', 'true')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(field(page, name, 'January')).toHaveValue('')
  await page.keyboard.type('1250.5')
  await page.keyboard.press('Enter')
  await expect(field(page, name, 'January')).toHaveValue('1,250.50')
  await page.keyboard.press('Tab')
  await expect(field(page, name, 'February')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(field(page, name, 'March')).toBeFocused()
  await paste(page, '100\n$200.00\n\n0\n')
  await expect(field(page, name, 'June')).toHaveValue('0.00')
  expect(await savedOf(clinic, id)).toEqual([
    ['2019-01-01', 125_050],
    ['2019-03-01', 10_000],
    ['2019-04-01', 20_000],
    ['2019-06-01', 0],
  ])
  await paste(page, '1\nfree')
  await expect(page.getByRole('alert')).toHaveText('March 2019: “free” is not an amount. Nothing was saved.')
  await field(page, name, 'April').fill('')
  await field(page, name, 'April').press('Enter')
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('$1,350.50')
  await page.goto('/reports?report=return&period=custom&from=2019-01-01&to=2019-12-31')
  await expect(page.getByRole('table', { name: 'Return by source' }).getByRole('row', { name: new RegExp(`^${name}`, 'i') })).toContainText(
    '$1,350.50',
  )
})

test('keeps an amount that someone else changed at the same time, and replaces it on request (issue 28)', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('409')
  const { name, id } = await addSource(clinic)
  const page = await open('admin', '/reports/spend?year=2019')
  await field(page, name, 'May').focus()
  await page.keyboard.type('70')
  await clinic.rows("insert into source_spend (source_id, month, cents, updated_at) values ($1, '2019-05-01', 30000, now())", [id])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('May 2019: Someone else entered $300.00 at the same time. Press Enter to replace it.')
  expect(await savedOf(clinic, id)).toEqual([['2019-05-01', 30_000]])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await savedOf(clinic, id)).toEqual([['2019-05-01', 7_000]])
})

test('is a list of sources on a phone, read-only for billing and closed to the front desk (issue 28)', async ({ open, clinic }) => {
  const { name, id } = await addSource(clinic)
  const page = await open('admin', '/reports/spend?year=2019')
  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByText(name).click()
  const may = page.getByRole('listitem').filter({ hasText: name }).getByLabel('May', { exact: true })
  await may.fill('12')
  await may.press('Enter')
  await expect(may).toHaveValue('12.00')
  expect(await savedOf(clinic, id)).toEqual([['2019-05-01', 1_200]])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  expect(await accessibilityViolations(page)).toEqual([])
  const billing = await open('billing', '/reports/spend?year=2019')
  await expect(billing.getByRole('row', { name: new RegExp(name) })).toContainText('12.00')
  await expect(billing.getByRole('table').getByRole('textbox')).toHaveCount(0)
  const desk = await open('frontdesk', '/reports/spend')
  await expect(desk.getByText('Your role doesn’t see spend')).toBeVisible()
})
