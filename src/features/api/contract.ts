import type { AnyContractProcedure, AnyContractRouter } from '@orpc/contract'
import { apiKeysContract } from '../api-keys/contract.ts'
import { appointmentsContract } from '../appointments/contract.ts'
import { appointmentLinksContract } from '../appointments/link-contract.ts'
import { accessContract } from '../access/contract.ts'
import { auditContract } from '../audit/contract.ts'
import { accountContract } from '../auth/account-contract.ts'
import { authContract } from '../auth/contract.ts'
import { peopleContract } from '../auth/people-contract.ts'
import { bulkChangesContract } from '../bulk-changes/contract.ts'
import { calendarFeedsContract } from '../calendar-feeds/contract.ts'
import { collectionsContract } from '../collections/contract.ts'
import { connectionsContract } from '../connections/contract.ts'
import { consentContract } from '../consent/contract.ts'
import { contactsContract } from '../contacts/contract.ts'
import { historyContract } from '../contacts/history-contract.ts'
import { dashboardContract } from '../dashboard/contract.ts'
import { documentsContract } from '../documents/contract.ts'
import { duplicatesContract } from '../duplicates/contract.ts'
import { emailTemplatesContract } from '../email-templates/contract.ts'
import { eventsContract } from '../events/contract.ts'
import { importsContract } from '../imports/contract.ts'
import { inboxContract } from '../inbox/contract.ts'
import { interactionsContract } from '../interactions/contract.ts'
import { leadSourcesContract } from '../lead-sources/contract.ts'
import { leadsContract } from '../leads/contract.ts'
import { mailboxContract } from '../mailbox/contract.ts'
import { mergesContract } from '../merges/contract.ts'
import { pipelineContract } from '../pipeline/contract.ts'
import { portalContract } from '../portal/contract.ts'
import { posContract } from '../pos/contract.ts'
import { practiceContract } from '../practice/contract.ts'
import { proceduresContract } from '../procedures/contract.ts'
import { quickbooksContract } from '../quickbooks/contract.ts'
import { quotesContract } from '../quotes/contract.ts'
import { reportsContract } from '../reports/contract.ts'
import { retentionContract } from '../retention/contract.ts'
import { savedViewsContract } from '../saved-views/contract.ts'
import { notificationsContract } from '../notifications/contract.ts'
import { surgeriesContract } from '../surgeries/contract.ts'
import { tagsContract } from '../tags/contract.ts'
import { tasksContract } from '../tasks/contract.ts'
import { webhooksContract } from '../webhooks/contract.ts'
import { wholeRecordsContract } from '../whole-records/contract.ts'

/** Every call of the API; the browser's client, the server's router and the OpenAPI document are made from it. */
export const contract = {
  auth: authContract,
  account: accountContract,
  people: peopleContract,
  access: accessContract,
  audit: auditContract,
  events: eventsContract,
  pipeline: pipelineContract,
  leadSources: leadSourcesContract,
  procedures: proceduresContract,
  tags: tagsContract,
  contacts: { ...contactsContract, ...historyContract, ...mergesContract },
  apiKeys: apiKeysContract,
  appointments: appointmentsContract,
  appointmentLinks: appointmentLinksContract,
  calendarFeeds: calendarFeedsContract,
  bulkChanges: bulkChangesContract,
  collections: collectionsContract,
  connections: connectionsContract,
  consent: consentContract,
  dashboard: dashboardContract,
  documents: documentsContract,
  duplicates: duplicatesContract,
  emailTemplates: emailTemplatesContract,
  imports: importsContract,
  inbox: inboxContract,
  interactions: interactionsContract,
  leads: leadsContract,
  mailbox: mailboxContract,
  reports: reportsContract,
  savedViews: savedViewsContract,
  surgeries: surgeriesContract,
  tasks: tasksContract,
  notifications: notificationsContract,
  portal: portalContract,
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
export type ApiRoute = Paths<typeof contract>
