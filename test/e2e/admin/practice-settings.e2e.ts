import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { disconnect, openEmail } from '../pages/email.ts'
import { asStaff } from '../pages/forms.ts'

const uniqueName = (what: string) => `${what} ${crypto.randomUUID().slice(0, 8)}`
// The server refuses invalid input too: a taken name, a conflicting change, an invalid URL.
test.use({ expectedErrors: ['status of 409', 'status of 422'] })

const expectNoOverlay = async (page: Page) => {
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('[role=listbox]')).toHaveCount(0)
}

test('adds, reorders, renames and merges a stage with its patients', async ({ open }) => {
  const page = await open('admin', '/settings/funnel-stages')
  const stage = uniqueName('Second visit')
  await page.getByRole('button', { name: 'Add stage' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add stage' }).click()
  await expect(dialog.getByText('Name the stage')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type(stage)
  await page.keyboard.press('Enter')
  await expectNoOverlay(page)

  const list = page.getByRole('list', { name: 'Stages' })
  const order = () =>
    list.getByRole('button', { name: /^Move / }).evaluateAll((handles) => handles.map((one) => one.getAttribute('aria-label')))
  const positionOf = async (one: string) => (await order()).indexOf(`Move ${one}`)
  const handle = list.getByRole('button', { name: `Move ${stage}` })
  await expect(handle).toBeVisible()
  const before = await positionOf(stage)
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(handle).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowUp')
  await expect(handle).toBeFocused()
  await page.keyboard.press('Space')
  await expect(handle).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => positionOf(stage)).toBe(before - 1)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect.poll(() => positionOf(stage)).toBe(before - 1)
  await page.reload()
  await expect(handle).toBeVisible()
  expect(await positionOf(stage)).toBe(before - 1)

  const [from, first] = [(await handle.boundingBox())!, (await list.getByRole('button', { name: 'Move Contacted' }).boundingBox())!]
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(first.x + 10, first.y + 4, { steps: 8 })
  await page.mouse.up()
  await expect.poll(async () => (await positionOf(stage)) - (await positionOf('Contacted'))).toBe(-1)

  const created = await page.request.post('/api/contacts', {
    data: { firstName: 'Ana', lastName: uniqueName('Silva'), funnelStage: stage },
  })
  expect(created.ok()).toBe(true)
  const { id } = (await created.json()) as { id: string }
  await expect(list.getByRole('button', { name: new RegExp(`^${stage} 1 patient`) })).toBeVisible()
  await list.getByRole('button', { name: new RegExp(`^${stage}`) }).click()
  await dialog.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Merge into another stage' }).click()
  await dialog.getByRole('combobox', { name: 'Into' }).click()
  await page.getByRole('option', { name: 'Contacted' }).click()
  await dialog.getByRole('button', { name: 'Move 1 patient' }).click()
  await expectNoOverlay(page)
  await expect(list.getByRole('button', { name: new RegExp(`^${stage}.*Inactive 0 patients`) })).toBeVisible()
  await page.goto(`/contacts/${id}`)
  await expect(page.getByText('changed the stage to Contacted').first()).toBeVisible()
  await page.goto('/contacts?layout=board')
  await expect(page.getByRole('region', { name: /Contacted/ }).first()).toBeVisible()
  await expect(page.getByText(stage)).toHaveCount(0)
})

test('sets price, duration, tax and colour of a procedure, retires it, and shows others’ changes', async ({ open }) => {
  const page = await open('admin', '/settings/procedures')
  const procedure = uniqueName('Blepharoplasty')
  await page.getByRole('button', { name: 'Add procedure' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(procedure)
  await dialog.getByRole('textbox', { name: 'Default price' }).fill('6,200')
  await dialog.getByRole('textbox', { name: 'Default duration' }).fill('4')
  await dialog.getByRole('button', { name: 'Add procedure' }).click()
  await expect(dialog.getByText('Enter minutes from 5 to 960')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Default duration' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Default duration' }).fill('90')
  await dialog.getByRole('combobox', { name: 'Colour' }).click()
  await page.getByRole('option', { name: 'Plum' }).click()
  await dialog.getByRole('combobox', { name: 'Tax code' }).click()
  await page.getByRole('option', { name: 'Exempt', exact: true }).click()
  await dialog.getByRole('button', { name: 'Add procedure' }).click()
  await expectNoOverlay(page)
  const row = page.getByRole('list', { name: 'Procedures' }).getByRole('button', { name: new RegExp(`^${procedure}`) })
  await expect(row).toContainText('Surgical · 90 min')
  await expect(row).toContainText('$6,200.00')

  await row.click()
  const all = (await (await page.request.get('/api/procedures')).json()) as { id: string; name: string }[]
  const one = all.find((each) => each.name === procedure)!
  await page.request.put(`/api/procedures/${one.id}`, { data: { ...one, minutes: 120 } })
  await expect(page.getByText('Surgical · 120 min')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Offered' }).click()
  await dialog.getByRole('button', { name: 'Save procedure' }).click()
  await expect(dialog.getByText('Someone else has changed this in the meantime', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectNoOverlay(page)
  await row.click()
  await expect(dialog.getByRole('textbox', { name: 'Default duration' })).toHaveValue('120')
  await dialog.getByRole('checkbox', { name: 'Offered' }).click()
  await dialog.getByRole('button', { name: 'Save procedure' }).click()
  await expectNoOverlay(page)
  await expect(row).toContainText('Not offered')
})

test('adds a price list with the default lines, and moves a line by keyboard', async ({ open }) => {
  const page = await open('admin', '/settings/procedures')
  const procedure = uniqueName('Facelift')
  await page.request.post('/api/procedures', { data: { name: procedure, priceCents: 620_000, minutes: 150 } })
  await page.getByRole('link', { name: `Price list of ${procedure}` }).click()
  await expect(page.getByRole('heading', { name: `Price list: ${procedure}` })).toBeVisible()
  await expect(page.getByLabel('Description of price 1')).toHaveValue(`${procedure}, surgeon’s fee`)
  await expect(page.getByLabel('Unit price of price 1')).toHaveValue('6,200.00')
  await expect(page.getByLabel('Description of price 2')).toHaveValue('Operating room and recovery, 2 h 30 min')
  await page.getByRole('button', { name: 'Remove price 4' }).click()
  await page.getByLabel('Unit price of price 2').fill('1 550')
  await page.getByRole('button', { name: 'Save price list' }).click()
  await expect(page.getByLabel('Unit price of price 3')).toBeFocused()
  await page.getByLabel('Unit price of price 3').fill('950')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByLabel('Description of price 2')).toHaveValue('Anaesthesia')
  await expect(page.getByLabel('Unit price of price 2')).toBeFocused()
  await expect(page.getByText('$8,700.00', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Save price list' }).click()
  await expect(page.getByText(`Price list of ${procedure} saved`)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Description of price 2')).toHaveValue('Anaesthesia')
  await expect(page.getByLabel('Unit price of price 3')).toHaveValue('1,550.00')
})

test('shows a lead source’s key once, receives a lead, shows a failed one, and replaces the key', async ({ open, clinic }) => {
  const page = await open('admin', '/settings/lead-sources')
  const source = uniqueName('Landing page')
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(source)
  await page.keyboard.press('Enter')
  await expectNoOverlay(page)
  await expect(page.getByRole('heading', { name: source, level: 2 })).toBeVisible()
  const key = await page.getByRole('region', { name: 'Key', exact: true }).textContent()
  await expect(page.getByRole('region', { name: 'Form for a website' })).toContainText(`/api/leads/${key}`)
  await page.getByRole('combobox', { name: 'Tool' }).click()
  await page.getByRole('option', { name: 'API client' }).click()
  await expect(page.getByRole('region', { name: 'Example request' })).toContainText(`/api/leads/${key}`)
  const send = (secret: string | null, body: object) =>
    fetch(`${clinic.url}/api/leads/${secret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await send(key, { first_name: 'Noor' })).status).toBe(202)
  const leads = page.getByRole('list', { name: 'Latest leads' })
  await expect(leads).toContainText('Missing required fields')
  await leads.getByRole('button', { name: 'Try again: Noor' }).click()
  await expect(leads).toContainText('Missing required fields')
  const who = uniqueName('Haddad')
  expect((await send(key, { first_name: 'Noor', last_name: who, email: `${crypto.randomUUID()}@elsewhere.example` })).status).toBe(202)
  await expect(leads.getByRole('link', { name: `Noor ${who}` })).toBeVisible()

  await page.getByRole('textbox', { name: 'Thank-you page' }).fill('clinic.example')
  await page.getByRole('button', { name: 'Save source' }).click()
  await expect(page.getByText('Enter a web address that starts with http:// or https://')).toBeVisible()
  await page.getByRole('textbox', { name: 'Thank-you page' }).fill('https://clinic.example/thanks')
  await page.getByRole('button', { name: 'Save source' }).click()
  await expect(page.getByText(`${source} was saved`)).toBeVisible()

  await page.reload()
  await expect(page.getByRole('region', { name: 'Address', exact: true })).toContainText('YOUR-KEY')
  await expect(page.getByText(key!)).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete source' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 patient and 2 leads have this source')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expectNoOverlay(page)
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('dialog', { name: 'Replace the key?' }).getByRole('button', { name: 'Replace key' }).click()
  await expectNoOverlay(page)
  await expect(page.getByRole('region', { name: 'Key', exact: true })).not.toHaveText(key!)
  expect((await send(key, { first_name: 'Noor' })).status).toBe(401)
})

test('deletes a source and a procedure after moving their patients', async ({ open }) => {
  const page = await open('admin', '/settings')
  const source = uniqueName('Old flyer')
  const procedure = uniqueName('Old peel')
  const created = await page.request.post('/api/lead-sources', { data: { name: source } })
  const { id } = (await created.json()) as { id: string }
  await page.request.post('/api/procedures', { data: { name: procedure } })
  for (const lastName of ['Roy', 'Haddad'])
    await page.request.post('/api/contacts', { data: { firstName: 'Noor', lastName, leadSource: source, procedureOfInterest: procedure } })
  const dialog = page.getByRole('dialog')
  async function move(what: 'source' | 'procedure', to: string) {
    await expect(dialog).toContainText(`2 patients have this ${what}. Move them to another ${what}, or retire it`)
    await dialog.getByRole('button', { name: 'Move 2 patients' }).click()
    await expect(dialog.getByText(`Choose a ${what}`).last()).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Move to' }).click()
    await page.getByRole('option', { name: to, exact: true }).click()
    await dialog.getByRole('button', { name: 'Move 2 patients' }).click()
    await expectNoOverlay(page)
    await expect(page.getByText(`2 patients moved to ${to}`)).toBeVisible()
  }
  /** Delays the response to the deletion until after its event, which other lists follow: the deleted item must not be requested again. */
  async function delayDeletion(path: string, at: string) {
    const colleagues = await open('admin', at)
    await page.route(path, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const gone = colleagues.getByText(at.includes('procedures') ? procedure : source)
      await expect(gone.first()).toBeVisible()
      const response = await route.fetch()
      await expect(gone).toHaveCount(0)
      await route.fulfill({ response })
    })
  }

  await page.goto(`/settings/lead-sources/${id}`)
  await page.getByRole('button', { name: 'Delete source' }).click()
  await move('source', 'Referral')
  await expect(page.getByText('Used by 2 patients')).toHaveCount(0)
  await delayDeletion('**/api/lead-sources/*', '/settings/lead-sources')
  await page.getByRole('button', { name: 'Delete source' }).click()
  await dialog.getByRole('button', { name: 'Delete source' }).click()
  await expect(page.getByText(`${source} was deleted`)).toBeVisible()

  await page.goto('/settings/procedures')
  const row = page.getByRole('list', { name: 'Procedures' }).getByRole('button', { name: procedure })
  const remove = async () => {
    await row.click()
    await dialog.getByRole('button', { name: 'Delete procedure' }).click()
  }
  await remove()
  await move('procedure', 'Rhinoplasty')
  await delayDeletion('**/api/procedures/*', '/settings/procedures')
  await remove()
  await expect(dialog).toContainText('No patient has it. Its price list is deleted with it.')
  await dialog.getByRole('button', { name: 'Delete procedure' }).click()
  await expect(page.getByText(`${procedure} was deleted`)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('shows the practice name and logo in every tab, and falls back to the server configuration when cleared', async ({ open }) => {
  const page = await open('admin', '/settings/practice')
  const other = await open('sales', '/tasks')
  const main = other.getByRole('link', { name: 'Harbourview, to the dashboard' })
  await expect(main).toContainText('Plastic Surgery, Oakville')
  await page.getByRole('textbox', { name: /^Subtitle \(optional/ }).fill('By the lake')
  await page.getByRole('textbox', { name: 'Send email from' }).fill('nobody')
  await page.getByRole('button', { name: 'Save practice' }).click()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Send email from' })).toBeFocused()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expectNoOverlay(page)
  await expect(page.getByRole('textbox', { name: /^Subtitle \(optional/ })).toHaveValue('By the lake')
  await page.getByRole('textbox', { name: 'Send email from' }).fill('')
  await page.getByRole('checkbox', { name: 'Custom brand colour' }).click()
  await page.getByRole('slider', { name: 'Hue' }).fill('20')
  await page.getByRole('button', { name: 'Save practice' }).click()
  await expect(page.getByText('The practice was saved')).toBeVisible()
  await expect(main).toContainText('By the lake')
  const hueOf = (one: Page) => one.evaluate(() => document.documentElement.style.getPropertyValue('--brand-h'))
  await expect.poll(() => hueOf(other)).toBe('20')

  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
  await expect(page.getByText('The logo was saved')).toBeVisible()
  await expect(main.locator('img')).toBeVisible()
  await expect.poll(() => main.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await expect(main.locator('img')).toHaveCount(0)

  await page.getByRole('textbox', { name: /^Subtitle \(optional/ }).fill('')
  await page.getByRole('checkbox', { name: 'Custom brand colour' }).click()
  await page.getByRole('button', { name: 'Save practice' }).click()
  await expect(main).toContainText('Plastic Surgery, Oakville')
  await expect(page.getByRole('textbox', { name: /^Subtitle \(optional/ })).toHaveValue('Plastic Surgery, Oakville')
  await expect.poll(() => hueOf(other)).toBe('')
})

test('adds a second location by keyboard, and shows a room’s location only when there are several', async ({ open }) => {
  const page = await open('admin', '/settings/practice')
  const [place, room] = [uniqueName('Burlington'), uniqueName('Laser')]
  const dialog = page.getByRole('dialog')
  const list = page.getByRole('list', { name: 'Locations' })
  await expect(list.getByRole('button', { name: /^Main location/ })).toContainText('1 Lakeshore Road, Oakville')
  await page.getByRole('button', { name: 'Add location' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(/1 Lakeshore Road, Oakville/)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Name the location')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('main LOCATION')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('A location with this name already exists')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(place)
  await dialog.getByRole('textbox', { name: 'Address' }).fill('12 Plains Road')
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('(289) 555-0177')
  await page.keyboard.press('Enter')
  await expectNoOverlay(page)
  await expect(list.getByRole('button', { name: new RegExp(`^${place}`) })).toContainText('12 Plains Road · (289) 555-0177')

  await page.goto('/settings/hours-and-rooms')
  await page.getByRole('button', { name: 'Add room' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(room)
  await dialog.getByRole('combobox', { name: 'Location' }).click()
  await page.getByRole('option', { name: place }).click()
  await dialog.getByRole('button', { name: 'Add room' }).click()
  await expectNoOverlay(page)
  const rooms = page.getByRole('region', { name: 'Rooms' })
  await expect(rooms.getByRole('button', { name: new RegExp(`^${room}`) })).toContainText(place)
  await expect(rooms.getByRole('button', { name: /^Consult room 1/ })).toContainText('Main location')

  await page.goto('/settings/practice')
  await list.getByRole('button', { name: new RegExp(`^${place}`) }).click()
  await dialog.getByRole('checkbox', { name: 'Active' }).click()
  await dialog.getByRole('button', { name: 'Save location' }).click()
  await expect(dialog.getByText('This location has active rooms', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectNoOverlay(page)
  await page.goto('/settings/hours-and-rooms')
  await rooms.getByRole('button', { name: new RegExp(`^${room}`) }).click()
  await dialog.getByRole('checkbox', { name: 'Active' }).click()
  await dialog.getByRole('button', { name: 'Save room' }).click()
  await expectNoOverlay(page)
  await page.goto('/settings/practice')
  await list.getByRole('button', { name: new RegExp(`^${place}`) }).click()
  await dialog.getByRole('checkbox', { name: 'Active' }).click()
  await dialog.getByRole('button', { name: 'Save location' }).click()
  await expectNoOverlay(page)
  await expect(list.getByRole('button', { name: new RegExp(`^${place}`) })).toContainText('Inactive')
  await page.goto('/settings/hours-and-rooms')
  await expect(rooms.getByRole('button', { name: /^Consult room 1/ })).not.toContainText('Main location')
})

test('renames, merges and deletes a tag', async ({ open }) => {
  const page = await open('admin', '/settings/tags')
  const [one, other] = [uniqueName('Newsletter'), uniqueName('Letter')]
  const dialog = page.getByRole('dialog')
  for (const tag of [one, other]) {
    await page.getByRole('button', { name: 'Add tag' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(tag)
    await page.keyboard.press('Enter')
    await expectNoOverlay(page)
  }
  const row = (tag: string) => page.getByRole('list', { name: 'Tags' }).getByRole('button', { name: new RegExp(`^${tag}`) })
  await row(one).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(other.toUpperCase())
  await dialog.getByRole('button', { name: 'Save tag' }).click()
  await expect(dialog.getByText('A tag with this name already exists')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Merge into another tag' }).click()
  await dialog.getByRole('combobox', { name: 'Into' }).click()
  await page.getByRole('option', { name: other }).click()
  await dialog.getByRole('button', { name: 'Merge tags' }).click()
  await expectNoOverlay(page)
  await expect(row(one)).toHaveCount(0)
  await row(other).click()
  await dialog.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete tag' }).click()
  await expectNoOverlay(page)
  await expect(row(other)).toHaveCount(0)
})

test('hides administrator settings from other roles', async ({ open }) => {
  const page = await open('sales', '/settings')
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await expect(settings.getByRole('link', { name: 'Lead sources' })).toBeVisible()
  for (const label of ['Practice', 'Procedures', 'Funnel stages', 'Tags'])
    await expect(settings.getByRole('link', { name: label, exact: true })).toHaveCount(0)
  await page.goto('/settings/funnel-stages')
  await expect(page.getByText('Setting not found')).toBeVisible()
})

test('tests the connected systems and shows whether they respond', async ({ open }) => {
  const page = await open('admin', '/settings/integrations')
  const of = (system: string) => page.getByRole('region', { name: system, exact: true })
  await of('Documents').getByRole('button', { name: 'Test storage' }).click()
  await expect(of('Documents').getByRole('status')).toContainText('A file was written, read and deleted.')
  await of('Postmark').getByRole('button', { name: 'Send a test email to yourself' }).click()
  await expect(of('Postmark').getByRole('status')).toContainText('Postmark accepted an email from')
  await expect(of('Virus scanner')).toContainText('Not set up')
  await expect(of('Virus scanner').getByRole('button')).toHaveCount(0)
})

test('lets everyone test their own mailbox, and shows whether it works, is unavailable or was revoked', async ({ open, clinic }) => {
  const { page, email } = await openEmail(clinic, open, { who: 'sales2', at: '/settings/integrations' })
  const own = page.getByRole('region', { name: 'Your mailbox' })
  await expect(own).toContainText(email)
  const test = own.getByRole('button', { name: 'Test your mailbox' })
  await test.click()
  await expect(own.getByText('Connected: Nylas gives Refyne access to your email.')).toBeVisible()
  clinic.nylas.fault({ kind: 'status', status: 503 })
  await test.click()
  await expect(own.getByText('Nylas does not answer.')).toBeVisible()
  await clinic.nylas.expire(clinic.nylas.grants().find((grant) => grant.email === email)!.id)
  await expect(own).toContainText('Must be reconnected')
  await test.click()
  await expect(own.getByText('The sign-in was revoked or has expired.')).toBeVisible()
  await disconnect(page, clinic)
  await page.reload()
  await expect(own.getByRole('link', { name: 'Connect under Email' })).toBeVisible()
})

const pages = [
  'practice',
  'procedures',
  'note-templates',
  'forms',
  'forms/{form}',
  'consent-forms',
  'consent-forms/{consent form}',
  'funnel-stages',
  'tags',
  'lead-sources',
  'lead-sources/{source}',
  'integrations',
  'signing-keys',
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks on practice settings, without horizontal scrolling at 375 px (${colorScheme})`, async ({
    open,
  }) => {
    const page = await open('admin', '/settings')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const [source] = (await (await page.request.get('/api/lead-sources')).json()) as { id: string }[]
    const form = await asStaff<{ id: string }>(page, 'POST', '/form-templates', { starter: 'medical_history' })
    const consent = await asStaff<{ id: string }>(page, 'POST', '/consent-templates', { starter: 'rhinoplasty' })
    const ids: Record<string, string> = { '{source}': source!.id, '{form}': form.id, '{consent form}': consent.id }
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
      for (const path of pages) {
        await page.goto(`/settings/${path.replace(/\{.+\}/, (name) => ids[name]!)}`)
        await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible()
        await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} ${width}`).toBeLessThanOrEqual(width)
        expect(await accessibilityViolations(page), `${path} ${width}`).toEqual([])
      }
    }
  })
}
