import type { Scope } from '../../kernel/scope.ts'
import type { Words } from '../../shared/translations.ts'
import * as consents from '../../chart/consent-forms/service.ts'
import type { ConsentStatus } from '../../chart/consent-forms/status-rules.ts'
import { listOfContact, listOwnForms } from '../../chart/forms/service.ts'
import { closedCode } from '../../chart/forms/status-rules.ts'
import type { PatientScope } from '../sessions.ts'
import type { TabletItem, TabletItemKind } from './rules.ts'

/** `closed`: it can no longer be done, for example because it was withdrawn. */
export type NamedItem = TabletItem & { title: Words; state: 'open' | 'done' | 'closed' }

/** How the items of a kind are found: all of a patient for staff, and the patient's own as the patient. */
interface Source {
  ofContact: (scope: Scope, contactId: string) => Promise<NamedItem[]>
  own: (scope: PatientScope) => Promise<NamedItem[]>
}

type Form = Parameters<typeof closedCode>[0] & Pick<NamedItem, 'id' | 'title'>
const named = (forms: readonly Form[], now: Date): NamedItem[] =>
  forms.map((form) => {
    const closed = closedCode(form, now)
    return { kind: 'form', id: form.id, title: form.title, state: closed === null ? 'open' : closed === 'SUBMITTED' ? 'done' : 'closed' }
  })

type Consent = Pick<NamedItem, 'id' | 'title'> & { status: ConsentStatus }
const namedConsents = (consents: readonly Consent[]): NamedItem[] =>
  consents.map(({ id, title, status }) => ({
    kind: 'consent form',
    id,
    title,
    state: status === 'sent' ? 'open' : status === 'signed' || status === 'declined' ? 'done' : 'closed',
  }))

const sources: Record<TabletItemKind, Source> = {
  form: {
    ofContact: async (scope, contactId) => named((await listOfContact(scope, contactId)) ?? [], scope.now()),
    own: async (scope) => named(await listOwnForms(scope), scope.now()),
  },
  'consent form': {
    ofContact: async (scope, contactId) => namedConsents((await consents.listOfContact(scope, contactId)) ?? []),
    own: async (scope) => namedConsents(await consents.listOwnConsents(scope)),
  },
}

export const isSameItem = (a: TabletItem, b: TabletItem): boolean => a.kind === b.kind && a.id === b.id

const all = async (find: (source: Source) => Promise<NamedItem[]>) => (await Promise.all(Object.values(sources).map(find))).flat()

/** Everything that a patient could be given on a tablet, or has been. */
export const itemsOfContact = (scope: Scope, contactId: string): Promise<NamedItem[]> => all(({ ofContact }) => ofContact(scope, contactId))

/** The items of a tablet in their order, as the patient sees them. */
export async function ownItems(scope: PatientScope, items: readonly TabletItem[]): Promise<NamedItem[]> {
  const found = await all(({ own }) => own(scope))
  return items.flatMap((item) => found.find((one) => isSameItem(one, item)) ?? [])
}
