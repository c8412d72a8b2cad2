import { type ApiRoute, type Access, mayUse, permissions, rawRoutes } from '../../kernel/access/policy.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { slot } from '../../kernel/slot.ts'

/** What the routes that are no typed calls do, and of which part of the product they are; null: staff have no part in it. */
const rawWords: Record<keyof typeof rawRoutes, { part: string; action: string } | null> = {
  'leads.intake': null,
  'health.live': null,
  'health.ready': null,
  'api.document': null,
  'api.reader': null,
  'web.assets': null,
  'contacts.export': { part: 'Contacts', action: 'Export patients as a file' },
  'imports.upload': { part: 'Imports', action: 'Send a table of patients, tasks, interactions or documents' },
  'imports.errors': { part: 'Imports', action: 'Download the rows of an import that were refused' },
  'imports.sendFile': { part: 'Imports', action: 'Send the files of documents that are imported' },
  'imports.template': { part: 'Imports', action: 'Download an empty table to fill in' },
  'inbox.attachment': { part: 'Inbox', action: 'Open what came with a message' },
  'inbox.mail': { part: 'Inbox', action: 'Read a message as it was sent' },
  'mailbox.mail': { part: 'Mailbox', action: 'Read an email of one’s own mailbox' },
  'mailbox.attachment': { part: 'Mailbox', action: 'Open what came with an email' },
  'mailbox.upload': { part: 'Mailbox', action: 'Add a file to a draft' },
  'hooks.inbound': null,
  'hooks.events': null,
  'hooks.nylas': null,
  'consent.page': null,
  'consent.unsubscribe': null,
  'calendarFeeds.feed': null,
  'emailTemplates.frame': { part: 'Email templates', action: 'See a template as an email' },
  'documents.upload': { part: 'Documents', action: 'Add a document' },
  'documents.file': { part: 'Documents', action: 'Open a document' },
  'documents.preview': { part: 'Documents', action: 'See the first page of a document' },
  'pos.export': { part: 'Point of sale', action: 'Export receipts as a file' },
  'pos.paper': { part: 'Point of sale', action: 'Print a receipt' },
  'collections.export': { part: 'Collections', action: 'Export who owes as a file' },
  'collections.statement': { part: 'Collections', action: 'Print a statement of account' },
  'quotes.paper': { part: 'Quotes', action: 'Print a quote' },
  'reports.export': { part: 'Reports', action: 'Export a report as a file' },
  'tasks.export': { part: 'Tasks', action: 'Export tasks as a file' },
  'appointments.export': { part: 'Appointments', action: 'Export appointments as a file' },
  'surgeries.export': { part: 'Surgeries', action: 'Export surgeries as a file' },
  'inbox.export': { part: 'Inbox', action: 'Export conversations as a file' },
  'practice.logo': null,
  'practice.uploadLogo': { part: 'Practice', action: 'Add the practice’s logo' },
  'audit.export': { part: 'Audit log', action: 'Export the audit log as a file' },
  'wholeRecords.file': { part: 'Contacts', action: 'Export everything that is kept of a patient' },
  'portal.upload': null,
  'portal.file': null,
  'portal.quote': null,
}

/** The parts of the contract as the screens call them, where those differ. */
const partNames: Record<string, string> = {
  'Bulk changes': 'Many patients at once',
  'Calendar feeds': 'Own calendar, subscribed to',
  Contacts: 'Patients',
  Duplicates: 'Likely duplicates',
  Events: 'Live changes',
  'Getting in': 'Own account',
  Interactions: 'Timeline',
  Leads: 'Leads as they came in',
  Mailbox: 'Own mailbox',
  People: 'People',
  Pipeline: 'Stages',
  'Point of sale': 'Payments',
}

/** What the contract says of a call. Undefined: there is no call of this name. */
export const routeOf =
  slot<(name: string) => { method?: string | undefined; summary?: string | undefined; tags?: readonly string[] | undefined } | undefined>(
    'routeOf',
  )

/** As the screens say it: the calls keep the specification's names. */
const asOnScreen = (summary: string): string =>
  summary.replace(/\b([cC])ontact(s?)\b/g, (_, c: string, s: string) => `${c === 'C' ? 'P' : 'p'}atient${s}`)

const summaryOf = (name: string): string | null => {
  const summary = routeOf(name)?.summary
  return summary === undefined ? null : asOnScreen(summary)
}

/** What a call or a route does, in words: 'Delete a tag and take it off every patient'. Null: there is none of this name. */
export const routeWords = (name: string): string | null =>
  summaryOf(name) ?? (Object.hasOwn(rawWords, name) ? (rawWords[name as keyof typeof rawRoutes]?.action ?? null) : null)

export interface FormattedPart {
  part: string
  actions: { action: string; isReading: boolean; roles: Role[] }[]
}

/** The permission matrix for people: what staff do in each part of the product, and which roles may. What is open to anyone is left out. */
export function formatMatrix(): FormattedPart[] {
  const parts = new Map<string, FormattedPart['actions']>()
  const add = (part: string, action: string, isReading: boolean, access: Access) => {
    if (access === 'public') return
    const name = partNames[part] ?? part
    parts.set(name, [...(parts.get(name) ?? []), { action, isReading, roles: roles.filter((role) => mayUse(access, someone(role))) }])
  }
  for (const [name, access] of Object.entries(permissions) as [ApiRoute, Access][]) {
    const route = routeOf(name)
    add(route?.tags?.[0] ?? name, summaryOf(name) ?? name, route?.method === 'GET', access)
  }
  for (const [name, access] of Object.entries(rawRoutes) as [keyof typeof rawRoutes, Access][]) {
    const words = rawWords[name]
    if (words) add(words.part, words.action, !/^(Send|Add)/.test(words.action), access)
  }
  return [...parts]
    .map(([part, actions]) => ({ part, actions: actions.toSorted((a, b) => Number(b.isReading) - Number(a.isReading)) }))
    .toSorted((a, b) => a.part.localeCompare(b.part))
}

const someone = (role: Role) => ({ id: '', sessionId: '', name: '', email: '', role, status: 'active' as const })
