import { beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { until } from '../../../test/until.ts'
import type { ChangedSettings } from './contract.ts'

const server = useServer({ PRACTICE_NAME: 'Harbourview', PRACTICE_PHONE: '(905) 555-0118', COMPANY_DOMAINS: 'clinic.example' })
let admin: Client
let cookie: string
beforeAll(async () => {
  admin = await server.as('admin')
  cookie = (await server.account({ role: 'admin' })).cookie
})

const practice = async () => (await (await server.as('billing')).auth.session()).practice
const blank = { name: null, phone: null, subtitle: null, hours: null, address: null, timeZone: null, brandHue: null } as const

describe('practice settings', () => {
  it('fall back to the server configuration, and changes take effect everywhere at once, published and audited', async () => {
    expect(await practice()).toMatchObject({
      name: 'Harbourview',
      phone: '(905) 555-0118',
      brandHue: null,
      timeZone: 'America/Toronto',
      logo: null,
    })
    const stream = await openStream(server.url, (await server.account({ role: 'billing' })).cookie)
    const changed = { name: ' Lakeview  ', phone: '416-555-0100', brandHue: 20, companyDomains: ['Lakeview.Example'] }
    const { set, otherwise } = await admin.practice.changeSettings(changed)
    expect(set).toMatchObject({ name: 'Lakeview', brandHue: 20, companyDomains: ['lakeview.example'], subtitle: null })
    expect(otherwise).toMatchObject({ name: 'Harbourview', companyDomains: ['clinic.example'] })
    expect(await practice()).toMatchObject({ name: 'Lakeview', phone: '416-555-0100', brandHue: 20 })
    await stream.next(({ topic, id }) => topic === 'practice' && id === 'settings')
    stream.close()
    const { env } = server.running.runtime
    expect([env.PRACTICE_NAME, env.COMPANY_DOMAINS]).toEqual(['Lakeview', ['lakeview.example']])
    const [audit] = await server.rows("select before, after from audit_log where kind = 'practice settings'")
    expect(audit).toEqual({
      before: { name: null, phone: null, brandHue: null, companyDomains: null },
      after: { name: 'Lakeview', phone: '416-555-0100', brandHue: 20, companyDomains: ['lakeview.example'] },
    })
    const before = await databaseFingerprint(server)
    await admin.practice.changeSettings(changed)
    expect(await databaseFingerprint(server)).toEqual(before)
    await admin.practice.changeSettings({ ...blank, companyDomains: null })
    expect(await practice()).toMatchObject({ name: 'Harbourview', brandHue: null })
  })

  it('apply two simultaneous changes to different fields', async () => {
    await Promise.all([admin.practice.changeSettings({ subtitle: 'Plastic Surgery' }), admin.practice.changeSettings({ hours: 'By day' })])
    expect(await practice()).toMatchObject({ subtitle: 'Plastic Surgery', hours: 'By day' })
  })

  it('hold texts for patients in French beside the English ones', async () => {
    await admin.practice.changeSettings({ subtitleFr: 'Chirurgie plastique', hoursFr: 'Le jour' })
    expect(await practice()).toMatchObject({ subtitleFr: 'Chirurgie plastique', hoursFr: 'Le jour' })
    await admin.practice.changeSettings({ subtitleFr: '', hoursFr: null })
    expect(await practice()).toMatchObject({ subtitleFr: '', hoursFr: '' })
  })

  it('are reloaded when an event reports a change by another process', async () => {
    await server.rows("update practice_settings set name = 'Elsewhere'")
    await server.rows(`select pg_notify('change', '{"topic":"practice","id":"settings"}')`)
    await until(async () => (await practice()).name === 'Elsewhere')
    await admin.practice.changeSettings({ name: '' })
  })

  it.each<[ChangedSettings, string]>([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ brandHue: 361 }, 'brandHue'],
    [{ companyDomains: ['clinic'] }, 'companyDomains.0'],
    [{ companyDomains: ['clinic.example', 'GMAIL.com'] }, 'companyDomains.1'],
    [{ mailFrom: 'desk@hotmail.com' }, 'mailFrom'],
    [{ mailFrom: 'nobody' }, 'mailFrom'],
    [{ hstNumber: '123456789' }, 'hstNumber'],
  ])('refuse %j, naming the field', async (input, field) => {
    const { status, data } = await refusal(admin.practice.changeSettings(input))
    expect([status, Object.keys(data.fields ?? {})]).toEqual([422, [field]])
  })

  it('keep the due day and time of open tasks when the time zone changes', async () => {
    const sales = await server.account({ role: 'sales_rep' })
    const task = await admin.tasks.create({
      title: 'Call back',
      type: 'Call',
      dueDate: '2199-01-31',
      hasTimeConstraint: true,
      dueTimeConstraint: '14:30',
      priority: 'medium',
      status: 'pending',
      assigneeIds: [sales.id],
      contactId: await insertContact(server),
    })
    const dueOf = async () =>
      (await server.rows<{ due_at: Date }>('select due_at from tasks where id = $1', [task.id]))[0]!.due_at.toISOString()
    expect(await dueOf()).toBe('2199-01-31T19:30:00.000Z')
    await admin.practice.changeSettings({ timeZone: 'America/Winnipeg' })
    expect(await dueOf()).toBe('2199-01-31T20:30:00.000Z')
    expect((await practice()).timeZone).toBe('America/Winnipeg')
    await admin.practice.changeSettings({ timeZone: null })
    expect(await dueOf()).toBe('2199-01-31T19:30:00.000Z')
  })
})

