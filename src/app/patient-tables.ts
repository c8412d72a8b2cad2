import { importTables } from '../admin/imports/patient-tables.ts'
import { mergeTables } from '../admin/merges/patient-tables.ts'
import { cardTables } from '../billing/cards/patient-tables.ts'
import { visitFeeTables } from '../billing/visit-fees/patient-tables.ts'
import { collectionTables } from '../billing/collections/patient-tables.ts'
import { posTables } from '../billing/pos/patient-tables.ts'
import { prepaidTables } from '../billing/prepaid/patient-tables.ts'
import { quickBooksTables } from '../billing/quickbooks/patient-tables.ts'
import { financingTables, quoteTables } from '../billing/quotes/patient-tables.ts'
import { noteTables } from '../chart/notes/patient-tables.ts'
import { healthTables } from '../chart/health/patient-tables.ts'
import { waitingListTables } from '../care/waiting-list/patient-tables.ts'
import { adverseEventTables } from '../care/adverse-events/patient-tables.ts'
import { appointmentTables } from '../care/appointments/patient-tables.ts'
import { checkInTables } from '../care/check-ins/patient-tables.ts'
import { reservationTables } from '../care/reservations/patient-tables.ts'
import { surgeryTables } from '../care/surgeries/patient-tables.ts'
import { recallTables } from '../care/recalls/patient-tables.ts'
import { implantTables } from '../care/implants/patient-tables.ts'
import { consentFormTables } from '../chart/consent-forms/patient-tables.ts'
import { photoUseTables } from '../chart/photo-uses/patient-tables.ts'
import { photoTables } from '../chart/photos/patient-tables.ts'
import { formTables } from '../chart/forms/patient-tables.ts'
import { bulkChangeTables } from '../crm/bulk-changes/patient-tables.ts'
import { consentTables } from '../crm/consent/patient-tables.ts'
import { contactTables } from '../crm/contacts/patient-tables.ts'
import { duplicateTables } from '../crm/duplicates/patient-tables.ts'
import { portraitTables } from '../chart/portraits/patient-tables.ts'
import { healthCardTables } from '../crm/health-cards/patient-tables.ts'
import { interactionTables } from '../crm/interactions/patient-tables.ts'
import { leadTables } from '../crm/leads/patient-tables.ts'
import { notificationTables } from '../crm/notifications/patient-tables.ts'
import { referralTables } from '../crm/referrals/patient-tables.ts'
import { tagTables } from '../crm/tags/patient-tables.ts'
import { taskTables } from '../crm/tasks/patient-tables.ts'
import { documentTables } from '../documents/patient-tables.ts'
import type { PatientTables } from '../kernel/patient-tables/registry.ts'
import { inboxTables } from '../messages/inbox/patient-tables.ts'
import { campaignTables } from '../outreach/campaigns/patient-tables.ts'
import { mailboxTables } from '../messages/mailbox/patient-tables.ts'
import { auditTables } from '../platform/audit/patient-tables.ts'
import { mailTables } from '../platform/mail/patient-tables.ts'
import { sequenceTables } from '../outreach/sequences/patient-tables.ts'
import { portalTables } from '../portal/patient-tables.ts'

/** All tables with patients' data, in domain order: a table comes after those that it refers to. */
export const patientTables: PatientTables = {
  ...auditTables,
  ...mailTables,
  ...contactTables,
  ...healthCardTables,
  ...portraitTables,
  ...interactionTables,
  ...referralTables,
  ...tagTables,
  ...leadTables,
  ...taskTables,
  ...notificationTables,
  ...consentTables,
  ...duplicateTables,
  ...bulkChangeTables,
  ...documentTables,
  ...inboxTables,
  ...campaignTables,
  ...mailboxTables,
  ...noteTables,
  ...healthTables,
  ...photoTables,
  ...formTables,
  ...consentFormTables,
  ...photoUseTables,
  ...appointmentTables,
  ...surgeryTables,
  ...implantTables,
  ...recallTables,
  ...adverseEventTables,
  ...waitingListTables,
  ...checkInTables,
  ...reservationTables,
  ...quoteTables,
  ...sequenceTables,
  ...posTables,
  ...prepaidTables,
  ...financingTables,
  ...cardTables,
  ...visitFeeTables,
  ...collectionTables,
  ...quickBooksTables,
  ...portalTables,
  ...importTables,
  ...mergeTables,
}
