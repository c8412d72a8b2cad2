import { type ApiRoute, type Access, mayUse, permissions, rawRoutes } from '../../kernel/access/policy.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { slot } from '../../kernel/slot.ts'

/** The part of the product and the description of each raw HTTP route; null if staff do not use it. */
export const rawRouteLabels: Record<keyof typeof rawRoutes, { part: string; action: string } | null> = {
  'leads.intake': null,
  'health.live': null,
  'health.ready': null,
  'metrics.read': null,
  'api.document': null,
  'api.reader': null,
  'web.assets': null,
  'web.securityContact': null,
  'contacts.export': { part: 'Contacts', action: 'Export patients as a file' },
  'imports.upload': { part: 'Imports', action: 'Upload a table of patients, tasks, interactions or documents' },
  'imports.errors': { part: 'Imports', action: 'Download the rejected rows of an import' },
  'imports.sendFile': { part: 'Imports', action: 'Upload the files of imported documents' },
  'imports.template': { part: 'Imports', action: 'Download an import template' },
  'inbox.attachment': { part: 'Inbox', action: 'Open an attachment of a message' },
  'inbox.uploadPicture': { part: 'Inbox', action: 'Add a picture to an email' },
  'inbox.picture': { part: 'Inbox', action: 'View a picture of an email that is being written' },
  'inbox.mail': { part: 'Inbox', action: 'View the original of a message' },
  'mailbox.mail': { part: 'Mailbox', action: 'Read an email in their own mailbox' },
  'mailbox.attachment': { part: 'Mailbox', action: 'Open an attachment of an email' },
  'mailbox.upload': { part: 'Mailbox', action: 'Attach a file to a draft' },
  'hooks.inbound': null,
  'hooks.events': null,
  'hooks.nylas': null,
  'hooks.stripe': null,
  'hooks.twilio': null,
  'consent.page': null,
  'consent.unsubscribe': null,
  'calendarFeeds.feed': null,
  'appointmentLinks.calendar': null,
  'emailTemplates.frame': { part: 'Email templates', action: 'Preview a template as an email' },
  'adverseEvents.report': { part: 'Adverse events', action: 'Print the report of an adverse event' },
  'photos.upload': { part: 'Photos', action: 'Take or add a photo' },
  'photoUses.report': { part: 'Use of photos', action: 'Print the report of a withdrawal' },
  'photos.pdf': { part: 'Photos', action: 'Print photos' },
  'photos.image': { part: 'Photos', action: 'Open a photo' },
  'photoUses.original': { part: 'Use of photos', action: 'Download the original of a photo' },
  'photoUses.download': { part: 'Use of photos', action: 'Download many photos' },
  'consultGallery.image': { part: 'Use of photos', action: 'See a photo in the gallery' },
  'gallery.image': null,
  'sharedPhotos.image': null,
  'documents.upload': { part: 'Documents', action: 'Add a document' },
  'documents.file': { part: 'Documents', action: 'Open a document' },
  'documents.preview': { part: 'Documents', action: 'Preview the first page of a document' },
  'payouts.export': { part: 'Payouts', action: 'Export payouts as a file' },
  'pos.export': { part: 'Point of sale', action: 'Export receipts as a file' },
  'pos.pdf': { part: 'Point of sale', action: 'Print a receipt' },
  'collections.export': { part: 'Collections', action: 'Export outstanding balances as a file' },
  'collections.statement': { part: 'Collections', action: 'Print a statement of account' },
  'quotes.pdf': { part: 'Quotes', action: 'Print a quote' },
  'implants.card': { part: 'Implants', action: 'Print a patient’s implant card' },
  'recalls.letter': { part: 'Recalls', action: 'Print a letter to a patient' },
  'recalls.export': { part: 'Recalls', action: 'Export the patients of a recall as a file' },
  'notes.pdf': { part: 'Clinical notes', action: 'Print a signed note' },
  'consentForms.file': { part: 'Consent forms', action: 'Open a sealed consent form' },
  'reports.export': { part: 'Reports', action: 'Export a report as a file' },
  'tasks.export': { part: 'Tasks', action: 'Export tasks as a file' },
  'appointments.export': { part: 'Appointments', action: 'Export appointments as a file' },
  'surgeries.export': { part: 'Surgeries', action: 'Export surgeries as a file' },
  'inbox.export': { part: 'Inbox', action: 'Export conversations as a file' },
  'campaigns.frame': { part: 'Campaigns', action: 'Preview a campaign' },
  'campaigns.refused': { part: 'Campaigns', action: 'Export the refused patients of a campaign as a file' },
  'campaigns.click': null,
  'seals.verify': null,
  'practice.logo': null,
  'practice.uploadLogo': { part: 'Practice', action: 'Upload the practice’s logo' },
  'audit.export': { part: 'Audit log', action: 'Export the audit log as a file' },
  'wholeRecords.file': { part: 'Contacts', action: 'Export a patient’s complete record' },
  'portal.upload': null,
  'portal.file': null,
  'portal.quote': null,
  'portal.receipt': null,
  'portal.consent': null,
  'portal.implantCard': null,
  'portal.photo': null,
}

