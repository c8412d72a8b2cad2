import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

/** Pages to check; {patient} and {other} stand for the ids of two listed patients. */
const paths = [
  '/contacts',
  '/contacts?layout=board',
  '/contacts?search=zzzz',
  '/contacts?filter=consent:yes;follow-up:overdue',
  '/contacts/duplicates',
  '/contacts/new',
  '/contacts/import',
  '/contacts/{patient}',
  '/contacts/{patient}?tab=tasks',
  '/contacts/{patient}?tab=messages',
  '/contacts/{patient}?tab=appointments',
  '/contacts/{patient}?tab=surgery',
  '/contacts/{patient}?tab=account',
  '/contacts/{patient}?tab=documents',
  '/contacts/{patient}?tab=history',
  '/contacts/{patient}/edit',
  '/contacts/{patient}/merge',
  '/contacts/{patient}/merge?with={other}',
  '/documents',
  '/campaigns',
  '/',
  '/tasks',
  '/tasks?show=everyone&due=upcoming',
  '/tasks?view=week',
  '/reports',
  '/reports?report=funnel',
  '/reports?report=revenue&period=last-12-months',
  '/help',
  '/help/front-desk',
  '/help?q=refund',
  '/nowhere',
]

for (const colorScheme of ['light', 'dark'] as const) {
  for (const path of paths) {
    test(`meets the WCAG 2.2 AA rules that axe checks: ${path} (${colorScheme})`, async ({ open, expectedErrors }) => {
      if (path === '/nowhere') expectedErrors.push('404')
      const page = await open('sales', '/contacts')
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const links = page.getByRole('table', { name: 'Patients' }).getByRole('link')
      const idOf = async (index: number) => (await links.nth(index).getAttribute('href'))!.split('/').at(-1)!
      await page.goto(path.replace('{patient}', await idOf(0)).replace('{other}', await idOf(1)))
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    })
  }
}
