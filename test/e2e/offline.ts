import type { Page } from '@playwright/test'

/** The connection of a page that has stood for a moment is lost: the toaster has come while the browser was idle. */
export async function loseConnection(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/Toaster-')))
  await page.context().setOffline(true)
}
