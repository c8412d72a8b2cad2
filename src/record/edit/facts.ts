import type { FieldName } from '../../crm/contacts/web/embed/form/ContactField.tsx'

/** The fields behind each fact of a patient's page that is edited in place; those of a consult belong together and are listed elsewhere. */
export const factFields = {
  name: ['firstName', 'lastName'],
  phone: ['phone', 'otherPhones'],
  email: ['email', 'otherEmails'],
  address: ['address', 'city', 'state', 'zipCode'],
  consent: ['consentToCommunicate'],
  procedure: ['procedureOfInterest'],
  provider: ['assignedProviderId'],
  medication: ['weightLossMedication'],
  specialist: [],
  owner: ['assignedSalesRepId'],
  status: ['status'],
  source: ['leadSource'],
  importSource: ['importSource'],
  appointment: ['appointmentDate'],
  location: ['appointmentLocation'],
  surgery: ['surgicalDate'],
  revenue: ['revenueCents'],
  notes: ['notes'],
  specialistNotes: ['specialistNotes'],
  company: ['company'],
  title: ['title'],
  lastContact: ['lastContactDate'],
  details: ['metadata'],
} as const satisfies Record<string, readonly FieldName[]>

export type FactName = keyof typeof factFields
