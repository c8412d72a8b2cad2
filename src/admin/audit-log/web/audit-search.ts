import { auditActions, type AuditAction, type AuditKind, auditKinds } from '../../../kernel/audit/rules.ts'

/** The search parameters of the audit log page. */
export interface AuditSearch {
  person?: string
  patient?: string
  action?: AuditAction
  kind?: AuditKind
  /** Calendar days, 'yyyy-MM-dd', both inclusive. */
  from?: string
  to?: string
  /** The open entry. */
  entry?: number
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Parses search parameters from a URL and drops invalid values. */
export function readAuditSearch(from: Record<string, unknown>): AuditSearch {
  const id = (value: unknown) => (typeof value === 'string' && uuid.test(value) ? value : undefined)
  const entry = Number(from.entry)
  return {
    person: id(from.person),
    patient: id(from.patient),
    action: auditActions.find((action) => action === from.action),
    kind: (Object.keys(auditKinds) as AuditKind[]).find((kind) => kind === from.kind),
    from: day(from.from),
    to: day(from.to),
    entry: Number.isSafeInteger(entry) && entry > 0 ? entry : undefined,
  }
}

/** Compares the result with the input, because JavaScript parses February 30 as a day in March. */
function day(value: unknown): string | undefined {
  const at = typeof value === 'string' && /^20\d\d-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(String(value)) ? String(value) : undefined
}

/** The filters of the API. */
export const toFilters = ({ person, patient, action, kind, from, to }: AuditSearch) => ({
  actorId: person,
  contactId: patient,
  action,
  kind,
  from,
  to,
})

export const noFilters = {
  person: undefined,
  patient: undefined,
  action: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
} satisfies AuditSearch

export interface AuditProps {
  search: AuditSearch
  onChange: (part: AuditSearch) => void
}
