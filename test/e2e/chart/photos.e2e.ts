import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { filmCamera } from '../support/camera.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { createPatient } from '../pages/patient.ts'

const picture = (background: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .jpeg()
    .toBuffer()
const filmed = await filmCamera([await picture('#7a5c48'), await picture('#8a6c58')])
test.use({ launchOptions: filmed.launchOptions })
/** A photo as a camera stores it. */
const takenAt = (time: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#668844' } })
    .withExif({ IFD2: { DateTimeOriginal: time } })
    .jpeg()
    .toBuffer()
test.afterAll(filmed.end)

const main = (page: Page) => page.getByRole('main')
const tab = (id: string) => `/contacts/${id}?tab=photos`

/** A pre-op series of a patient, with photos of these views. */
async function addSeries(staff: Page, clinic: Clinic, contactId: string, views: readonly string[], timePoint = 'pre_op'): Promise<string> {
  const headers = { origin: clinic.url }
  const takenOn = timePoint === 'pre_op' ? '2026-01-15' : '2026-02-05'
  const started = await staff.request.post(`/api/contacts/${contactId}/photo-series`, {
    data: { shotList: 'face', timePoint, takenOn },
    headers,
  })
  const { id } = (await started.json()) as { id: string }
  for (const view of views) {
    const query = new URLSearchParams({ id: crypto.randomUUID(), view, takenAt: `${takenOn}T15:00:00Z`, name: 'a.jpg' })
    const sent = await staff.request.post(`/api/photo-series/${id}/photos?${query}`, {
      data: await picture('#446688'),
      headers: { ...headers, 'content-type': 'image/jpeg' },
    })
    expect(sent.status(), await sent.text()).toBe(201)
  }
  return id
}

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    permissions: ['camera'],
    expectedErrors: ['ERR_INTERNET_DISCONNECTED', 'ERR_CONNECTION_REFUSED', 'Failed to load resource'],
  })

  test('five views are taken over the earlier photos; the network is cut and the server stopped in between, and each is there once (issue 27) @journey', async ({
    page,
    open,
    clinic,
  }) => {
    const staff = await open('provider', '/contacts')
    const contactId = await createPatient(staff, clinic, { firstName: 'Ana', email: 'photos@fastmail.example' }, [])
    await addSeries(staff, clinic, contactId, ['front', 'left_oblique'])
    let server = await clinic.startWith(() => ({}))
    const port = new URL(server.url).port
    await page
      .context()
      .addCookies((await staff.context().cookies()).map(({ domain: _, path: __, ...cookie }) => ({ ...cookie, url: server.url })))
    await page.goto(`${server.url}${tab(contactId)}`)
    await main(page).getByRole('button', { name: 'Start series' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start series' }).click()
    await expect(dialog.getByText('Choose when the photos are taken')).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Time' }).click()
    await page.getByRole('option', { name: '3 weeks post-op' }).click()
    await dialog.getByRole('button', { name: 'Start series' }).click()
    await expect(main(page).getByRole('heading', { name: '3 weeks post-op' })).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])

    await main(page).getByRole('button', { name: 'Take photos' }).click()
    const camera = page.getByRole('dialog')
    const shutter = (view: string) => camera.getByRole('button', { name: `Take ${view}`, exact: true })
    const taken = (view: string) => camera.getByRole('button', { name: `${view}, taken` })
    // The earlier photo of the view lies over the picture.
    await expect(camera.getByRole('slider', { name: 'Earlier photo' })).toHaveValue('40')
    await shutter('Front').click()
    await expect(taken('Front')).toBeVisible()
    await expect(camera.getByText('view 2 of 5')).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await shutter('Left oblique').click()
    await expect(taken('Left oblique')).toBeVisible()
    await expect(camera.getByText('waiting')).toHaveCount(0)
    await expect(camera.getByRole('slider', { name: 'Earlier photo' })).toHaveCount(0)

    await page.context().setOffline(true)
    await shutter('Left profile').click()
    await expect(taken('Left profile')).toBeVisible()
    await expect(camera.getByText('1 waiting')).toBeVisible()
    await page.context().setOffline(false)
    await expect(camera.getByText('waiting')).toHaveCount(0)

    await server.stop()
    await shutter('Right oblique').click()
    await expect(camera.getByText('view 5 of 5')).toBeVisible()
    await page.keyboard.press(' ')
    await expect(camera.getByText('2 waiting')).toBeVisible()
    // What waits is unreadable in the browser.
    const kept = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('refyne-photos', 1)
          opening.addEventListener('success', () => {
            const all = opening.result.transaction('waiting').objectStore('waiting').getAll()
            all.addEventListener('success', () =>
              resolve(
                JSON.stringify((all.result as { sealed: ArrayBuffer }[]).map(({ sealed }) => new TextDecoder('latin1').decode(sealed))),
              ),
            )
          })
        }),
    )
    expect([kept.length > 1000, kept.includes('JFIF'), kept.includes(contactId)]).toEqual([true, false, false])
    server = await clinic.startWith(() => ({ PORT: port, APP_URL: `http://localhost:${port}` }))
    await expect(camera.getByText('waiting')).toHaveCount(0, { timeout: 40_000 })
    await camera.getByRole('button', { name: 'Close' }).click()
    await expect(main(page).getByText('Complete')).toBeVisible()
    const rows = await clinic.rows<{ view: string; n: number }>(
      `select view, count(*)::int as n from photos join photo_series as series on series.id = series_id
       where photos.contact_id = $1 and time_point = 'week_3' group by view order by view`,
      [contactId],
    )
    expect(rows).toEqual(['front', 'left_oblique', 'left_profile', 'right_oblique', 'right_profile'].map((view) => ({ view, n: 1 })))
    await server.stop()
  })

  test('an outline and the level help to take a view; of a burst only the chosen photos are kept (issue 27)', async ({ open, clinic }) => {
    const page = await open('provider', '/contacts')
    const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'photo-burst@fastmail.example' }, [])
    await addSeries(page, clinic, contactId, [])
    await page.goto(tab(contactId))
    await main(page).getByRole('button', { name: 'Take photos' }).click()
    const camera = page.getByRole('dialog')
    const outline = camera.locator('path[stroke-dasharray]')
    await expect(outline).toBeVisible()
    await camera.getByRole('button', { name: 'Grid and outline' }).click()
    await expect(outline).toHaveCount(0)
    const hold = (x: number, y: number) =>
      page.evaluate((felt) => dispatchEvent(new DeviceMotionEvent('devicemotion', { accelerationIncludingGravity: { ...felt, z: 0 } })), {
        x,
        y,
      })
    await hold(-2, 9.6)
    await expect(camera.getByText('Turn the device a little to the left')).toBeVisible()
    await hold(0, 9.8)
    await expect(camera.getByText('Turn the device')).toHaveCount(0)

    await camera.getByRole('button', { name: 'Burst of 5' }).click()
    const shutter = camera.getByRole('button', { name: 'Take Front', exact: true })
    await shutter.click()
    const burst = camera.getByRole('group', { name: 'Photos of the burst' })
    await expect(burst.getByRole('listitem')).toHaveCount(5)
    await expect(burst.getByRole('button', { pressed: true })).toHaveAccessibleName(/the sharpest/)
    await expect(burst.getByRole('button', { pressed: true })).toBeFocused()
    expect(await accessibilityViolations(page)).toEqual([])
    await burst.getByRole('button', { name: 'Take again' }).click()
    await expect(burst).toHaveCount(0)
    await shutter.click()
    await burst.getByRole('button', { pressed: false }).first().click()
    await burst.getByRole('button', { name: 'Keep 2 photos' }).click()
    await expect(camera.getByRole('button', { name: 'Front, taken' })).toBeVisible()
    await expect(camera.getByText('view 2 of 5')).toBeVisible()
    await expect(camera.getByText('waiting')).toHaveCount(0)
    const rows = await clinic.rows<{ view: string }>('select view from photos where contact_id = $1', [contactId])
    expect(rows).toEqual([{ view: 'front' }, { view: 'front' }])
  })
})

