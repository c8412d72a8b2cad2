import type { Page } from '@playwright/test'
import { expect, test } from './clinic.ts'

/** The guarded pages, in two groups; {patient} stands for the id of one of the list. */
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
  'of the clinic': ['/', '/tasks', '/tasks?view=week', '/inbox', '/surgeries', '/appointments', '/reports', '/collections', '/email'],
  'of the settings': ['/settings', '/settings/practice', '/settings/procedures', '/settings/users', '/settings/lead-sources'],
}
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 375, height: 812 },
]
const controls = ':is(a[href], button, input, select, textarea, [role="tab"], [role="combobox"], [role="checkbox"], [role="switch"])'

const stack = (page: Page) => page.getByRole('region', { name: 'Reminders of overdue tasks' })

/** Shows the page again, with what was collapsed before. */
async function reopen(page: Page, path: string) {
  // A pointer that rests on a control beneath them would collapse them at once.
  await page.mouse.move(0, 0)
  await page.evaluate(() => sessionStorage.removeItem('refyne.closed-reminders'))
  await page.goto(path)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await expect(stack(page)).toBeVisible()
}

/** The middles of the controls that lie within the popups: those that a button of theirs covers, and where the pointer finds the others. */
const beneath = (page: Page) =>
  page.evaluate((selector) => {
    const popups = document.querySelector('section[aria-label="Reminders of overdue tasks"]')
    if (!popups) return null
    const box = popups.getBoundingClientRect()
    const covered: string[] = []
    const found: { x: number; y: number }[] = []
    for (const control of document.querySelectorAll<HTMLElement>(selector)) {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const isShown = width > 0 && control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled')
      if (!isShown || popups.contains(control) || x < box.left || x > box.right || y < box.top || y > box.bottom) continue
      const [hit, next] = [document.elementFromPoint(x, y), document.elementsFromPoint(x, y).find((one) => !popups.contains(one))]
      if (popups.contains(hit) && hit?.closest('button'))
        covered.push(control.textContent || (control.getAttribute('aria-label') ?? control.outerHTML.slice(0, 80)))
      else if (next && (control.contains(next) || next.contains(control))) found.push({ x, y })
    }
    return { covered, found }
  }, controls)

/** Whether a control of the page is what a press there reaches. */
const isReached = (page: Page, { x, y }: { x: number; y: number }) =>
  page.evaluate(([x, y, selector]) => document.elementFromPoint(x, y)?.closest(selector) !== null, [x, y, controls] as const)

async function threeLate(page: Page, who = 'sales'): Promise<void> {
  const people = (await (await page.request.get('/api/tasks/assignable')).json()) as { id: string; email: string }[]
  const me = people.find(({ email }) => email.startsWith(`${who}@`))!
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())
  for (const title of ['Call Ana back', 'Send the quote', 'Ask for the photos']) {
    const data = { title, type: 'Call', dueDate: today, hasTimeConstraint: true, dueTimeConstraint: '00:00', assigneeIds: [me.id] }
    expect((await page.request.post('/api/tasks', { data })).status()).toBe(200)
  }
}

for (const size of sizes) {
  for (const [which, paths] of Object.entries(pages)) {
    test(`while popups are shown every control of every page ${which} can be clicked at ${size.width} px (spec 2)`, async ({
      open,
      clinic,
    }) => {
      const page = await open('admin', '/contacts')
      await clinic.rows('delete from notifications')
      await clinic.rows('delete from tasks')
      await threeLate(page, 'admin')
      await clinic.remind()
      const [patient] = await clinic.rows<{ id: string }>('select id from contacts order by created_at limit 1')
      await page.setViewportSize(size)
      for (const path of paths) {
        await test.step(path, async () => {
          await reopen(page, path.replace('{patient}', patient!.id))
          await expect.poll(async () => (await beneath(page))?.covered, { message: path, timeout: 5_000 }).toEqual([])
          // What still loads may move a control away from the pointer: then it goes to where one is now.
          await expect(async () => {
            const control = (await beneath(page))?.found[0]
            if (!control) return
            await page.mouse.move(control.x, control.y)
            await expect(stack(page), path).toBeHidden({ timeout: 1_000 })
            expect(await isReached(page, control), path).toBe(true)
          }).toPass({ timeout: 10_000 })
        })
      }
    })
  }
}

test.describe('on a phone', () => {
  test.use({ contextOptions: { viewport: { width: 375, height: 812 }, hasTouch: true, reducedMotion: 'reduce' } })

  test('a press on a popup presses nothing that it hides, by mouse or finger; the next one does (spec 2)', async ({ open, clinic }) => {
    const page = await open('sales', '/contacts')
    await clinic.rows('delete from notifications')
    await clinic.rows('delete from tasks')
    await threeLate(page)
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
      const at = (await beneath(page))!.found[0]!
      if (press === 'click') await page.mouse.click(at.x, at.y)
      else await page.touchscreen.tap(at.x, at.y)
      await expect(stack(page)).toBeHidden()
      expect(await page.evaluate(() => (window as unknown as { pressed: string[] }).pressed), press).toEqual([])
      expect(await isReached(page, at), press).toBe(true)
    }
  })
})

test('popups collapse into the bell after 8 s, on Esc, and when the focus goes to a control beneath (spec 2)', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  await clinic.rows('delete from notifications')
  await clinic.rows('delete from tasks')
  await threeLate(page)
  await clinic.remind()
  await page.clock.install()
  await reopen(page, '/contacts')
  await expect(stack(page).getByRole('listitem')).toHaveCount(3)
  await page.clock.runFor(4_000)
  await expect(stack(page)).toBeVisible()
  await page.clock.runFor(5_000)
  await expect(stack(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Notifications, 3 unread' })).toBeVisible()

  // The pointer on it, or the focus inside it, keeps it open.
  await reopen(page, '/contacts')
  await stack(page).getByRole('button', { name: 'Complete' }).hover()
  await page.clock.runFor(20_000)
  await expect(stack(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(stack(page)).toBeHidden()

  await reopen(page, '/contacts')
  // From control to control by the keyboard, until one lies beneath.
  await page.getByRole('banner').getByRole('button').first().focus()
  for (let presses = 0; presses < 60 && (await stack(page).isVisible()); presses++) await page.keyboard.press('Tab')
  await expect(stack(page)).toBeHidden()
})
