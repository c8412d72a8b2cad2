import { beforeEach, expect, it } from 'vitest'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { insertContact } from '../../../test/factories.ts'

const practice = useSurgeryPractice()
const { server, book, operate } = practice
beforeEach(() => void (practice.clock.now = new Date('2026-11-21T15:00:00Z')))

const patient = async (firstName: string, lastName: string, born: string | null = null) => {
  const id = await insertContact(server, { firstName, lastName })
  await server.rows('update contacts set date_of_birth = $2 where id = $1', [id, born])
  return id
}
/** Working days, of which each test has its own. */
const days = ['04', '05', '06', '07', '08', '11'].map((day) => `2027-01-${day}`)
const nextDay = () => days.shift()!
const namesakesOf = async (id: string) => (await practice.desk.appointments.get({ id })).contact.namesakes

it('warns of another patient with the same name on the same day, in the list, the appointment, the result of booking and the record', async () => {
  const day = nextDay()
  const one = await patient('Siobhán', 'O’Brien-Roy', '1988-03-14')
  const two = await patient('siobhan', 'obrien roy', '1975-01-02')
  const first = await book({ contactId: one, startsAt: `${day}T15:00:00Z` })
  expect(first.contact).toMatchObject({ dateOfBirth: '1988-03-14', preferredName: null, namesakes: [] })
  const second = await book({ contactId: two, startsAt: `${day}T20:00:00Z`, providerId: practice.provider.id })
  expect(second.contact.namesakes).toEqual([{ id: one, dateOfBirth: '1988-03-14' }])
  expect(await namesakesOf(first.id)).toEqual([{ id: two, dateOfBirth: '1975-01-02' }])
  expect((await practice.desk.appointments.ofContact({ contactId: one })).map(({ contact }) => contact.namesakes)).toEqual([
    [{ id: two, dateOfBirth: '1975-01-02' }],
  ])
  // Also where a filter hides the other one.
  const period = { from: `${day}T05:00:00Z`, to: `${day}T23:00:00Z` }
  const { data } = await practice.desk.appointments.list({ ...period, providerId: practice.provider.id })
  expect(data.map(({ contact }) => [contact.id, contact.namesakes])).toEqual([[two, [{ id: one, dateOfBirth: '1988-03-14' }]]])
})

it('compares appointments with surgeries', async () => {
  const day = nextDay()
  const [one, two] = [await patient('Ana', 'Silva', '1990-05-05'), await patient('Ana', 'Silva')]
  const visit = await book({ contactId: one, startsAt: `${day}T15:00:00Z` })
  const surgery = await operate({ contactId: two, startsAt: `${day}T19:00:00Z` })
  expect(surgery.contact.namesakes).toEqual([{ id: one, dateOfBirth: '1990-05-05' }])
  expect(await namesakesOf(visit.id)).toEqual([{ id: two, dateOfBirth: null }])
  const { data } = await practice.desk.surgeries.list({ from: `${day}T05:00:00Z`, to: `${day}T23:00:00Z` })
  expect(data[0]!.contact.namesakes).toHaveLength(1)
})

it('does not warn of another name, another day at the practice, the same patient or a cancelled appointment', async () => {
  const day = nextDay()
  const next = nextDay()
  const [one, two] = [await patient('Li', 'Wei'), await patient('Li', 'Wei')]
  const visit = await book({ contactId: one, startsAt: `${day}T15:00:00Z` })
  await book({ contactId: one, startsAt: `${day}T17:00:00Z` })
  await book({ contactId: await patient('Lin', 'Wei'), startsAt: `${day}T18:00:00Z` })
  // Eleven at night in Toronto is the next day in UTC.
  const late = await book({ contactId: two, startsAt: `${next}T04:00:00Z`, outsideHours: true })
  expect(await namesakesOf(visit.id)).toEqual([{ id: two, dateOfBirth: null }])
  await practice.desk.appointments.setStatus({ id: late.id, version: 1, status: 'cancelled', reason: 'is ill' })
  expect(await namesakesOf(visit.id)).toEqual([])
  await book({ contactId: two, startsAt: `${next}T15:00:00Z` })
  expect(await namesakesOf(visit.id)).toEqual([])
})

it('compares names in other scripts, and does not take names without a letter for the same', async () => {
  const day = nextDay()
  const [one, two] = [await patient('伟', '李'), await patient('伟', '李')]
  const visit = await book({ contactId: one, startsAt: `${day}T15:00:00Z` })
  await book({ contactId: two, startsAt: `${day}T16:00:00Z` })
  expect(await namesakesOf(visit.id)).toHaveLength(1)
  const [dash, dot] = [await patient('-', '.'), await patient('.', '-')]
  const odd = await book({ contactId: dash, startsAt: `${day}T17:00:00Z` })
  await book({ contactId: dot, startsAt: `${day}T18:00:00Z` })
  expect(await namesakesOf(odd.id)).toEqual([])
})

it('records that the other patient was seen', async () => {
  const day = nextDay()
  const [one, two] = [await patient('Eva', 'Novak', '1980-01-01'), await patient('Eva', 'Novak', '1981-01-01')]
  const visit = await book({ contactId: one, startsAt: `${day}T15:00:00Z` })
  await book({ contactId: two, startsAt: `${day}T16:00:00Z` })
  await namesakesOf(visit.id)
  const seen = await server.rows("select kind, contact_ids from audit_log where action = 'viewed' order by id desc limit 2")
  expect(seen).toEqual(
    expect.arrayContaining([
      { kind: 'appointment', contact_ids: [one] },
      { kind: 'contact', contact_ids: [two] },
    ]),
  )
})
