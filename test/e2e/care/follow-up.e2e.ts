import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { businessDaysLater } from '../../../src/care/adverse-events/rules.ts'
import { daysLater } from '../../../src/shared/zoned-time.ts'
import { dayFromNow, dialog, fetchJson, toastMessage } from '../pages/appointments.ts'
import { publish } from '../pages/forms.ts'
import { createPatient } from '../pages/patient.ts'
import { bookSurgery } from '../pages/surgeries.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

const main = (page: Page) => page.getByRole('main')
const mailsTo = ({ outbox }: Clinic, email: string) => outbox.messages.filter((mail) => mail.To === email)
const shortDay = (day: string) =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)).replaceAll('.', '')

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test(
    'asks a patient in French after a surgery, and gives the surgeon a task for a red flag (issue 27)',
    { tag: '@journey' },
    async ({ page, open, clinic }) => {
      const email = `check-in-${crypto.randomUUID().slice(0, 8)}@fastmail.example`
      const title = 'Check-in of the tests'
      const admin = await open('admin', '/settings/forms')
      await admin.setViewportSize({ width: 1440, height: 900 })
      await publish(admin, starters.check_in, title)
      const desk = await open('frontdesk', '/contacts')
      const id = await createPatient(desk, clinic, { firstName: 'Chloé', email }, [])
      await clinic.rows("update contacts set preferred_language = 'fr' where id = $1", [id])

      // The schedule of the procedure, in Settings.
      const [procedure] = await fetchJson<{ id: string; name: string }[]>(admin, '/procedures')
      await admin.goto('/settings/procedures')
      await main(admin)
        .getByRole('button', { name: `Edit check-ins after ${procedure!.name}` })
        .click()
      const schedule = dialog(admin, `Check-ins after ${procedure!.name}`)
      await schedule.getByRole('combobox', { name: 'Form' }).click()
      await admin.getByRole('option', { name: title }).click()
      await schedule.getByLabel('Days after the surgery').fill('1, 0')
      await schedule.getByRole('button', { name: 'Save check-ins' }).click()
      await expect(schedule.getByText('Enter days from 1 to 365')).toBeVisible()
      await schedule.getByLabel('Days after the surgery').fill('2, 7')
      await schedule.getByRole('button', { name: 'Save check-ins' }).click()
      await expect(toastMessage(admin, 'Check-ins saved')).toBeVisible()
      await expect(main(admin).getByText(`2 and 7 days after · ${title}`)).toBeVisible()

      // Due since the day before yesterday at the latest, whatever the time of the test's run.
      const surgery = await bookSurgery(desk, dayFromNow(-3), '06:00', {
        contactId: id,
        surgeonId: null,
        roomId: null,
        status: 'confirmed',
      })
      await clinic.rows("update surgeries set status = 'completed' where id = $1", [surgery.id])
      await clinic.rows("select graphile_worker.add_job('check-ins.run', '{}')")
      await expect.poll(() => mailsTo(clinic, email).length, { timeout: 20_000 }).toBe(1)
      const [mail] = mailsTo(clinic, email)
      expect(mail!.Subject).toBe('Comment allez-vous? Quelques questions de Harbourview')

      await page.goto(/https?:\S+\/forms\/\S+/.exec(mail!.TextBody ?? '')![0].replace(/^https?:\/\/[^/]+/, ''))
      await page.getByRole('button', { name: 'Envoyer le code' }).click()
      await expect.poll(() => mailsTo(clinic, email).length).toBe(2)
      await page.getByLabel('Code de vérification').fill(/^\d{6}$/m.exec(mailsTo(clinic, email)[0]!.TextBody ?? '')![0])
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: `${title} (fr)` })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr')
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(375)
      await page
        .getByRole('group', { name: /À combien évaluez-vous votre douleur/ })
        .getByRole('radio', { name: '4', exact: true })
        .check()
      for (const [question, answer] of [
        [/douleur à la poitrine/, 'Non'],
        [/fièvre de 38/, 'Oui'],
        [/saignement qui traverse/, 'Non'],
        [/rougeur, la chaleur/, 'Non'],
        [/pus ou une mauvaise odeur/, 'Non'],
      ] as const)
        await page.getByRole('group', { name: question }).getByRole('radio', { name: answer }).check()
      await expect(page.getByRole('status').filter({ hasText: 'Enregistré' })).toBeVisible()
      await page.getByRole('button', { name: 'Envoyer le formulaire' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Merci' })).toBeVisible()

      const tasks = () =>
        clinic.rows<{ title: string }>("select title from tasks where contact_id = $1 and title like 'Call%' and status = 'pending'", [id])
      await expect.poll(async () => (await tasks()).map((task) => task.title)).toEqual(['Call the patient now about the check-in'])
      const provider = await open('provider', `/surgeries?surgery=${surgery.id}`)
      await provider.setViewportSize({ width: 1440, height: 900 })
      const checkIns = provider.getByRole('group', { name: 'Check-ins' })
      await expect(checkIns.getByRole('listitem').filter({ hasText: 'Day 2' })).toContainText('1 red flag')
      await expect(checkIns.getByRole('listitem').filter({ hasText: 'Day 7' })).toContainText('Planned')
      await clinic.rows('delete from check_in_schedules where procedure_id = $1', [procedure!.id])
    },
  )
})

