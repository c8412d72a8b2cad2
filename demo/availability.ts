import { daysLater } from '../src/shared/zoned-time.ts'
import { type Client, signIn } from './billing/quickbooks.ts'
import { demoPassword, staff } from './staff.ts'

/** Adds the clinic's visit types, and the hours and time off of its surgeon, as an administrator would. Does nothing if there are any. */
export async function addAvailability(url: string, today: string): Promise<void> {
  const admin = await signIn(url, { email: staff.admin.email, password: demoPassword })
  if (!admin || (await admin.availability.visitTypes()).length > 0) return
  const [people, rooms] = [await admin.people.list(), await admin.practice.rooms()]
  const idOf = (email: string) => people.find((one) => one.email === email)!.id
  const roomsOf = (start: string) => rooms.filter(({ name }) => name.startsWith(start)).map(({ id }) => id)
  const [surgeon, nurse] = [idOf(staff.provider.email), idOf(staff.frontDesk.email)]
  const common = {
    description: null,
    descriptionFr: null,
    bufferBefore: 0,
    bufferAfter: 0,
    noticeHours: 24,
    horizonDays: 90,
    changeHours: 24,
    maxPerDay: null,
    patients: 'all' as const,
    isOnline: false,
    providerIds: [surgeon],
    secondIds: [],
    roomIds: roomsOf('Consult'),
  }
  await admin.availability.addVisitType({
    ...common,
    name: 'Consult',
    nameFr: 'Consultation',
    description: 'Your first visit with the surgeon: your questions, an examination and the options.',
    descriptionFr: 'Votre premier rendez-vous avec la chirurgienne : vos questions, un examen et les options.',
    type: 'consult',
    minutes: 45,
    bufferAfter: 10,
    maxPerDay: 8,
    isOnline: true,
    changeHours: 48,
    priceCents: 15_000,
    depositKind: 'amount',
    depositCents: 7_500,
    isDepositFirstOnly: true,
    lateFeeCents: 5_000,
    noShowFeeCents: 7_500,
  })
  await admin.availability.addVisitType({
    ...common,
    name: 'Pre-op visit',
    nameFr: 'Rendez-vous préopératoire',
    type: 'pre_op',
    minutes: 30,
    patients: 'known',
    secondIds: [nurse],
  })
  await admin.availability.addVisitType({
    ...common,
    name: 'Post-op visit',
    nameFr: 'Rendez-vous postopératoire',
    type: 'post_op',
    minutes: 20,
    patients: 'known',
    isOnline: true,
  })
  await admin.availability.addVisitType({
    ...common,
    name: 'Injectables',
    nameFr: 'Injectables',
    type: 'treatment',
    minutes: 40,
    bufferBefore: 5,
    bufferAfter: 10,
    roomIds: roomsOf('Treatment'),
  })
  const laser = await admin.availability.addEquipment({ name: 'CO₂ laser', units: [{ locationId: rooms[0]!.locationId, count: 1 }] })
  await admin.availability.addVisitType({
    ...common,
    name: 'Laser resurfacing',
    nameFr: 'Relissage au laser',
    type: 'treatment',
    minutes: 45,
    bufferAfter: 15,
    roomIds: roomsOf('Treatment'),
    equipmentIds: [laser.id],
    seriesVisits: 4,
    seriesWeeks: 4,
  })
  const weekly = [1, 2, 3, 4, 5].flatMap((weekday) => [
    { weekday, opens: '08:30', closes: '12:00' },
    { weekday, opens: '13:00', closes: weekday === 4 ? '19:00' : '16:30' },
  ])
  await admin.availability.setStaffHours({ id: surgeon, weekly })
  await admin.availability.addException({
    profileId: surgeon,
    kind: 'off',
    fromDay: daysLater(today, 24),
    toDay: daysLater(today, 28),
    note: 'Annual meeting of the society',
  })
  await waitForVisits(admin, today)
}

/** Patients who wait for a visit, as the front desk would enter them. */
async function waitForVisits(admin: Client, today: string) {
  const types = await admin.availability.visitTypes()
  const idOf = (name: string) => types.find((type) => type.name === name)!.id
  const { data } = await admin.contacts.list({ limit: 5, sort: 'newest' })
  const waiting = [
    { visit: 'Consult', weekdays: [1, 2, 3], dayParts: ['morning'], note: 'Works in the afternoon' },
    { visit: 'Injectables', weekdays: [], dayParts: [], note: null },
    { visit: 'Consult', weekdays: [4], dayParts: ['evening'], note: 'After work only' },
    { visit: 'Post-op visit', weekdays: [5], dayParts: ['morning', 'afternoon'], note: null },
  ] as const
  for (const [at, { visit, weekdays, dayParts, note }] of waiting.entries()) {
    await admin.waitingList.add({
      contactId: data[at]!.id,
      visitTypeId: idOf(visit),
      weekdays: [...weekdays],
      dayParts: [...dayParts],
      fromDay: today,
      toDay: daysLater(today, 60),
      note,
    })
  }
}
