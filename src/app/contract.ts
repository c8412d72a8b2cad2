import type { AnyContractProcedure, AnyContractRouter } from '@orpc/contract'
import { apiKeysContract } from '../platform/api-keys/contract.ts'
import { signingKeysContract } from '../platform/seals/contract.ts'
import { availabilityContract } from '../care/availability/contract.ts'
import { appointmentsContract } from '../care/appointments/contract.ts'
import { textLinksContract } from '../messages/inbox/link-contract.ts'
import { cardTerminalContract, payLinksContract, savedCardsContract } from '../billing/cards/contract.ts'
import { prepaidContract } from '../billing/prepaid/contract.ts'
import { visitFeesContract } from '../billing/visit-fees/contract.ts'
import { disputesContract } from '../billing/disputes/contract.ts'
import { payoutsContract } from '../billing/payouts/contract.ts'
import { appointmentLinksContract } from '../care/appointments/link-contract.ts'
import { subscribedCalendarsContract } from '../care/subscribed-calendars/contract.ts'
import { waitingListContract, waitingOffersContract } from '../care/waiting-list/contract.ts'
import { selfBookingContract } from '../care/self-booking/contract.ts'
import { accessContract } from '../admin/roles/contract.ts'
import { auditContract } from '../admin/audit-log/contract.ts'
import { accountContract } from '../platform/auth/account-contract.ts'
import { authContract } from '../platform/auth/contract.ts'
import { peopleContract } from '../platform/auth/people-contract.ts'
import { backupsContract } from '../admin/backups/contract.ts'
import { bulkChangesContract } from '../crm/bulk-changes/contract.ts'
import { calendarFeedsContract } from '../care/calendar-feeds/contract.ts'
import { collectionsContract } from '../billing/collections/contract.ts'
import { connectionsContract } from '../admin/connections/contract.ts'
import { consentContract } from '../crm/consent/contract.ts'
import { contactsContract } from '../crm/contacts/contract.ts'
import { historyContract } from '../crm/contacts/history-contract.ts'
import { devicesContract } from '../care/devices/contract.ts'
import { dashboardContract } from '../insight/dashboard/contract.ts'
import { documentsContract } from '../documents/contract.ts'
import { duplicatesContract } from '../crm/duplicates/contract.ts'
import { healthCardsContract } from '../crm/health-cards/contract.ts'
import { photosContract } from '../chart/photos/contract.ts'
import { consultGalleryContract, galleryContract, photoUsesContract, sharedPhotosContract } from '../chart/photo-uses/contract.ts'
import { portraitsContract } from '../chart/portraits/contract.ts'
import { notesContract } from '../chart/notes/contract.ts'
import { consentFormsContract } from '../chart/consent-forms/contract.ts'
import { formsContract } from '../chart/forms/contract.ts'
import { emailTemplatesContract } from '../messages/email-templates/contract.ts'
import { eventsContract } from '../kernel/events/contract.ts'
import { healthContract } from '../chart/health/contract.ts'
import { implantsContract } from '../care/implants/contract.ts'
import { importsContract } from '../admin/imports/contract.ts'
import { campaignsContract } from '../outreach/campaigns/contract.ts'
import { inboxContract } from '../messages/inbox/contract.ts'
import { interactionsContract } from '../crm/interactions/contract.ts'
import { leadSourcesContract } from '../crm/lead-sources/contract.ts'
import { leadsContract } from '../crm/leads/contract.ts'
import { mailboxContract } from '../messages/mailbox/contract.ts'
import { signaturesContract } from '../messages/signatures/contract.ts'
import { mergesContract } from '../admin/merges/contract.ts'
import { pipelineContract } from '../crm/pipeline/contract.ts'
import { portalContract } from '../portal/contract.ts'
import { tabletContract } from '../portal/tablet/contract.ts'
import { posContract } from '../billing/pos/contract.ts'
import { practiceContract } from '../admin/practice-settings/contract.ts'
import { priceListsContract } from '../billing/price-lists/contract.ts'
import { proceduresContract } from '../crm/procedures/contract.ts'
import { quickbooksContract } from '../billing/quickbooks/contract.ts'
import { quotesContract } from '../billing/quotes/contract.ts'
import { sequencesContract } from '../outreach/sequences/contract.ts'
import { recallsContract } from '../care/recalls/contract.ts'
import { reportsContract } from '../insight/reports/contract.ts'
import { retentionContract } from '../admin/retention/contract.ts'
import { savedViewsContract } from '../crm/saved-views/contract.ts'
import { notificationsContract } from '../crm/notifications/contract.ts'
import { systemContract } from '../admin/system/contract.ts'
import { adverseEventsContract } from '../care/adverse-events/contract.ts'
import { checkInsContract } from '../care/check-ins/contract.ts'
import { surgeriesContract } from '../care/surgeries/contract.ts'
import { safetyContract } from '../care/surgeries/safety-contract.ts'
import { referralsContract } from '../crm/referrals/contract.ts'
import { tagsContract } from '../crm/tags/contract.ts'
import { tasksContract } from '../crm/tasks/contract.ts'
import { webhooksContract } from '../platform/webhooks/contract.ts'
import { wholeRecordsContract } from '../admin/patient-export/contract.ts'

