import type { Page } from '@playwright/test'

/** Asks for the list in sight as a file. */
export async function exportAs(page: Page, format: 'CSV' | 'Excel'): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: `Export ${format}` }).click()
}
