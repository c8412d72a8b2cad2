import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { createPatient, download, openHome } from '../pages/patient.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog')

async function addFront(staff: Page, clinic: Clinic, contactId: string, timePoint: string, takenOn: string): Promise<void> {
  const headers = { origin: clinic.url }
  const started = await staff.request.post(`/api/contacts/${contactId}/photo-series`, {
    data: { shotList: 'face', timePoint, takenOn },
    headers,
  })
  const { id } = (await started.json()) as { id: string }
  const query = new URLSearchParams({ id: crypto.randomUUID(), view: 'front', takenAt: `${takenOn}T15:00:00Z`, name: 'a.jpg' })
  const photo = await sharp({
    create: { width: 640, height: 800, channels: 3, background: timePoint === 'pre_op' ? '#886644' : '#446688' },
  })
    .jpeg()
    .toBuffer()
  const sent = await staff.request.post(`/api/photo-series/${id}/photos?${query}`, {
    data: photo,
    headers: { ...headers, 'content-type': 'image/jpeg' },
  })
  expect(sent.status(), await sent.text()).toBe(201)
}

test('a patient opens released photos on a phone in French, until they are taken back (issue 27)', async ({ open, clinic, browser }) => {
  const email = 'photos@fastmail.example'
  const staff = await open('provider', '/contacts')
  const contactId = await createPatient(staff, clinic, { firstName: 'Noémie', email, preferredLanguage: 'fr' }, [])
  await addFront(staff, clinic, contactId, 'pre_op', '2026-01-15')
  await addFront(staff, clinic, contactId, 'month_3', '2026-04-20')

  await staff.goto(`/contacts/${contactId}?tab=photos`)
  for (const series of ['3 months post-op', 'Pre-op'])
    await main(staff)
      .getByRole('checkbox', { name: `Select Front, ${series}` })
      .click()
  await main(staff).getByRole('button', { name: 'Release to portal' }).click()
  const release = staff.getByRole('dialog', { name: 'Release 2 photos to the patient’s portal?' })
  await release.getByRole('checkbox', { name: 'Email the patient that photos are ready' }).check()
  expect(await accessibilityViolations(staff)).toEqual([])
  if (process.env.LOOK) await staff.screenshot({ path: `${process.env.LOOK}/release.png` })
  await release.getByRole('button', { name: 'Release photos' }).click()
  await expect(main(staff).getByText('Patient’s portal')).toHaveCount(2)
  await expect.poll(() => clinic.outbox.messages.find(({ To }) => To === email)?.Subject).toMatch(/^Des photos vous attendent/)

  const phone = await browser.newContext({ baseURL: clinic.url, viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })
  const page = await phone.newPage()
  await openHome(page, clinic, { firstName: 'Noémie', email })
  await page.getByRole('button', { name: /^Vos photos/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Vos photos' })).toBeFocused()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Avant et après', '3 mois après', 'Avant l’intervention'])
  // The pair and each series.
  await expect.poll(() => page.locator('main img').count()).toBe(4)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/portal-photos.png`, fullPage: true })

  await page.getByRole('button', { name: 'Comparer avant et après : De face' }).click()
  await expect(dialog(page).getByRole('img')).toHaveCount(2)
  await expect(dialog(page).getByText('3 mois après, le 20 avr. 2026')).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/portal-pair.png` })
  await page.getByRole('button', { name: 'Fermer' }).click()
  await page.getByRole('button', { name: /^Ouvrir : De face, Avant l’intervention/ }).click()
  const file = await download(page, () =>
    dialog(page)
      .getByRole('button', { name: /^Télécharger/ })
      .click(),
  )
  expect(file.name).toBe('2026-01-15 De face.jpg')
  expect(await sharp(file.path).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 800 })
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/portal-photo.png` })
  await page.getByRole('button', { name: 'Photo précédente' }).click()
  await expect(dialog(page).getByRole('img', { name: /3 mois après/ })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByRole('img', { name: /Avant l’intervention/ })).toBeVisible()
  await page.getByRole('button', { name: 'Fermer' }).click()

  await main(staff).getByRole('button', { name: 'Open Front, Pre-op' }).click()
  await expect(dialog(staff).getByText(/In the patient’s portal since/)).toBeVisible()
  if (process.env.LOOK) await staff.screenshot({ path: `${process.env.LOOK}/viewer.png` })
  const inMenu = async (name: string) => {
    await dialog(staff).getByRole('button', { name: 'More actions' }).click()
    await staff.getByRole('menuitem', { name }).click()
  }
  await inMenu('Take back from portal')
  await expect(dialog(staff).getByText(/In the patient’s portal since/)).toHaveCount(0)
  await inMenu('Release to portal')
  await staff
    .getByRole('dialog', { name: 'Release 1 photo to the patient’s portal?' })
    .getByRole('button', { name: 'Release photo' })
    .click()
  await expect(dialog(staff).getByText(/In the patient’s portal since/)).toBeVisible()
  await staff.keyboard.press('Escape')
  await main(staff).getByRole('button', { name: 'Take back from portal' }).click()
  await expect(main(staff).getByText('Patient’s portal')).toHaveCount(0)
  await page.getByRole('button', { name: 'Accueil' }).click()
  await expect(page.getByRole('button', { name: /^Documents/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Vos photos/ })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('Aucune photo pour le moment.')).toBeVisible()
})
