import type { Page } from '@playwright/test'

/** Presses Escape in the very moment in which the next dialog or drawer is in the page, before it can have done anything; over once it has. */
export function escapeAtOnce(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const count = () => document.querySelectorAll('[role="dialog"]:not([hidden])').length
    const before = count()
    const seen = new MutationObserver(() => {
      if (count() === before) return
      seen.disconnect()
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      resolve()
    })
    seen.observe(document.body, { childList: true, subtree: true })
    return promise
  })
}
