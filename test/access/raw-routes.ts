import type { rawRoutes } from '../../src/kernel/access/policy.ts'
import type { OneOfEach } from '../factories.ts'

type Raw = keyof typeof rawRoutes
type Guarded = { [Name in Raw]: (typeof rawRoutes)[Name] extends 'public' ? never : Name }[Raw]

const all = 'admin sales_rep provider front_desk billing'
const clinical = 'admin sales_rep provider front_desk'
const sales = 'admin sales_rep'
const money = 'admin sales_rep front_desk billing'
const uuid = '00000000-0000-4000-8000-000000000000'

/** Every raw route that is not public: the roles allowed, written out by hand as in policy.test.ts, and a sample request. */
export const guardedRawRoutes: Record<Guarded, [who: string, method: string, path: string | ((made: OneOfEach) => string)]> = {
  'contacts.export': [sales, 'GET', '/api/contacts/export.csv'],
  'imports.upload': [sales, 'POST', '/api/imports?name=a.csv'],
  'imports.errors': [sales, 'GET', `/api/imports/${uuid}/errors.csv`],
  'imports.sendFile': [sales, 'POST', `/api/imports/${uuid}/files?path=a.pdf`],
  'imports.template': [sales, 'GET', '/api/import-templates/tasks.csv'],
  'inbox.attachment': [sales, 'GET', `/api/inbox/attachments/${uuid}/file`],
  'inbox.uploadPicture': [sales, 'POST', '/api/inbox/pictures?name=a.png'],
  'inbox.picture': [sales, 'GET', `/api/inbox/pictures/${uuid}`],
  'inbox.mail': [sales, 'GET', `/api/inbox/messages/${uuid}/mail`],
  'mailbox.mail': [all, 'GET', '/api/mailbox/messages/one/mail'],
  'mailbox.attachment': [all, 'GET', '/api/mailbox/messages/one/attachments/two'],
  'mailbox.upload': [all, 'POST', `/api/mailbox/drafts/${uuid}/files?name=a.pdf`],
  'emailTemplates.frame': [all, 'POST', '/api/email-templates/preview.html'],
  'adverseEvents.report': ['admin provider', 'GET', ({ adverseEventId }) => `/api/adverse-events/${adverseEventId}.pdf`],
  'photos.upload': ['admin provider front_desk', 'POST', ({ photoSeriesId }) => `/api/photo-series/${photoSeriesId}/photos?name=a.jpg`],
  'photoUses.original': ['admin provider', 'GET', ({ photoId }) => `/api/photos/${photoId}/original?purpose=patient`],
  'photoUses.download': ['admin provider', 'POST', ({ contactId }) => `/api/contacts/${contactId}/photos.zip`],
  'consultGallery.image': ['admin sales_rep provider', 'GET', `/api/consult-gallery/${uuid}.jpg`],
  'photos.image': ['admin provider', 'GET', ({ photoId }) => `/api/photos/${photoId}/screen`],
  'photoUses.report': ['admin provider', 'GET', `/api/photo-consents/${uuid}.pdf`],
  'photos.pdf': ['admin provider', 'GET', ({ photoId }) => `/api/photos.pdf?ids=${photoId}`],
  'documents.upload': [clinical, 'POST', ({ contactId }) => `/api/contacts/${contactId}/documents?name=a.pdf`],
  'documents.file': [clinical, 'GET', ({ documentId }) => `/api/documents/${documentId}/file`],
  'documents.preview': [clinical, 'GET', ({ documentId }) => `/api/documents/${documentId}/preview`],
  'pos.export': [money, 'GET', '/api/pos/receipts.csv'],
  'payouts.export': [money, 'GET', '/api/payouts.csv'],
  'pos.pdf': [money, 'GET', `/api/pos/receipts/${uuid}.pdf`],
  'collections.export': [money, 'GET', '/api/collections/outstanding.csv'],
  'collections.statement': [money, 'GET', ({ contactId }) => `/api/contacts/${contactId}/statement.pdf`],
  'implants.card': ['admin provider', 'GET', ({ contactId }) => `/api/contacts/${contactId}/implant-card.pdf`],
  'recalls.letter': ['admin provider', 'GET', ({ recallLetterId }) => `/api/recall-letters/${recallLetterId}.pdf`],
  'recalls.export': ['admin provider', 'GET', ({ recallId }) => `/api/recalls.csv?id=${recallId}`],
  'notes.pdf': ['admin provider', 'GET', ({ clinicalNoteId }) => `/api/notes/${clinicalNoteId}.pdf`],
  'consentForms.file': ['admin provider', 'GET', `/api/consent-files/${uuid}.pdf`],
  'quotes.pdf': [money, 'GET', ({ quoteId }) => `/api/quotes/${quoteId}.pdf`],
  'reports.export': ['admin sales_rep provider billing', 'GET', '/api/reports.csv?report=leads'],
  'audit.export': ['admin', 'GET', '/api/audit.csv'],
  'tasks.export': [all, 'GET', '/api/tasks.csv'],
  'appointments.export': [clinical, 'GET', '/api/appointments.csv'],
  'surgeries.export': [clinical, 'GET', '/api/surgeries.csv'],
  'campaigns.frame': [sales, 'GET', ({ campaignId }) => `/api/campaigns/${campaignId}/preview.html`],
  'campaigns.refused': [sales, 'GET', ({ campaignId }) => `/api/campaigns/refused.csv?id=${campaignId}`],
  'inbox.export': [sales, 'GET', '/api/conversations.csv'],
  'wholeRecords.file': ['admin', 'GET', ({ contactId }) => `/api/contacts/${contactId}/whole-record.zip`],
  'practice.uploadLogo': ['admin', 'POST', '/api/practice/logo'],
}
