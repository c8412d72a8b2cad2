import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, demoPassword, expect, test } from '../support/clinic.ts'
import { unzip } from '../../formats/zip.ts'
import { createPatient } from '../pages/patient.ts'

test.use({ expectedErrors: ['status of 409', 'status of 404', 'status of 403'] })

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog')

async function addFront(staff: Page, clinic: Clinic, contactId: string, timePoint: string, takenOn: string): Promise<string> {
  const headers = { origin: clinic.url }
  const started = await staff.request.post(`/api/contacts/${contactId}/photo-series`, {
    data: { shotList: 'face', timePoint, takenOn },
    headers,
  })
  const { id } = (await started.json()) as { id: string }
  const query = new URLSearchParams({ id: crypto.randomUUID(), view: 'front', takenAt: `${takenOn}T15:00:00Z`, name: 'a.jpg' })
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer()
  const sent = await staff.request.post(`/api/photo-series/${id}/photos?${query}`, {
    data: photo,
    headers: { ...headers, 'content-type': 'image/jpeg' },
  })
  expect(sent.status(), await sent.text()).toBe(201)
  return ((await sent.json()) as { id: string }).id
}

async function use(page: Page, purpose: string): Promise<void> {
  await main(page).getByRole('button', { name: 'Use', exact: true }).click()
  await dialog(page).getByRole('combobox', { name: 'What for' }).click()
  await page.getByRole('option', { name: purpose }).click()
  await dialog(page).getByRole('button', { name: 'Use photos' }).click()
}

test('without a consent photos stay in the chart; with one they are in gallery, feed and link until each is withdrawn (issue 27)', async ({
  open,
  clinic,
  browser,
}) => {
  const page = await open('provider', '/contacts')
  const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'photo-uses@fastmail.example' }, [])
  await addFront(page, clinic, contactId, 'pre_op', '2026-01-15')
  await addFront(page, clinic, contactId, 'week_3', '2026-02-05')
  const admin = await open('admin', '/contacts')
  const headers = { origin: clinic.url }
  const made = await admin.request.post('/api/api-keys', { data: { name: 'Website', scopes: ['gallery:read'], days: 1 }, headers })
  const { token: key } = (await made.json()) as { token: string }
  const feed = async () => {
    const answer = await fetch(`${clinic.url}/api/gallery`, { headers: { authorization: `Bearer ${key}` } })
    return (await answer.json()) as { after: { image: string } }[]
  }

  await page.goto(`/contacts/${contactId}?tab=photos`)
  for (const series of ['3 weeks post-op', 'Pre-op'])
    await main(page)
      .getByRole('checkbox', { name: `Select Front, ${series}` })
      .click()
  await use(page, 'Consult room')
  await expect(dialog(page).getByText('The patient has not consented to this use.')).toBeVisible()
  await page.keyboard.press('Escape')

  await main(page).getByRole('button', { name: 'Consent and use' }).click()
  await page.getByRole('button', { name: 'Record consent' }).click()
  const record = page.getByRole('dialog', { name: 'Record consent' })
  for (const purpose of ['Referral', 'Consult room', 'Website']) await record.getByRole('checkbox', { name: purpose }).check()
  await record.getByLabel('How it was given').fill('Email of today')
  expect(await accessibilityViolations(page)).toEqual([])
  await record.getByRole('button', { name: 'Record consent' }).click()
  await expect(page.getByText('Consented')).toHaveCount(3)
  await page.keyboard.press('Escape')
  for (const purpose of ['Consult room', 'Website']) {
    await use(page, purpose)
    await expect(dialog(page)).toHaveCount(0)
  }
  await main(page).getByRole('button', { name: 'Share', exact: true }).click()
  await dialog(page).getByLabel('Recipient').fill('Dr. Lee')
  await dialog(page).getByLabel('Email').fill('dr-lee@mail.example')
  await dialog(page).getByRole('button', { name: 'Send link' }).click()
  await expect(dialog(page)).toHaveCount(0)
  const mail = () => clinic.outbox.messages.find(({ To }) => To === 'dr-lee@mail.example')?.TextBody ?? ''
  await expect.poll(mail).toContain('/shared-photos#')
  const address = /\/shared-photos#\S+/.exec(mail())![0]

  const sales = await open('sales', '/gallery')
  await main(sales).getByRole('button', { name: 'Open Result, Front' }).click()
  await expect(dialog(sales).getByRole('img', { name: 'After, Front' })).toBeVisible()
  expect(await accessibilityViolations(sales)).toEqual([])
  await sales.keyboard.press('Escape')
  const [pair] = await feed()
  expect((await fetch(clinic.url + new URL(pair!.after.image).pathname)).status).toBe(200)
  const doctor = await (await browser.newContext({ baseURL: clinic.url })).newPage()
  await doctor.goto(address)
  await expect(doctor.getByText('For Dr. Lee, about Ana Lavoie')).toBeVisible()
  await expect(doctor.getByRole('img', { name: 'Front, Pre-op' })).toBeVisible()
  expect(await accessibilityViolations(doctor)).toEqual([])
  await doctor.getByRole('button', { name: 'Français' }).click()
  await expect(doctor.getByText('au sujet de Ana Lavoie')).toBeVisible()
  await expect(doctor.getByRole('img', { name: 'De face, avant l’opération' })).toBeVisible()
  await doctor.getByRole('button', { name: 'English' }).click()

  await main(page).getByRole('button', { name: 'Consent and use' }).click()
  const recordWithdrawal = async (purpose: string) => {
    await page.getByRole('button', { name: `Actions for ${purpose}` }).click()
    await page.getByRole('menuitem', { name: 'Record withdrawal' }).click()
    const withdraw = page.getByRole('dialog', { name: 'Record withdrawal of this consent?' })
    await withdraw.getByLabel('By whom').fill('Ana, by phone')
    await withdraw.getByRole('button', { name: 'Record withdrawal' }).click()
    await expect(withdraw).toHaveCount(0)
  }
  await recordWithdrawal('Website')
  await expect(page.getByText('Withdrawn', { exact: true })).toHaveCount(1)
  expect([await feed(), (await fetch(clinic.url + new URL(pair!.after.image).pathname)).status]).toEqual([[], 404])
  await expect(main(sales).getByRole('button', { name: 'Open Result, Front' })).toBeVisible()
  await doctor.reload()
  await doctor.getByRole('button', { name: 'Enlarge Front, Pre-op' }).click()
  await expect(dialog(doctor).getByRole('img', { name: 'Front, Pre-op' })).toBeVisible()
  await doctor.keyboard.press('ArrowRight')
  await expect(dialog(doctor).getByRole('img', { name: 'Front, 3 weeks post-op' })).toBeVisible()
  expect(await accessibilityViolations(doctor)).toEqual([])
  await doctor.keyboard.press('Escape')
  for (const purpose of ['Consult room', 'Referral']) await recordWithdrawal(purpose)
  await expect(main(sales).getByText('No results yet')).toBeVisible()
  await doctor.reload()
  await expect(doctor.getByText('This link has ended or is not complete.')).toBeVisible()
})

