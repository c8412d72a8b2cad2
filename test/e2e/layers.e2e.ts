import type { Page } from '@playwright/test'
import { expect, test } from './clinic.ts'
import { drawn } from './drawn.ts'
import { escapeAtOnce } from './early-escape.ts'
import { loseConnection } from './offline.ts'
import { sell } from './receipts.ts'

test('a menu opens by key on its first entry and by pointer on none; Escape gives the focus back to its button', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const button = page.getByRole('button', { name: /^Order:/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'Newest first' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Oldest first' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=oldest/)

  await button.click()
  await expect(page.getByRole('menu')).toBeFocused()
  await button.click()
  await expect(page.getByRole('menu')).toBeHidden()
  await button.click()
  await page.getByRole('searchbox').click()
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('a tooltip comes under the pointer and with the focus of the keyboard; Escape closes it before what it stands in', async ({
  open,
}) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'Compact rows' }).hover()
  await expect(page.getByRole('tooltip', { name: 'Compact rows' })).toBeVisible()
  await page.getByRole('searchbox').hover()
  await expect(page.getByRole('tooltip')).toBeHidden()

  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Stage' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Stage: narrower' })).toBeFocused()
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
})

test('Escape closes a dialog, a drawer or the palette from when it is there, and lets nothing below it hear', async ({ open }) => {
  const page = await open('billing', '/collections?tab=receipts')
  const sale = await sell(page)
  const layers = page.getByRole('dialog')
  const receipt = page.getByRole('button', { name: sale.customer })
  await receipt.click()
  await expect(layers).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(layers).toHaveCount(0)
  const heard = () => page.evaluate(() => (document.documentElement.dataset.heard ??= '0'))
  await page.evaluate(() => document.addEventListener('keydown', () => (document.documentElement.dataset.heard = '1')))
  const button = (name: string) => page.getByRole('button', { name })
  for (const opener of [receipt, button('Take Payment'), button('Search patients and pages')]) {
    const pressed = escapeAtOnce(page)
    await opener.click()
    await pressed
    await drawn(page)
    await expect(layers).toHaveCount(0)
    expect(await heard()).toBe('0')
  }
})

test.describe('code that does not come', () => {
  test.use({ expectedErrors: ['Failed to load resource'] })

  test('a menu that cannot come leaves the page as it is, without the toaster, too', async ({ open }) => {
    const page = await open('sales', '/inbox')
    await page.route('**/assets/{Toaster,MenuPanel}-*.js', (route) => route.abort('internetdisconnected'))
    await page.goto('/contacts')
    const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    await page.getByRole('button', { name: /^Order:/ }).click()
    await expect(page.getByRole('button', { name: /^Order:/ })).toHaveAttribute('aria-expanded', 'false')
    await page.getByRole('searchbox').fill('a')
    await expect(page).toHaveURL(/search=a/)
    await expect(rows.first()).toBeVisible()
    await expect(page.getByText(/Something went wrong|Couldn’t load this page/)).toHaveCount(0)
  })

  test('offline, a dialog that cannot come says so and leaves the page; online it opens', async ({ open }) => {
    const page = await open('sales', '/contacts')
    const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    await loseConnection(page)
    await page.keyboard.press('?')
    await expect(page.getByRole('alert').filter({ hasText: 'This did not open' })).toBeVisible()
    await expect(rows.first()).toBeVisible()
    await page.context().setOffline(false)
    await page.waitForFunction(() => navigator.onLine)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  })
})

test.describe('what is typed while the code of a layer is on its way', () => {
  const late = /\/assets\/(FilterEditor|SelectionBar|MenuPanel|PopoverPanel|ShortcutsDialog|CommandPalette)-/

  /** `come`: lets the code come. */
  const openSlow = async (open: (who: string, at: string) => Promise<Page>) => {
    const page = await open('sales', '/inbox')
    const { promise, resolve: come } = Promise.withResolvers<void>()
    await page.route(late, async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/contacts')
    await expect(page.getByRole('table', { name: 'Patients' }).locator('[data-row]').first()).toBeVisible()
    return { page, come }
  }

  test('is typed into the filters, and Enter chooses there', async ({ open }) => {
    const { page, come } = await openSlow(open)
    await page.keyboard.press('Shift+F')
    await page.keyboard.type('cold')
    await page.keyboard.press('Enter')
    come()
    await expect(page.getByRole('button', { name: 'Stage: Cold Lead' })).toBeVisible()
    await expect(page).toHaveURL(/\/contacts\?filter=stage/)
  })

  test('is in the palette whole: half a word, which finds something else, is never seen there', async ({ open }) => {
    const { page, come } = await openSlow(open)
    await page.evaluate(() => {
      const seen: string[] = []
      const look = () => {
        const typed = document.querySelector<HTMLInputElement>('[data-command-palette] input')?.value
        if (typed && seen.at(-1) !== typed) seen.push(typed)
        setTimeout(look)
      }
      look()
      Object.assign(window, { seen })
    })
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('documents to')
    come()
    await page.getByRole('option', { name: 'Documents to review' }).click()
    await expect(page).toHaveURL('/documents')
    expect(await page.evaluate(() => Reflect.get(window, 'seen') as string[])).toEqual(['documents to'])
  })

  test('goes to the menu of the bar: j a d Enter assigns, and opens no one', async ({ open }) => {
    const { page, come } = await openSlow(open)
    await page.keyboard.type('jad')
    await page.keyboard.press('Enter')
    come()
    await expect(page.getByText(/^1 patient assigned to Devon Achebe$|^Nothing to change$/)).toBeVisible()
    await expect(page).toHaveURL(/\/contacts$/)
  })

  test('is dropped with Escape, which calls the layer off', async ({ open }) => {
    const { page, come } = await openSlow(open)
    const code = page.waitForResponse(/\/assets\/ShortcutsDialog-/)
    await page.keyboard.type('j?n')
    await page.keyboard.press('Escape')
    come()
    await (await code).finished()
    await drawn(page)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/contacts$/)
    await page.keyboard.press('n')
    await expect(page).toHaveURL('/contacts/new')
  })
})

test('messages cover neither the buttons at the bottom nor the pager, and of plain successes only the last is there', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  for (const day of [/Tomorrow/, /In a week/]) {
    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: day }).click()
    await expect(page.getByRole('toolbar')).toBeHidden()
  }
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: 'to follow up' }).first()
  await expect(toast).toBeVisible()
  const isBelow = async (name: RegExp) => {
    const [message, button] = await Promise.all([toast.boundingBox(), page.getByRole('button', { name }).boundingBox()])
    return message!.y + message!.height <= button!.y
  }
  await expect.poll(() => isBelow(/^Next page$/)).toBe(true)
  await page.keyboard.press('x')
  await expect.poll(() => isBelow(/^Stage$/)).toBe(true)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  for (let copy = 0; copy < 2; copy++) {
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await expect(page.getByText('The link was copied')).toHaveCount(1)
  }
})

test('the first dialog of a visit gives the focus back to what opened it, whatever stood in its place while it loaded', async ({
  open,
}) => {
  const page = await open('sales', '/contacts')
  for (const name of ['Create Task', 'Take Payment']) {
    await page.reload()
    const opener = page.getByRole('banner').getByRole('button', { name })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(opener, name).toBeFocused()
  }
})