/** Every call of the API; the source of the browser client, the server router and the OpenAPI document. */
export const contract = {
  auth: authContract,
  account: accountContract,
  people: peopleContract,
  access: accessContract,
  audit: auditContract,
  events: eventsContract,
  pipeline: pipelineContract,
  leadSources: leadSourcesContract,
  procedures: { ...proceduresContract, ...priceListsContract },
  campaigns: campaignsContract,
  referrals: referralsContract,
  tags: tagsContract,
  contacts: { ...contactsContract, ...historyContract, ...mergesContract },
  apiKeys: apiKeysContract,
  signingKeys: signingKeysContract,
  appointments: appointmentsContract,
  availability: availabilityContract,
  payLinks: payLinksContract,
  cardTerminal: cardTerminalContract,
  savedCards: savedCardsContract,
  prepaid: prepaidContract,
  visitFees: visitFeesContract,
  payouts: payoutsContract,
  disputes: disputesContract,
  appointmentLinks: appointmentLinksContract,
  selfBooking: selfBookingContract,
  waitingList: waitingListContract,
  subscribedCalendars: subscribedCalendarsContract,
  waitingOffers: waitingOffersContract,
  textLinks: textLinksContract,
  calendarFeeds: calendarFeedsContract,
  backups: backupsContract,
  bulkChanges: bulkChangesContract,
  collections: collectionsContract,
  connections: connectionsContract,
  consent: consentContract,
  dashboard: dashboardContract,
  devices: devicesContract,
  documents: documentsContract,
  duplicates: duplicatesContract,
  emailTemplates: emailTemplatesContract,
  healthCards: healthCardsContract,
  photos: photosContract,
  photoUses: photoUsesContract,
  consultGallery: consultGalleryContract,
  gallery: galleryContract,
  sharedPhotos: sharedPhotosContract,
  portraits: portraitsContract,
  health: healthContract,
  forms: formsContract,
  consentForms: consentFormsContract,
  implants: implantsContract,
  imports: importsContract,
  inbox: inboxContract,
  interactions: interactionsContract,
  leads: leadsContract,
  mailbox: mailboxContract,
  signatures: signaturesContract,
  notes: notesContract,
  recalls: recallsContract,
  sequences: sequencesContract,
  reports: reportsContract,
  savedViews: savedViewsContract,
  surgeries: surgeriesContract,
  safetyChecklists: safetyContract,
  adverseEvents: adverseEventsContract,
  checkIns: checkInsContract,
  system: systemContract,
  tasks: tasksContract,
  notifications: notificationsContract,
  portal: portalContract,
  tablet: tabletContract,
  pos: posContract,
  practice: practiceContract,
  quickbooks: quickbooksContract,
  quotes: quotesContract,
  retention: retentionContract,
  webhooks: webhooksContract,
  wholeRecords: wholeRecordsContract,
}

type Paths<Router> = {
  [Key in keyof Router & string]: Router[Key] extends AnyContractProcedure
    ? Key
    : Router[Key] extends AnyContractRouter
      ? `${Key}.${Paths<Router[Key]>}`
      : never
}[keyof Router & string]

/** The name of a call, such as 'contacts.list'. */
export type CallName = Paths<typeof contract>
