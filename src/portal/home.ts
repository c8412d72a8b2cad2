import { dueNow, unbookedCents } from '../billing/cards/service.ts'
import { remaining } from '../billing/collections/rules.ts'
import { countOwnReceipts } from '../billing/pos/service.ts'
import { confirmOwnAppointment, listOwnAppointments, requestOwnAppointment } from '../care/appointments/service.ts'
import { getOwnInstructions, listOwnSurgeries } from '../care/surgeries/service.ts'
import { listOwnConsents } from '../chart/consent-forms/service.ts'
import { listOwnForms } from '../chart/forms/service.ts'
import { countOwnPhotos } from '../chart/photo-uses/service.ts'
import { summarizeOwnMessages } from '../messages/inbox/service.ts'
import type { PatientHome } from './home-contract.ts'
import { dayAt } from '../shared/zoned-time.ts'
import { denied } from './own-scope.ts'
import { openPortions, payPathOf } from './receipts.ts'
import type { PatientScope } from './sessions.ts'

/** What the patient has to do and what comes next, in one answer. */
export async function getHome(scope: PatientScope): Promise<PatientHome> {
  const [forms, consents, { appointments, openDays }, { upcoming, aftercare }, balance, messages, receiptCount, photoCount] =
    await Promise.all([
      listOwnForms(scope),
      listOwnConsents(scope),
      listOwnAppointments(scope),
      listOwnSurgeries(scope),
      balanceOf(scope),
      summarizeOwnMessages(scope),
      countOwnReceipts(scope),
      countOwnPhotos(scope),
    ])
  if (appointments.length > 0) await scope.recordView({ kind: 'appointment', contactIds: [scope.patient] })
  if (upcoming.length + aftercare.length > 0) await scope.recordView({ kind: 'surgery', contactIds: [scope.patient] })
  if (balance) await scope.recordView({ kind: 'ledger', contactIds: [scope.patient] })
  return {
    firstName: scope.firstName,
    forms: forms
      .filter(({ status, expiresAt }) => status === 'submitted' || expiresAt > scope.now())
      .map(({ id, title, status, expiresAt }) => ({
        id,
        title,
        isStarted: status === 'started',
        isDone: status === 'submitted',
        expiresAt,
      })),
    consents: consents
      .filter(({ status }) => status === 'sent' || status === 'signed')
      .map(({ id, title, needsInitials, signedAt }) => ({ id, title, needsInitials, signedAt })),
    appointments,
    surgeries: upcoming,
    aftercare,
    balance,
    messages,
    receiptCount,
    photoCount,
    openDays,
  }
}

/** What is owed in all, and what is due by now. If nothing is: what is due before the surgery, otherwise what is due next. */
async function balanceOf(scope: PatientScope): Promise<PatientHome['balance']> {
  const portions = remaining(await openPortions(scope), await unbookedCents(scope.db, scope.patient))
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const [earliest] = portions
  if (!earliest) return null
  const first = earliest.dueOn <= today ? earliest : (portions.find(({ isBeforeSurgery }) => isBeforeSurgery) ?? earliest)
  const cents = portions.reduce((sum, { openCents }) => sum + openCents, 0)
  const { dueOn, isBeforeSurgery } = first
  const dueCents = dueNow(portions, dueOn < today ? today : dueOn)
  return { cents, dueCents, dueOn, isBeforeSurgery, payPath: payPathOf(scope, cents) }
}

/** Null if the patient has no such upcoming appointment. */
export const confirmOwn = async (scope: PatientScope, seen: Parameters<typeof confirmOwnAppointment>[1]) =>
  (await confirmOwnAppointment(scope, seen)) ?? denied(scope, 'appointment', seen.id)

/** Null if the patient has no such upcoming appointment. */
export const requestOwn = async (scope: PatientScope, asked: Parameters<typeof requestOwnAppointment>[1]) =>
  (await requestOwnAppointment(scope, asked)) ?? denied(scope, 'appointment', asked.id)

/** Null if the patient has no such surgery, or it was long ago. */
export async function instructionsOfOwn(scope: PatientScope, id: string) {
  const found = await getOwnInstructions(scope, id)
  if (!found) return denied(scope, 'surgery', id)
  await scope.recordView({ kind: 'surgery', contactIds: [scope.patient] })
  return found
}
