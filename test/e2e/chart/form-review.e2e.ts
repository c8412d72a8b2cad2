import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { asStaff, publish } from '../pages/forms.ts'
import { createPatient, requestCode } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const main = (page: Page) => page.getByRole('main')

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 }, expectedErrors: ['409', '422'] })

    test(
      'a provider reviews a form beside the chart, item by item and all at once, after the chart has changed (issue 26)',
      { tag: width === 1440 ? '@journey' : [] },
      async ({ page, open, clinic }) => {
        const email = `review-${width}@fastmail.example`
        const title = `History ${width}`
        const admin = await open('admin', '/settings/forms')
        const [you, ...others] = starters.medical_history.sections
        // Without limits, so that an answer can be one that the chart does not take.
        const questions = you!.questions.map((question) => (question.id === 'height' ? { ...question, min: null } : question))
        const sections = [{ ...you!, questions }, ...others.slice(0, 2)]
        const templateId = await publish(admin, { ...starters.medical_history, sections }, title)
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
          born: '1988-03-14',
          height: 20,
          weight: 71,
          language: 'en',
          emergency_contact: 'Bo, 905 555 0142',
          has_allergies: true,
          allergy_list: 'Penicillin; Latex',
          anaphylaxis: true,
          takes_medications: false,
          blood_thinners: false,
          weight_loss_medication: false,
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
        // The keyboard goes on with the next answer.
        await expect(dialog.locator('[data-decision="accepted"]:focus')).toHaveCount(1)
        await dialog.getByRole('button', { name: /^Keep chart: Bo/ }).click()
        await expect(dialog.getByText(/^Chart kept .* by/)).toBeVisible()
        await expect(dialog.getByText('Takes no medication')).toBeVisible()
        // One value does not fit: it was marked from the start, is left out, and has the focus afterwards.
        const height = dialog.getByRole('textbox', { name: 'Write as: 20' })
        await expect(height).toHaveAccessibleDescription(/Enter a height from 30 to 272 cm/)
        await dialog.getByRole('combobox', { name: 'Write as: en' }).click()
        await provider.getByRole('option', { name: 'French' }).click()
        await dialog.getByRole('button', { name: 'Accept 4 without problems' }).click()
        await expect(height).toBeFocused()
        expect(await accessibilityViolations(provider)).toEqual([])
        await height.fill('168')
        await expect(dialog.getByText(/Enter a height from 30/)).toHaveCount(0)
        await dialog.getByRole('button', { name: 'Accept 1 answer' }).press('Enter')
        await expect(dialog.getByText(/^Accepted .* by/)).toHaveCount(6)
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await expect(main(provider).getByText('Needs review', { exact: true })).toHaveCount(0)

        await provider.goto(`/contacts/${contactId}?tab=chart`)
        await expect(
          main(provider)
            .getByText(/Penicillin V/)
            .first(),
        ).toBeVisible()
        await expect(main(provider).getByText('168 cm')).toHaveCount(1)
        await expect(main(provider).getByText('Takes no medication').first()).toBeAttached()
        await expect(main(provider).getByText(/^Reported by the patient .*, accepted by /)).toHaveCount(1)
        expect(await clinic.rows('select preferred_language from contacts where id = $1', [contactId])).toEqual([
          { preferred_language: 'fr' },
        ])
        await expect(main(provider).getByText('Reports a previous anaphylaxis').first()).toBeVisible()
        const desk = await open('frontdesk', '/')
        await expect(main(desk).getByRole('region', { name: 'Forms to review' })).toHaveCount(0)
      },
    )
  })
}