test('several photos are downloaded with a reason and the password, and those without a consent are named and stay (issue 27)', async ({
  open,
  clinic,
}) => {
  const page = await open('provider', '/contacts')
  const contactId = await createPatient(page, clinic, { firstName: 'Mia', email: 'photo-download@fastmail.example' }, [])
  const before = await addFront(page, clinic, contactId, 'pre_op', '2026-01-15')
  await addFront(page, clinic, contactId, 'week_3', '2026-02-05')
  const recorded = await page.request.post(`/api/contacts/${contactId}/photo-consents`, {
    data: { purposes: ['referral'], photoIds: [before], givenOn: '2026-01-15', note: 'Email' },
    headers: { origin: clinic.url },
  })
  expect(recorded.status(), await recorded.text()).toBe(200)
  await clinic.rows(
    "update sessions set proven_at = now() - interval '6 minutes' where user_id = (select id from profiles where email = 'provider@refyne.example')",
  )

  await page.goto(`/contacts/${contactId}?tab=photos`)
  for (const series of ['3 weeks post-op', 'Pre-op'])
    await main(page)
      .getByRole('checkbox', { name: `Select Front, ${series}` })
      .click()
  await main(page).getByRole('button', { name: 'Download', exact: true }).click()
  const download = page.getByRole('dialog', { name: 'Download 2 photos' })
  await download.getByRole('button', { name: 'Download 2 photos' }).click()
  await expect(download.getByText('Enter the reason')).toBeVisible()
  await download.getByRole('combobox', { name: 'What for' }).click()
  await page.getByRole('option', { name: 'Referral' }).click()
  await download.getByLabel('Reason').fill('Second opinion')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  const proof = page.getByRole('dialog', { name: 'Enter your password to download these photos' })
  await proof.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(download.getByText('1 photo may not be downloaded for this purpose.')).toBeVisible()
  await expect(download.getByText('Front, 3 weeks post-op')).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await download.getByRole('button', { name: 'Download the other 1 photo' }).click()
  const zip = await saved
  expect(zip.suggestedFilename()).toMatch(/^Mia .*photos.*\.zip$/)
  expect([...(await unzip(await readFile(await zip.path()))).keys()]).toEqual(['Front 2026-01-15.jpg'])
  await expect(download).toHaveCount(0)

  // A download that is still running is cancelled by its own button.
  await page.route('**/photos.zip', () => undefined)
  await main(page).getByRole('button', { name: 'Actions for Pre-op' }).click()
  await page.getByRole('menuitem', { name: 'Download series' }).click()
  const series = page.getByRole('dialog', { name: 'Download 1 photo' })
  await series.getByRole('combobox', { name: 'What for' }).click()
  await page.getByRole('option', { name: 'The patient asked for it' }).click()
  await series.getByLabel('Reason').fill('By phone')
  await page.keyboard.press('Enter')
  await expect(series.getByRole('button', { name: 'Downloading…' })).toBeVisible()
  await series.getByRole('button', { name: 'Cancel' }).click()
  await expect(series).toHaveCount(0)

  const admin = await open('admin', '/tasks')
  await expect(main(admin).getByText('Check a download of photos').first()).toBeVisible()
})
