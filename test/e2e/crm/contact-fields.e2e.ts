import { randomUUID } from 'node:crypto'
import { contactFieldNames, fieldOf } from '../../../src/crm/contacts/derived-fields.ts'
import { factOf, sectionsOfForm } from '../../../src/crm/contacts/form-fields.ts'
import { formSections } from '../../../src/crm/contacts/declared-fields.ts'
import { expect, test } from '../support/clinic.ts'

/** Shorter labels of the consult fields, which are under a heading of their own. */
const shortLabels: Record<string, string> = {
  specialistConsultType: 'Type',
  specialistConsultReason: 'Reason',
  specialistResultsDate: 'Received on',
}

test('shows each declared field in its section of the form and on the patient page', async ({ open }) => {
  const page = await open('provider', '/contacts/new')
  await page.getByLabel('A specialist consult is required').check()
  await page.getByLabel('The results have been received').check()
  for (const { section, cells } of sectionsOfForm({ clinical: true })) {
    const region = page.getByRole('region', { name: formSections[section], exact: true })
    for (const name of cells.flat()) {
      const { control, label } = fieldOf(name)
      const text = control.kind === 'tick' ? control.statement : (shortLabels[name] ?? label)
      const labelPattern = new RegExp(`^${text}( \\(optional\\))?$`)
      await expect(region.getByLabel(labelPattern).first(), name).toBeAttached()
      const elsewhere = page.getByRole('region').filter({ has: page.getByLabel(labelPattern) })
      await expect(elsewhere, `${name} in one section only`).toHaveCount(1)
    }
  }

  const created = await page.request.post('/api/contacts', {
    data: {
      firstName: 'Odile',
      lastName: `Fields-${randomUUID().slice(0, 6)}`,
      specialistNotes: 'Fine',
      dateOfBirth: '1984-02-29',
      pronouns: 'she/her',
      preferredLanguage: 'fr',
    },
  })
  await page.goto(`/contacts/${((await created.json()) as { id: string }).id}`)
  // The stage is changed in the header, and the follow-up has its own section with buttons.
  const facts = [...new Set(contactFieldNames.map(factOf))].filter((fact) => fact !== 'stage' && fact !== 'follow-up')
  for (const fact of facts) await expect(page.locator(`[data-fact="${fact}"]`), fact).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Next follow-up' })).toBeVisible()

  const value = (label: string) => page.getByRole('button', { name: new RegExp(`^${label}:`) })
  await expect(value('Date of birth')).toHaveText(/Feb 29, 1984/)
  await expect(value('Pronouns')).toHaveText(/she\/her/)
  await value('Language').click()
  await page.getByRole('option', { name: 'Punjabi' }).click()
  await expect(value('Language')).toHaveText(/Punjabi/)
})
