import { asStaff } from '../pages/forms.ts'
import { createPatient, openHome } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

/** A Wednesday in two to three weeks, before the rooms of the demo clinic open. */
const surgeryAt = () => {
  const day = new Date(Date.now() + 15 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((3 - day.getUTCDay() + 7) % 7))
  return `${day.toISOString().slice(0, 10)}T14:00:00Z`
}

test(
  'an administrator writes the instructions of a procedure, and a patient with a surgery reads them in their language (issue 26)',
  { tag: '@journey' },
  async ({ page, open, clinic }) => {
    const admin = await open('admin', '/contacts')
    const procedure = await asStaff<{ id: string; name: string }>(admin, 'POST', '/procedures', { name: 'Ear lobe repair' })
    await admin.goto('/settings/procedures')
    await admin.getByRole('button', { name: 'Instructions for Ear lobe repair' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Instructions: Ear lobe repair' })
    await dialog.getByLabel('How to prepare (English)').fill('The day before\n- Take off your earrings')
    await dialog.getByLabel('How to prepare (French)').fill('La veille\n- Enlevez vos boucles d’oreilles')
    await dialog.getByLabel('Aftercare (English)').fill('Keep the dressing dry.')
    if (process.env.LOOK) await admin.screenshot({ path: `${process.env.LOOK}/instructions-dialog.png` })
    expect.soft(await accessibilityViolations(admin, '[role=dialog]')).toEqual([])
    await dialog.getByRole('button', { name: 'Save instructions' }).click()
    await expect(admin.getByText('Instructions for Ear lobe repair saved')).toBeVisible()

    const email = 'instructions@fastmail.example'
    const contactId = await createPatient(admin, clinic, { firstName: 'Deepa', email }, [])
    await asStaff(admin, 'POST', '/surgeries', {
      contactId,
      procedureIds: [procedure.id],
      anaesthesia: 'local',
      startsAt: surgeryAt(),
      minutes: 60,
      idempotencyKey: crypto.randomUUID(),
    })
    await asStaff(admin, 'POST', `/contacts/${contactId}/charges`, {
      idempotencyKey: crypto.randomUUID(),
      description: 'Ear lobe repair',
      amountCents: 90_000,
      dueOn: '2030-01-10',
      isBeforeSurgery: false,
      plan: [],
    })
    await openHome(page, clinic, { firstName: 'Deepa', email })
    await page.getByRole('button', { name: 'How to prepare: Ear lobe repair' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'How to prepare' })).toBeFocused()
    await expect(page.getByRole('listitem').filter({ hasText: 'Take off your earrings' })).toBeVisible()
    await expect(page.getByText('Keep the dressing dry.')).toBeVisible()
    await page.getByRole('button', { name: 'Français' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Enlevez vos boucles' })).toBeVisible()
    await expect(page.getByText('Ce texte n’est offert qu’en anglais.')).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Imprimer' })).toBeHidden()
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' })

    for (const [part, heading] of [
      ['', 'Comment vous préparer'],
      ['Reçus et solde', 'Reçus et solde'],
    ] as const) {
      if (part) {
        await page.getByRole('button', { name: 'Accueil' }).click()
        await page.getByRole('button', { name: part }).click()
      }
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByText(part ? '900,00 $ à payer' : 'Enlevez vos boucles')).toBeVisible()
      for (const colorScheme of ['dark', 'light'] as const)
        for (const width of [1440, 375]) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          if (process.env.LOOK)
            await page.screenshot({ path: `${process.env.LOOK}/${heading}-${colorScheme}-${width}.png`, fullPage: true })
          expect.soft(await accessibilityViolations(page), `${heading}, ${colorScheme}, ${width}`).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${heading}, ${width}`).toBe(true)
        }
    }
  },
)
