import type { Page } from '@playwright/test'
import { daysLater, monthsLater } from '../../../src/shared/zoned-time.ts'
import { formatTypedDay } from '../../../src/ui/controls/typed-time.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const now = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())
const shown = (day: string) => formatTypedDay(day, now())

async function newTask(page: Page) {
  await page.getByRole('button', { name: 'Create Task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create New Task' })
  await dialog.getByRole('checkbox', { name: 'Set a time' }).click()
  return { dialog, day: dialog.getByLabel('Due date'), time: dialog.getByLabel('Time', { exact: true }) }
}

test('accepts dates and times as people type them, and shows them in the practice’s format', async ({ open }) => {
  const page = await open('sales', '/tasks')
  const { dialog, day, time } = await newTask(page)
  await expect(page.locator('input[type=date], input[type=time], input[type=datetime-local]')).toHaveCount(0)
  await day.fill('tomorrow')
  await time.fill('3pm')
  await expect(day).toHaveValue(shown(daysLater(now(), 1)))
  await day.fill('in 2 weeks')
  await expect(time).toHaveValue('3:00 p.m.')
  await time.fill('1030')
  await expect(day).toHaveValue(shown(daysLater(now(), 14)))

  await day.fill('sometime')
  await dialog.getByLabel('Title').fill('Order implants')
  await expect(dialog.getByText('Enter a date, like Nov 26')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expect(day).toBeFocused()
  await day.fill(daysLater(now(), 3))
  await expect(dialog.getByText('Enter a date, like Nov 26')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expect(dialog).toHaveCount(0)
})

test('picks a date from the calendar and a time from the list by keyboard only', async ({ open }) => {
  const page = await open('sales', '/tasks')
  const { dialog, day, time } = await newTask(page)
  await day.fill(now())
  await page.keyboard.press('ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Calendar' })
  await expect(calendar.locator('[aria-current="date"]')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('PageDown')
  await expect(page.locator(':focus')).toHaveAttribute('tabindex', '0')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(calendar).toHaveCount(0)
  await expect(day).toBeFocused()
  await expect(day).toHaveValue(shown(monthsLater(daysLater(now(), 8), 1)))

  await page.keyboard.press('ArrowDown')
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)
  await expect(dialog).toBeVisible()

  await time.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: '9:00 a.m.', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(time).toHaveValue('9:15 a.m.')
  await expect(time).toBeFocused()
})

test('picks a date by pointer, but not one out of range', async ({ open }) => {
  const page = await open('sales', '/tasks')
  const { dialog, day } = await newTask(page)
  const before = await day.inputValue()
  await dialog.getByRole('button', { name: 'Open calendar' }).click()
  const calendar = page.getByRole('dialog', { name: 'Calendar' })
  await calendar.getByRole('button', { name: 'Next month' }).click()
  await calendar.getByRole('button', { name: 'Previous month' }).click()
  await calendar.locator('[aria-disabled]').first().click({ force: true })
  await expect(calendar).toBeVisible()
  await calendar.getByRole('button', { name: 'Next month' }).click()
  await calendar.getByRole('gridcell', { name: / 15, / }).click()
  await expect(calendar).toHaveCount(0)
  await expect(day).not.toHaveValue(before)
  await expect(day).toHaveValue(/ 15/)
})