describe('logo', () => {
  const send = (body: Uint8Array | string) =>
    server.request('/api/practice/logo', { method: 'POST', headers: { cookie, 'content-type': 'image/png' }, body: body as BodyInit })
  const picture = (width = 40, height = 20) => sharp({ create: { width, height, channels: 3, background: '#0a7' } })

  it.each(['png', 'jpeg', 'webp'] as const)(
    'accepts %s, re-encodes it as a PNG without metadata, and serves it to everyone',
    async (kind) => {
      const image = await picture(2000, 1000)
        .withExif({ IFD0: { Copyright: 'Someone' } })
        .toFormat(kind)
        .toBuffer()
      const response = await send(image)
      expect(response.status).toBe(201)
      const { id } = (await response.json()) as { id: string }
      expect((await practice()).logo).toBe(id)
      const served = await server.request(`/api/practice/logo/${id}.png`)
      expect([served.status, served.headers.get('content-type'), served.headers.get('cache-control')]).toEqual([
        200,
        'image/png',
        'public, max-age=31536000, immutable',
      ])
      const meta = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
      expect([meta.format, meta.width, meta.height, meta.exif]).toEqual(['png', 512, 256, undefined])
    },
  )

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'FILE_TYPE'],
    ['an empty file', '', 'FILE_TYPE'],
    ['an HTML page', '<!doctype html><title>Logo</title>', 'FILE_TYPE'],
    ['a truncated PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'FILE_BROKEN'],
  ])('refuses %s, whatever its content type', async (_, body, code) => {
    const response = await send(body)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, code])
  })

  it('refuses a file over 2 MB and an image with too many pixels', async () => {
    expect((await send(Buffer.alloc(2 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await send(await picture(6000, 6000).png().toBuffer())).status).toBe(422)
  })

  it('is deleted when removed, and its URL answers 404', async () => {
    const { id } = (await (await send(await picture().png().toBuffer())).json()) as { id: string }
    expect((await admin.practice.removeLogo()).logo).toBeNull()
    expect((await server.request(`/api/practice/logo/${id}.png`)).status).toBe(404)
    const audit = await server.rows("select after from audit_log where kind = 'practice settings' order by id desc limit 2")
    expect(audit).toEqual([{ after: { logoHash: null } }, { after: { logoHash: id } }])
  })
})
