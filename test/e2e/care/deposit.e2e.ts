import type { Page } from '@playwright/test'
import { codeOf } from '../../portal.ts'
import { dayFromNow, fetchJson } from '../pages/appointments.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

/** A visit with a deposit of $75.00, a late fee of $50.00 and a no-show fee of $100.00, which is free to change until it begins by default. @returns its id. */
async function addPaidVisit(
  clinic: Clinic,
  given: { kind?: 'amount' | 'card'; changeHours?: number; noticeHours?: number } = {},
): Promise<string> {
  const { kind = 'amount', changeHours = 0, noticeHours = 0 } = given
  const [made] = await clinic.rows<{ id: string }>(
    `with added as (
       insert into visit_types (name, name_fr, type, minutes, is_online, change_hours, notice_hours, price_cents, deposit_kind, deposit_cents, late_fee_cents, no_show_fee_cents,
         created_at, updated_at)
       values ('Paid visit ' || gen_random_uuid(), 'Visite payée', 'consult', 45, true, $2, $3, 15000, $1, case when $1 = 'amount' then 7500 end, 5000, 10000, now(), now())
       returning id
     ), people as (
       insert into visit_type_people (visit_type_id, part, profile_id)
       select added.id, 'provider', profiles.id from added join profiles on email = 'provider@refyne.example'
     )
     select id from added`,
    [kind, changeHours, noticeHours],
  )
  return made!.id
}

async function codeTo(clinic: Clinic, email: string): Promise<string> {
  const latest = () => clinic.outbox.messages.map(({ To, Subject = '' }) => (To === email ? codeOf(Subject) : '')).find(Boolean)
  await expect.poll(latest).toBeTruthy()
  return latest()!
}

/** Types a card into Stripe's form. */
async function typeCard(page: Page, number: string): Promise<void> {
  const form = page.frameLocator('iframe')
  await form.locator('[name=number]').fill(number)
  await form.locator('[name=expiry]').fill('12 / 40')
  await form.locator('[name=cvc]').fill('123')
}

