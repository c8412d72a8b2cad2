import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { createPatient } from '../pages/patient.ts'

const main = (page: Page) => page.getByRole('main')
const tab = (id: string) => `/contacts/${id}?tab=photos`

/** A series with a photo of the front. */
async function addSeries(staff: Page, clinic: Clinic, contactId: string, timePoint: 'pre_op' | 'week_3'): Promise<string> {
  const headers = { origin: clinic.url }
  const takenOn = timePoint === 'pre_op' ? '2026-01-15' : '2026-02-05'
  const started = await staff.request.post(`/api/contacts/${contactId}/photo-series`, {
    data: { shotList: 'face', timePoint, takenOn },
    headers,
  })
  const { id: seriesId } = (await started.json()) as { id: string }
  const id = crypto.randomUUID()
  const query = new URLSearchParams({ id, view: 'front', takenAt: `${takenOn}T15:00:00Z`, name: 'a.jpg' })
  const picture = sharp({ create: { width: 600, height: 800, channels: 3, background: '#a07860' } })
  const sent = await staff.request.post(`/api/photo-series/${seriesId}/photos?${query}`, {
    data: await picture.jpeg().toBuffer(),
    headers: { ...headers, 'content-type': 'image/jpeg' },
  })
  expect(sent.status(), await sent.text()).toBe(201)
  return id
}

async function openMarkup(page: Page, contactId: string) {
  await page.goto(tab(contactId))
  await main(page).getByRole('button', { name: 'Open Front, Pre-op' }).click()
  await page.getByRole('button', { name: 'Mark up' }).click()
  const view = page.getByRole('dialog', { name: /^Ana Lavoie/ })
  await expect(view.getByRole('toolbar', { name: 'Tools' })).toBeVisible()
  return view
}

test('a photo is marked up by mouse and by keyboard; the layer is shown to others, who cannot change it (issue 27)', async ({
  open,
  clinic,
}) => {
  const page = await open('provider', '/contacts')
  const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'markup@fastmail.example' }, [])
  const photoId = await addSeries(page, clinic, contactId, 'pre_op')
  const view = await openMarkup(page, contactId)
  const box = (await view.locator('[data-stage] svg').boundingBox())!
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1])
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 5 })
    await page.mouse.up()
  }
  await drag([0.2, 0.2], [0.6, 0.3])
  await expect(view.getByRole('button', { name: 'Pen 1', exact: true })).toBeVisible()
  await view.getByRole('button', { name: 'Measure' }).click()
  await drag([0.2, 0.5], [0.6, 0.5])
  await expect(view.getByRole('button', { name: 'Measurement 1, 1.00 ×', exact: true })).toBeVisible()
  await view.getByLabel('Known length').fill('40')
  await drag([0.2, 0.6], [0.4, 0.6])
  await expect(view.getByRole('button', { name: /^Measurement 2, (19\.9|20\.0|20\.1) mm$/ })).toHaveAttribute('aria-pressed', 'true')
  // One end is dragged.
  await drag([0.4, 0.6], [0.3, 0.6])
  await expect(view.getByRole('button', { name: /^Measurement 2, (9\.9|10\.0|10\.1) mm$/ })).toBeVisible()

  // By keyboard alone: place, move, size, go to the next shape, delete, undo.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await view.getByRole('button', { name: 'Arrow', exact: true }).focus()
  await page.keyboard.press('a')
  await expect(view.getByRole('button', { name: 'Place arrow' })).toBeFocused()
  await page.keyboard.press('Enter')
  const arrow = view.getByRole('button', { name: 'Arrow 1', exact: true })
  await expect(arrow).toBeFocused()
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowDown')
  for (let press = 0; press < 6; press++) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+Tab')
  await expect(view.getByRole('button', { name: /^Measurement 2/ })).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(view.getByRole('button', { name: /^Measurement 2/ })).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(view.getByRole('button', { name: /^Measurement 2/ })).toHaveCount(1)
  await page.keyboard.press('Control+y')
  await expect(view.getByRole('button', { name: /^Measurement 2/ })).toHaveCount(0)
  await page.keyboard.press('t')
  await page.keyboard.press('Enter')
  await expect(view.getByLabel('Text', { exact: true }).and(view.getByRole('textbox'))).toBeFocused()
  await page.keyboard.type('Scar')
  await expect(view.getByRole('button', { name: 'Text 1, Scar', exact: true })).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await view.getByRole('button', { name: 'Save layer' }).click()
  await expect(view.getByRole('button', { name: /^Edit layer of/ })).toBeVisible()

  const [row] = await clinic.rows<{ shapes: { kind: string; from?: [number, number]; to?: [number, number]; text?: string }[] }>(
    'select shapes from photo_layers where photo_id = $1',
    [photoId],
  )
  expect(row!.shapes.map(({ kind }) => kind)).toEqual(['pen', 'measure', 'arrow', 'text'])
  const placed = row!.shapes[2]!
  expect(placed.to![0] - placed.from![0]).toBeCloseTo(0.15 + 6 * 0.005, 4)
  expect(placed.from![1]).toBeCloseTo(0.5 + 4 * 0.005 * (600 / 800), 4)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hide markup' }).click()
  await expect(page.getByRole('button', { name: 'Show markup' })).toBeVisible()

  const admin = await open('admin', '/contacts')
  const theirs = await openMarkup(admin, contactId)
  await expect(theirs.getByRole('button', { name: /^Hide layer of/ })).toBeVisible()
  await expect(theirs.getByRole('button', { name: /^Edit layer of/ })).toHaveCount(0)
  await theirs.getByRole('button', { name: /^Hide layer of/ }).click()
  await expect(theirs.getByRole('button', { name: /^Show layer of/ })).toBeVisible()
})

