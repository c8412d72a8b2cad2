import type { Page } from '@playwright/test'
import { itemsOfPhase, phaseLabels, type SafetyPhase, safetyPhases } from '../../../src/care/surgeries/safety-rules.ts'
import { createPatient, dialog, fullName, toastMessage, unusedPastMonday } from '../pages/appointments.ts'
import { bookSurgery } from '../pages/surgeries.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

/** Answers every item of the phase that is shown with the first answer that does not stop the team. */
async function answerAll(page: Page, phase: SafetyPhase): Promise<void> {
  for (const { question, answers, stops } of itemsOfPhase(phase)) {
    const [, label] = Object.entries(answers).find(([answer]) => answer !== stops)!
    const button = page.getByRole('group', { name: question }).getByRole('button', { name: label, exact: true })
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
  }
}

for (const width of [1024, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 768 } })

    test(
      'blocks completion until the safety checklist is confirmed on a tablet (issue 27)',
      { tag: width === 1024 ? '@journey' : [] },
      async ({ open, clinic }) => {
        // Twenty items, each answered and saved.
        test.slow()
        const desk = await open('frontdesk', '/tasks')
        const patient = await createPatient(desk)
        await clinic.rows("update contacts set date_of_birth = '1984-03-04' where id = $1", [patient.id])
        const surgery = await bookSurgery(desk, unusedPastMonday(), '08:00', { contactId: patient.id, status: 'confirmed' })

        // The front desk sees that it is open, and can't open it.
        await desk.goto(`/surgeries?surgery=${surgery.id}`)
        const deskDrawer = dialog(desk, fullName(patient))
        await expect(deskDrawer.getByText('0 of 3 phases done')).toBeVisible()
        await expect(deskDrawer.getByRole('button', { name: 'Open checklist' })).toHaveCount(0)
        await deskDrawer.getByRole('button', { name: 'Complete' }).click()
        await expect(dialog(desk, 'The safety checklist is open')).toContainText('A provider or an administrator can do that.')

        const page = await open('provider', `/surgeries?surgery=${surgery.id}`)
        const drawer = dialog(page, fullName(patient))
        await drawer.getByRole('button', { name: 'Complete' }).click()
        await dialog(page, 'The safety checklist is open').getByRole('button', { name: 'Open checklist' }).click()
        await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)

        for (const phase of safetyPhases) {
          // While a phase is being confirmed, its button reads otherwise.
          await expect(page.getByRole('heading', { name: new RegExp(`^${phaseLabels[phase].name}`) })).toBeVisible()
          const confirm = page.getByRole('button', { name: `Confirm ${phaseLabels[phase].name.toLowerCase()}` })
          if (phase === 'sign_in') {
            await confirm.click()
            await expect(page.getByText('Tap both once they match.')).toBeVisible()
            await expect(page.getByRole('button', { name: /^Name / })).toBeFocused()
          }
          if (phase !== 'sign_out') {
            await page.getByRole('button', { name: `Name ${fullName(patient)}` }).click()
            await page.getByRole('button', { name: 'Born Mar 4, 1984' }).click()
          }
          await answerAll(page, phase)
          if (phase === 'sign_in') {
            // An answer that stops the team has to be settled.
            const marked = page.getByRole('group', { name: 'The site is marked' })
            await marked.getByRole('button', { name: 'No', exact: true }).click()
            await expect(page.getByText('Stop. Settle this before you go on.')).toBeVisible()
            await confirm.click()
            await expect(page.getByText('Settle what was answered with No, and answer it again.')).toBeVisible()
            await marked.getByRole('button', { name: 'Yes', exact: true }).click()
            await expect(marked.getByRole('button', { name: 'Yes', exact: true })).toHaveAttribute('aria-pressed', 'true')
          }
          await confirm.click()
          await expect(confirm).toHaveCount(0)
        }
        await expect(page.getByText('Nothing in it can be changed.')).toBeVisible()
        await page.getByRole('button', { name: 'Back to the surgery' }).click()
        await expect(drawer.getByText('3 of 3 phases done')).toBeVisible()
        await drawer.getByRole('button', { name: 'Complete' }).click()
        await dialog(page, 'Complete with items open?').getByRole('button', { name: 'Complete anyway' }).click()
        await expect(toastMessage(page, `${fullName(patient)}: surgery is completed`)).toBeVisible()
      },
    )
  })
}

test('waives the safety checklist with a reason (issue 27)', async ({ open, clinic }) => {
  const page = await open('provider', '/tasks')
  const surgery = await bookSurgery(page, unusedPastMonday(), '08:00', { status: 'confirmed' })
  await page.goto(`/surgeries?surgery=${surgery.id}`)
  await dialog(page, fullName(surgery.contact)).getByRole('button', { name: 'Open checklist' }).click()
  await page.getByRole('button', { name: 'Waive checklist' }).click()
  const waiving = dialog(page, 'Waive the safety checklist?')
  await waiving.getByRole('button', { name: 'Waive checklist' }).click()
  await expect(waiving.getByText('Enter a reason')).toBeVisible()
  await waiving.getByLabel('Reason').fill('Done on paper during a power cut')
  await waiving.getByRole('button', { name: 'Waive checklist' }).click()
  await expect(waiving).toHaveCount(0)
  await expect(page.getByText('Done on paper during a power cut')).toBeVisible()
  const rows = await clinic.rows<{ outcome: string }>('select outcome from safety_phases where surgery_id = $1', [surgery.id])
  expect(rows.map(({ outcome }) => outcome)).toEqual(['waived', 'waived', 'waived'])
})
