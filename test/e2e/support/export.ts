import type { Page } from '@playwright/test'

/** Exports the current list. */
export async function exportAs(page: Page, format: 'CSV' | 'Excel'): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: `Export ${format}` }).click()
}
