import type { AnyContractProcedure } from '@orpc/contract'
import { routeOf } from '../admin/roles/service.ts'
import {
  endCardPaymentOf,
  onPaid,
  payForBooking,
  refundBookingDeposit,
  refundToCard,
  stateOfBookingPayment,
  takesCards,
} from '../billing/cards/service.ts'
import * as collections from '../billing/collections/service.ts'
import { endCardPayment, onChargePaid, onRefund } from '../billing/pos/service.ts'
import * as prepaid from '../billing/prepaid/service.ts'
import { followFinancingReceipt, followUpPayment } from '../billing/quotes/service.ts'
import { cancellationMoneyOf, linesAbout } from '../billing/visit-fees/balance.ts'
import { followStatus } from '../billing/visit-fees/service.ts'
import { queuePaidFee, settlePaidFee } from '../billing/visit-fees/settle.ts'
import { findCases, isScanOfConsent, upcomingCases } from '../chart/consent-forms/service.ts'
import { casesAwaitingConsents, casesWithIds } from '../care/surgeries/service.ts'
import { owedByContacts } from '../care/surgeries/checklists/with-checklists.ts'
import * as checklists from '../care/surgeries/checklists/templates.ts'
import * as visits from '../care/appointments/service.ts'
import * as selfBooking from '../care/self-booking/service.ts'
import * as surgeries from '../care/surgeries/service.ts'
import { answerCheckIn } from '../care/check-ins/service.ts'
import { addToChecklist, followCheckIn } from '../chart/forms/service.ts'
import { isEvidence } from '../documents/service.ts'
import { outstandingAmong, prepaidAmong } from '../crm/contacts/service.ts'
import { queueWelcomes } from '../crm/leads/process.ts'
import { surgicalUses } from '../crm/procedures/service.ts'
import * as registry from '../kernel/patient-tables/registry.ts'
import * as photos from '../chart/photos/service.ts'
import * as photoUses from '../chart/photo-uses/service.ts'
import * as inbox from '../messages/inbox/welcome.ts'
import { contract } from './contract.ts'
import { patientTables } from './patient-tables.ts'

// All calls against the order of domains, in one place (kernel/slot.ts).
registry.patientTables.fill(() => patientTables)
outstandingAmong.fill(collections.outstandingAmong)
prepaidAmong.fill(prepaid.prepaidAmong)
owedByContacts.fill(collections.owedByContacts)
onRefund.fill(refundToCard)
endCardPayment.fill(endCardPaymentOf)
onChargePaid.fill(followFinancingReceipt)
collections.onPaymentApplied.fill(queuePaidFee)
onPaid.quote = followUpPayment
onPaid.deposit = selfBooking.queuePaidBooking
onPaid.fee = settlePaidFee
visits.takesCards.fill(takesCards)
selfBooking.startBookingPayment.fill(payForBooking)
selfBooking.bookingPaymentState.fill(stateOfBookingPayment)
selfBooking.refundDeposit.fill(refundBookingDeposit)
visits.onStatusChanged.fill(followStatus)
visits.cancellationMoney.fill(cancellationMoneyOf)
visits.moneyLines.fill(linesAbout)
findCases.fill(casesWithIds)
upcomingCases.fill(casesAwaitingConsents)
isEvidence.fill(isScanOfConsent)
surgicalUses.fill(checklists.surgicalUses)
addToChecklist.fill(surgeries.addToNextCase)
followCheckIn.fill(answerCheckIn)
photos.wouldLackConsent.fill(photoUses.wouldLackConsent)
queueWelcomes.fill(inbox.queueWelcomes)
routeOf.fill((name) => {
  const [feature = '', call = ''] = name.split('.')
  const part = contract[feature as keyof typeof contract] as Record<string, AnyContractProcedure> | undefined
  return part?.[call]?.['~orpc'].route
})
