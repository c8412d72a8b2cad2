import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { codeOf } from '../../portal.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

/** The latest code to an address. */
async function codeTo(clinic: Clinic, email: string): Promise<string> {
  const latest = () => clinic.outbox.messages.map(({ To, Subject = '' }) => (To === email ? codeOf(Subject) : '')).find(Boolean)
  await expect.poll(latest).toBeTruthy()
  return latest()!
}
/** Two visits that patients may book, with the demo's surgeon, and change until they begin: the first opening may be soon. */
async function addVisits(clinic: Clinic) {
  await clinic.rows(
    `with added as (
       insert into visit_types (name, name_fr, type, minutes, is_online, change_hours, created_at, updated_at)
       values ('Consult', 'Consultation', 'consult', 45, true, 0, now(), now()), ('Follow-up', 'Suivi', 'follow_up', 30, true, 0, now(), now())
       on conflict do nothing returning id
     )
     insert into visit_type_people (visit_type_id, part, profile_id)
     select added.id, 'provider', profiles.id from added join profiles on email = 'provider@refyne.example'`,
  )
}
/** Has patients who book a visit fill in a published form. */
const addForm = (clinic: Clinic, visit: string) =>
  clinic.rows(
    `with template as (insert into form_templates default values returning id),
     version as (insert into form_versions (template_id, number, definition, published_at) select id, 1, $2, now() from template)
     insert into visit_type_forms (visit_type_id, template_id) select visit_types.id, template.id from visit_types, template where name = $1`,
    [visit, JSON.stringify(starters.covid)],
  )
/** Chooses the first visit and the first time that is offered. */
async function chooseTime(page: Page, names = { visit: /^Consult/, continue: 'Continue' }) {
  await page.getByRole('button', { name: names.visit }).click()
  const first = page
    .getByRole('group')
    .getByRole('button', { name: /\d( h |:)\d\d/ })
    .first()
  await first.click()
  await page.getByRole('button', { name: names.continue }).click()
}

test(
  'a patient books a visit in French on a phone, opens its form, moves it and cancels it, and staff see each step (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic, open }) => {
    await addVisits(clinic)
    await addForm(clinic, 'Consult')
    const phone = await browser.newPage({ viewport: { width: 375, height: 812 }, locale: 'fr-CA', baseURL: clinic.url })
    await phone.goto('/book')
    await chooseTime(phone, { visit: /^Consultation/, continue: 'Continuer' })
    await expect(phone.getByRole('heading', { name: 'Qui vient?' })).toBeFocused()
    // What is missing is named, and the first field has the focus.
    await phone.getByRole('button', { name: 'M’envoyer un code' }).click()
    await expect(phone.getByLabel('Prénom')).toBeFocused()
    await expect(phone.getByText('Entrez une adresse courriel valide')).toBeVisible()
    const email = 'amelie@mail.example'
    await phone.getByLabel('Prénom').fill('Amélie')
    await phone.getByLabel('Nom', { exact: true }).fill('Gagné')
    await phone.getByLabel('Courriel').fill(email)
    await phone.getByLabel('Autre chose à savoir').fill('Une cicatrice')
    // Back and forth, nothing is lost, and after a reload only what the patient wrote in their own words.
    await phone.goBack()
    await phone.getByRole('button', { name: 'Continuer' }).click()
    await expect(phone.getByLabel('Autre chose à savoir')).toHaveValue('Une cicatrice')
    await phone.reload()
    await phone.getByRole('button', { name: 'Continuer' }).click()
    await expect(phone.getByLabel('Prénom')).toHaveValue('Amélie')
    await expect(phone.getByLabel('Nom', { exact: true })).toHaveValue('Gagné')
    await expect(phone.getByLabel('Courriel')).toHaveValue(email)
    await expect(phone.getByLabel('Autre chose à savoir')).toHaveValue('')
    expect(await phone.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('cicatrice')
    expect(await accessibilityViolations(phone)).toEqual([])
    await phone.getByRole('button', { name: 'M’envoyer un code' }).click()
    // A phone may load the page again while its owner reads the email.
    await expect(phone.getByLabel('Code à 6 chiffres')).toBeFocused()
    await phone.reload()
    await phone.getByLabel('Code à 6 chiffres').fill('000000')
    await expect(phone.getByText('Ce code est inexact ou n’est plus valable. Vérifiez-le ou demandez-en un autre.')).toBeVisible()
    await phone.getByLabel('Code à 6 chiffres').fill(await codeTo(clinic, email))
    await expect(phone.getByText(/^Réservé pour vous encore/)).toBeVisible()
    // Its time is free then, and taken again without another code.
    await phone.reload()
    await phone.getByRole('button', { name: 'Prendre cette heure' }).click()
    await expect(phone.getByText(/^Réservé pour vous encore/)).toBeVisible()
    await phone.getByRole('button', { name: 'Prendre ce rendez-vous' }).dblclick()
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est pris' })).toBeVisible()

    expect(await phone.evaluate(() => sessionStorage.length)).toBe(0)
    // The browser's Back does not lead into the booking again.
    await phone.goBack()
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est pris' })).toBeVisible()
    const link = await phone.getByRole('link', { name: 'Déplacer ou annuler ce rendez-vous' }).getAttribute('href')
    const rows = await clinic.rows<{ id: string; status: string }>(
      "select contacts.id, appointments.status from appointments join contacts on contacts.id = contact_id where email = 'amelie@mail.example'",
    )
    expect(rows.map(({ status }) => status)).toEqual(['booked'])
    const desk = await open('frontdesk', `/contacts/${rows[0]!.id}`)
    await expect(desk.getByText('Consultation booked by the patient for').first()).toBeVisible()

    // Its form opens with a code, because the booking's code opens no record.
    expect(await accessibilityViolations(phone)).toEqual([])
    const code = await codeTo(clinic, email)
    await phone.getByRole('link', { name: 'Dépistage de la COVID-19' }).click()
    await phone.getByRole('button', { name: 'Envoyer le code' }).click()
    await expect.poll(() => codeTo(clinic, email)).not.toBe(code)
    await phone.getByLabel('Code de vérification').fill(await codeTo(clinic, email))
    await phone.keyboard.press('Enter')
    await expect(phone.getByRole('heading', { name: 'Dépistage de la COVID-19' })).toBeVisible()

    await phone.goto(link!)
    await phone.getByRole('button', { name: 'Choisir une autre heure' }).click()
    await phone
      .getByRole('group')
      .getByRole('button', { name: /\d h \d\d/ })
      .last()
      .click()
    await phone.getByRole('button', { name: 'Déplacer à cette heure' }).click()
    await expect(phone.getByRole('main').getByText('Votre rendez-vous a une nouvelle heure.')).toBeVisible()
    await phone.getByRole('button', { name: 'Annuler le rendez-vous', exact: true }).click()
    await phone.getByLabel('Pourquoi? (facultatif)').fill('Un rhume')
    await phone.getByRole('button', { name: 'Annuler le rendez-vous' }).click()
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est annulé' })).toBeVisible()
    await expect(desk.getByText('cancelled by the patient: Un rhume').first()).toBeVisible()
    await phone.close()
  },
)

