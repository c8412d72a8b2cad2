import { beforeAll, describe, expect, it } from 'vitest'
import { addDevice, addFiller, addPlace, nextGtin } from '../../../test/care/stock.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'

const server = useServer({}, { now: () => new Date('2026-11-27T15:00:00Z') })
let provider: Client
let desk: Client
let cabinet: string
let theatre: string
beforeAll(async () => {
  provider = await server.as('provider')
  desk = await server.as('front_desk')
  const places = [await addPlace(provider), await addPlace(provider)]
  ;[cabinet, theatre] = places.map(({ id }) => id) as [string, string]
})

describe('the catalogue of devices', () => {
  it('keeps a device with its UDI-DI as 14 digits, and finds it by words, UDI-DI, lot and serial number (issue 27)', async () => {
    const udiDi = nextGtin()
    const device = await addDevice(provider, {
      model: 'Siltex Zqround',
      size: '350 cc',
      udiDi: udiDi.replace(/^0+/, ''),
      side: 'left',
      minimum: 2,
    })
    expect(device).toMatchObject({ version: 1, udiDi, size: '350 cc', side: 'left', inStock: 0, isLow: true, nextExpiry: null, lots: [] })
    await desk.devices.receive({ id: device.id, placeId: cabinet, lot: 'ZQLOT7', expiresOn: '2029-01-31', serials: ['ZQ-1'] })
    for (const search of ['zqround 350', udiDi, 'zqlot7', 'ZQ-1']) {
      const { data, total } = await desk.devices.list({ search })
      expect([search, total, data.map(({ id }) => id)]).toEqual([search, 1, [device.id]])
    }
    expect((await desk.devices.list({ search: 'zqround 375' })).total).toBe(0)
  })

  it('lists sizes of a model by number, in pages (issue 27)', async () => {
    for (const size of ['1000 cc', '325 cc', '50 cc']) await addDevice(provider, { maker: 'Zqsizes', model: 'One', size })
    const sizes = async (page: number) => (await desk.devices.list({ search: 'zqsizes', page, limit: 2 })).data.map(({ size }) => size)
    expect([await sizes(1), await sizes(2), await sizes(3)]).toEqual([['50 cc', '325 cc'], ['1000 cc'], []])
    expect(await desk.devices.list({ search: 'zqsizes', page: 3, limit: 2 })).toMatchObject({ total: 3, totalPages: 2 })
  })

  it('refuses the same maker, model and size, and the UDI-DI of another device (issue 27)', async () => {
    const device = await addDevice(provider, { size: '300 cc' })
    const same = { ...device, model: device.model.toUpperCase() }
    const { kind, hasSerials, isSterile, maker, model, size } = same
    const given = { kind, hasSerials, isSterile, maker, model, size }
    expect(await refusal(provider.devices.create(given))).toMatchObject({ status: 409, code: 'DEVICE_EXISTS' })
    expect(await refusal(provider.devices.create({ ...given, size: '325 cc', udiDi: device.udiDi }))).toMatchObject({
      status: 409,
      code: 'UDI_TAKEN',
    })
  })

  it.each([
    ['udiDi', { udiDi: '00312345678901' }],
    ['udiDi', { udiDi: '12' }],
    ['maker', { maker: ' ' }],
    ['model', { model: 'x'.repeat(101) }],
    ['kind', { kind: 'boat' }],
    ['minimum', { minimum: -1 }],
    ['side', { side: 'top' }],
  ])('refuses a bad %s and names it: %j (issue 27)', async (field, given) => {
    const before = (await desk.devices.list({})).total
    const body = { maker: 'Maker', model: 'Model', kind: 'mesh', hasSerials: false, isSterile: true, ...given }
    const response = await server.send('POST', '/api/devices', body, await server.signIn('provider'))
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(JSON.stringify(await response.json())).toContain(field)
    expect((await desk.devices.list({})).total).toBe(before)
  })

  it('changes a device by version, and never how it is counted once it was received (issue 27)', async () => {
    const device = await addFiller(provider)
    const { inStock: _i, expired: _e, expiring: _x, nextExpiry: _n, isLow: _l, lots: _o, ...fields } = device
    const changed = await provider.devices.update({ ...fields, minimum: 5 })
    expect(changed).toMatchObject({ version: 2, minimum: 5, isLow: true })
    expect((await refusal(provider.devices.update({ ...fields, minimum: 6 }))).code).toBe('CHANGED_MEANWHILE')
    await desk.devices.receive({ id: device.id, placeId: cabinet, lot: 'A', expiresOn: '2028-01-01', quantity: 5 })
    const counted = { ...fields, version: 2, hasSerials: true }
    expect(await refusal(provider.devices.update(counted))).toMatchObject({ status: 409, code: 'HAS_STOCK' })
    const audit = await server.rows<{ action: string }>(
      "select action from audit_log where kind in ('device', 'stock') and coalesce(after->>'id', after->>'deviceId') = $1 order by id",
      [device.id],
    )
    expect(audit.map(({ action }) => action)).toEqual(['created', 'changed', 'created'])
  })

  it('lists a retired device while it is in stock (issue 27)', async () => {
    const device = await addFiller(provider, { maker: 'Zqretired' })
    const { inStock: _i, expired: _e, expiring: _x, nextExpiry: _n, isLow: _l, lots: _o, ...fields } = device
    const retired = await desk.devices.receive({ id: device.id, placeId: cabinet, lot: 'A', expiresOn: '2028-01-01', quantity: 1 })
    await provider.devices.update({ ...fields, isActive: false, minimum: 9 })
    const listed = async (show?: 'retired' | 'low') => (await desk.devices.list({ search: 'Zqretired', ...(show && { show }) })).total
    expect([await listed(), await listed('retired'), await listed('low')]).toEqual([1, 1, 0])
    await desk.devices.waste({ lotId: retired.lots[0]!.id, quantity: 1, fromPlaceId: cabinet, reason: 'Opened by mistake' })
    expect([await listed(), await listed('retired')]).toEqual([0, 1])
  })
})

