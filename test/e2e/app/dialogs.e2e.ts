import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { waitForRender } from '../support/wait-for-render.ts'
import { pressEscapeOnOpen } from '../support/press-escape-on-open.ts'
import { loseConnection } from '../support/offline.ts'
import { sell } from '../pages/receipts.ts'

test('focuses the first entry of a menu opened by key and none by pointer, and Escape returns focus to the button', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const button = page.getByRole('button', { name: /^Sort:/ })
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

test('shows a tooltip on hover and keyboard focus, and Escape closes it before its dialog', async ({ open }) => {
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

test('closes a dialog, a drawer or the palette with Escape as soon as it appears, without reaching what is below', async ({ open }) => {
  const page = await open('billing', '/collections?tab=receipts')
  const sale = await sell(page)
  const dialogs = page.getByRole('dialog')
  const receipt = page.getByRole('button', { name: sale.customer })
  await receipt.click()
  await expect(dialogs).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialogs).toHaveCount(0)
  const wasKeyHandled = () => page.evaluate(() => (document.documentElement.dataset.keyHandled ??= '0'))
  await page.evaluate(() => document.addEventListener('keydown', () => (document.documentElement.dataset.keyHandled = '1')))
  const button = (name: string) => page.getByRole('button', { name })
  for (const opener of [receipt, button('Take Payment'), button('Search patients and pages')]) {
    const pressed = pressEscapeOnOpen(page)
    await opener.click()
    await pressed
    await waitForRender(page)
    await expect(dialogs).toHaveCount(0)
    expect(await wasKeyHandled()).toBe('0')
  }
})

test.describe('code that fails to load', () => {
  test.use({ expectedErrors: ['Failed to load resource'] })

  test('leaves the page intact when a menu fails to load, even without the toaster', async ({ open }) => {
    const page = await open('sales', '/inbox')
    await page.route('**/assets/{Toaster,MenuPanel}-*.js', (route) => route.abort('internetdisconnected'))
    await page.goto('/contacts')
    const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    await page.getByRole('button', { name: /^Sort:/ }).click()
    await expect(page.getByRole('button', { name: /^Sort:/ })).toHaveAttribute('aria-expanded', 'false')
    await page.getByRole('searchbox').fill('a')
    await expect(page).toHaveURL(/search=a/)
    await expect(rows.first()).toBeVisible()
    await expect(page.getByText(/Something went wrong|Couldn’t load this page/)).toHaveCount(0)
  })

  test('shows an error for a dialog that cannot load offline, and opens it online', async ({ open }) => {
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

test.describe('keys typed while dialog code is loading', () => {
  const delayedCode = /\/assets\/(FilterEditor|SelectionBar|MenuPanel|PopoverPanel|ShortcutsDialog|CommandPalette)-/

  /** Delays the code of dialogs; `release` lets it load. */
  const openWithSlowCode = async (open: (who: string, at: string) => Promise<Page>) => {
    const page = await open('sales', '/inbox')
    const { promise, resolve: release } = Promise.withResolvers<void>()
    await page.route(delayedCode, async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/contacts')
    await expect(page.getByRole('table', { name: 'Patients' }).locator('[data-row]').first()).toBeVisible()
    return { page, release }
  }

  test('reach the filters, and Enter chooses there', async ({ open }) => {
    const { page, release } = await openWithSlowCode(open)
    await page.keyboard.press('Shift+F')
    await page.keyboard.type('cold')
    await page.keyboard.press('Enter')
    release()
    await expect(page.getByRole('button', { name: 'Stage: Cold Lead' })).toBeVisible()
    await expect(page).toHaveURL(/\/contacts\?filter=stage/)
  })

  test('reach the palette as a whole, without showing results for a partial word', async ({ open }) => {
    const { page, release } = await openWithSlowCode(open)
    await page.evaluate(() => {
      const inputs: string[] = []
      const poll = () => {
        const typed = document.querySelector<HTMLInputElement>('[data-command-palette] input')?.value
        if (typed && inputs.at(-1) !== typed) inputs.push(typed)
        setTimeout(poll)
      }
      poll()
      Object.assign(window, { inputs })
    })
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('documents to')
    release()
    await page.getByRole('option', { name: 'Documents to review' }).click()
    await expect(page).toHaveURL('/documents')
    expect(await page.evaluate(() => Reflect.get(window, 'inputs') as string[])).toEqual(['documents to'])
  })

  test('reach the bar’s menu: j a d Enter assigns and opens no record', async ({ open }) => {
    const { page, release } = await openWithSlowCode(open)
    await page.keyboard.type('jad')
    await page.keyboard.press('Enter')
    release()
    await expect(page.getByText(/^1 patient assigned to Devon Achebe$|^Nothing to change$/)).toBeVisible()
    await expect(page).toHaveURL(/\/contacts$/)
  })

  test('are dropped with Escape, which cancels opening', async ({ open }) => {
    const { page, release } = await openWithSlowCode(open)
    const code = page.waitForResponse(/\/assets\/ShortcutsDialog-/)
    await page.keyboard.type('j?n')
    await page.keyboard.press('Escape')
    release()
    await (await code).finished()
    await waitForRender(page)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/contacts$/)
    await page.keyboard.press('n')
    await expect(page).toHaveURL('/contacts/new')
  })
})

test('keeps toasts clear of the bottom buttons and the pager, and shows only the latest success', async ({ open }) => {
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

test('returns focus from the first dialog of a visit to its trigger, whatever replaced it during loading', async ({ open }) => {
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
