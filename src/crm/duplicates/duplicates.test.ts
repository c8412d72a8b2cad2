import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../test/factories.ts'
import { type Client, useServer } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { findLock } from './find.ts'
import { findDuplicates } from './jobs.ts'

type Given = Partial<Parameters<Client['contacts']['create']>[0]>

const server = useServer()
let client: Client
beforeAll(async () => {
  client = await server.as('sales_rep')
})
const add = (given: Given) => client.contacts.create({ firstName: 'Ana', lastName: randomUUID(), allowDuplicateEmail: true, ...given })
const find = () => findDuplicates.run(server.running.runtime as unknown as Scope, {}, { last: true })
/** One patient's pairs in the queue: the other patient and the reasons. */
const pairsOf = async (id: string, show: 'open' | 'dismissed' = 'open') => {
  await find()
  const { data } = await client.duplicates.list({ limit: 100, show })
  return data
    .filter(({ first, second }) => first.id === id || second.id === id)
    .map(({ first, second, reasons }) => ({ with: first.id === id ? second.id : first.id, reasons }))
}
const email = () => `${randomUUID()}@Example.com`
const number = () => `416 ${String(Math.floor(Math.random() * 800) + 200)} ${String(Math.floor(Math.random() * 9000) + 1000)}`

describe('queue of possible duplicates', () => {
  it('pairs patients who share any of their emails, ignoring case', async () => {
    const mail = email()
    const one = await add({ email: mail })
    const two = await add({ email: email(), otherEmails: [mail.toUpperCase()] })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['email'] }])
    expect(await pairsOf(two.id)).toEqual([{ with: one.id, reasons: ['email'] }])
  })

  it('pairs patients who share any of their phones, however it is formatted, most likely pair first', async () => {
    const phone = number()
    const mail = email()
    const one = await add({ phone, email: mail })
    const two = await add({ phone: number(), otherPhones: [`+1 (${phone.replace(' ', ') ')} x12`] })
    const three = await add({ email: mail, phone })
    const pairs = await pairsOf(one.id)
    expect(pairs).toEqual([
      { with: three.id, reasons: ['email', 'phone'] },
      { with: two.id, reasons: ['phone'] },
    ])
  })

  it('pairs similar names, ignoring accents, only with the same city or procedure', async () => {
    const lastName = `Lavigne ${randomUUID()}`
    const one = await add({ firstName: 'Noémie', lastName, city: 'Montréal' })
    const two = await add({ firstName: 'NOEMIE', lastName: lastName.toUpperCase().replaceAll('-', ' '), city: 'Montreal' })
    await add({ firstName: 'Noémie', lastName, city: 'Laval' })
    await add({ firstName: 'Norbert', lastName, city: 'Montréal' })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['name'] }])
  })

  it('pairs similar names with the same birth date as likely duplicates, wherever they live', async () => {
    const lastName = `Lavigne ${randomUUID()}`
    const one = await add({ firstName: 'Noémie', lastName, city: 'Montréal', dateOfBirth: '1988-03-14' })
    const two = await add({ firstName: 'Noemie', lastName, city: 'Laval', dateOfBirth: '1988-03-14' })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['name', 'birthDate'] }])
    const { data } = await client.duplicates.list({ limit: 100, by: 'contact' })
    expect(data.filter(({ first }) => first.id === one.id || first.id === two.id)).toHaveLength(1)
    expect(await client.duplicates.ofContact({ contactId: one.id })).toMatchObject([
      { contact: { id: two.id }, reasons: ['name', 'birthDate'] },
    ])
  })

  it('does not pair namesakes with different birth dates, and does once one is corrected or unknown', async () => {
    const lastName = `Lavigne ${randomUUID()}`
    const one = await add({ firstName: 'Noémie', lastName, city: 'Montréal', dateOfBirth: '1988-03-14' })
    const two = await add({ firstName: 'Noémie', lastName, city: 'Montréal', dateOfBirth: '1988-04-13' })
    expect(await pairsOf(one.id)).toEqual([])
    await client.contacts.update({ id: two.id, version: 1, dateOfBirth: '1988-03-14' })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['name', 'birthDate'] }])
    await client.contacts.update({ id: two.id, version: 2, dateOfBirth: null })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['name'] }])
  })

  it('counts only the email of namesakes with different birth dates, such as a mother and a daughter', async () => {
    const [lastName, mail] = [`Lavigne ${randomUUID()}`, email()]
    const one = await add({ firstName: 'Noémie', lastName, city: 'Laval', email: mail, dateOfBirth: '1958-03-14' })
    const two = await add({ firstName: 'Noémie', lastName, city: 'Laval', email: mail, dateOfBirth: '1988-03-14' })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['email'] }])
  })

  it('lists pairs with only a similar name separately from those that share an email or a phone', async () => {
    const [lastName, phone] = [`Lavigne ${randomUUID()}`, number()]
    const one = await add({ firstName: 'Zoé', lastName, city: 'Oakville', phone })
    const two = await add({ firstName: 'Zoe', lastName, city: 'Oakville' })
    const three = await add({ firstName: 'Other', phone })
    await find()
    const others = async (by: 'any' | 'contact' | 'name') => {
      const { data } = await client.duplicates.list({ limit: 100, by })
      return data.flatMap(({ first, second }) => (first.id === one.id ? [second.id] : second.id === one.id ? [first.id] : []))
    }
    expect(await others('any')).toEqual([three.id, two.id])
    expect(await others('contact')).toEqual([three.id])
    expect(await others('name')).toEqual([two.id])
  })

  it('removes pairs that no longer match or are merged, and adds them again when the merge is undone', async () => {
    const mail = email()
    const [one, two, three] = [await add({ email: mail }), await add({ email: mail }), await add({ email: mail })]
    expect(await pairsOf(one.id)).toHaveLength(2)
    await client.contacts.update({ id: three.id, version: 1, email: email() })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['email'] }])
    const { mergeId } = await client.contacts.merge({ id: one.id, version: 1, sourceId: two.id, sourceVersion: 1 })
    expect(await pairsOf(one.id)).toEqual([])
    await client.contacts.undoMerge({ id: mergeId })
    expect(await pairsOf(one.id)).toEqual([{ with: two.id, reasons: ['email'] }])
  })

  it('keeps a dismissal through later changes, and can restore the pair', async () => {
    const mail = email()
    const [one, two] = [await add({ email: mail }), await add({ email: mail })]
    await pairsOf(one.id)
    await client.duplicates.dismiss({ firstId: two.id, secondId: one.id })
    await client.duplicates.dismiss({ firstId: one.id, secondId: two.id })
    await client.contacts.update({ id: one.id, version: 1, firstName: 'Anna' })
    expect(await pairsOf(one.id)).toEqual([])
    expect(await pairsOf(one.id, 'dismissed')).toEqual([{ with: two.id, reasons: ['email'] }])
    await client.duplicates.restore({ firstId: one.id, secondId: two.id })
    expect(await pairsOf(one.id)).toHaveLength(1)
    await expect(client.duplicates.dismiss({ firstId: one.id, secondId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    })
  })

  it('finds existing patients in batches, with pages and a count, also when jobs run simultaneously', async () => {
    const phone = number()
    const ids = await insertContacts(
      server,
      Array.from({ length: 8 }, (_, i) => ({ firstName: `Many ${i}`, lastName: randomUUID(), phone })),
    )
    await Promise.all([find(), find(), find()])
    await find()
    const all = await client.duplicates.list({ limit: 100 })
    const ours = all.data.filter(({ first, second }) => ids.includes(first.id) && ids.includes(second.id))
    expect(ours).toHaveLength(28)
    expect(all.total).toBeGreaterThanOrEqual(28)
    const pages = [await client.duplicates.list({ limit: 20 }), await client.duplicates.list({ limit: 20, page: 2 })]
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data.slice(0, 40))
    expect(await server.rows('select 1 from duplicate_checks')).toEqual([])
  })

  it('waits for a running search, and includes patients entered just before', async () => {
    const held = await server.hold('select pg_advisory_xact_lock($1)', [findLock])
    const mail = email()
    const ids = [await add({ email: mail }), await add({ email: mail })].map(({ id }) => id)
    const listed = client.duplicates.list({ limit: 100 })
    const isWaiting = "select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted"
    await expect.poll(() => server.rows(isWaiting, [findLock])).toHaveLength(1)
    await held.release()
    const { data } = await listed
    expect(data.filter(({ first, second }) => ids.includes(first.id) && ids.includes(second.id))).toHaveLength(1)
  })

  it('lists possible duplicates of one patient, most likely first, without dismissed or deleted ones', async () => {
    const [mail, phone] = [email(), number()]
    const [one, two, three] = [await add({ email: mail, phone }), await add({ phone }), await add({ email: mail, phone })]
    await pairsOf(one.id)
    const listDuplicates = async () =>
      (await client.duplicates.ofContact({ contactId: one.id })).map(({ contact, reasons }) => [contact.id, reasons])
    expect(await listDuplicates()).toEqual([
      [three.id, ['email', 'phone']],
      [two.id, ['phone']],
    ])
    await client.duplicates.dismiss({ firstId: one.id, secondId: three.id })
    await client.contacts.delete({ id: two.id })
    expect(await listDuplicates()).toEqual([])
    await expect(client.duplicates.ofContact({ contactId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })

  it('audits a view of both patients of a pair', async () => {
    const mail = email()
    const [one, two] = [await add({ email: mail }), await add({ email: mail })]
    await pairsOf(one.id)
    const seen = await server.rows("select 1 from audit_log where action = 'viewed' and contact_ids @> array[$1, $2]::uuid[]", [
      one.id,
      two.id,
    ])
    expect(seen.length).toBeGreaterThan(0)
  })

  it('answers 403 to roles that may not merge patients', async () => {
    const desk = await server.as('front_desk')
    await expect(desk.duplicates.list({})).rejects.toMatchObject({ status: 403 })
  })
})

describe('similar patients while typing', () => {
  const similar = async (input: Parameters<Client['duplicates']['similar']>[0]) =>
    (await client.duplicates.similar(input)).map(({ contact, reasons }) => [contact.id, reasons])

  it('lists matches by email or phone before matches by name', async () => {
    const [lastName, mail, phone] = [`Roy ${randomUUID()}`, email(), number()]
    const byEmail = await add({ firstName: 'First', email: mail })
    const byPhone = await add({ firstName: 'Second', phone })
    const namesakes = [await add({ firstName: 'Léa', lastName }), await add({ firstName: 'Léa', lastName })]
    const found = (await similar({ firstName: 'Léa', lastName, email: mail, phone })).map(([id]) => id)
    expect(found).toEqual([byEmail.id, byPhone.id, ...namesakes.map(({ id }) => id).toReversed()])
  })

  it('matches by email, phone or name in any format, and returns nothing without a complete one', async () => {
    const lastName = `Bélanger ${randomUUID()}`
    const { id, email: mail, phone } = await add({ firstName: 'Chloé', lastName, email: email(), phone: number() })
    expect(await similar({ email: ` ${mail?.toUpperCase()} ` })).toEqual([[id, ['email']]])
    expect(await similar({ phone: `+1${phone?.replaceAll(' ', '-')}` })).toEqual([[id, ['phone']]])
    expect(await similar({ firstName: 'chloe', lastName: lastName.toUpperCase() })).toEqual([[id, ['name']]])
    expect(await similar({ firstName: 'Chloé', lastName, email: mail ?? '' })).toEqual([[id, ['email', 'name']]])
    expect(await similar({ firstName: 'Chloé' })).toEqual([])
    expect(await similar({ firstName: 'Chloé', lastName, dateOfBirth: '1988-03-14' })).toEqual([[id, ['name']]])
    await client.contacts.update({ id, version: 1, dateOfBirth: '1988-03-14' })
    expect(await similar({ firstName: 'Chloé', lastName, dateOfBirth: '1988-03-14' })).toEqual([[id, ['name', 'birthDate']]])
    expect(await similar({ firstName: 'Chloé', lastName, dateOfBirth: '1988-03-15' })).toEqual([])
    expect(await similar({})).toEqual([])
    expect(await similar({ phone: '5', email: '%' })).toEqual([])
  })
})