/** Names shown for parts of the contract, where they differ. */
const partNames: Record<string, string> = {
  'Bulk changes': 'Bulk changes to patients',
  'Calendar feeds': 'Own calendar feed',
  Contacts: 'Patients',
  Duplicates: 'Possible duplicates',
  Events: 'Live updates',
  'Getting in': 'Own account',
  Interactions: 'Timeline',
  Leads: 'Incoming leads',
  Mailbox: 'Own mailbox',
  People: 'People',
  Pipeline: 'Stages',
  'Point of sale': 'Payments',
}

/** The contract's description of a call; undefined if there is no call with this name. */
export const routeOf =
  slot<(name: string) => { method?: string | undefined; summary?: string | undefined; tags?: readonly string[] | undefined } | undefined>(
    'routeOf',
  )

/** Replaces 'contact' by 'patient', the term on screens; the API keeps the specification's term. */
const toScreenTerms = (summary: string): string =>
  summary.replace(/\b([cC])ontact(s?)\b/g, (_, c: string, s: string) => `${c === 'C' ? 'P' : 'p'}atient${s}`)

const summaryOf = (name: string): string | null => {
  const summary = routeOf(name)?.summary
  return summary === undefined ? null : toScreenTerms(summary)
}

/** Describes a call or a route, such as 'Export receipts as a file', or null with this name. */
export const describeRoute = (name: string): string | null =>
  summaryOf(name) ?? (Object.hasOwn(rawRouteLabels, name) ? (rawRouteLabels[name as keyof typeof rawRoutes]?.action ?? null) : null)

export interface FormattedPart {
  part: string
  actions: { action: string; isReading: boolean; roles: Role[] }[]
}

/**
 * The permission matrix as readable text: the actions in each part of the product and the roles that may perform them, without public
 * calls.
 */
export function formatMatrix(): FormattedPart[] {
  const parts = new Map<string, FormattedPart['actions']>()
  const add = (part: string, action: string, isReading: boolean, access: Access) => {
    if (access === 'public') return
    const name = partNames[part] ?? part
    parts.set(name, [...(parts.get(name) ?? []), { action, isReading, roles: roles.filter((role) => mayUse(access, actorWithRole(role))) }])
  }
  for (const [name, access] of Object.entries(permissions) as [ApiRoute, Access][]) {
    const route = routeOf(name)
    add(route?.tags?.[0] ?? name, summaryOf(name) ?? name, route?.method === 'GET', access)
  }
  for (const [name, access] of Object.entries(rawRoutes) as [keyof typeof rawRoutes, Access][]) {
    const label = rawRouteLabels[name]
    if (label) add(label.part, label.action, !/^(Upload|Add|Attach)/.test(label.action), access)
  }
  return [...parts]
    .map(([part, actions]) => ({ part, actions: actions.toSorted((a, b) => Number(b.isReading) - Number(a.isReading)) }))
    .toSorted((a, b) => a.part.localeCompare(b.part))
}

const actorWithRole = (role: Role) => ({ id: '', sessionId: '', name: '', email: '', role, status: 'active' as const })