test('a photo is cropped and straightened by keyboard and mouse, and a bar over the eyes is burnt into its shared copy (issue 27)', async ({
  open,
  clinic,
}) => {
  const page = await open('provider', '/contacts')
  const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'adjust@fastmail.example' }, [])
  const id = await addSeries(page, clinic, contactId, 'pre_op')
  await page.goto(tab(contactId))
  await main(page).getByRole('button', { name: 'Open Front, Pre-op' }).click()
  await page.getByRole('button', { name: 'Adjust' }).click()
  const view = page.getByRole('dialog', { name: /^Ana Lavoie/ })
  await view.getByRole('button', { name: 'Rotate right' }).click()
  await view.getByRole('button', { name: /^Crop, 100 by 100/ }).focus()
  for (let press = 0; press < 50; press++) await page.keyboard.press('Shift+ArrowLeft')
  await expect(view.getByRole('button', { name: 'Crop, 50 by 100 percent' })).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await view.getByRole('radio', { name: 'Blur for sharing' }).click()
  await view.getByRole('button', { name: 'Add eye bar' }).click()
  const bar = view.getByRole('button', { name: 'Eye bar 1', exact: true })
  const place = (await bar.boundingBox())!
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2 + 40, { steps: 4 })
  await page.mouse.up()
  expect((await bar.boundingBox())!.y).toBeGreaterThan(place.y + 30)
  await view.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show unadjusted' }).click()
  const shared = await page.request.get(`/api/photos/${id}/shared`)
  const copy = await shared.body()
  const { width, height } = await sharp(copy).metadata()
  // 600 by 800, turned and cut in half.
  expect([width, height]).toEqual([400, 600])
  const { channels } = await sharp(copy).greyscale().stats()
  expect(channels[0]!.min).toBeLessThan(24)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Show adjusted' })).toBeVisible()
})

