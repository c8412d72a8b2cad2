import sharp from 'sharp'
import { filmCamera } from '../support/camera.ts'
import { expect, test } from '../support/clinic.ts'

const [gtin, lot, serial] = ['00886001000016', 'L7001', 'A01']
/** The Data Matrix of a label with these, expiring on January 1, 2030: a bit of each row for each module, 1 for a dark one. */
const label =
  'aaaaa cbd4d 8b180 a140b a607e c4d99 90b58 934c1 d1e32 c0385 a91c2 b0ffb a60e4 86623 c9f32 d217f d53e4 fdaa5 bb9fa fffff'.split(' ')
const module = 14
const modules = label
  .flatMap((row, y) => [...Number.parseInt(row, 16).toString(2).padStart(20, '0')].map((bit, x) => ({ x, y, isDark: bit === '1' })))
  .filter(({ isDark }) => isDark)
  .map(({ x, y }) => `<rect x="${180 + x * module}" y="${100 + y * module}" width="${module}" height="${module}"/>`)
const picture = await sharp(
  Buffer.from(`<svg width="640" height="480"><rect width="640" height="480" fill="#ddd"/>${modules.join('')}</svg>`),
)
  .jpeg({ quality: 90 })
  .toBuffer()
const camera = await filmCamera([picture, picture])
test.use({ launchOptions: camera.launchOptions, permissions: ['camera'] })
test.afterAll(camera.end)

test('the camera reads the label of an implant, in a browser that knows no barcodes by itself (issue 27)', async ({ open }) => {
  const page = await open('provider', '/stock')
  expect(await page.evaluate(() => 'BarcodeDetector' in globalThis)).toBe(false)
  await page.getByRole('main').getByRole('button', { name: 'Receive stock' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Scan with the camera' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The catalogue does not have this device yet.')
  await dialog.getByRole('button', { name: 'Add device' }).click()
  await expect(dialog.getByLabel('UDI-DI')).toHaveValue(gtin)
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Breast implant' }).click()
  await dialog.getByLabel('Maker').fill('Mentor')
  await dialog.getByLabel('Model').fill('By camera')
  await dialog.getByRole('button', { name: 'Add device' }).click()
  await dialog.getByRole('button', { name: 'Scan with the camera' }).click()
  await expect(dialog.getByLabel('Lot', { exact: true })).toHaveValue(lot)
  await expect(dialog.getByLabel('Serial numbers')).toHaveValue(serial)
  // The page itself still runs no WebAssembly.
  const refused = await page.evaluate(() =>
    WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
      () => 'ran',
      () => 'refused',
    ),
  )
  expect(refused).toBe('refused')
})
