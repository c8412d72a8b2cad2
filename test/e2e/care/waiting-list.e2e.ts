import type { Page } from '@playwright/test'
import { instantOf } from '../../../src/shared/zoned-time.ts'
import { codeOf } from '../../portal.ts'
import { choosePatient, dialog, fetchJson, fullName, getProvider, timeZone, toastMessage, unusedMonday } from '../pages/appointments.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

interface Patient {
  id: string
  firstName: string
  lastName: string
  email: string
}

/** A visit of 45 minutes whose provider works only then, on one day. */
async function addScarceVisit(page: Page, day: string): Promise<{ id: string; name: string }> {
  const provider = await getProvider(page)
  const visit = await fetchJson<{ id: string; name: string }>(page, '/visit-types', {
    name: `Consult ${crypto.randomUUID().slice(0, 6)}`,
    nameFr: null,
    description: null,
    descriptionFr: null,
    type: 'consult',
    minutes: 45,
    bufferBefore: 0,
    bufferAfter: 0,
    noticeHours: 0,
    horizonDays: 365,
    changeHours: 24,
    maxPerDay: null,
    patients: 'all',
    isOnline: true,
    providerIds: [provider.id],
    secondIds: [],
    roomIds: [],
  })
  const weekly = [{ weekday: 1, opens: '10:00', closes: '10:45', fromDay: day, toDay: day }]
  const set = await page.request.put(`/api/staff-hours/${provider.id}`, { data: { id: provider.id, weekly } })
  expect(set.ok(), await set.text()).toBe(true)
  return visit
}

const addPatient = (page: Page) =>
  fetchJson<Patient>(page, '/contacts', {
    firstName: 'Odile',
    lastName: `Arsenault-${crypto.randomUUID().slice(0, 8)}`,
    email: `${crypto.randomUUID()}@mail.example`,
  })

async function offerTo(clinic: Clinic, { email }: Patient): Promise<string> {
  const found = () =>
    clinic.outbox.messages.map(({ To, TextBody = '' }) => (To === email ? /\/offer\/[\w~-]+/.exec(TextBody)?.[0] : '')).find(Boolean)
  await expect.poll(found).toBeTruthy()
  return found()!
}

test.afterEach(async ({ clinic }) => {
  clinic.setClock(null)
  await clinic.rows('update visit_types set is_active = false')
  await clinic.rows('delete from staff_hours')
})

test(
  'staff offer a gap to two patients who wait, the first says yes by the link and is booked, and the second reads that it is gone (issue 29)',
  { tag: '@journey' },
  async ({ browser, clinic, open }) => {
    const monday = unusedMonday()
    // So soon before it that staff make the offers, and not the job.
    clinic.setClock(instantOf({ day: monday, time: '09:00' }, timeZone))
    const [admin, desk] = [await open('admin', '/tasks'), await open('frontdesk', '/tasks')]
    const visit = await addScarceVisit(admin, monday)
    const [ana, bea] = [await addPatient(desk), await addPatient(desk)]

    // One is added while a time is looked for, the other one on the page.
    await desk.goto(`/appointments?view=day&day=${monday}`)
    await desk.getByRole('button', { name: 'Book appointment' }).click()
    const booking = dialog(desk, 'Book appointment')
    await booking.getByRole('combobox', { name: 'Visit' }).click()
    await desk.getByRole('option', { name: visit.name }).click()
    await choosePatient(desk, fullName(ana))
    await booking.getByRole('button', { name: 'No time suits? Add to waiting list' }).click()
    const adding = dialog(desk, 'Add to waiting list')
    const chooseDay = async () => {
      await adding.getByLabel('From').fill(monday)
      await adding.getByLabel('Until').fill(monday)
    }
    await chooseDay()
    await adding.getByRole('button', { name: 'Add to waiting list' }).click()
    await expect(toastMessage(desk, `${fullName(ana)} is on the waiting list`)).toBeVisible()
    await desk.getByRole('link', { name: 'Waiting list' }).click()
    await desk.getByRole('button', { name: 'Add to waiting list' }).click()
    await choosePatient(desk, fullName(bea))
    await adding.getByRole('combobox', { name: 'Visit' }).click()
    await desk.getByRole('option', { name: visit.name }).click()
    await chooseDay()
    await adding.getByLabel('Mornings').check()
    await adding.getByRole('button', { name: 'Add to waiting list' }).click()
    const list = desk.getByRole('list', { name: 'Waiting list' })
    await expect(list.getByRole('listitem').filter({ hasText: fullName(bea) })).toContainText('Any day · mornings')
    expect(await accessibilityViolations(desk)).toEqual([])

    await desk.goto(`/appointments?view=day&day=${monday}`)
    await desk.getByRole('button', { name: /10:00 – 10:45 a\.m\..*2 on the waiting list fit/ }).click()
    for (const patient of [ana, bea]) {
      await desk.getByRole('button', { name: `Offer 10:00 a.m. to ${fullName(patient)}` }).click()
      await expect(toastMessage(desk, `is offered to ${fullName(patient)}`)).toBeVisible()
    }
    expect(await accessibilityViolations(desk)).toEqual([])

    const phone = await browser.newPage({ viewport: { width: 375, height: 812 }, baseURL: clinic.url })
    const [toAna, toBea] = [await offerTo(clinic, ana), await offerTo(clinic, bea)]
    await phone.goto(toAna)
    await expect(phone.getByRole('heading', { name: 'A time is free for you' })).toBeVisible()
    expect(await accessibilityViolations(phone)).toEqual([])
    await phone.getByRole('button', { name: 'Yes, book it' }).click()
    await expect(phone.getByRole('heading', { name: 'Your visit is booked' })).toBeFocused()
    await phone.goto(toBea)
    await expect(phone.getByRole('heading', { name: 'This time is gone' })).toBeVisible()
    await expect(phone.getByText(/^Someone else was faster, .* You stay on the waiting list\./)).toBeVisible()
    await phone.close()

    await desk.goto(`/appointments?view=day&day=${monday}`)
    await expect(desk.locator('[data-calendar]').getByRole('button', { name: fullName(ana) })).toContainText('10:00 – 10:45 a.m.')
    await desk.goto('/appointments/waiting-list')
    await expect(list.getByText(fullName(bea))).toBeVisible()
    await expect(list.getByText(fullName(ana))).toHaveCount(0)
  },
)