test('photos are added as files, opened by keyboard, named, deleted with undo, and compared by mouse and keyboard (issue 27)', async ({
  open,
  clinic,
}) => {
  const page = await open('provider', '/contacts')
  const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'photo-files@fastmail.example' }, [])
  await addSeries(page, clinic, contactId, ['front'])
  await addSeries(page, clinic, contactId, ['front'], 'week_3')
  await page.goto(tab(contactId))
  const preOp = main(page).getByRole('region', { name: /^Pre-op/ })
  await expect(preOp.getByText('1 of 5 views')).toBeVisible()
  const file = { name: 'side.jpg', mimeType: 'image/jpeg', buffer: await takenAt('2026:01:15 10:04:05') }
  const later = { ...file, name: 'a later one.jpg', buffer: await takenAt('2026:01:15 10:05:00') }
  await preOp.getByLabel('Photos for Pre-op').setInputFiles([later, file, { ...file, name: 'DSC_1.NEF' }])
  await expect(preOp.getByRole('button', { name: 'Open Left oblique, Pre-op' })).toBeVisible()
  // In the order in which the camera took them, whatever the order of the files.
  await expect(preOp.getByRole('button', { name: 'Open Left profile, Pre-op' })).toBeVisible()
  expect(
    await clinic.rows('select view, taken_at from photos where contact_id = $1 and view like $2 order by view', [contactId, 'left%']),
  ).toEqual([
    { view: 'left_oblique', taken_at: new Date('2026-01-15T15:04:05Z') },
    { view: 'left_profile', taken_at: new Date('2026-01-15T15:05:00Z') },
  ])
  await expect(main(page).getByText('Refyne does not read raw files of cameras.')).toBeVisible()
  await main(page).getByRole('button', { name: 'Dismiss DSC_1.NEF' }).click()

  await preOp.getByRole('button', { name: 'Open Left oblique, Pre-op' }).focus()
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog', { name: 'Left oblique, Pre-op' })
  await expect(viewer.getByRole('img', { name: 'Left oblique, Pre-op' })).toBeVisible()
  await expect(viewer.getByText(/^Ana Lavoie/)).toBeVisible()
  await viewer.getByRole('combobox', { name: 'View' }).click()
  await page.getByRole('option', { name: 'Right profile' }).click()
  const named = page.getByRole('dialog', { name: 'Right profile, Pre-op' })
  await named.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.keyboard.press('Escape')
  await expect(preOp.getByRole('button', { name: 'Open Right profile, Pre-op' })).toBeVisible()

  await main(page).getByRole('checkbox', { name: 'Select Front, Pre-op' }).click()
  await main(page).getByRole('button', { name: 'Open Front, 3 weeks post-op' }).focus()
  await page.keyboard.press('x')
  await expect(main(page).getByText('2 selected')).toBeVisible()
  await main(page).getByRole('button', { name: 'Compare' }).click()
  const compare = page.getByRole('dialog')
  await expect(compare.getByRole('region', { name: 'May be used for' })).toContainText('Website')
  await expect(compare.getByText('No consent').first()).toBeVisible()
  const divider = compare.getByRole('slider', { name: 'Line between the photos' })
  await divider.focus()
  await page.keyboard.press('ArrowRight')
  await expect(divider).toHaveAttribute('aria-valuenow', '52')
  const box = (await divider.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  const frame = (await compare.locator('[data-frame]').first().boundingBox())!
  await page.mouse.move(frame.x + frame.width / 4, 400, { steps: 4 })
  await page.mouse.up()
  await expect(divider).toHaveAttribute('aria-valuenow', '25')
  expect(await accessibilityViolations(page)).toEqual([])

  const photos = compare.locator('[data-frame]').first()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect(compare.getByText('156%')).toBeVisible()
  await page.keyboard.press('0')
  await expect(compare.getByText('100%')).toBeVisible()
  await compare.getByRole('radio', { name: 'Overlay' }).click()
  await expect(compare.getByRole('slider', { name: 'Later photo' })).toHaveValue('50')
  await compare.getByRole('button', { name: 'Align' }).click()
  for (const [x, y] of [
    [600, 300],
    [800, 300],
    [620, 320],
    [780, 330],
  ] as const)
    await photos.click({ position: { x, y } })
  await expect(compare.getByRole('button', { name: 'Undo aligning' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(compare).toHaveCount(0)
})

test('the front desk takes photos and sees none; sales see no photos at all (issue 27)', async ({ open, clinic }) => {
  const provider = await open('provider', '/contacts')
  const contactId = await createPatient(provider, clinic, { firstName: 'Ana', email: 'photo-desk@fastmail.example' }, [])
  await addSeries(provider, clinic, contactId, ['front'])
  const desk = await open('frontdesk', tab(contactId))
  const list = main(desk).getByRole('list', { name: 'Series of photos' })
  await expect(list.getByText('Left oblique not taken')).toBeVisible()
  await expect(main(desk).getByRole('img', { name: /Front/ })).toHaveCount(0)
  expect(await accessibilityViolations(desk)).toEqual([])
  const sales = await open('sales', tab(contactId))
  await expect(sales.getByRole('tab', { name: 'Timeline' })).toBeVisible()
  await expect(sales.getByRole('tab', { name: 'Photos' })).toHaveCount(0)
})