/** Books a visit in English with a card, as far as it is booked. @returns the path of its link. */
async function bookPaid(page: Page, clinic: Clinic, visitId: string, email: string, action: RegExp): Promise<string> {
  await page.goto(`/book?visit=${visitId}&language=en`)
  await page
    .getByRole('group')
    .getByRole('button', { name: /\d:\d\d/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lindqvist')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('6-digit code').fill(await codeTo(clinic, email))
  await page.getByRole('checkbox', { name: 'I have read this and agree.' }).check()
  await page.getByRole('button', { name: 'Continue to card details' }).click()
  await typeCard(page, '4242424242424242')
  await page.getByRole('button', { name: action }).click()
  await expect(page.getByRole('heading', { name: 'Your visit is booked' })).toBeVisible()
  return (await page.getByRole('link', { name: /cancel/ }).getAttribute('href'))!
}

test(
  'a patient books with a deposit in French on a phone, after a declined card, and gets it back when cancelling in time (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic }) => {
    const visitId = await addPaidVisit(clinic)
    const phone = await browser.newPage({ viewport: { width: 375, height: 812 }, locale: 'fr-CA', baseURL: clinic.url })
    await phone.goto(`/book?visit=${visitId}`)
    await expect(phone.getByText(/· Acompte de 75,00\s\$ à la réservation/)).toBeVisible()
    await phone
      .getByRole('group')
      .getByRole('button', { name: /\d h \d\d/ })
      .last()
      .click()
    await phone.getByRole('button', { name: 'Continuer' }).click()
    const email = 'jeanne@mail.example'
    await phone.getByLabel('Prénom').fill('Jeanne')
    await phone.getByLabel('Nom', { exact: true }).fill('Côté')
    await phone.getByLabel('Courriel').fill(email)
    await phone.getByRole('button', { name: 'M’envoyer un code' }).click()
    await phone.getByLabel('Code à 6 chiffres').fill(await codeTo(clinic, email))
    // The terms have to be accepted.
    await phone.getByRole('button', { name: 'Continuer vers la carte' }).click()
    await expect(phone.getByText('Veuillez confirmer que vous acceptez.')).toBeVisible()
    expect(await accessibilityViolations(phone)).toEqual([])
    await phone.getByRole('checkbox').check()
    await phone.getByRole('button', { name: 'Continuer vers la carte' }).click()
    await typeCard(phone, '4000000000009995')
    const pay = phone.getByRole('button', { name: 'Payer 75,00 $ et réserver' })
    await pay.click()
    await expect(phone.getByText(/fonds insuffisants/)).toBeVisible()
    await typeCard(phone, '4242424242424242')
    await pay.dblclick()
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est pris' })).toBeVisible()
    const paid = await clinic.rows(
      `select card_payments.status, amount_cents::int as cents from card_payments join contacts on contacts.id = contact_id where email = $1`,
      [email],
    )
    expect(paid).toEqual([{ status: 'paid', cents: 7_500 }])

    await phone.goto((await phone.getByRole('link', { name: 'Déplacer ou annuler ce rendez-vous' }).getAttribute('href'))!)
    await phone.getByRole('button', { name: 'Annuler le rendez-vous', exact: true }).click()
    await expect(phone.getByText('Votre acompte de 75,00 $ est remboursé sur votre carte.')).toBeVisible()
    await phone.getByRole('button', { name: 'Annuler le rendez-vous' }).click()
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est annulé' })).toBeVisible()
    await expect
      .poll(() =>
        clinic.rows(
          `select card_refunds.status, card_refunds.amount_cents::int as cents from card_refunds join card_payments on card_payments.id = payment_id
           join contacts on contacts.id = contact_id where email = $1`,
          [email],
        ),
      )
      .toEqual([{ status: 'done', cents: 7_500 }])
    await phone.close()
  },
)

test(
  'a patient who waited says yes to an offer, reads its terms, pays the deposit and is booked, in French on a phone (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic, open }) => {
    const visitId = await addPaidVisit(clinic)
    const desk = await open('frontdesk', '/tasks')
    const email = `${crypto.randomUUID()}@mail.example`
    const { id: contactId } = await fetchJson<{ id: string }>(desk, '/contacts', { firstName: 'Odile', lastName: 'Roy', email })
    const { days } = await fetchJson<{ days: { starts: string[] }[] }>(
      desk,
      `/booking/openings?visitTypeId=${visitId}&from=${dayFromNow(7)}&days=14`,
    )
    const times = { weekdays: [], dayParts: [], fromDay: dayFromNow(1), toDay: dayFromNow(30) }
    const entry = await fetchJson<{ id: string }>(desk, '/waiting-list', { contactId, visitTypeId: visitId, ...times })
    await fetchJson(desk, `/waiting-list/${entry.id}/offers`, { id: entry.id, startsAt: days[0]!.starts[0] })
    const link = () =>
      clinic.outbox.messages.map(({ To, TextBody = '' }) => (To === email ? /\/offer\/[\w~-]+/.exec(TextBody)?.[0] : '')).find(Boolean)
    await expect.poll(link).toBeTruthy()
    const phone = await browser.newPage({ viewport: { width: 375, height: 812 }, locale: 'fr-CA', baseURL: clinic.url })
    await phone.goto(link()!)
    // Someone else began a booking in this tab.
    const draft = JSON.stringify({ person: { firstName: 'Max', lastName: 'Roy', email: 'max@mail.example', phone: '' } })
    await phone.evaluate((stored) => sessionStorage.setItem('refyne.booking', stored), draft)
    await expect(phone.getByText(/Un acompte de 75,00\s\$ est demandé à la réservation/)).toBeVisible()
    expect(await accessibilityViolations(phone)).toEqual([])
    // To leave the list is asked first.
    await phone.getByRole('button', { name: 'Retirez-moi de la liste' }).click()
    await phone.getByRole('button', { name: 'Rester sur la liste' }).click()
    await phone.getByRole('link', { name: 'Oui, continuer' }).click()
    await expect(phone.getByText(/Réservé pour vous encore \d+ minutes/)).toBeVisible()
    await expect(phone.getByRole('button', { name: 'Choisir une autre heure' })).toHaveCount(0)
    await phone.getByRole('checkbox').check()
    await phone.getByRole('button', { name: 'Continuer vers la carte' }).click()
    await typeCard(phone, '4242424242424242')
    await phone.getByRole('button', { name: 'Payer 75,00 $ et réserver' }).click()
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est pris' })).toBeVisible()
    await expect(phone.getByText('Nous vous enverrons les détails.')).toBeVisible()
    await phone.goto(link()!)
    await expect(phone.getByRole('heading', { name: 'Votre rendez-vous est pris' })).toBeVisible()
    await phone.close()
    const paid = await clinic.rows('select status, amount_cents::int as cents from card_payments where contact_id = $1', [contactId])
    expect(paid).toEqual([{ status: 'paid', cents: 7_500 }])
  },
)