describe('stock', () => {
  it('is received by serial number, moved, wasted and returned, and the ledger says by whom (issue 27)', async () => {
    const { id } = await addDevice(provider, { minimum: 2 })
    const stock = await desk.devices.receive({
      id,
      placeId: cabinet,
      lot: 'L1',
      expiresOn: '2029-01-31',
      madeOn: '2026-01-31',
      serials: ['S2', 'S1', 'S3'],
    })
    const [lot] = stock.lots
    expect(stock).toMatchObject({ inStock: 3, isLow: false, nextExpiry: '2029-01-31' })
    expect(lot).toMatchObject({ lot: 'L1', expiresOn: '2029-01-31', madeOn: '2026-01-31' })
    expect(lot!.pieces).toEqual(['S1', 'S2', 'S3'].map((serial) => ({ serial, placeId: cabinet, quantity: 1 })))
    const piece = (serial: string) => ({ lotId: lot!.id, serial, quantity: 1, fromPlaceId: cabinet })
    await desk.devices.move({ ...piece('S1'), toPlaceId: theatre })
    await desk.devices.waste({ ...piece('S2'), reason: 'Dropped' })
    const after = await desk.devices.return(piece('S3'))
    expect(after).toMatchObject({ inStock: 1, isLow: true })
    expect(after.lots[0]!.pieces).toEqual([{ serial: 'S1', placeId: theatre, quantity: 1 }])
    const { data } = await desk.devices.movements({ id, limit: 3 })
    expect(data.map(({ kind, serial }) => [kind, serial])).toEqual([
      ['return', 'S3'],
      ['waste', 'S2'],
      ['move', 'S1'],
    ])
    expect(data[1]).toMatchObject({ reason: 'Dropped', fromPlaceId: cabinet, toPlaceId: null, isForSurgery: false })
    expect(data[1]!.by).not.toBeNull()
    // A piece that went back to the supplier may come again.
    expect((await desk.devices.receive({ id, placeId: cabinet, lot: 'L1', expiresOn: '2029-01-31', serials: ['S3'] })).inStock).toBe(2)
  })

  it('is counted by lot for devices without serial numbers, and never falls below zero (issue 27)', async () => {
    const { id } = await addFiller(provider)
    const { lots } = await desk.devices.receive({ id, placeId: cabinet, lot: 'L1', expiresOn: '2028-01-01', quantity: 5 })
    const pieces = { lotId: lots[0]!.id, fromPlaceId: cabinet }
    expect(await refusal(desk.devices.waste({ ...pieces, quantity: 6, reason: 'Lost' }))).toMatchObject({
      status: 409,
      code: 'NOT_IN_STOCK',
    })
    expect(await refusal(desk.devices.move({ ...pieces, fromPlaceId: theatre, quantity: 1, toPlaceId: cabinet }))).toMatchObject({
      code: 'NOT_IN_STOCK',
    })
    const { inStock } = await desk.devices.move({ ...pieces, quantity: 2, toPlaceId: theatre })
    expect(inStock).toBe(5)
    const { data } = await desk.devices.list({ placeId: theatre, search: (await desk.devices.get({ id })).model })
    expect(data.map((one) => one.id)).toEqual([id])
  })

  it('refuses a serial number that is in stock, as part of any lot, and says which (issue 27)', async () => {
    const { id } = await addDevice(provider)
    const given = { id, placeId: cabinet, expiresOn: '2029-01-31' }
    await desk.devices.receive({ ...given, lot: 'L1', serials: ['S1'] })
    const second = await refusal(desk.devices.receive({ ...given, placeId: theatre, lot: 'L2', serials: ['S2', 'S1'] }))
    expect(second).toMatchObject({ status: 409, code: 'SERIAL_IN_STOCK', data: { serials: ['S1'] } })
    expect((await desk.devices.get({ id })).inStock).toBe(1)
    // The same number of another device is another piece.
    const other = await addDevice(provider)
    expect((await desk.devices.receive({ ...given, id: other.id, lot: 'L1', serials: ['S1'] })).inStock).toBe(1)
  })

  it.each([
    ['serials', true, { quantity: 3, expiresOn: '2029-01-31' }],
    ['quantity', true, { serials: ['S1'], quantity: 1, expiresOn: '2029-01-31' }],
    ['serials', false, { serials: ['S1'], quantity: 1, expiresOn: '2029-01-31' }],
    ['quantity', false, { expiresOn: '2029-01-31' }],
    ['quantity', false, { quantity: 1.5, expiresOn: '2029-01-31' }],
    ['expiresOn', false, { quantity: 1 }],
    ['expiresOn', false, { quantity: 1, expiresOn: '2026-11-26' }],
    ['madeOn', false, { quantity: 1, expiresOn: '2029-01-31', madeOn: '2026-11-28' }],
    ['lot', false, { quantity: 1, expiresOn: '2029-01-31', lot: 'two words' }],
    ['serials', true, { serials: ['S1', 'S1'], expiresOn: '2029-01-31' }],
    ['placeId', false, { quantity: 1, expiresOn: '2029-01-31', placeId: '018f0000-0000-7000-8000-000000000000' }],
  ])('refuses a receipt with a bad %s (serial numbers: %s): %j (issue 27)', async (field, hasSerials, given) => {
    const { id } = hasSerials ? await addDevice(provider) : await addFiller(provider)
    const body = { placeId: cabinet, lot: 'L1', ...given }
    const response = await server.send('POST', `/api/devices/${id}/receive`, body, await server.signIn('front_desk'))
    const text = await response.text()
    expect([response.status >= 400 && response.status < 500, text.includes(field) || text]).toEqual([true, true])
    expect(await desk.devices.get({ id })).toMatchObject({ inStock: 0, lots: [] })
    expect(await server.rows('select 1 from device_lots where device_id = $1', [id])).toEqual([])
  })

  it('refuses another expiry for a lot that is known (issue 27)', async () => {
    const { id } = await addFiller(provider)
    await desk.devices.receive({ id, placeId: cabinet, lot: 'L1', expiresOn: '2028-01-01', quantity: 1 })
    const second = await refusal(desk.devices.receive({ id, placeId: cabinet, lot: 'L1', expiresOn: '2028-02-01', quantity: 1 }))
    expect(second).toMatchObject({
      status: 422,
      data: { fields: { expiresOn: 'This lot is in the catalogue with the expiry 2028-01-01' } },
    })
  })

  it('warns of stock that is low, expires soon or has expired, and does not count expired pieces as usable (issue 27)', async () => {
    const before = await desk.devices.warnings()
    const { id, model } = await addFiller(provider, { minimum: 3 })
    await desk.devices.receive({ id, placeId: cabinet, lot: 'L1', expiresOn: '2027-02-25', quantity: 2 })
    await desk.devices.receive({ id, placeId: cabinet, lot: 'L2', expiresOn: '2027-02-26', quantity: 1 })
    expect(await desk.devices.get({ id })).toMatchObject({ isLow: false, expiring: 2, expired: 0, nextExpiry: '2027-02-25' })
    await server.rows("update device_lots set expires_on = '2026-11-26' where device_id = $1 and lot = 'L1'", [id])
    expect(await desk.devices.get({ id })).toMatchObject({ inStock: 3, isLow: true, expiring: 0, expired: 2, nextExpiry: '2027-02-26' })
    const shown = async (show: 'low' | 'expiring' | 'expired') => (await desk.devices.list({ show, search: model })).total
    expect([await shown('low'), await shown('expiring'), await shown('expired')]).toEqual([1, 0, 1])
    expect(await desk.devices.warnings()).toEqual({ ...before, low: before.low + 1, expired: before.expired + 1 })
  })

  it('keeps a place with stock in use, and takes nothing more once it has ended (issue 27)', async () => {
    const place = await addPlace(provider)
    const { id } = await addFiller(provider)
    const { lots } = await desk.devices.receive({ id, placeId: place.id, lot: 'L1', expiresOn: '2028-01-01', quantity: 1 })
    expect((await refusal(provider.devices.changePlace({ ...place, isActive: false }))).code).toBe('IN_USE')
    await desk.devices.move({ lotId: lots[0]!.id, quantity: 1, fromPlaceId: place.id, toPlaceId: cabinet })
    expect(await provider.devices.changePlace({ ...place, isActive: false })).toMatchObject({ isActive: false })
    const back = desk.devices.move({ lotId: lots[0]!.id, quantity: 1, fromPlaceId: cabinet, toPlaceId: place.id })
    expect(await refusal(back)).toMatchObject({ status: 422, code: 'INVALID_REFERENCE' })
    expect((await refusal(provider.devices.addPlace({ name: place.name.toUpperCase() }))).code).toBe('NAME_TAKEN')
  })

  it('receives once per key, however often it is sent (issue 27)', async () => {
    const { id } = await addFiller(provider)
    const headers = {
      cookie: await server.signIn('front_desk'),
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    }
    const body = JSON.stringify({ placeId: cabinet, lot: 'L1', expiresOn: '2028-01-01', quantity: 4 })
    for (let time = 0; time < 3; time++)
      expect((await server.request(`/api/devices/${id}/receive`, { method: 'POST', headers, body })).status).toBe(200)
    expect((await desk.devices.get({ id })).inStock).toBe(4)
  })

  it('is a ledger that the database lets no one change (issue 27)', async () => {
    await expect(server.rows('update stock_movements set quantity = quantity + 1')).rejects.toThrow('append-only')
    await expect(server.rows('delete from stock_movements')).rejects.toThrow('append-only')
  })
})
