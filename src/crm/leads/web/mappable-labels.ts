import type { MappableField } from '../../lead-sources/rules.ts'

export const mappableLabels: Record<MappableField, string> = {
  fullName: 'Full name',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  procedure: 'Procedure',
  source: 'Source',
  referredBy: 'Referred by',
}
