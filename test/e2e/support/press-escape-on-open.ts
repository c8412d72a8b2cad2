import type { Page } from '@playwright/test'

/** Presses Escape as soon as the next dialog or drawer is in the DOM, before it can have run any code. Resolves once it has. */
export function pressEscapeOnOpen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const count = () => document.querySelectorAll('[role="dialog"]:not([hidden])').length
    const before = count()
    const observer = new MutationObserver(() => {
      if (count() === before) return
      observer.disconnect()
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return promise
  })
}