test(
  'a patient who cancels late sees the fee first, pays it from the deposit, and cannot move the visit (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic, open }) => {
    // In another week, so that the link to it has to say which.
    const visitId = await addPaidVisit(clinic, { changeHours: 720, noticeHours: 192 })
    const page = await browser.newPage({ baseURL: clinic.url })
    const email = 'late@mail.example'
    await page.goto(await bookPaid(page, clinic, visitId, email, /^Pay \$75\.00/))
    await expect(
      page.getByText('It is soon, so it can no longer be moved online. If you cancel it, there is a fee of $50.00.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Choose another time' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Cancel appointment', exact: true }).click()
    await expect(page.getByText('There is a fee of $50.00 for cancelling this late')).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel the appointment' }).click()
    await expect(page.getByRole('heading', { name: 'Your appointment is cancelled' })).toBeVisible()
    await expect(page.getByText(/^You paid a deposit of \$75\.00 .* fee of \$50\.00 for cancelling late/)).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await expect(page.getByRole('link', { name: 'Book another time' })).toHaveAttribute('href', `/book?visit=${visitId}&language=en`)
    await page.close()
    const [visit] = await clinic.rows<{ id: string }>(
      'select appointments.id from appointments join contacts on contacts.id = contact_id where email = $1',
      [email],
    )
    const desk = await open('frontdesk', `/appointments?appointment=${visit!.id}`)
    await expect(desk).toHaveURL(/[?&]day=\d/)
    const drawer = desk.getByRole('dialog')
    await expect(drawer.getByText('Late cancellation fee')).toBeVisible()
    await expect(drawer.getByText('Paid', { exact: true })).toBeVisible()
  },
)

test('a patient reads what a new time costs before moving a visit, and another tab says that it was cancelled since (issue 29)', async ({
  browser,
  clinic,
}) => {
  // Booked more than eleven days ahead, it is free to change until ten days before.
  const visitId = await addPaidVisit(clinic, { changeHours: 240, noticeHours: 264 })
  const context = await browser.newContext({ baseURL: clinic.url })
  const page = await context.newPage()
  await page.goto(await bookPaid(page, clinic, visitId, 'mover@mail.example', /^Pay \$75\.00/))
  const notice = page.getByText(/^You can move or cancel it at no charge until .* If you cancel it later, there is a fee of \$50\.00\.$/)
  await expect(notice).toBeVisible()
  await clinic.rows('update visit_types set notice_hours = 0 where id = $1', [visitId])
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await expect(page.getByText('Your appointment is confirmed.')).toHaveCount(0)
  await page
    .getByRole('group', { name: /Morning|Afternoon|Evening/ })
    .getByRole('button')
    .first()
    .click()
  await expect(page.getByRole('status').filter({ hasText: 'at no charge until' })).toBeVisible()
  // Further up, what was chosen covers part of the times behind it.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Move it to this time' }).click()
  await expect(notice).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByText(/^You can move or cancel it at no charge until/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel appointment', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel the appointment' }).click()
  await expect(page.getByRole('link', { name: 'Book another time' })).toBeVisible()
  await other.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(other.getByRole('heading', { name: 'Your appointment is cancelled' })).toBeVisible()
  await context.close()
})

test(
  'a no-show fee that an expired card refuses becomes a task, and the patient gets a link to pay (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic, open }) => {
    const visitId = await addPaidVisit(clinic, { kind: 'card' })
    const page = await browser.newPage({ baseURL: clinic.url })
    const email = 'missed@mail.example'
    await bookPaid(page, clinic, visitId, email, /^Leave this card/)
    await page.close()
    const [visit] = await clinic.rows<{ id: string; contact_id: string; method_id: string }>(
      `update appointments set starts_at = now() - interval '2 hours', ends_at = now() - interval '75 minutes' from contacts, saved_cards
       where contacts.id = appointments.contact_id and saved_cards.contact_id = contacts.id and email = $1
       returning appointments.id, appointments.contact_id, method_id`,
      [email],
    )
    clinic.stripe.change(visit!.method_id, { card: { exp_month: 1, exp_year: 2020 } })
    const desk = await open('frontdesk', `/appointments?appointment=${visit!.id}`)
    const drawer = desk.getByRole('dialog')
    await drawer.getByRole('button', { name: 'More actions' }).click()
    await desk.getByRole('menuitem', { name: 'No-show' }).click()
    await expect(drawer.getByText('To decide')).toBeVisible()
    // Not the week behind it, whose height depends on the hour of this test.
    expect(await accessibilityViolations(desk, '[role=dialog]')).toEqual([])
    await drawer.getByRole('button', { name: 'Charge fee' }).click()
    await desk.getByRole('button', { name: 'Charge fee' }).last().click()
    await expect(drawer.getByText('Card refused')).toBeVisible()
    await expect(drawer.getByText('Reason: expired card.')).toBeVisible()
    const books = await open('billing', '/tasks')
    await expect(books.getByText('Collect a fee whose card was refused').first()).toBeVisible()
    await expect.poll(() => clinic.outbox.messages.some(({ To, TextBody }) => To === email && TextBody?.includes('/pay/'))).toBe(true)
  },
)