test('a slide show for the consult room names no one, and follows the space bar and the arrow keys (issue 27)', async ({
  open,
  clinic,
}) => {
  const page = await open('provider', '/contacts')
  const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'show@fastmail.example' }, [])
  await addSeries(page, clinic, contactId, 'pre_op')
  await addSeries(page, clinic, contactId, 'week_3')
  await page.goto(tab(contactId))
  await main(page).getByRole('checkbox', { name: 'Select Front, Pre-op' }).click()
  await main(page).getByRole('checkbox', { name: 'Select Front, 3 weeks post-op' }).click()
  await main(page).getByRole('button', { name: 'Slide show' }).click()
  const show = page.getByRole('dialog', { name: 'Slide show' })
  await expect(show.getByRole('img', { name: 'Front, Pre-op' })).toBeVisible()
  await expect(show.getByText(/Ana|Lavoie|2026/)).toHaveCount(0)
  await page.keyboard.press(' ')
  await expect(show.getByRole('img', { name: 'Front, 3 weeks post-op' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(show.getByText('Pre-op · 1 of 2')).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(show).toHaveCount(0)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 820, height: 1180 }, hasTouch: true })

  test('photos are compared and marked up with a finger on a tablet (issue 27)', async ({ open, clinic }) => {
    const page = await open('provider', '/contacts')
    const contactId = await createPatient(page, clinic, { firstName: 'Ana', email: 'touch@fastmail.example' }, [])
    const photoId = await addSeries(page, clinic, contactId, 'pre_op')
    await addSeries(page, clinic, contactId, 'week_3')
    const touch = await page.context().newCDPSession(page)
    /** One finger, from one place on the screen to another. */
    const swipe = async (from: readonly [number, number], to: readonly [number, number]) => {
      const at = ([x, y]: readonly [number, number]) => [{ x, y }]
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
      for (const part of [0.25, 0.5, 0.75, 1])
        await touch.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: at([from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]),
        })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await page.goto(tab(contactId))
    await main(page).getByRole('checkbox', { name: 'Select Front, Pre-op' }).tap()
    await main(page).getByRole('checkbox', { name: 'Select Front, 3 weeks post-op' }).tap()
    await main(page).getByRole('button', { name: 'Compare' }).tap()
    const divider = page.getByRole('slider', { name: 'Line between the photos' })
    const handle = (await divider.boundingBox())!
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2]
    await swipe([x, y], [205, y])
    await expect(divider).toHaveAttribute('aria-valuenow', '25')
    await page.getByRole('button', { name: 'Close' }).tap()

    const view = await openMarkup(page, contactId)
    const box = (await view.locator('[data-stage] svg').boundingBox())!
    const at = (fx: number, fy: number) => [box.x + box.width * fx, box.y + box.height * fy] as const
    await swipe(at(0.3, 0.3), at(0.6, 0.4))
    await expect(view.getByRole('button', { name: 'Pen 1', exact: true })).toBeVisible()
    await view.getByRole('button', { name: 'Arrow', exact: true }).tap()
    await swipe(at(0.2, 0.6), at(0.5, 0.6))
    await view.getByRole('button', { name: 'Select', exact: true }).tap()
    await swipe(at(0.35, 0.6), at(0.35, 0.7))
    await view.getByRole('button', { name: 'Save layer' }).tap()
    await expect(view.getByRole('button', { name: /^Edit layer of/ })).toBeVisible()
    const [row] = await clinic.rows<{ shapes: { kind: string; points?: unknown[]; from?: [number, number]; to?: [number, number] }[] }>(
      'select shapes from photo_layers where photo_id = $1',
      [photoId],
    )
    const [pen, arrow] = row!.shapes
    expect([pen!.kind, pen!.points!.length > 2, arrow!.kind]).toEqual(['pen', true, 'arrow'])
    // Moved down, and not along.
    expect([arrow!.from![0], arrow!.from![1], arrow!.to![1]]).toEqual([
      expect.closeTo(0.2, 1),
      expect.closeTo(0.7, 1),
      expect.closeTo(0.7, 1),
    ])
  })
})
