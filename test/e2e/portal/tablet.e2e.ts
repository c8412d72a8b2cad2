import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { createPatient } from '../pages/patient.ts'
import { asStaff, publish } from '../pages/forms.ts'

const main = (page: Page) => page.getByRole('main')

/** Gives the patient a tablet with everything that is open, and returns the code. */
async function useTablet(desk: Page): Promise<string> {
  await main(desk).getByRole('button', { name: 'Use tablet' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Use tablet' })
  await dialog.getByRole('button', { name: 'Show code' }).click()
  const code = (await dialog.getByLabel('Code').textContent())!.replace(' ', '')
  expect(code).toMatch(/^\d{8}$/)
  return code
}

async function enterCode(tablet: Page, code: string) {
  await tablet.goto('/tablet')
  await tablet.getByLabel('Code', { exact: true }).fill(code)
  await tablet.keyboard.press('Enter')
}

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 1024, height: 768 } })

  test(
    'a patient fills in the chosen forms and hands the tablet back, and nothing stays on it (issue 26)',
    { tag: '@journey' },
    async ({ page, open, clinic }) => {
      const email = 'tablet@fastmail.example'
      const admin = await open('admin', '/settings/forms')
      const first = await publish(admin, starters.covid, 'Screening A')
      await publish(admin, starters.covid, 'Screening B')
      const id = await createPatient(admin, clinic, { firstName: 'Chloé', email }, [])
      await asStaff(admin, 'PATCH', `/contacts/${id}`, { version: 1, preferredLanguage: 'fr' })
      await asStaff(admin, 'POST', `/contacts/${id}/forms`, { templateId: first, email: null })

      const desk = await open('frontdesk', `/contacts/${id}?tab=forms`)
      await main(desk).getByRole('button', { name: 'Use tablet' }).click()
      const dialog = desk.getByRole('dialog', { name: 'Use tablet' })
      await expect(dialog.getByRole('checkbox', { name: 'Screening A' })).toBeChecked()
      await dialog.getByRole('combobox', { name: /Another form/ }).click()
      await desk.getByRole('option', { name: 'Screening B' }).click()
      expect(await accessibilityViolations(desk)).toEqual([])
      await dialog.getByRole('button', { name: 'Show code' }).click()
      const code = (await dialog.getByLabel('Code').textContent())!.replace(' ', '')
      expect(await accessibilityViolations(desk)).toEqual([])

      await page.goto('/tablet')
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByLabel('Code', { exact: true }).fill(code)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Bonjour Chloé' })).toBeFocused()
      await expect(dialog.getByText('The tablet is open.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(main(desk).getByText(/The patient has a tablet.*0 of 2 done/)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'English' }).click()

      for (const title of ['Screening A', 'Screening B']) {
        await page.getByRole('button', { name: `Start: ${title}` }).click()
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
        await page.getByRole('button', { name: 'Submit form' }).click()
        await expect(page.getByText('3 questions need your attention:')).toBeVisible()
        for (const radio of await page.getByRole('radio', { name: 'No', exact: true }).all()) await radio.check()
        await page.getByRole('button', { name: 'Submit form' }).click()
        await expect(page.getByText('Done', { exact: true }).first()).toBeVisible()
      }
      await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
      await expect(main(desk).getByText(/2 of 2 done/)).toBeVisible()
      await page.getByRole('button', { name: 'Done, hand the tablet back' }).click()
      await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
      await expect(page.getByText('Please hand the tablet back to our staff.').first()).toBeVisible()
      await expect(main(desk).getByText('The patient has a tablet')).toHaveCount(0)
    },
  )

  test.describe('that is left alone', () => {
    test.use({ expectedErrors: ['401'] })

    test('signs out after three minutes, and shows the code page after a reload or going back', async ({ page, open, clinic }) => {
      const email = 'tablet-idle@fastmail.example'
      const admin = await open('admin', '/settings/forms')
      const templateId = await publish(admin, starters.covid, 'Screening C')
      const id = await createPatient(admin, clinic, { firstName: 'Ana', email }, [])
      await asStaff(admin, 'POST', `/contacts/${id}/forms`, { templateId, email: null })
      const desk = await open('provider', `/contacts/${id}?tab=forms`)
      await page.clock.install()

      // With one form, it opens at once.
      await enterCode(page, await useTablet(desk))
      await expect(page.getByRole('heading', { level: 1, name: 'Screening C' })).toBeVisible()
      await page.getByRole('radio', { name: 'Yes' }).first().check()
      await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
      await page.clock.runFor(155_000)
      await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.clock.runFor(185_000)
      await expect(page.getByText(/^The tablet has signed out because no one used it/).first()).toBeVisible()
      await expect(page.getByText('Screening C')).toHaveCount(0)

      await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await enterCode(page, await useTablet(desk))
      await expect(page.getByRole('heading', { level: 1, name: 'Screening C' })).toBeVisible()
      await expect(page.getByRole('radio', { name: 'Yes' }).first()).toBeChecked()
      const ended = () => clinic.rows('select 1 from tablet_sessions where contact_id = $1 and ended_at is null', [id])
      await page.reload()
      await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
      await expect.poll(ended).toEqual([])

      await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await enterCode(page, await useTablet(desk))
      await expect(page.getByRole('heading', { level: 1, name: 'Screening C' })).toBeVisible()
      // Staff end it: the next call finds out.
      await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await main(desk).getByRole('button', { name: 'End session' }).click()
      await expect.poll(ended).toEqual([])
      await page.getByRole('radio', { name: 'Yes' }).nth(1).check()
      await expect(page.getByText('This session has ended. Please ask our staff to continue.').first()).toBeVisible()
      await page.goBack()
      await page.goForward()
      await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
      await expect(page.getByText('Screening C')).toHaveCount(0)
    })
  })

  test('opens on the device of staff after signing them out', async ({ open, clinic }) => {
    const email = 'tablet-here@fastmail.example'
    const admin = await open('admin', '/settings/forms')
    const templateId = await publish(admin, starters.covid, 'Screening D')
    const id = await createPatient(admin, clinic, { firstName: 'Ana', email }, [])
    await asStaff(admin, 'POST', `/contacts/${id}/forms`, { templateId, email: null })
    const own = await open('frontdesk', `/contacts/${id}?tab=forms`)
    await main(own).getByRole('button', { name: 'Use tablet' }).click()
    const dialog = own.getByRole('dialog', { name: 'Use tablet' })
    await dialog.getByRole('checkbox', { name: 'On this device' }).check()
    await dialog.getByRole('button', { name: 'Sign out and open here' }).click()
    await expect(own.getByRole('heading', { level: 1, name: 'Screening D' })).toBeVisible()
    expect(new URL(own.url()).hash).toBe('')
    expect((await own.request.get('/api/contacts?limit=1')).status()).toBe(401)
    await own.goBack()
    await expect(own.getByText('Screening D')).toHaveCount(0)
    await own.goto(`/contacts/${id}`)
    await expect(own.getByRole('heading', { name: /Sign in|Welcome/ })).toBeVisible()
  })
})
