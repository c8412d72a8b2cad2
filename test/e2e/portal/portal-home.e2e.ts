import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { asStaff, publish, publishConsentForm } from '../pages/forms.ts'
import { createPatient, openHome, pdfOf } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

/** A day in two weeks at ten, in the practice's time zone. */
const visitAt = () => {
  const day = new Date(Date.now() + 14 * 86_400_000)
  // Monday to Friday.
  day.setUTCDate(day.getUTCDate() + ({ 0: 1, 6: 2 }[day.getUTCDay()] ?? 0))
  return `${day.toISOString().slice(0, 10)}T15:00:00Z`
}

/** A patient with a form, a consent form, an appointment, a charge and a document, at the home of the portal. */
async function atHome(page: Page, admin: Page, clinic: Clinic, email: string, form: string) {
  const id = await createPatient(admin, clinic, { firstName: 'Deepa', email }, [
    { name: 'Plan.pdf', type: 'application/pdf', bytes: pdfOf(1) },
  ])
  const templateId = await publish(admin, starters.covid, form)
  await asStaff(admin, 'POST', `/contacts/${id}/forms`, { templateId, email: null })
  await asStaff(admin, 'POST', `/contacts/${id}/consent-forms`, {
    templateId: await publishConsentForm(admin, `${form}: photographs`),
    email: null,
  })
  const startsAt = visitAt()
  await asStaff(admin, 'POST', '/appointments', {
    contactId: id,
    type: 'pre_op',
    startsAt,
    minutes: 30,
    idempotencyKey: crypto.randomUUID(),
  })
  await asStaff(admin, 'POST', `/contacts/${id}/charges`, {
    idempotencyKey: crypto.randomUUID(),
    description: 'Mastopexy',
    amountCents: 452_000,
    dueOn: startsAt.slice(0, 10),
    isBeforeSurgery: true,
    plan: [],
  })
  await openHome(page, clinic, { firstName: 'Deepa', email })
  return id
}

test(
  'shows a patient what is left to do, fills in a form, signs a consent form and answers an appointment without another code (issue 26)',
  { tag: '@journey' },
  async ({ page, open, clinic }) => {
    const admin = await open('admin', '/contacts')
    const id = await atHome(page, admin, clinic, 'home@fastmail.example', 'Before your visit')
    await expect(page.getByText('3 things are left to do.')).toBeVisible()
    await expect(page.getByText('Balance of $4,520.00')).toBeVisible()

    await page.getByRole('button', { name: 'Confirm: Pre-operative visit' }).click()
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Change: Pre-operative visit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask for another time' })
    await dialog.getByRole('checkbox', { name: 'Mornings' }).check()
    await dialog.getByRole('button', { name: 'Send to the clinic' }).click()
    await expect(page.getByText('You have asked for another time.')).toBeVisible()
    const tasks = (await (await admin.request.get(`/api/contacts/${id}/tasks`)).json()) as { title: string }[]
    expect(tasks.map(({ title }) => title)).toEqual([expect.stringMatching(/^Reschedule request/)])

    await page.getByRole('button', { name: 'Start: Before your visit' }).click()
    await page.getByRole('button', { name: 'Submit form' }).click()
    // A link to a question stays in the form.
    await page.getByRole('link', { name: 'Have you tested positive for COVID-19?' }).click()
    for (const radio of await page.getByRole('radio', { name: 'No', exact: true }).all()) await radio.check()
    await page.getByRole('button', { name: 'Submit form' }).click()
    await expect(page.getByText('The clinic has received your form “Before your visit”.')).toBeVisible()
    await page.getByRole('button', { name: 'Home' }).click()
    await expect(page.getByText('2 things are left to do.')).toBeVisible()
    await page.getByText('Done (1)').click()
    await expect(page.getByRole('heading', { name: 'Before your visit', exact: true })).toBeVisible()

    await expect(page.getByText('Read, initial and sign')).toBeVisible()
    await page.getByRole('button', { name: 'Review and sign: Before your visit: photographs' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Before your visit: photographs' })).toBeFocused()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/home-consent.png`, fullPage: true })
    await page.getByRole('button', { name: 'Initial “Risks”' }).click()
    await page.getByRole('checkbox', { name: /I have read this consent/ }).check()
    await page.getByRole('checkbox', { name: 'My chart and referrals to other physicians' }).check()
    await page.getByRole('button', { name: 'Type my name instead' }).click()
    await expect(page.getByLabel('Your full name')).toBeFocused()
    await page.getByLabel('Your full name').fill('Deepa Lavoie')
    await page.getByRole('button', { name: 'Sign consent' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeFocused()
    await page.getByRole('button', { name: 'Home' }).click()
    await expect(page.getByText('One thing is left to do.')).toBeVisible()
    await page.getByText('Done (2)').click()
    await expect(page.getByText(/^Signed \w+/)).toBeVisible()

    await page.getByRole('button', { name: /^Documents/ }).click()
    await expect(page.getByRole('button', { name: 'View Plan' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Hello Deepa' })).toBeFocused()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Request Access' })).toBeVisible()
  },
)

for (const colorScheme of ['light', 'dark'] as const)
  test(`the home meets the WCAG 2.2 AA rules that axe checks, in both languages, and never scrolls sideways (${colorScheme})`, async ({
    page,
    open,
    clinic,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await atHome(page, await open('admin', '/contacts'), clinic, `home-${colorScheme}@fastmail.example`, `Before ${colorScheme}`)
    for (const width of [1440, 375])
      for (const other of ['Français', 'English']) {
        await page.setViewportSize({ width, height: 900 })
        await page.getByRole('button', { name: other }).click()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(other === 'English' ? 'Hello Deepa' : 'Bonjour Deepa')
        if (process.env.LOOK)
          await page.screenshot({ path: `${process.env.LOOK}/home-${colorScheme}-${width}-${other}.png`, fullPage: true })
        expect.soft(await accessibilityViolations(page), `${other}, ${width}`).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${other}, ${width}`).toBe(true)
      }
  })
