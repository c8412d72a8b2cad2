import { leadBodies } from '../../lead-bodies.ts'
import { expect, test } from '../support/clinic.ts'

/** The patients in the form tools' bodies. */
const arrivals: Record<string, string> = {
  'html-form.txt': "Zoë O'Brien-Li",
  'webflow.json': 'Priya Natarajan',
  'facebook-lead.json': 'María José De la Cruz',
  'gravity-forms.json': 'Sofia Rossi',
  'typeform.json': 'Chloé Bouchard',
}

test(
  'main job: shows leads from five form tools live, and turns one into a patient with a complete timeline',
  { tag: '@journey' },
  async ({ open, clinic }) => {
    const page = await open('sales', '/contacts')
    const list = page.getByRole('table', { name: 'Patients' })
    await expect(list.locator('[data-row]').first()).toBeVisible()

    for (const [file, name] of Object.entries(arrivals)) {
      const { contentType, body } = leadBodies.find((lead) => lead.file === file)!
      const response = await fetch(`${clinic.url}/api/leads/demo-website-form`, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
      })
      expect(response.status, file).toBe(202)
      await expect(list.getByText(name), `${file} appears without a reload`).toBeVisible()
    }

    await list.getByText('Chloé Bouchard').click()
    await expect(page.getByRole('heading', { name: 'Chloé Bouchard' })).toBeVisible()
    await expect(page.getByText('Lead from Website Form, asking about Liposuction')).toBeVisible()

    await page.getByRole('button', { name: /^Consult Booked/ }).click()
    await expect(page.getByText(/changed the stage to Consult Booked|Consult Booked/).first()).toBeVisible()
    await page
      .getByRole('textbox', { name: /Call notes/ })
      .fill('Reached her at lunch. Prefers mornings; will bring her list of medication.')
    await page.getByRole('button', { name: 'Log call' }).click()
    await expect(page.getByText('Reached her at lunch.')).toBeVisible()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: /^Phone/ }).fill('(613) 555-7731')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Chloé Bouchard' })).toBeVisible()
    await expect(page.getByText('(613) 555-7731').first()).toBeVisible()

    await page.getByRole('link', { name: 'Patients' }).first().click()
    await page.getByRole('searchbox', { name: /name, email or phone/i }).fill('6135557731')
    await expect(list.getByRole('row')).toHaveCount(2)
    await expect(list.getByText('Chloé Bouchard')).toBeVisible()
    await page.goBack()
    await page.goForward()
    await expect(list.getByText('Chloé Bouchard')).toBeVisible()

    await list.getByText('Chloé Bouchard').click()
    const timeline = page.getByRole('tabpanel')
    for (const text of ['Lead from Website Form', 'Consult Booked', 'Reached her at lunch.', 'Phone'])
      await expect(timeline.getByText(text).first()).toBeVisible()

    await page.setViewportSize({ width: 375, height: 812 })
    await expect(page.getByRole('heading', { name: 'Chloé Bouchard' })).toBeVisible()
  },
)
