import { expect, test } from '../support/clinic.ts'

test.describe('an unknown address', () => {
  test.use({ expectedErrors: ['status of 404'] })

  for (const path of ['/nothing', '/contacts/made-up/nothing', '/settings/users/one/more']) {
    test(`answers 404 to ${path} and shows that there is no such page`, async ({ open }) => {
      const page = await open('admin', '/tasks')
      const response = await page.goto(path)
      expect(response!.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
      await page.getByRole('link', { name: 'Return to Home' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL('/')
    })
  }

  test('answers 404 to someone who is signed out, too', async ({ page }) => {
    const response = await page.goto('/nothing')
    expect(response!.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  })

  test('answers 404 to a file that does not exist, without a page', async ({ page }) => {
    for (const path of ['/nothing.png', '/assets/nothing.js', '/nothing.html']) {
      const response = await page.request.get(path)
      expect([path, response.status(), response.headers()['content-type']]).toEqual([path, 404, 'application/json'])
    }
  })
})

test('answers 200 to pages, for signed-out people as well', async ({ page }) => {
  for (const path of [
    '/',
    '/auth',
    '/contacts',
    '/contacts/made-up/edit',
    '/settings/users',
    '/patientdocuments',
    '/auth/gmail/callback',
  ]) {
    expect([path, (await page.request.get(path)).status()]).toEqual([path, 200])
  }
})

test('tells crawlers to index nothing, and browsers how to install the product', async ({ page }) => {
  const get = async (path: string) => {
    const response = await page.request.get(path)
    return { status: response.status(), type: response.headers()['content-type'], body: await response.body() }
  }
  const robots = await get('/robots.txt')
  expect([robots.status, robots.type]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(robots.body.toString()).toMatch(/^User-agent: \*\nDisallow: \/$/m)
  const icon = await get('/favicon.ico')
  expect([icon.status, icon.type, icon.body.readUInt32LE(0)]).toEqual([200, 'image/x-icon', 0x00_01_00_00])
  const manifest = await get('/manifest.webmanifest')
  expect([manifest.status, manifest.type]).toEqual([200, 'application/manifest+json'])
  const { start_url, icons } = JSON.parse(manifest.body.toString()) as { start_url: string; icons: { src: string }[] }
  for (const path of [start_url, ...icons.map(({ src }) => src)]) expect([path, (await get(path)).status]).toEqual([path, 200])
})
