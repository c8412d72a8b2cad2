import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { asStaff, publish } from '../pages/forms.ts'
import { createPatient, requestCode } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const main = (page: Page) => page.getByRole('main')

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 }, expectedErrors: ['409'] })

    test(
      'a provider reviews a form beside the chart, item by item and all at once, after the chart has changed (issue 26)',
      { tag: width === 1440 ? '@journey' : [] },
      async ({ page, open, clinic }) => {
        const email = `review-${width}@fastmail.example`
        const title = `History ${width}`
        const admin = await open('admin', '/settings/forms')
        const [you, allergies] = starters.medical_history.sections
        const templateId = await publish(admin, { ...starters.medical_history, sections: [you!, allergies!] }, title)
        const contactId = await createPatient(admin, clinic, { firstName: 'Deepa', email }, [])
        const { id } = await asStaff<{ id: string }>(admin, 'POST', `/contacts/${contactId}/forms`, { templateId, email: null })
        const otp = await requestCode(page, clinic, email)
        const call = async (name: string, data: object) => {
          const response = await page.request.post(`/api/functions/${name}`, { data, headers: { origin: clinic.url } })
          expect(response.status(), await response.text()).toBe(200)
          return (await response.json()) as { sessionToken: string }
        }
        const { sessionToken } = await call('verify-document-access', { email, otp })
        const own = { contactId, sessionToken, id, language: 'en' }
        const changes = {
          height: 168,
          weight: 71,
          emergency_contact: 'Bo, 905 555 0142',
          has_allergies: true,
          allergy_list: 'Penicillin; Latex',
          anaphylaxis: true,
        }
        await call('patient-form-save', { ...own, revision: 0, changes })
        await call('patient-form-submit', { ...own, revision: 1 })

        const provider = await open('provider', '/')
        const waiting = main(provider).getByRole('region', { name: 'Forms to review' })
        await waiting.getByRole('link', { name: new RegExp(title) }).click()
        await expect(main(provider).getByText('Needs review', { exact: true })).toBeVisible()
        await main(provider)
          .getByRole('button', { name: `Review ${title}` })
          .click()
        const dialog = provider.getByRole('dialog', { name: `Review ${title}` })
        await expect(dialog.getByRole('list', { name: 'Red flags' })).toContainText('Reports a previous anaphylaxis')
        await expect(dialog.getByText('Reports a previous anaphylaxis').first()).toBeVisible()
        expect(await accessibilityViolations(provider)).toEqual([])
        expect(await provider.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)

        // Someone else adds the allergy: the page shows it, and nothing is written over it.
        await asStaff(admin, 'POST', `/contacts/${contactId}/health/entries`, { kind: 'allergy', name: 'Latex' })
        await dialog.getByRole('button', { name: 'Accept Penicillin' }).click()
        await expect(dialog.getByText('The chart has changed since you opened this.')).toBeVisible()
        await dialog.getByRole('textbox', { name: 'Write as: Penicillin' }).fill('Penicillin V')
        await dialog.getByRole('combobox', { name: 'Severity of Penicillin' }).click()
        await provider.getByRole('option', { name: 'Severe' }).click()
        await dialog.getByRole('button', { name: 'Accept Penicillin' }).press('Enter')
        await expect(dialog.getByText(/^Accepted .* by/)).toBeVisible()
        await dialog.getByRole('button', { name: /^Keep chart: Bo/ }).click()
        await expect(dialog.getByText(/^Chart kept .* by/)).toBeVisible()
        await dialog.getByRole('button', { name: 'Accept all 2 answers' }).click()
        await expect(dialog.getByText(/^Accepted .* by/)).toHaveCount(3)
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await expect(main(provider).getByText('Needs review', { exact: true })).toHaveCount(0)

        await provider.goto(`/contacts/${contactId}?tab=chart`)
        await expect(
          main(provider)
            .getByText(/Penicillin V/)
            .first(),
        ).toBeVisible()
        await expect(main(provider).getByText('168 cm')).toHaveCount(1)
        await expect(main(provider).getByText('Reports a previous anaphylaxis').first()).toBeVisible()
        const desk = await open('frontdesk', '/')
        await expect(main(desk).getByRole('region', { name: 'Forms to review' })).toHaveCount(0)
      },
    )
  })
}
