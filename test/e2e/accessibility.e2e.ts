import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './clinic.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no page so far breaks a WCAG 2.2 AA rule that can be checked by machine (${colorScheme})`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const first = page.getByRole('table', { name: 'Patients' }).getByRole('link').first()
    const other = (await page.getByRole('table', { name: 'Patients' }).getByRole('link').nth(1).getAttribute('href'))?.split('/').at(-1)
    const record = await first.getAttribute('href')
    for (const path of [
      '/contacts',
      '/contacts?layout=board',
      '/contacts?search=zzzz',
      '/contacts/duplicates',
      '/contacts/new',
      '/contacts/import',
      record!,
      `${record}/edit`,
      `${record}/merge`,
      `${record}/merge?with=${other}`,
      '/',
      '/tasks',
      '/nowhere',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
      expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`)).toEqual([])
    }
  })
}