test('a patient for whom no time suits joins the waiting list in French on a phone, once a code has proved the address (issue 29)', async ({
  browser,
  clinic,
  open,
}) => {
  const admin = await open('admin', '/tasks')
  const visit = await addScarceVisit(admin, unusedMonday())
  const phone = await browser.newPage({ viewport: { width: 375, height: 812 }, locale: 'fr-CA', baseURL: clinic.url })
  await phone.goto(`/book?visit=${visit.id}`)
  await phone.getByRole('button', { name: 'M’inscrire à la liste d’attente' }).click()
  await expect(phone.getByRole('heading', { name: 'Quand cela vous conviendrait-il?' })).toBeFocused()
  await phone.getByLabel('mardi').check()
  await phone.getByLabel('Le matin').check()
  expect(await accessibilityViolations(phone)).toEqual([])
  await phone.getByRole('button', { name: 'Continuer' }).click()
  const email = `${crypto.randomUUID()}@mail.example`
  await phone.getByLabel('Prénom').fill('Amélie')
  await phone.getByLabel('Nom', { exact: true }).fill('Gagné')
  await phone.getByLabel('Courriel').fill(email)
  await phone.getByRole('button', { name: 'M’envoyer un code' }).click()
  const code = () => clinic.outbox.messages.map(({ To, Subject = '' }) => (To === email ? codeOf(Subject) : '')).find(Boolean)
  await expect.poll(code).toBeTruthy()
  await phone.getByLabel('Code à 6 chiffres').fill(code()!)
  await expect(phone.getByRole('heading', { name: 'Vous êtes sur la liste d’attente' })).toBeFocused()
  await expect(phone.getByRole('listitem')).toHaveText(['Mardi', 'Le matin', /^Jusqu’au /])
  const desk = await open('frontdesk', `/appointments/waiting-list?visit=${visit.id}`)
  const entry = desk.getByRole('listitem').filter({ hasText: 'Amélie Gagné' })
  await expect(entry).toContainText('joined online')
  await expect(desk.getByText('Tue · mornings')).toBeVisible()
  const link = () =>
    clinic.outbox.messages.map(({ To, TextBody = '' }) => (To === email ? /\/waiting\/\S+/.exec(TextBody)?.[0] : '')).find(Boolean)
  await expect.poll(link).toBeTruthy()
  await phone.goto(link()!)
  await expect(phone.getByText(/^Vous attendez/)).toBeVisible()
  await expect(phone.getByRole('listitem')).toHaveText(['Mardi', 'Le matin', /^Jusqu’au /])
  expect(await accessibilityViolations(phone)).toEqual([])
  await phone.getByRole('button', { name: 'Quitter la liste d’attente' }).click()
  await expect(phone.getByRole('heading', { name: 'Vous n’êtes plus sur la liste d’attente' })).toBeFocused()
  await expect(entry).toHaveCount(0)
  await phone.close()
})