for (const width of [1440, 375]) {
  test.describe(`adverse events at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 } })

    test(
      'shows the deadline of an event that has to be reported, and who filed it (issue 27)',
      { tag: width === 1440 ? '@journey' : [] },
      async ({ open, clinic }) => {
        const sales = await open('sales', '/adverse-events')
        await expect(sales.getByText('Providers and administrators see adverse events')).toBeVisible()

        const desk = await open('frontdesk', '/contacts')
        const id = await createPatient(
          desk,
          clinic,
          { firstName: 'Odile', email: `event-${crypto.randomUUID().slice(0, 8)}@fastmail.example` },
          [],
        )
        const page = await open('provider', '/adverse-events')
        const [patient] = await clinic.rows<{ name: string }>("select first_name || ' ' || last_name as name from contacts where id = $1", [
          id,
        ])
        await main(page).getByRole('button', { name: 'Record event' }).click()
        const recording = dialog(page, 'Record adverse event')
        await recording.getByRole('button', { name: 'Record event' }).click()
        for (const problem of ['Choose a patient', 'Choose what happened', 'Choose how severe it was', 'Enter when it happened'])
          await expect(recording.getByRole('alert').filter({ hasText: problem })).toBeVisible()
        await recording.getByRole('combobox', { name: 'Patient' }).click()
        await page.getByPlaceholder(/name/i).last().fill(patient!.name)
        await page.getByRole('option', { name: new RegExp(patient!.name) }).click()
        await recording.getByRole('combobox', { name: 'What happened' }).click()
        await page.getByRole('option', { name: 'Transfer from the clinic to a hospital' }).click()
        const today = dayFromNow(0)
        const due = businessDaysLater(today, 5)
        await expect(recording.getByText('This has to be reported to the College.')).toBeVisible()
        await expect(recording.getByText(`The report is due ${shortDay(due)}`)).toBeVisible()
        await recording.getByRole('combobox', { name: /Severity/ }).click()
        await page.getByRole('option', { name: /Grade IIIb/ }).click()
        await recording.getByLabel('Happened on').fill(shortDay(daysLater(today, -1)))
        await recording.getByLabel('At', { exact: true }).first().fill('3:20 pm')
        expect(await accessibilityViolations(page)).toEqual([])
        await recording.getByRole('button', { name: 'Record event' }).click()

        const drawer = dialog(page, 'Transfer from the clinic to a hospital')
        await expect(drawer.getByText(`Report due ${shortDay(due)}.`)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)
        await drawer.getByRole('button', { name: 'Mark as filed' }).click()
        const filing = dialog(page, 'Mark the report as filed?')
        await filing.getByLabel('Confirmation number').fill('OHP-4471')
        await filing.getByRole('button', { name: 'Mark as filed' }).click()
        await expect(drawer.getByText(/Filed .* by Dr\. Ngozi Okafor, confirmation OHP-4471/)).toBeVisible()

        await drawer.getByRole('button', { name: 'Write narrative' }).click()
        await expect(page).toHaveURL(/\/contacts\/.+\/notes\//)
        await expect(main(page).getByText('What happened', { exact: true }).first()).toBeVisible()
        await page.goBack()
        await expect(drawer.getByRole('button', { name: 'Open narrative' })).toBeVisible()
        await drawer.getByRole('button', { name: 'Close' }).click()
        await expect(
          main(page)
            .getByText(`Report filed ${shortDay(today)}`)
            .first(),
        ).toBeVisible()
      },
    )
  })
}
