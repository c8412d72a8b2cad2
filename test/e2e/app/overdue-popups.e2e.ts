import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'

/** Pages that require signing in, in two groups; {patient} stands for the id of a listed patient. */
const pages = {
  'of patients': [
    '/contacts',
    '/contacts?layout=board',
    '/contacts/new',
    '/contacts/import',
    '/contacts/duplicates',
    '/contacts/leads',
    '/contacts/{patient}',
    '/contacts/{patient}?tab=documents',
    '/contacts/{patient}/edit',
    '/contacts/{patient}/merge',
    '/contacts/{patient}/quotes/new',
    '/documents',
  ],
  'of the clinic': [
    '/',
    '/tasks',
    '/tasks?view=week',
    '/inbox',
    '/surgeries',
    '/appointments',
    '/appointments/waiting-list',
    '/reports',
    '/collections',
    '/email',
    '/help',
    '/help/front-desk',
  ],
  'of the settings': [
    '/settings',
    '/settings/practice',
    '/settings/procedures',
    '/settings/users',
    '/settings/forms',
    '/settings/signing-keys',
    '/settings/lead-sources',
  ],
}
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 375, height: 812 },
]
const controls = ':is(a[href], button, input, select, textarea, [role="tab"], [role="combobox"], [role="checkbox"], [role="switch"])'

const popups = (page: Page) => page.getByRole('region', { name: 'Reminders of overdue tasks' })

/** Reloads the page and expands the collapsed popups. */
async function reopen(page: Page, path: string) {
  // A pointer resting on a control beneath them would collapse them immediately.
  await page.mouse.move(0, 0)
  await page.evaluate(() => sessionStorage.removeItem('refyne.closed-reminders'))
  await page.goto(path)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await expect(popups(page)).toBeVisible()
}

/** Centres of the controls within the popups' area: those covered by a popup's button, and those the pointer can reach. */
const controlsBeneath = (page: Page) =>
  page.evaluate((selector) => {
    const popups = document.querySelector('section[aria-label="Reminders of overdue tasks"]')
    if (!popups) return null
    const box = popups.getBoundingClientRect()
    const covered: string[] = []
    const reachable: { x: number; y: number }[] = []
    for (const control of document.querySelectorAll<HTMLElement>(selector)) {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const isShown = width > 0 && control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled')
      if (!isShown || popups.contains(control) || x < box.left || x > box.right || y < box.top || y > box.bottom) continue
      const [hit, next] = [document.elementFromPoint(x, y), document.elementsFromPoint(x, y).find((element) => !popups.contains(element))]
      if (popups.contains(hit) && hit?.closest('button'))
        covered.push(control.textContent || (control.getAttribute('aria-label') ?? control.outerHTML.slice(0, 80)))
      else if (next && (control.contains(next) || next.contains(control))) reachable.push({ x, y })
    }
    return { covered, reachable }
  }, controls)

/** Whether a click at this point reaches a control of the page. */
const isReachable = (page: Page, { x, y }: { x: number; y: number }) =>
  page.evaluate(([x, y, selector]) => document.elementFromPoint(x, y)?.closest(selector) !== null, [x, y, controls] as const)

async function createOverdueTasks(page: Page, userName = 'sales'): Promise<void> {
  const people = (await (await page.request.get('/api/tasks/assignable')).json()) as { id: string; email: string }[]
  const me = people.find(({ email }) => email.startsWith(`${userName}@`))!
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())
  for (const title of ['Call Ana back', 'Send the quote', 'Ask for the photos']) {
    const data = { title, type: 'Call', dueDate: today, hasTimeConstraint: true, dueTimeConstraint: '00:00', assigneeIds: [me.id] }
    expect((await page.request.post('/api/tasks', { data })).status()).toBe(200)
  }
}

// In other tests the popups would cover the page.
test.afterEach(async ({ clinic }) => {
  await clinic.rows('delete from notifications')
  await clinic.rows('delete from tasks')
})

