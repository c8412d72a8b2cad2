import { expect, test } from '../support/clinic.ts'
import { createPatient, pdfOf, signInToPortal } from '../pages/patient.ts'

const files = [{ name: 'Plan.pdf', type: 'application/pdf', bytes: pdfOf(1) }]

test('shows the portal in the patient’s language once it is known, unless another was chosen', async ({ page, open, clinic }) => {
  const email = 'langue@fastmail.example'
  await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Éloïse', email, preferredLanguage: 'fr' }, files)
  const root = page.locator('html')
  await page.goto('/PatientDocuments')
  await expect(page.getByRole('button', { name: 'Request Access' })).toBeVisible()
  await signInToPortal(page, clinic, email)
  await expect(page.getByText('Bonjour Éloïse, vous pouvez voir vos documents et nous en envoyer ci-dessous.')).toBeVisible()
  await expect(root).toHaveAttribute('lang', 'fr')
  await page.getByRole('button', { name: 'Voir Plan' }).click()
  await expect(page.getByRole('group', { name: 'Page 1 de 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Fermer' }).click()

  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByText('Welcome, Éloïse! You can view and upload documents below.')).toBeVisible()
  await expect(root).toHaveAttribute('lang', 'en')
  await page.reload()
  await signInToPortal(page, clinic, email)
  await expect(page.getByText('Welcome, Éloïse! You can view and upload documents below.')).toBeVisible()
})

test('says errors in the chosen language', async ({ page }) => {
  await page.goto('/PatientDocuments?language=fr')
  await page.getByRole('button', { name: 'Envoyer le code' }).click()
  await expect(page.getByRole('alert')).toHaveText('Veuillez entrer votre adresse courriel')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please enter your email address')
  await expect(page).toHaveURL(/language=en/)
})
