import type { Page } from '@playwright/test'

/** Takes a page offline once its toaster has loaded, which happens when the browser is idle. */
export async function loseConnection(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/Toaster-')))
  await page.context().setOffline(true)
}