for (const size of sizes) {
  for (const [group, paths] of Object.entries(pages)) {
    test(`keeps every control of every page ${group} clickable at ${size.width} px while popups are shown (spec 2)`, async ({
      open,
      clinic,
    }) => {
      const page = await open('admin', '/contacts')
      await clinic.rows('delete from notifications')
      await clinic.rows('delete from tasks')
      await createOverdueTasks(page, 'admin')
      await clinic.remind()
      const [patient] = await clinic.rows<{ id: string }>('select id from contacts order by created_at limit 1')
      await page.setViewportSize(size)
      for (const path of paths) {
        await test.step(path, async () => {
          await reopen(page, path.replace('{patient}', patient!.id))
          await expect.poll(async () => (await controlsBeneath(page))?.covered, { message: path, timeout: 5_000 }).toEqual([])
          // Content still loading may move a control: then the pointer follows it.
          await expect(async () => {
            const control = (await controlsBeneath(page))?.reachable[0]
            if (!control) return
            await page.mouse.move(control.x, control.y)
            await expect(popups(page), path).toBeHidden({ timeout: 1_000 })
            expect(await isReachable(page, control), path).toBe(true)
          }).toPass({ timeout: 10_000 })
        })
      }
    })
  }
}

test.describe('on a phone', () => {
  test.use({ contextOptions: { viewport: { width: 375, height: 812 }, hasTouch: true, reducedMotion: 'reduce' } })

  test('does not pass a click or tap on a popup to what is beneath, but the next one does (spec 2)', async ({ open, clinic }) => {
    const page = await open('sales', '/contacts')
    await clinic.rows('delete from notifications')
    await clinic.rows('delete from tasks')
    await createOverdueTasks(page)
    await clinic.remind()
    for (const press of ['click', 'tap'] as const) {
      await reopen(page, '/tasks')
      await expect(page.getByRole('button', { name: /^Complete/ }).nth(1)).toBeVisible()
      await page.evaluate(() => {
        const pressed: string[] = []
        Object.assign(window, { pressed })
        for (const type of ['pointerdown', 'click'])
          document.addEventListener(type, ({ target }) => {
            const isPopup = (target as Element).closest('section[aria-label="Reminders of overdue tasks"]')
            if (!isPopup) pressed.push(`${type} ${(target as Element).outerHTML.slice(0, 80)}`)
          })
      })
      const at = (await controlsBeneath(page))!.reachable[0]!
      if (press === 'click') await page.mouse.click(at.x, at.y)
      else await page.touchscreen.tap(at.x, at.y)
      await expect(popups(page)).toBeHidden()
      expect(await page.evaluate(() => (window as unknown as { pressed: string[] }).pressed), press).toEqual([])
      expect(await isReachable(page, at), press).toBe(true)
    }
  })
})

test('collapses popups into the bell after 8 s, on Esc, and when a control beneath is focused (spec 2)', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  await clinic.rows('delete from notifications')
  await clinic.rows('delete from tasks')
  await createOverdueTasks(page)
  await clinic.remind()
  await page.clock.install()
  await reopen(page, '/contacts')
  await expect(popups(page).getByRole('listitem')).toHaveCount(3)
  await page.clock.runFor(4_000)
  await expect(popups(page)).toBeVisible()
  await page.clock.runFor(5_000)
  await expect(popups(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Notifications, 3 unread' })).toBeVisible()

  // Hover or focus keeps it open.
  await reopen(page, '/contacts')
  await popups(page).getByRole('button', { name: 'Complete' }).hover()
  await page.clock.runFor(20_000)
  await expect(popups(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popups(page)).toBeHidden()

  await reopen(page, '/contacts')
  // Tab through the controls until one lies beneath.
  await page.getByRole('banner').getByRole('button').first().focus()
  for (let presses = 0; presses < 60 && (await popups(page).isVisible()); presses++) await page.keyboard.press('Tab')
  await expect(popups(page)).toBeHidden()
})