test(
  'the booking page is shown by one script on a website of another origin, under its strict content security policy (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic }) => {
    await addVisits(clinic)
    await addForm(clinic, 'Consult')
    const website = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      response.setHeader('content-security-policy', `default-src 'none'; script-src ${booking.url}; frame-src ${booking.url}`)
      response.end(
        `<!doctype html><html lang="en"><title>Our clinic</title><h1>Our clinic</h1><script src="${booking.url}/book.js" data-source="website"></script>`,
      )
    })
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
    const site = `http://127.0.0.1:${(website.address() as AddressInfo).port}`
    const booking = await clinic.startWith(() => ({ BOOKING_SITES: site }))
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
    await page.goto(`${site}/?utm_campaign=autumn`)
    const frame = page.frameLocator('iframe[title="Book a visit"]')
    await frame.getByRole('button', { name: /^Consult/ }).click()
    await frame
      .getByRole('group')
      .getByRole('button', { name: /\d:\d\d/ })
      .first()
      .click()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const email = 'embedded@mail.example'
    await frame.getByLabel('First name').fill('Ruth')
    await frame.getByLabel('Last name').fill('Bauer')
    await frame.getByLabel('Email').fill(email)
    await frame.getByRole('button', { name: 'Send me a code' }).click()
    await frame.getByLabel('6-digit code').fill(await codeTo(clinic, email))
    await frame.getByRole('button', { name: 'Book this visit' }).click()
    await expect(frame.getByRole('heading', { name: 'Your visit is booked' })).toBeVisible()
    await expect(frame.getByRole('link', { name: 'COVID-19 screening' }).first()).toHaveAttribute('target', '_blank')
    // The frame is as high as what it shows, and nothing was stored for either site.
    const height = await frame.locator('body').evaluate((body) => body.getBoundingClientRect().height)
    await expect.poll(() => page.locator('iframe').evaluate((element) => element.clientHeight)).toBe(height)
    expect(await page.context().cookies()).toEqual([])
    expect(problems).toEqual([])
    const [contact] = await clinic.rows<{ attribution: object }>(
      "select first_attribution as attribution from contacts where email = 'embedded@mail.example'",
    )
    expect(contact!.attribution).toMatchObject({ source: 'website', utmCampaign: 'autumn', landingPage: `${site}/?utm_campaign=autumn` })

    // Elsewhere it is not shown.
    const other = await browser.newPage({ baseURL: clinic.url })
    const response = await other.goto('/book')
    expect(response!.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
    await other.close()
    await page.close()
    await booking.stop()
    await new Promise((resolve) => website.close(resolve))
  },
)

test('the booking page can be used with the keyboard alone, and each step meets the rules that axe checks, in both themes (issue 29)', async ({
  browser,
  clinic,
}) => {
  await addVisits(clinic)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, baseURL: clinic.url })
    await page.goto('/book')
    const visit = page.getByRole('button', { name: /^Consult/ })
    await expect(visit).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await visit.focus()
    await page.keyboard.press('Enter')
    const day = page.locator('[data-day][aria-pressed="true"]')
    await day.focus()
    const before = await day.getAttribute('data-day')
    await page.keyboard.press('PageDown')
    await expect(page.locator('[data-day]:focus')).not.toHaveAttribute('data-day', before!)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('grid')).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.close()
  }
})
