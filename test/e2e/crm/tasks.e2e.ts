import type { Page } from '@playwright/test'
import { instantOf } from '../../../src/shared/zoned-time.ts'
import { formatTypedDay } from '../../../src/ui/controls/typed-time.ts'
import { dayFromNow } from '../pages/appointments.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

const dialogOf = (page: Page, name = 'Create New Task') => page.getByRole('dialog', { name })
const title = () => `Task ${crypto.randomUUID().slice(0, 8)}`
const popups = (page: Page) => page.getByRole('region', { name: 'Reminders of overdue tasks' })
const rows = (page: Page) => page.getByRole('table', { name: 'Tasks' }).getByRole('row')

/** Ids of the demo's staff by the local part of their email address. */
async function staffIds(page: Page): Promise<Record<string, string>> {
  const people = (await (await page.request.get('/api/tasks/assignable')).json()) as { id: string; email: string }[]
  return Object.fromEntries(people.map(({ id, email }) => [email.split('@')[0] ?? '', id]))
}

/** Creates a task over the API: due a number of minutes ago on the practice's clock, or some days from now. */
async function newTask(page: Page, given: Record<string, unknown>): Promise<{ id: string; title: string }> {
  const data = { title: title(), dueDate: dayFromNow(0), type: 'Call', ...given }
  const response = await page.request.post('/api/tasks', { data })
  expect(response.status(), await response.text()).toBe(200)
  return (await response.json()) as { id: string; title: string }
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('creates a task for All Staff from the header, shows every validation message, and keeps the input (spec 5)', async ({ open }) => {
      const page = await open('sales', '/contacts')
      if (viewport.width > 768) await page.getByRole('button', { name: 'Create Task' }).click()
      else {
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Create Task' }).click()
      }
      const dialog = dialogOf(page)
      await expect(dialog.getByText('Patient (Optional)')).toBeVisible()
      await dialog.getByRole('button', { name: 'Remove Mireille Daoust' }).click()
      await dialog.getByLabel('Due date').fill('')
      await dialog.getByRole('checkbox', { name: 'Set a time' }).click()
      await dialog.getByRole('button', { name: 'Create Task' }).click()
      for (const message of [
        'Title is required',
        'Due date is required',
        'Time is required when time constraint is enabled',
        'At least one assignee is required',
      ]) {
        await expect(dialog.getByText(message)).toBeVisible()
      }
      await dialog.getByLabel('Due date').fill(dayFromNow(-1))
      await expect(dialog.getByText('Due date cannot be before today')).toBeVisible()
      await dialog.getByLabel('Due date').fill(dayFromNow(1))
      // Turning off the constraint removes the time.
      await dialog.getByLabel('Time', { exact: true }).fill('14:30')
      await dialog.getByRole('checkbox', { name: 'Set a time' }).click()
      await expect(dialog.getByText('Default: 9:00 a.m.')).toBeVisible()
      await dialog.getByRole('checkbox', { name: 'Set a time' }).click()
      await expect(dialog.getByLabel('Time', { exact: true })).toHaveValue('')
      await dialog.getByRole('checkbox', { name: 'Set a time' }).click()

      const name = title()
      await dialog.getByLabel('Title').fill(name)
      await dialog.getByRole('combobox', { name: 'Assignees' }).click()
      await page.getByRole('option', { name: /All Staff/ }).click()
      const staffCount = Object.keys(await staffIds(page)).length
      await expect(dialog.getByRole('list', { name: 'Assigned to' }).getByRole('listitem')).toHaveCount(staffCount)
      await dialog.getByRole('button', { name: 'Create Task' }).click()
      await expect(page.getByText('Task created successfully. Email notifications sent in background.')).toBeVisible()
      await expect(dialog).toBeHidden()
      // Also for users who only see their own tasks.
      const otherPage = await open('provider', '/tasks?due=upcoming')
      await expect(otherPage.getByText(name)).toBeVisible()
    })

    test('creates, lists, changes and completes a task on a patient’s page, with Undo', async ({ open }) => {
      const page = await open('sales', '/contacts')
      const created = await page.request.post('/api/contacts', { data: { firstName: 'Odile', lastName: 'Beaulieu' } })
      const { id } = (await created.json()) as { id: string }
      await page.goto(`/contacts/${id}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.getByRole('tab', { name: 'Tasks' }).click()
      await page.getByRole('tabpanel', { name: 'Tasks' }).getByRole('button', { name: 'Create Task', exact: true }).click()
      const dialog = dialogOf(page)
      await expect(dialog.getByRole('combobox', { name: 'Patient' })).toHaveText(/Odile Beaulieu/)
      const name = title()
      await dialog.getByLabel('Title').fill(name)
      await dialog.getByLabel('Due date').fill(dayFromNow(2))
      await dialog.getByRole('button', { name: 'Create Task' }).click()
      await page.getByRole('list', { name: 'Open tasks' }).getByText(name).click()
      const edit = dialogOf(page, 'Edit Task')
      await edit.getByRole('combobox', { name: 'Priority' }).click()
      await page.getByRole('option', { name: 'High' }).click()
      await edit.getByRole('button', { name: 'Update Task' }).click()
      await expect(page.getByText('Task updated successfully')).toBeVisible()
      await page.getByRole('button', { name: `Complete: ${name}` }).click()
      await expect(page.getByRole('list', { name: 'Open tasks' })).toBeHidden()
      await page.getByRole('status').filter({ hasText: 'completed' }).getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByRole('list', { name: 'Open tasks' })).toContainText(name)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    })
  })
}

test('creates one task on a double submit; Esc keeps the input, Cancel discards it (spec 5)', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(page.getByRole('table', { name: 'Patients' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = dialogOf(page)
  const name = title()
  await dialog.getByLabel('Title').fill(name)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('c')
  await expect(dialog.getByLabel('Title')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('c')
  await expect(dialog.getByLabel('Title')).toHaveValue('')
  await dialog.getByLabel('Title').fill(name)
  await dialog.getByLabel('Due date').fill(dayFromNow(3))
  await dialog.getByRole('button', { name: 'Create Task' }).dblclick()
  await expect(dialog).toBeHidden()
  await page.goto('/tasks?due=upcoming')
  await expect(rows(page).filter({ hasText: name })).toHaveCount(1)
})

test('filters tasks by mouse, shows everyone’s, reassigns in bulk with Undo, and shows a week', async ({ open }) => {
  const page = await open('sales', '/tasks?due=upcoming')
  const ids = await staffIds(page)
  const [a, b] = [
    await newTask(page, { assigneeIds: [ids.sales], dueDate: dayFromNow(4) }),
    await newTask(page, { assigneeIds: [ids.sales], dueDate: dayFromNow(4), type: 'Email' }),
  ]
  await expect(rows(page).filter({ hasText: a.title })).toBeVisible()
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Email' }).click()
  await expect(rows(page).filter({ hasText: a.title })).toBeHidden()
  await expect(rows(page).filter({ hasText: b.title })).toBeVisible()
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'All types' }).click()

  for (const { title: name } of [a, b]) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await page.getByRole('toolbar', { name: 'Selected tasks' }).getByRole('button', { name: 'Assign' }).click()
  const dialog = dialogOf(page, 'Assign 2 tasks')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(dialog.getByText('At least one assignee is required')).toBeVisible()
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: /Devon Achebe/ }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(rows(page).filter({ hasText: a.title })).toBeHidden()
  await page.getByRole('radio', { name: 'Everyone' }).click()
  await expect(rows(page).filter({ hasText: a.title })).toContainText('Devon')
  await page.getByRole('status').filter({ hasText: '2 tasks assigned' }).getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page).filter({ hasText: a.title })).toContainText('Mireille')

  await page.getByRole('radio', { name: 'Week' }).click()
  await page.goto(`/tasks?view=week&from=${dayFromNow(4)}`)
  await page.getByRole('button', { name: new RegExp(a.title) }).click()
  await expect(dialogOf(page, 'Edit Task').getByLabel('Title')).toHaveValue(a.title)
})

test('selects, moves, completes and edits tasks by keyboard only', async ({ open }) => {
  const page = await open('sales', '/tasks')
  const ids = await staffIds(page)
  const patient = await page.request.post('/api/contacts', { data: { firstName: 'Key', lastName: 'Board' } })
  const { id: contactId } = (await patient.json()) as { id: string }
  const created = await newTask(page, { assigneeIds: [ids.sales], dueDate: dayFromNow(5), contactId })
  await page.goto(`/tasks?patient=${contactId}`)
  await expect(rows(page).filter({ hasText: created.title })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(page.getByRole('toolbar', { name: 'Selected tasks' })).toBeVisible()
  await page.keyboard.press('f')
  const move = dialogOf(page, 'Change due date of 1 task')
  await move.getByLabel('Due date').fill(dayFromNow(9))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/1 task due/)).toBeVisible()
  await page.keyboard.press('e')
  await expect(dialogOf(page, 'Edit Task').getByLabel('Due date')).toHaveValue(formatTypedDay(dayFromNow(9), dayFromNow(0)))
  await page.keyboard.press('Escape')
  await expect(dialogOf(page, 'Edit Task')).toBeHidden()
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: 'No matching tasks' })).toBeVisible()
})

/** An instant today on the practice's clock. */
const todayAt = (time: string): Date => instantOf({ day: dayFromNow(0), time }, 'America/Toronto')

/** Opens a page at this time of day at the practice, on the server and in the browser. */
async function openAt(time: string, path: string, { open, clinic }: { open: (who: string, at: string) => Promise<Page>; clinic: Clinic }) {
  clinic.setClock(todayAt(time))
  const page = await open('sales', '/tasks')
  // Not page.clock: time-zone date classes cannot extend its Date, so the page would use the browser's zone.
  await page.addInitScript(
    (ahead) => {
      const real = Date.now
      Date.now = () => real() + ahead
    },
    todayAt(time).getTime() - Date.now(),
  )
  await page.goto(path)
  return page
}

test('submits any dialog with Ctrl+Enter, from a multi-line field or a confirmation', async ({ open }) => {
  const page = await open('sales', '/tasks?due=upcoming')
  const name = title()
  await page.getByRole('button', { name: 'Create Task' }).click()
  await dialogOf(page).getByLabel('Title').fill(name)
  await dialogOf(page).getByLabel('Description').fill('Two\nlines')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Task created successfully. Email notifications sent in background.')).toBeVisible()
  await page.goto('/tasks?sort=newest')
  await rows(page).getByRole('button', { name }).first().click()
  await dialogOf(page, 'Edit Task').getByRole('button', { name: 'Delete' }).click()
  await expect(dialogOf(page, 'Delete this task?')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Task deleted')).toBeVisible()
  await expect(rows(page).filter({ hasText: name })).toHaveCount(0)
})

test.describe('at another time of day', () => {
  test.afterEach(({ clinic }) => clinic.setClock(null))

  test('does not mark a task as overdue that is created at 23:00 with the default date (spec 9)', async ({ open, clinic }) => {
    const page = await openAt('23:00', '/tasks?due=overdue', { open, clinic })
    await page.getByRole('banner').getByRole('button', { name: 'Create Task' }).click()
    const dialog = dialogOf(page)
    const day = dialog.getByLabel('Due date')
    const preset = await day.inputValue()
    expect(preset).not.toBe(formatTypedDay(dayFromNow(0), dayFromNow(0)))
    await expect(dialog.getByText('Default: 9:00 a.m.')).toBeVisible()
    await day.fill(dayFromNow(0))
    await expect(dialog.getByText(/^Due .*, 9:00 a\.m\.: no full hour is left today$/)).toBeVisible()
    await day.fill(preset)
    const name = title()
    await dialog.getByLabel('Title').fill(name)
    await dialog.getByRole('button', { name: 'Create Task' }).click()
    await expect(dialog).toBeHidden()
    await clinic.remind()
    const titles = async (due: string) => {
      const response = (await (await page.request.get(`/api/tasks?due=${due}&sort=newest`)).json()) as { data: { title: string }[] }
      return response.data.map((task) => task.title)
    }
    expect(await titles('overdue')).not.toContain(name)
    expect(await titles('upcoming')).toContain(name)
  })

  test('shows and stores the next full hour for a task due today without a time, in the afternoon', async ({ open, clinic }) => {
    const page = await openAt('15:05', '/tasks?due=today', { open, clinic })
    await page.getByRole('banner').getByRole('button', { name: 'Create Task' }).click()
    const dialog = dialogOf(page)
    const name = title()
    await dialog.getByLabel('Title').fill(name)
    await dialog.getByLabel('Due date').fill(dayFromNow(0))
    await expect(dialog.getByText('Due at 4:00 p.m., the next full hour')).toBeVisible()
    await dialog.getByRole('button', { name: 'Create Task' }).click()
    await expect(rows(page).filter({ hasText: name })).toContainText('Today, 4:00 p.m.')
    // At the real time of day it may be overdue, and later tests count reminders.
    const { data } = (await (await page.request.get('/api/tasks?due=today&sort=newest')).json()) as {
      data: { id: string; title: string }[]
    }
    await page.request.post(`/api/tasks/${data.find((task) => task.title === name)!.id}/complete`)
  })

  test('shows until when a task is snoozed at 11:28 p.m., in the message and the list (spec 4)', async ({ open, clinic }) => {
    const page = await openAt('23:28', '/tasks', { open, clinic })
    const { sales } = await staffIds(page)
    const created = await newTask(page, { hasTimeConstraint: true, dueTimeConstraint: '00:00', assigneeIds: [sales] })
    await clinic.remind()
    await popups(page).getByRole('listitem', { name: created.title }).getByRole('button', { name: 'Snooze 15min' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Snoozed until 11:43 p.m.' })).toBeVisible()
    await expect(rows(page).filter({ hasText: created.title })).toContainText('Snoozed until 11:43 p.m.')
    await page.request.post(`/api/tasks/${created.id}/complete`)
  })
})

test('stacks overdue popups with the newest open; snoozes, completes and dismisses them, within 2 s in every browser (spec 2, 4)', async ({
  open,
  clinic,
}) => {
  // Tasks of earlier tests may be overdue by now.
  await clinic.remind()
  await clinic.rows('update notifications set read_at = now() where read_at is null')
  const page = await open('sales', '/contacts')
  const otherPage = await open('provider', '/contacts')
  const ids = await staffIds(page)
  const assigneeIds = [ids.sales, ids.provider]
  // Overdue from the start, and reminded by the server's job.
  const late = { hasTimeConstraint: true, dueTimeConstraint: '00:00', assigneeIds }
  const created = [await newTask(page, late), await newTask(page, late), await newTask(page, late), await newTask(page, late)]
  await clinic.remind()
  const items = (each: Page) => popups(each).getByRole('listitem')
  const first = items(page).first()
  // Hovering keeps it open.
  for (const each of [page, otherPage]) {
    await expect(items(each)).toHaveCount(3)
    await items(each).first().getByRole('button', { name: 'Dismiss', exact: true }).hover()
  }
  await expect(page.getByRole('button', { name: 'Notifications, 4 unread' })).toBeVisible()
  await expect(popups(page).getByRole('button', { name: 'Complete' })).toHaveCount(1)

  const name = (await first.getByRole('button').first().textContent()) ?? ''
  const popupOf = (each: Page) => popups(each).getByRole('listitem', { name: `Overdue: ${name}` })
  await expect(popupOf(otherPage)).toBeVisible()
  await first.getByRole('button', { name: 'Complete' }).click()
  await expect(popupOf(otherPage)).toBeHidden({ timeout: 2_000 })
  await expect(items(page)).toHaveCount(3)

  await first.getByRole('button', { name: 'Snooze 15min' }).click()
  for (const each of [page, otherPage]) await expect(items(each)).toHaveCount(2)
  await first.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(items(page)).toHaveCount(1)
  // Dismissed permanently for this user: no other tab or session shows it.
  await expect(items(otherPage)).toHaveCount(2)
  const again = await open('sales', '/tasks')
  await expect(items(again)).toHaveCount(1)
  // Closed only in this tab.
  await popups(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(items(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await expect(items(page)).toHaveCount(0)
  const anotherTab = await page.context().newPage()
  await anotherTab.goto('/tasks')
  await expect(items(anotherTab)).toHaveCount(1)
  await anotherTab.keyboard.press('Escape')
  await expect(items(anotherTab)).toHaveCount(0)
  await anotherTab.close()

  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const list = page.getByRole('list', { name: 'Notifications' })
  for (const { title: each } of created) await expect(list.getByText(each)).toBeVisible()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  await page.getByRole('switch', { name: 'Email me when a task is assigned to me' }).click()
  await expect(page.getByRole('switch', { name: 'Email me when a task is assigned to me' })).toBeChecked()
})

test('syncs two browsers live, and hides others’ tasks from a provider', async ({ open, expectedErrors }) => {
  expectedErrors.push('404')
  const page = await open('sales', '/tasks?show=everyone&due=upcoming')
  const other = await open('sales2', '/tasks?show=everyone&due=upcoming')
  const otherPage = await open('provider', '/tasks?due=upcoming')
  const ids = await staffIds(page)
  const name = title()
  await expect(other.getByRole('tab', { name: /Upcoming/ })).toBeVisible()
  const { id } = await newTask(page, { title: name, assigneeIds: [ids.sales], dueDate: dayFromNow(6) })
  for (const each of [page, other]) await expect(rows(each).filter({ hasText: name })).toBeVisible()
  expect((await otherPage.request.get(`/api/tasks/${id}`)).status()).toBe(404)
  await otherPage.goto(`/tasks?task=${id}`)
  await expect(otherPage.getByText('Task not found')).toBeVisible()
  await otherPage.keyboard.press('Escape')
  await expect(otherPage.getByRole('radio', { name: 'Everyone' })).toBeHidden()
  await expect(otherPage.getByText(name)).toBeHidden()
})

test('keeps no connection in a hidden tab, and updates it when shown', async ({ open }) => {
  const page = await open('sales', '/tasks?show=everyone&due=upcoming')
  const ids = await staffIds(page)
  const setVisible = (isVisible: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, !isVisible)
  await expect(page.getByRole('tab', { name: /Upcoming/ })).toBeVisible()
  const ended = page.waitForEvent('requestfailed', { predicate: (request) => new URL(request.url()).pathname === '/api/events' })
  await setVisible(false)
  await ended
  const name = title()
  await newTask(page, { title: name, assigneeIds: [ids.sales], dueDate: dayFromNow(6) })
  await expect(rows(page).filter({ hasText: name })).toBeHidden()
  await setVisible(true)
  await expect(rows(page).filter({ hasText: name })).toBeVisible()
})

test('does not select an outdated match with Enter, and highlights the first result (spec 5)', async ({ open }) => {
  const page = await open('sales', '/tasks')
  const family = `Wrobel${Date.now()}`
  await page.request.post('/api/contacts', { data: { firstName: 'Zofia', lastName: family } })
  await page.getByRole('button', { name: 'New task' }).click()
  const dialog = dialogOf(page)
  const patient = dialog.getByRole('combobox', { name: 'Patient (Optional)' })
  await patient.click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.type(family)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option', { name: family })).toHaveAttribute('aria-selected', 'true')
  await expect(patient).toHaveText(/Choose a patient/)
  await page.keyboard.press('Enter')
  await expect(patient).toHaveText(new RegExp(family))
  await patient.click()
  await page.keyboard.type('no one is called that')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No patient matches')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(patient).toHaveText(new RegExp(family))
})

test('shows tasks for an invalid URL, completes the selected ones with d, and asks before Esc discards a change', async ({ open }) => {
  const page = await open('sales', '/tasks?page=99&show=everyone')
  const ids = await staffIds(page)
  const names = [title(), title(), title()]
  for (const each of names) await newTask(page, { title: each, assigneeIds: [ids.sales], dueDate: dayFromNow(8) })
  await expect(rows(page).filter({ hasText: names[2]! })).toBeVisible()
  await expect(page).not.toHaveURL(/page=/)
  for (const each of names.slice(0, 2)) await page.getByRole('checkbox', { name: `Select ${each}` }).click()
  await rows(page).filter({ hasText: names[2]! }).hover()
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  await expect(page.getByText('2 tasks completed')).toBeVisible()
  for (const each of names.slice(0, 2)) await expect(rows(page).filter({ hasText: each })).toBeHidden()
  await rows(page).getByRole('button', { name: names[2]! }).first().click()
  await dialogOf(page, 'Edit Task').getByLabel('Title').fill('Something else')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialogOf(page, 'Edit Task').getByLabel('Title')).toHaveValue('Something else')
  await page.goto('/tasks?view=week&from=2026-02-30')
  await expect(page.getByRole('button', { name: 'Next week' })).toBeVisible()
})
