import { type Access, permissions } from '../access/policy.ts'
import { information } from '../access/information.ts'
import type { Topic } from './contract.ts'

/**
 * Who may subscribe to a topic: anyone who may use the call that returns its data. An event can be restricted further (see events.ts), but
 * never extended.
 */
export const subscribers: Record<Topic, Access> = {
  contact: permissions['contacts.get'],
  vocabulary: permissions['tags.list'],
  people: permissions['people.list'],
  'bulk-change': permissions['bulkChanges.get'],
  duplicate: permissions['duplicates.list'],
  'email-template': permissions['emailTemplates.list'],
  form: permissions['forms.ofContact'],
  'form-template': permissions['forms.templates'],
  'consent-form': permissions['consentForms.ofContact'],
  'consent-template': permissions['consentForms.templates'],
  import: permissions['imports.list'],
  'saved-view': permissions['savedViews.list'],
  'saved-report': permissions['reports.saved'],
  task: permissions['tasks.list'],
  notification: permissions['notifications.list'],
  document: permissions['documents.list'],
  quickbooks: permissions['quickbooks.status'],
  receipt: permissions['pos.receipts'],
  payout: permissions['payouts.list'],
  dispute: permissions['disputes.list'],
  inbox: permissions['inbox.conversations'],
  replying: permissions['inbox.conversation'],
  mailbox: permissions['mailbox.connection'],
  appointment: permissions['appointments.list'],
  'waiting-list': permissions['waitingList.list'],
  surgery: permissions['surgeries.list'],
  tablet: permissions['tablet.ofContact'],
  chart: information.alerts.read,
  quote: permissions['quotes.ofContact'],
  practice: permissions['practice.rooms'],
  recall: permissions['recalls.list'],
  sequence: permissions['sequences.ofContact'],
  stock: permissions['devices.list'],
  'adverse-event': permissions['adverseEvents.list'],
  photo: permissions['photos.seriesOfContact'],
  gallery: permissions['consultGallery.list'],
  note: permissions['notes.ofContact'],
  lead: permissions['leads.entries'],
  campaign: permissions['campaigns.list'],
  'api-key': permissions['apiKeys.list'],
  'signing-key': permissions['signingKeys.list'],
  webhook: permissions['webhooks.list'],
  retention: permissions['retention.list'],
}
