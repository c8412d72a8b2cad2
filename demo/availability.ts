import { daysLater } from '../src/shared/zoned-time.ts'
import { signIn } from './billing/quickbooks.ts'
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
}
